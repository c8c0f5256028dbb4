"""A pupil's seat in a match of a room, and what a room's row has sealed."""

from dataclasses import dataclass

from game.engine.chance import SEED_BYTES
from game.engine.codec import Reader, encode_text
from game.matches.keyring import Sealed
from game.matches.parts import FeaturePart, PartFormat
from game.matches.setup import Setup
from game.matches.token_format import decode_setup, encode_setup


@dataclass(frozen=True, slots=True)
class Seat:
    """A pupil's right to be counted once."""

    room: str
    """The public id of the room."""
    key: str
    """The hash of the seat's secret."""


def _encode(seat: Seat) -> bytes:
    return encode_text(seat.room) + encode_text(seat.key)


def _decode(content: bytes) -> Seat:
    reader = Reader(content)
    return Seat(reader.text(), reader.text())


PART = FeaturePart([PartFormat(Seat, 4, _encode, _decode)])


def _decode_sea(content: bytes) -> tuple[Setup, bytes]:
    reader = Reader(content)
    seed = reader.take(SEED_BYTES)
    return decode_setup(reader), seed


_SEAS = Sealed("room", lambda sea: sea[1] + encode_setup(sea[0]), _decode_sea)
seal_sea, unseal_sea = _SEAS.seal, _SEAS.unseal
"""The setup and the seed of a room, which decide its sea."""

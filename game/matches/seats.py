"""The seats of a browser in matches at two devices, as a cookie holds them.

    device 16 | proofs brought from elsewhere, 16 bytes each

A seat's proof is made of the device's secret; a match holds the hash of the proof.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass, replace

from game.engine.codec import BadEncoding, Reader
from game.engine.rules import Side
from game.matches.duel import SEAT_BYTES, Duel

MOST_BROUGHT = 40
"""How many seats brought from elsewhere a cookie holds; the oldest go first."""


@dataclass(frozen=True, slots=True)
class Seats:
    """A device's secret, and the proofs of seats that were brought to it."""

    device: bytes
    brought: tuple[bytes, ...] = ()

    @classmethod
    def new(cls) -> Seats:
        """The seats of a browser that has none."""
        return cls(os.urandom(SEAT_BYTES))

    def seat_secret(self, duel_id: bytes, side: Side) -> bytes:
        """The device's own proof for a seat of the duel of that id."""
        digest = hmac.digest(self.device, duel_id + bytes((side,)), hashlib.sha256)
        return digest[:SEAT_BYTES]

    def side_of(self, duel: Duel) -> Side | None:
        """The side of a duel whose seat the browser holds, or None."""
        return next((side for side in Side if self.secret_of(duel, side)), None)

    def secret_of(self, duel: Duel, side: Side) -> bytes | None:
        """The proof of that seat, if the browser holds it."""
        return self.secret_for(duel.id, side, duel.seat_hashes[side])

    def secret_for(self, duel_id: bytes, side: Side, seat_hash: bytes) -> bytes | None:
        """The proof of a seat whose holder is known, if the browser has it."""
        seat_secrets = (self.seat_secret(duel_id, side), *self.brought)
        return next(
            (one for one in seat_secrets if hmac.compare_digest(seat_hash_of(one), seat_hash)), None
        )

    def with_secret(self, seat_secret: bytes) -> Seats:
        """The seats with one brought from elsewhere."""
        others = tuple(one for one in self.brought if one != seat_secret)
        return replace(self, brought=(*others, seat_secret)[-MOST_BROUGHT:])


def seat_hash_of(seat_secret: bytes) -> bytes:
    """What a match knows of the proof of a seat: a hash."""
    return hashlib.sha256(seat_secret).digest()[:SEAT_BYTES]


def decode_seats(content: bytes) -> Seats:
    """The seats in these bytes; raises BadEncoding."""
    reader = Reader(content)
    device, rest = reader.take(SEAT_BYTES), reader.rest()
    if len(rest) % SEAT_BYTES or len(rest) > MOST_BROUGHT * SEAT_BYTES:
        raise BadEncoding("not seats")
    brought = (rest[at : at + SEAT_BYTES] for at in range(0, len(rest), SEAT_BYTES))
    return Seats(device, tuple(brought))

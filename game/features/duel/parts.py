"""How a duel is written: in its own tokens, in a browser's cookie, and in the draft of a seat."""

from __future__ import annotations

from game.engine import codec
from game.engine.codec import Reader, encode_flags
from game.engine.fleets import Fleet, make_fleet
from game.engine.match import Match
from game.engine.rules import Pair, Side
from game.features.duel.model import (
    DUEL_ID_BYTES,
    MOST_BROUGHT,
    NOBODY,
    SEAT_BYTES,
    Claim,
    Duel,
    Seats,
)
from game.matches import keyring
from game.matches.keyring import BadToken, Sealed
from game.matches.parts import Kind, Model
from game.matches.saved import SavedMatch
from game.matches.token_format import decode_match, decode_setup, encode_match, encode_setup


def encode(duel: Duel) -> bytes:
    """Returns a step, which is the same for both seats."""
    setup, match, fleets = duel.setup, duel.match, duel.fleets
    hashes = [one or bytes(SEAT_BYTES) for one in duel.seat_hashes]  # zeros stand for NOBODY
    content = [
        encode_setup(setup), duel.id, duel.step.to_bytes(2, "big"), *hashes,
        encode_flags(*duel.wishes, *duel.left, match, *(fleet is not None for fleet in fleets)),
    ]  # fmt: skip
    if match:
        content.append(encode_match(setup, match))
    else:
        content += [codec.encode_ships(setup.ruleset, fleet or ()) for fleet in fleets]
    return b"".join(content)


def decode(content: bytes) -> Duel:
    """Returns the step in these bytes; raises a ValueError or LookupError."""
    reader = Reader(content)
    setup, duel_id, step = decode_setup(reader), reader.take(DUEL_ID_BYTES), reader.number(2)
    first, second = (reader.take(SEAT_BYTES).strip(b"\0") or NOBODY for _ in Side)
    wished, wishes, left, leaves, has_match, *placed = reader.flags(7)
    match: Match | None = None
    if has_match:
        match = decode_match(reader, setup)
        fleets: Pair[Fleet | None] = match.fleets
    else:
        one, other = (
            make_fleet(
                setup.ruleset, codec.decode_ships(reader, setup.ruleset, setup.ruleset.fleet)
            )
            if is_placed
            else None
            for is_placed in placed
        )
        fleets = (one, other)
    return Duel(
        duel_id, step, (first, second), setup, fleets, match, (wished, wishes), (left, leaves)
    )


def _encode_seats(seats: Seats) -> bytes:
    return seats.device + b"".join(seats.brought)


def _decode_seats(content: bytes) -> Seats:
    reader = Reader(content)
    device = reader.take(SEAT_BYTES)
    count = min(reader.left // SEAT_BYTES, MOST_BROUGHT)
    return Seats(device, tuple(reader.take(SEAT_BYTES) for _ in range(count)))


_DUELS = Sealed("duel", encode, decode)
seal_duel, unseal_duel = _DUELS.seal, _DUELS.unseal
_INVITES = Sealed("invite", bytes, bytes)
seal_invite, unseal_invite = _INVITES.seal, _INVITES.unseal
"""The id of the duel that an invitation is for."""
_SEATS = Sealed("seats", _encode_seats, _decode_seats)
seal_seats, unseal_seats = _SEATS.seal, _SEATS.unseal
"""The seats of a browser, as its cookie holds them."""


def seal_kept_seat(duel_id: bytes, seat_secret: bytes) -> str:
    """Returns a token that brings a seat to another device."""
    return keyring.seal("keep", duel_id + seat_secret)


def unseal_kept_seat(token: str) -> tuple[bytes, bytes]:
    """Returns the id of the duel and the secret of the seat; raises BadToken."""
    content = keyring.unseal("keep", token)
    return content[:DUEL_ID_BYTES], content[DUEL_ID_BYTES:]


def _ended(token: str) -> SavedMatch:
    saved = unseal_duel(token).saved(None)
    if saved is None or saved.match.outcome is None:
        raise BadToken("the match goes on")
    return saved


def _encode_claim(claim: Claim) -> bytes:
    return claim.id + bytes((claim.side,)) + claim.seat_hash


def _decode_claim(content: bytes) -> Claim:
    reader = Reader(content)
    return Claim(reader.take(DUEL_ID_BYTES), Side(reader.number()), reader.take(SEAT_BYTES))


ROW = Model([Kind(Claim, 3, _encode_claim, _decode_claim)], ended=_ended)

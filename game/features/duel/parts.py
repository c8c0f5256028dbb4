"""How a duel is written: in its own tokens, in a browser's cookie, and in the draft of a seat."""

from __future__ import annotations

from dataclasses import replace

from game.engine import codec
from game.engine.rules import Side
from game.features.duel.model import DUEL_ID_BYTES, MOST_BROUGHT, SEAT_BYTES, Claim, Duel, Seats
from game.matches import keyring
from game.matches.fields import (
    NOTHING,
    Field,
    Values,
    bits,
    fixed,
    flags,
    number,
    pair,
    record,
    table,
    to_the_end,
)
from game.matches.keyring import BadToken, Sealed
from game.matches.parts import Kind, Model
from game.matches.saved import SavedMatch
from game.matches.token_format import RULES, SETUP, fleet_field, match_field, with_rules


def _duel(it: Values) -> Duel:
    match, fleets = it.match, it.fleets
    if match is None:
        setup = replace(it.setup, ruleset=it.rules)
    else:
        setup, fleets = with_rules(it.setup, match.ruleset), match.fleets
    if not setup.remote or (match and setup.is_solo):
        raise codec.BadEncoding("not of two persons at two devices")
    return Duel(it.id, it.step, it.seat_hashes, setup, fleets, match, it.ends[:2], it.ends[2:])


_SEAT_HASH = fixed(SEAT_BYTES).of(
    lambda content: content.strip(b"\0") and content, lambda it: it.ljust(SEAT_BYTES, b"\0")
)
"""Zeros stand for NOBODY."""
DUEL = table(
    _duel,
    lambda duel: {
        "rules": duel.setup.ruleset, "ends": (*duel.wishes, *duel.left),
        "has_first": duel.fleets[0], "has_second": duel.fleets[1],
    },
    setup=SETUP,
    id=fixed(DUEL_ID_BYTES),
    step=number(2),
    seat_hashes=pair(_SEAT_HASH),
    ends=bits(4),
    stage=flags("has_first", "has_second", "match"),
    match=lambda it: Field(codec.encode, match_field(it.setup).read) if it.match else NOTHING,
    rules=lambda it: NOTHING if it.match else RULES,
    fleets=lambda it: NOTHING if it.match else pair(
        fleet_field(it.rules, is_placed=it.has_first),
        fleet_field(it.rules, is_placed=it.has_second),
    ),
)  # fmt: skip
"""The same for both seats. The rules and the setup alone decide its length."""
SEATS = record(Seats, device=fixed(SEAT_BYTES), brought=to_the_end(fixed(SEAT_BYTES), MOST_BROUGHT))

_DUELS = Sealed("duel", DUEL.write, DUEL.decode)
seal_duel, unseal_duel = _DUELS.seal, _DUELS.unseal
_INVITES = Sealed("invite", bytes, bytes)
seal_invite, unseal_invite = _INVITES.seal, _INVITES.unseal
"""The id of the duel that an invitation is for."""
_SEATS = Sealed("seats", SEATS.write, SEATS.decode)
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


_CLAIM = record(
    Claim, id=fixed(DUEL_ID_BYTES), side=number().of(Side, int), seat_hash=fixed(SEAT_BYTES)
)
ROW = Model(
    [Kind(Claim, _CLAIM, of_draft=lambda setup: setup.remote, seat=lambda claim: claim.side)],
    ended=_ended,
)

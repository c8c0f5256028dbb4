"""Pairs of clicks at two devices that have to take the same time; see tests.support.timing."""

from collections.abc import Callable
from functools import partial

from game.engine.fleets import Fleet
from game.engine.match import Match
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from game.features.duel import store as duel_store
from game.features.duel.model import Claim, Duel, Seats, opened, seat_hash_of
from game.features.duel.parts import seal_seats
from game.matches.draft import Draft
from game.matches.setup import Setup
from game.matches.tokens import seal_draft
from tests.duel.duels import address_of
from tests.support.memory import KEPT
from tests.support.timing import (
    CLASSIC,
    ONE_SHOT,
    Click,
    Clicks,
    MakePair,
    begun,
    edges,
    fields_of,
    fleets,
    inside,
    stayed,
    stuck,
)

_SEATS = Seats(bytes(16)), Seats(bytes(range(100, 116)))
_DUEL = bytes(range(50, 66))
_HOLDERS = tuple(
    seat_hash_of(seats.seat_secret(_DUEL, side)) for seats, side in zip(_SEATS, Side, strict=True)
)


def at_two_devices(make: MakePair) -> Clicks:
    """The first seat's click in two duels; what differs is what the second seat hides."""
    pair = make()
    fields = fields_of(pair)

    def click(match: Match) -> Click:
        KEPT.clear()
        setup = _setup(match.ruleset)
        holders = _HOLDERS[0], _HOLDERS[1]
        duel = Duel(_DUEL, 2 + match.ply, holders, setup, match.fleets, match)
        duel_store.write(duel)
        return Click(address_of(duel), fields, _cookie(Side.FIRST), dict(KEPT))

    return click(pair[0]), click(pair[1])


def placing_second(rules: Ruleset) -> Clicks:
    """The second seat's start, where the fleet of the first lies one way or another."""
    found = sorted(fleets(rules), key=lambda fleet: edges(begun(rules, fleet)))
    ships = [str(ship) for ship in begun(rules, found[0]).fleets[Side.FIRST]]
    draft = Draft(_setup(rules), parts=(Claim(_DUEL, Side.SECOND, _HOLDERS[1]),))
    where = f"/en/place/{seal_draft(draft)}/"

    def click(hidden: Fleet) -> Click:
        KEPT.clear()
        duel = duel_store.write(opened(draft.setup, _DUEL, _HOLDERS[0], hidden, ""))
        duel_store.write(duel.joined(_HOLDERS[1]))
        fields: dict[str, str | list[str]] = {"action": "start", "ship": ships}
        return Click(where, fields, _cookie(Side.SECOND), dict(KEPT))

    return click(found[0]), click(found[-1])


def _cookie(side: Side) -> str:
    return f"seats={seal_seats(_SEATS[side])}"


def _setup(rules: Ruleset) -> Setup:
    return Setup(rules, (None, None), remote=True, loser_begins=True)


def pairs() -> dict[str, Callable[[], Clicks]]:
    return {
        "two devices: no ship can move, or one": partial(at_two_devices, stuck(BONN)),
        "two devices: it never moved, or always": partial(at_two_devices, stayed(ONE_SHOT)),
        "two devices: inside or at the edge": partial(at_two_devices, inside(CLASSIC)),
        "two devices: placed inside or at the edge": partial(placing_second, CLASSIC),
    }

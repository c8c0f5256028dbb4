"""A match of two persons at two devices: its state, of which each move makes the next step.

    placing the fleets -> the match -> its result -> placing again, once both wish a rematch

Both seats have the same state in their addresses, sealed; what a seat may see of it is decided when
a page is drawn.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from dataclasses import dataclass, replace
from typing import TypeVar

from game.engine.actions import Action, IllegalAction
from game.engine.chance import SEED_BYTES
from game.engine.fleets import Fleet
from game.engine.match import Match
from game.engine.rules import Pair, Side
from game.matches.saved import SavedMatch
from game.matches.setup import Setup

T = TypeVar("T")

DUEL_ID_BYTES = 16
SEAT_BYTES = 16
_POLL_KEY_BYTES = 16
MOST_STEPS = 60_000
"""No rematch after so many steps: a token has two bytes for their number."""
NOBODY = b""
"""Stands for the holder of a seat that nobody has taken."""


class NotYourTurn(IllegalAction):
    """An action of the seat that is not to act."""


class SeatTaken(ValueError):
    """Somebody else holds that seat."""


@dataclass(frozen=True, slots=True)
class Duel:
    """One step of a duel."""

    id: bytes
    """Random and secret: it names the duel in the match store."""
    step: int
    """How many steps came before it."""
    seat_hashes: Pair[bytes]
    """The hash of each seat's proof; NOBODY before the seat is taken."""
    setup: Setup
    fleets: Pair[Fleet | None] = (None, None)
    """The fleets placed so far."""
    match: Match | None = None
    """The match, once both fleets are placed."""
    wishes: Pair[bool] = (False, False)
    """Who wishes a rematch."""

    def saved(self, seat: Side | None) -> SavedMatch | None:
        """The match as a seat sees it, or somebody who has none; None before its first shot."""
        if self.match is None:
            return None
        return SavedMatch(replace(self.setup, seat=seat), self.match)

    def seated(self, seat: Side) -> Setup:
        """The setup as a seat sees it."""
        return replace(self.setup, seat=seat)

    @property
    def is_open(self) -> bool:
        """Whether the second seat is free."""
        return self.seat_hashes[Side.SECOND] == NOBODY

    @property
    def is_over(self) -> bool:
        """Whether its match has ended."""
        return self.match is not None and self.match.outcome is not None

    def is_same_match(self, other: Duel) -> bool:
        """Whether another step is of the same match, not of a rematch."""
        if self.match is None or other.match is None:
            return False
        return self.match.seed == other.match.seed

    # --- steps ---

    def joined(self, seat_hash: bytes) -> Duel:
        """The step in which somebody takes the second seat; raises SeatTaken."""
        if not self.is_open:
            raise SeatTaken("the second seat is taken")
        return self._next(seat_hashes=(self.seat_hashes[Side.FIRST], seat_hash))

    def placed(self, side: Side, fleet: Fleet, name: str, hour: int | None = None) -> Duel:
        """The step in which a side has placed its fleet; with the second one the match begins.

        `hour` is when that is, in hours since 1970. Raises IllegalAction if the fleet is placed.
        """
        if self.fleets[side] is not None:
            raise IllegalAction("the fleet is placed")
        names = _with(self.setup.names, side, name)
        duel = self._next(
            setup=replace(self.setup, names=names), fleets=_with(self.fleets, side, fleet)
        )
        first, second = duel.fleets
        if first is None or second is None:
            return duel
        match = Match(self.setup.ruleset, (first, second), os.urandom(SEED_BYTES))
        return replace(duel, setup=replace(duel.setup, started_hour=hour), match=match)

    def acted(self, side: Side, action: Action) -> Duel:
        """The step of an action; raises NotYourTurn, another IllegalAction or NotACell."""
        match = self._begun()
        if match.outcome is None and match.side is not side:
            raise NotYourTurn("the other side is to act")
        # The other side sees how long a turn takes: it must not end by itself if no ship can move.
        return self._next(match=match.act(action, stays=False))

    def resigned(self, side: Side) -> Duel:
        """The step in which a side gives up; raises MatchOver."""
        return self._next(match=self._begun().resign(side))

    def wished(self, side: Side) -> Duel:
        """The step in which a side wishes a rematch; once both do, they place again.

        Raises IllegalAction before the end, and at MOST_STEPS. A wish made again changes nothing.
        """
        match = self._begun()
        if match.outcome is None or self.step > MOST_STEPS:
            raise IllegalAction("the match goes on, or there were too many")
        if self.wishes[side]:
            return self
        if not self.wishes[side.opponent]:
            return self._next(wishes=_with(self.wishes, side, True))
        following = self.setup.next_round(match.outcome)
        return self._next(setup=following, fleets=(None, None), match=None, wishes=(False, False))

    def _begun(self) -> Match:
        if self.match is None:
            raise IllegalAction("the match has not begun")
        return self.match

    def _next(self, **changes: object) -> Duel:
        return replace(self, step=self.step + 1, **changes)  # type: ignore[arg-type]

    def includes(self, other: Duel) -> bool:
        """Whether all that happened in another step of the same match happened in this one, too."""
        if other.step > self.step or other.seat_hashes[Side.SECOND] not in (
            NOBODY, self.seat_hashes[Side.SECOND],
        ):  # fmt: skip
            return False
        if other.step == self.step:
            return other == self
        mine, theirs = self.match, other.match
        if mine is None or theirs is None or mine.seed != theirs.seed:
            return theirs is None
        is_start = mine.actions[: len(theirs.actions)] == theirs.actions
        return is_start and theirs.resigned in (None, mine.resigned)


def poll_key(duel_id: bytes, side: Side) -> str:
    """The word by which a seat's page asks whether there is a newer step of that duel.

    It is made of the secret id: it tells nothing, and only that seat's pages print it.
    """
    digest = hmac.digest(duel_id, b"wait" + bytes((side,)), hashlib.sha256)
    return base64.urlsafe_b64encode(digest[:_POLL_KEY_BYTES]).decode().rstrip("=")


def opened(setup: Setup, duel_id: bytes, seat_hash: bytes, fleet: Fleet, name: str) -> Duel:
    """The first step: somebody has placed a fleet and waits for a friend."""
    return Duel(
        duel_id, 0, (seat_hash, NOBODY), replace(setup, names=(name, ""), seat=None), (fleet, None)
    )


def _with(pair: Pair[T], side: Side, value: T) -> Pair[T]:
    return (value, pair[1]) if side is Side.FIRST else (pair[0], value)

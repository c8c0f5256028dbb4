"""A match of two persons at two devices: its state, and the steps from one state to the next.

    placing the fleets -> the match -> its result -> placing again, once both wish a rematch

Either player may leave at any time, after which the other can only leave, too. A step that has been
taken already returns the same state; one that doesn't fit raises an IllegalAction.

The views decide what a seat may see. A move before a turn's first shot is no step: it raises the
revision alone, which the other seat is never told.
"""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

from game.engine.actions import Action, IllegalAction, Stay, Steer
from game.engine.chance import SEED_BYTES
from game.engine.fleets import Fleet
from game.engine.match import Match
from game.engine.rules import Pair, Side
from game.features.duel.presence import NEVER, UNKNOWN, Presence, Seen
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.web.seats import SEAT_BYTES, Seats, in_base64

T = TypeVar("T")

ID_BYTES, ID_LENGTH = 9, 12
"""Of a duel's random id, and the length of its text, which is in its addresses."""
KEY_LENGTH = 22
"""The length of a seat's hash, or of a poll key."""
NOBODY = ""
"""The hash of a seat that nobody has taken."""
_FORM_STEP = re.compile(r"([0-9]{1,9})(-moved)?", re.ASCII)


class NotYourTurn(IllegalAction):
    """It is the other side's turn."""


class SeatTaken(ValueError):
    """Another browser holds that seat."""


class Claim(NamedTuple):
    """The seat that a fleet is placed for: the duel's id, its side and the hash of its secret."""

    id: str
    side: Side
    seat_hash: str


@dataclass(frozen=True, slots=True)
class DuelState:
    """A duel after one of its writes."""

    id: str
    step: int
    """The number of steps so far, which both seats know."""
    revision: int
    """The number of writes so far, which nobody is told."""
    seat_hashes: Pair[str]
    """The hash of each seat's secret; NOBODY before the seat is taken."""
    setup: Setup
    fleets: Pair[Fleet | None] = (None, None)
    match: Match | None = None
    """The match, once both fleets are placed."""
    wishes: Pair[bool] = (False, False)
    """Whether each side wishes a rematch."""
    left: Pair[bool] = (False, False)
    """Whether each side has left for good."""
    begun: int = 0
    """The step with which placing the fleets began, or the match once it has."""
    seen: Pair[Seen] = field(default=(NEVER, NEVER), compare=False)
    """When each side was there, as the row said when it was read."""

    def saved(self, seat: Side | None) -> SavedMatch | None:
        """Returns the match as a seat, or a visitor without one, sees it; None before it begins."""
        return SavedMatch(self.seated(seat), self.match) if self.match is not None else None

    def seated(self, seat: Side | None) -> Setup:
        """Returns the setup as a seat, or a visitor without one, sees it."""
        return replace(self.setup, seat=seat)

    def secret_of(self, seats: Seats, side: Side) -> bytes | None:
        """Returns the secret of a seat if a browser's seats have it."""
        return seats.secret_of(self.id, side, self.seat_hashes[side])

    def side_of(self, seats: Seats | None) -> Side | None:
        """Returns the side whose seat a browser holds, or None."""
        return next((side for side in Side if seats and self.secret_of(seats, side)), None)

    @property
    def is_open(self) -> bool:
        """Whether the second seat is free."""
        return self.seat_hashes[Side.SECOND] == NOBODY

    @property
    def is_closed(self) -> bool:
        """Whether a player has left, or has withdrawn the invitation."""
        return True in self.left

    @property
    def is_over(self) -> bool:
        return self.match is not None and self.match.outcome is not None

    def is_to_place(self, side: Side) -> bool:
        """Whether a side's fleet is missing."""
        return self.match is None and self.fleets[side] is None and not self.is_closed

    def is_waiting(self, side: Side) -> bool:
        """Whether the other side is to act."""
        return not self.is_over and (self.match is None or self.match.side is not side)

    @property
    def has_moved(self) -> bool:
        """Whether the side to act has moved in this turn, and not fired yet."""
        match = self.match
        return bool(match and match.actions and not self.is_over and _is_move(match.actions[-1]))

    @property
    def form_step(self) -> str:
        """The step that forms of the side to act name: `7`, or `7-moved` once it has moved."""
        return f"{self.step}-moved" if self.has_moved else str(self.step)

    def for_seat(self, side: Side) -> DuelState:
        """Returns the state without a move of the other side."""
        if self.match is None or self.match.side is side or not self.has_moved:
            return self
        return replace(self, match=self.match.at(self.match.ply - 1))

    def is_newer(self, form_step: str) -> bool:
        """Whether there is a newer step than the page has shown that has sent a form."""
        return form_step.partition("-")[0] != str(self.step)

    def is_of_round(self, form_step: str) -> bool:
        """Whether a form names a step of this round: of placing, or of this match."""
        named = _FORM_STEP.fullmatch(form_step)
        return named is not None and self.begun <= int(named[1]) <= self.step

    def match_at(self, form_step: str) -> Match | None:
        """Returns the match that a page of that step shows; None if it isn't of this match."""
        named = _FORM_STEP.fullmatch(form_step)
        if named is None or self.match is None or not self.is_of_round(form_step):
            return None
        plies = [ply for ply, it in enumerate(self.match.actions, 1) if not _is_move(it)]
        ply = [0, *plies][min(int(named[1]) - self.begun, len(plies))]
        return self.match.at(min(ply + bool(named[2]), self.match.ply))

    def has_acted(self, form_step: str, side: Side, action: Action) -> bool:
        """Whether a side has taken an action at that step: the form was sent twice."""
        shown = self.match_at(form_step)
        if self.match is None or shown is None or shown.side is not side:
            return False
        with suppress(IllegalAction):
            acted = shown.act(action)
            return self.match.actions[: acted.ply] == acted.actions
        return False

    def there(self, side: Side) -> Presence:
        """Returns what a seat is shown of the other one's presence; nothing once one has left."""
        is_shown = not self.is_open and not self.is_closed
        return self.seen[side.opponent].presence if is_shown else UNKNOWN

    # --- steps ---

    def joined(self, seat_hash: str) -> DuelState:
        """Returns the step in which the second seat is taken; raises SeatTaken."""
        if not self.is_open or self.is_closed:
            raise SeatTaken("the second seat is taken")
        return replace(self._next, seat_hashes=(self.seat_hashes[Side.FIRST], seat_hash))

    def placed(self, side: Side, fleet: Fleet, name: str, hour: int | None = None) -> DuelState:
        """Returns the step in which a side has placed its fleet. The match begins with the second.

        `hour` is when that is, in hours since 1970. After a player has left nothing changes.
        """
        if self.fleets[side] is not None or self.is_closed:
            return self
        names, fleets = _with(self.setup.person_names, side, name), _with(self.fleets, side, fleet)
        duel = replace(self._next, setup=replace(self.setup, person_names=names), fleets=fleets)
        first, second = fleets
        if first is None or second is None:
            return duel
        match = Match(self.setup.ruleset, (first, second), os.urandom(SEED_BYTES))
        setup = replace(duel.setup, started_hour=hour)
        return replace(duel, setup=setup, match=match, begun=duel.step)

    def acted(self, side: Side, action: Action) -> DuelState:
        """Returns the state after an action, in the same step if it is a move.

        Raises NotYourTurn, another IllegalAction or NotACell.
        """
        match = self._begun()
        if match.outcome is None and match.side is not side:
            raise NotYourTurn("the other side is to act")
        return replace(self if _is_move(action) else self._next, match=match.act(action))

    def resigned(self, side: Side) -> DuelState:
        """Returns the step in which a side gives up."""
        match = self._begun()
        return self if match.resigned is side else replace(self._next, match=match.resign(side))

    def abandoned(self, form_step: str) -> DuelState:
        """Returns the step in which the match ends without a winner, if that is the newest step."""
        match = self._begun()
        if match.abandoned:
            return self
        if self.is_newer(form_step):
            raise IllegalAction("the other player is back")
        return replace(self._next, match=match.abandon())

    def unplaced(self) -> DuelState:
        """Returns the step in which the inviting player places again."""
        if not self.is_open or self.is_closed:
            raise IllegalAction("a friend has joined, or the invitation is withdrawn")
        return self if self.is_to_place(Side.FIRST) else replace(self._next, fleets=(None, None))

    def withdrawn(self) -> DuelState:
        """Returns the step in which the invitation is withdrawn."""
        if not self.is_open:
            raise IllegalAction("a friend has joined")
        return self.with_left(Side.FIRST)

    def with_left(self, side: Side) -> DuelState:
        """Returns the step in which a side has left, and so given up a match that goes on."""
        if self.left[side]:
            return self
        match = self.match
        if match is not None and match.outcome is None:
            match = match.resign(side)
        return replace(self._next, match=match, left=_with(self.left, side, True))

    def wished(self, side: Side) -> DuelState:
        """Returns the step in which a side wishes a rematch; once both do, they place again."""
        outcome = self._begun().outcome
        if outcome is None or self.is_closed:
            raise IllegalAction("the match goes on, or a player has left")
        if self.wishes[side]:
            return self
        if not self.wishes[side.opponent]:
            return replace(self._next, wishes=_with(self.wishes, side, True))
        hashes, setup = self.seat_hashes, self.setup.next_round(outcome)
        return DuelState(self.id, self.step + 1, self.revision, hashes, setup, begun=self.step + 1)

    def _begun(self) -> Match:
        if self.match is None:
            raise IllegalAction("the match has not begun")
        return self.match

    @property
    def _next(self) -> DuelState:
        return replace(self, step=self.step + 1)


def _is_move(action: Action) -> bool:
    return isinstance(action, Steer | Stay)


def _with(pair: Pair[T], side: Side, value: T) -> Pair[T]:
    return (value, pair[1]) if side is Side.FIRST else (pair[0], value)


@lru_cache(maxsize=2000)
def poll_key(seat_hash: str) -> str:
    """Returns the key with which a seat's page asks for a newer step.

    Only the pages of that seat contain it, and it tells nothing of the hash.
    """
    return in_base64(hashlib.sha256(b"wait" + seat_hash.encode()).digest()[:SEAT_BYTES])


def new_id() -> str:
    """Returns a random id."""
    return in_base64(os.urandom(ID_BYTES))


def opened(setup: Setup, duel_id: str, seat_hash: str, fleet: Fleet, name: str) -> DuelState:
    """Returns the first step: the inviting player has placed a fleet and waits for the other."""
    setup = replace(setup, person_names=(name, ""), seat=None)
    return DuelState(duel_id, 0, 0, (seat_hash, NOBODY), setup, (fleet, None))

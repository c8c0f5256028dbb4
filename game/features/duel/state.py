"""A match of two persons at two devices: its state, and the steps from one state to the next.

    placing the fleets -> the match -> its result -> placing again, once both wish a rematch

Either player may leave at any time, after which the other can only leave, too.

The views decide what a seat may see. A move before a turn's first shot is no step: it raises the
revision alone, which the other seat is never told.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

from game.engine.actions import Action, IllegalAction, Stay, Steer
from game.engine.chance import SEED_BYTES
from game.engine.fleets import Fleet
from game.engine.match import Match
from game.engine.rules import Pair, Side
from game.matches.saved import SavedMatch
from game.matches.setup import Setup

T = TypeVar("T")

ID_BYTES, ID_LENGTH = 9, 12
"""Of a duel's random id, and the length of its text, which is in its addresses."""
SEAT_BYTES = 16
KEY_LENGTH = 22
"""The length of a hash, or of a poll key, as a text in base64."""
NOBODY = ""
"""The hash of a seat that nobody has taken."""
MOST_BROUGHT = 20
"""How many seats from other devices a cookie holds; the oldest are dropped first."""


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

    def saved(self, seat: Side | None) -> SavedMatch | None:
        """Returns the match as a seat, or a visitor without one, sees it; None before it begins."""
        return SavedMatch(self.seated(seat), self.match) if self.match is not None else None

    def seated(self, seat: Side | None) -> Setup:
        """Returns the setup as a seat, or a visitor without one, sees it."""
        return replace(self.setup, seat=seat)

    @property
    def is_open(self) -> bool:
        """Whether the second seat is free."""
        return self.seat_hashes[Side.SECOND] == NOBODY

    @property
    def is_under_way(self) -> bool:
        """Whether a shot has been fired, in this match or in one before it."""
        return bool(self.setup.tally.rounds or (self.match is not None and self.match.shots))

    @property
    def is_closed(self) -> bool:
        """Whether a player has left, or has withdrawn the invitation."""
        return True in self.left

    def is_to_place(self, side: Side) -> bool:
        """Whether a side's fleet is missing."""
        return self.match is None and self.fleets[side] is None and not self.is_closed

    @property
    def has_moved(self) -> bool:
        """Whether the side to act has moved in this turn, and not fired yet."""
        match = self.match
        if match is None or match.outcome is not None or not match.actions:
            return False
        return _is_hidden(match.actions[-1])

    @property
    def form_step(self) -> str:
        """The step that forms of the side to act name: `7`, or `7-moved` once it has moved."""
        return f"{self.step}-moved" if self.has_moved else str(self.step)

    def for_seat(self, side: Side) -> DuelState:
        """Returns the state without a move of the other side."""
        if self.match is None or self.match.side is side or not self.has_moved:
            return self
        return replace(self, match=self.match.at(self.match.ply - 1))

    def held(self, form_step: str) -> DuelState | None:
        """Returns the state that a form names by its step; None if it is of another round."""
        found = _FORM_STEP.fullmatch(form_step)
        if found is None or not self.begun <= int(found[1]) <= self.step:
            return None
        step, match = int(found[1]), self.match
        if match is None:
            return replace(self, step=step)
        plies = [0, *(ply + 1 for ply, it in enumerate(match.actions) if not _is_hidden(it))]
        fired = min(step - self.begun, len(plies) - 1)
        if step > self.begun + fired:  # it is over, and this is a step after that
            return replace(self, step=step)
        ply = plies[fired]
        if found[2]:
            ply += 1
            if not (ply <= len(match.actions) and _is_hidden(match.actions[ply - 1])):
                return None
        is_cut = match.is_cut_short and step < self.step
        uncut = replace(match, resigned=None, abandoned=False) if is_cut else match
        return replace(self, step=step, match=uncut.at(ply))

    def follows(self, acted: DuelState) -> bool:
        """Whether the actions of another state of this round lie on the way to this one."""
        mine, theirs = self.match, acted.match
        if mine is None or theirs is None:
            return False
        return mine.seed == theirs.seed and mine.actions[: theirs.ply] == theirs.actions

    @property
    def is_over(self) -> bool:
        return self.match is not None and self.match.outcome is not None

    def joined(self, seat_hash: str) -> DuelState:
        """Returns the step in which the second seat is taken; raises SeatTaken."""
        if not self.is_open or self.is_closed:
            raise SeatTaken("the second seat is taken")
        return replace(self._next, seat_hashes=(self.seat_hashes[Side.FIRST], seat_hash))

    def placed(self, side: Side, fleet: Fleet, name: str, hour: int | None = None) -> DuelState:
        """Returns the step in which a side has placed its fleet. The match begins with the second.

        `hour` is when that is, in hours since 1970. Raises IllegalAction if the fleet is placed.
        """
        if self.fleets[side] is not None or self.is_closed:
            raise IllegalAction("the fleet is placed, or a player has left")
        names, fleets = _with(self.setup.names, side, name), _with(self.fleets, side, fleet)
        duel = replace(self._next, setup=replace(self.setup, names=names), fleets=fleets)
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
        is_move = isinstance(action, Steer | Stay)
        return replace(self if is_move else self._next, match=match.act(action))

    def resigned(self, side: Side) -> DuelState:
        """Returns the step in which a side gives up; raises MatchOver."""
        return replace(self._next, match=self._begun().resign(side))

    def abandoned(self) -> DuelState:
        """Returns the step in which the match ends without a winner; raises MatchOver."""
        return replace(self._next, match=self._begun().abandon())

    def unplaced(self) -> DuelState:
        """Returns the step in which the inviting player places again; raises IllegalAction."""
        is_placed = self.fleets[Side.FIRST] is not None
        if not self.is_open or self.is_closed or not is_placed:
            raise IllegalAction("a friend has joined, or the invitation is withdrawn")
        return replace(self._next, fleets=(None, None))

    def withdrawn(self) -> DuelState:
        """Returns the step in which the invitation is withdrawn; raises IllegalAction."""
        if not self.is_open:
            raise IllegalAction("a friend has joined")
        return self.with_left(Side.FIRST)

    def with_left(self, side: Side) -> DuelState:
        """Returns the step in which a side has left, and so given up a match that goes on.

        Before a friend has joined, that withdraws the invitation. Leaving twice changes nothing.
        """
        if self.left[side]:
            return self
        match = self.match
        if match is not None and match.outcome is None:
            match = match.resign(side)
        return replace(self._next, match=match, left=_with(self.left, side, True))

    def wished(self, side: Side) -> DuelState:
        """Returns the step in which a side wishes a rematch; once both do, they place again.

        A repeated wish changes nothing. Raises IllegalAction before the end, and after a player has
        left.
        """
        match = self._begun()
        if match.outcome is None or self.is_closed:
            raise IllegalAction("the match goes on, or a player has left")
        if self.wishes[side]:
            return self
        if not self.wishes[side.opponent]:
            return replace(self._next, wishes=_with(self.wishes, side, True))
        following = self.setup.next_round(match.outcome)
        return replace(
            self._next, setup=following, fleets=(None, None), match=None, wishes=(False, False),
            begun=self.step + 1,
        )  # fmt: skip

    def _begun(self) -> Match:
        if self.match is None:
            raise IllegalAction("the match has not begun")
        return self.match

    @property
    def _next(self) -> DuelState:
        return replace(self, step=self.step + 1)


_FORM_STEP = re.compile(r"([0-9]{1,9})(-moved)?", re.ASCII)


def _is_hidden(action: Action) -> bool:
    return isinstance(action, Steer | Stay)


@lru_cache(maxsize=2000)
def poll_key(seat_hash: str) -> str:
    """Returns the key with which a seat's page asks for a newer step.

    Only the pages of that seat contain it, and it tells nothing of the hash.
    """
    return _text(hashlib.sha256(b"wait" + seat_hash.encode()).digest()[:SEAT_BYTES])


def new_id() -> str:
    """Returns a random id."""
    return _text(os.urandom(ID_BYTES))


def opened(setup: Setup, duel_id: str, seat_hash: str, fleet: Fleet, name: str) -> DuelState:
    """Returns the first step: the inviting player has placed a fleet and waits for the other."""
    setup = replace(setup, names=(name, ""), seat=None)
    return DuelState(duel_id, 0, 0, (seat_hash, NOBODY), setup, (fleet, None))


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _with(pair: Pair[T], side: Side, value: T) -> Pair[T]:
    return (value, pair[1]) if side is Side.FIRST else (pair[0], value)


# --- what a browser keeps ---


@dataclass(frozen=True, slots=True)
class Seats:
    """A device's secret, from which those of its seats are derived, and seats of other devices."""

    device: bytes
    brought: tuple[bytes, ...] = ()

    @classmethod
    def new(cls) -> Seats:
        """Returns the seats of a browser without a cookie."""
        return cls(os.urandom(SEAT_BYTES))

    def seat_secret(self, duel_id: str, side: Side) -> bytes:
        """Returns the device's own secret for a seat of that duel."""
        text = duel_id.encode() + bytes((side,))
        return hmac.digest(self.device, text, hashlib.sha256)[:SEAT_BYTES]

    def side_of(self, duel: DuelState) -> Side | None:
        """Returns the side of a duel whose seat the browser holds, or None."""
        return next((side for side in Side if self.secret_of(duel, side)), None)

    def secret_of(self, duel: DuelState, side: Side) -> bytes | None:
        """Returns the secret of that seat, or None if the browser doesn't hold it."""
        return self.secret_for(duel.id, side, duel.seat_hashes[side])

    def secret_for(self, duel_id: str, side: Side, seat_hash: str) -> bytes | None:
        """Returns the secret with that hash, or None if the browser doesn't hold it."""
        for one in (self.seat_secret(duel_id, side), *self.brought):
            if hmac.compare_digest(seat_hash_of(one), seat_hash):
                return one
        return None

    def with_secret(self, seat_secret: bytes) -> Seats:
        """Returns the seats with one from another device."""
        others = tuple(one for one in self.brought if one != seat_secret)
        return replace(self, brought=(*others, seat_secret)[-MOST_BROUGHT:])


def seat_hash_of(seat_secret: bytes) -> str:
    """Returns the hash by which a match knows a seat's secret."""
    return _text(hashlib.sha256(seat_secret).digest()[:SEAT_BYTES])

"""A match of two persons at two devices: its state, and the steps from one state to the next.

    placing the fleets -> the match -> its result -> placing again, once both wish a rematch

Either player may leave at any time, after which the other can only leave, too.

Both seats have the same step in their addresses, sealed. The views decide what a seat may see. A
move before a turn's first shot is no step: only the addresses of the side that made it contain it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from game.engine.actions import Action, IllegalAction, Stay, Steer
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
"""After so many steps there is no rematch and no other fleet: a token has two bytes for their
number."""
NOBODY = b""
"""The hash of a seat that nobody has taken."""
MOST_BROUGHT = 20
"""How many seats from other devices a cookie holds; the oldest are dropped first."""


class NotYourTurn(IllegalAction):
    """It is the other side's turn."""


class SeatTaken(ValueError):
    """Another browser holds that seat."""


class Claim(NamedTuple):
    """The seat that a fleet is placed for: the duel's id, its side and the hash of its secret."""

    id: bytes
    side: Side
    seat_hash: bytes


@dataclass(frozen=True, slots=True)
class Duel:
    """One step of a duel."""

    id: bytes
    """A random secret that names the duel in the match store."""
    step: int
    """The number of steps before this one."""
    seat_hashes: Pair[bytes]
    """The hash of each seat's secret; NOBODY before the seat is taken."""
    setup: Setup
    fleets: Pair[Fleet | None] = (None, None)
    match: Match | None = None
    """The match, once both fleets are placed."""
    wishes: Pair[bool] = (False, False)
    """Whether each side wishes a rematch."""
    left: Pair[bool] = (False, False)
    """Whether each side has left for good."""

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
        """Whether the side to act has moved or stayed in this turn, and not fired yet."""
        match = self.match
        if match is None or match.outcome is not None or not match.actions:
            return False
        return isinstance(match.actions[-1], Steer | Stay)

    def for_seat(self, side: Side) -> Duel:
        """Returns the state without a move of the other side."""
        is_mine = self.match is None or self.match.side is side
        return self if is_mine else self.without_move()

    def without_move(self) -> Duel:
        """Returns the state before the move of this turn, if no shot has followed it."""
        if self.match is None or not self.has_moved:
            return self
        return replace(self, match=self.match.at(self.match.ply - 1))

    @property
    def is_over(self) -> bool:
        return self.match is not None and self.match.outcome is not None

    def is_same_match(self, other: Duel) -> bool:
        """Whether another step is of the same match, not of a rematch."""
        mine, theirs = self.match, other.match
        return mine is not None and theirs is not None and mine.seed == theirs.seed

    def joined(self, seat_hash: bytes) -> Duel:
        """Returns the step in which the second seat is taken; raises SeatTaken."""
        if not self.is_open or self.is_closed:
            raise SeatTaken("the second seat is taken")
        return replace(self._next, seat_hashes=(self.seat_hashes[Side.FIRST], seat_hash))

    def placed(self, side: Side, fleet: Fleet, name: str, hour: int | None = None) -> Duel:
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
        return replace(duel, setup=replace(duel.setup, started_hour=hour), match=match)

    def acted(self, side: Side, action: Action) -> Duel:
        """Returns the state after an action, in the same step if it is a move.

        Raises NotYourTurn, another IllegalAction or NotACell.
        """
        match = self._begun()
        if match.outcome is None and match.side is not side:
            raise NotYourTurn("the other side is to act")
        is_move = isinstance(action, Steer | Stay)
        return replace(self if is_move else self._next, match=match.act(action))

    def resigned(self, side: Side) -> Duel:
        """Returns the step in which a side gives up; raises MatchOver."""
        return replace(self._next, match=self._begun().resign(side))

    def abandoned(self) -> Duel:
        """Returns the step in which the match ends without a winner; raises MatchOver."""
        return replace(self._next, match=self._begun().abandon())

    def unplaced(self) -> Duel:
        """Returns the step in which the inviting player places again; raises IllegalAction."""
        is_placed = self.fleets[Side.FIRST] is not None and self.step <= MOST_STEPS
        if not self.is_open or self.is_closed or not is_placed:
            raise IllegalAction("a friend has joined, or the invitation is withdrawn")
        return replace(self._next, fleets=(None, None))

    def withdrawn(self) -> Duel:
        """Returns the step in which the invitation is withdrawn; raises IllegalAction."""
        if not self.is_open:
            raise IllegalAction("a friend has joined")
        return self.with_left(Side.FIRST)

    def with_left(self, side: Side) -> Duel:
        """Returns the step in which a side has left, and so given up a match that goes on.

        Before a friend has joined, that withdraws the invitation. Leaving twice changes nothing.
        """
        if self.left[side]:
            return self
        match = self.match
        if match is not None and match.outcome is None:
            match = match.resign(side)
        return replace(self._next, match=match, left=_with(self.left, side, True))

    def wished(self, side: Side) -> Duel:
        """Returns the step in which a side wishes a rematch; once both do, they place again.

        A repeated wish changes nothing. Raises IllegalAction before the end, after a player has
        left, and after MOST_STEPS.
        """
        match = self._begun()
        if match.outcome is None or self.is_closed or self.step > MOST_STEPS:
            raise IllegalAction("the match goes on, a player has left, or there were too many")
        if self.wishes[side]:
            return self
        if not self.wishes[side.opponent]:
            return replace(self._next, wishes=_with(self.wishes, side, True))
        following = self.setup.next_round(match.outcome)
        return replace(
            self._next, setup=following, fleets=(None, None), match=None, wishes=(False, False)
        )

    def _begun(self) -> Match:
        if self.match is None:
            raise IllegalAction("the match has not begun")
        return self.match

    @property
    def _next(self) -> Duel:
        return replace(self, step=self.step + 1)

    def includes(self, other: Duel) -> bool:
        """Whether this state comes after another one, or is the same."""
        if other.step > self.step or other.seat_hashes[Side.SECOND] not in (
            NOBODY, self.seat_hashes[Side.SECOND],
        ):  # fmt: skip
            return False
        mine, theirs = self.match, other.match
        if mine is None or theirs is None or mine.seed != theirs.seed:
            return theirs is None if other.step < self.step else other == self
        if other.step == self.step:
            is_before = self.has_moved and mine.actions[:-1] == theirs.actions
            return self == (replace(other, match=mine) if is_before else other)
        is_start = mine.actions[: len(theirs.actions)] == theirs.actions
        is_cut_alike = (theirs.resigned, theirs.abandoned) == (mine.resigned, mine.abandoned)
        return is_start and (not theirs.is_cut_short or is_cut_alike)


def poll_key(duel_id: bytes, side: Side) -> str:
    """Returns the key with which a seat's page asks whether that duel has a newer step.

    It is a MAC under the secret id, and only the pages of that seat contain it.
    """
    digest = hmac.digest(duel_id, b"wait" + bytes((side,)), hashlib.sha256)
    return base64.urlsafe_b64encode(digest[:_POLL_KEY_BYTES]).decode().rstrip("=")


def opened(setup: Setup, duel_id: bytes, seat_hash: bytes, fleet: Fleet, name: str) -> Duel:
    """Returns the first step: the inviting player has placed a fleet and waits for the other."""
    return Duel(
        duel_id, 0, (seat_hash, NOBODY), replace(setup, names=(name, ""), seat=None), (fleet, None)
    )


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

    def seat_secret(self, duel_id: bytes, side: Side) -> bytes:
        """Returns the device's own secret for a seat of that duel."""
        return hmac.digest(self.device, duel_id + bytes((side,)), hashlib.sha256)[:SEAT_BYTES]

    def side_of(self, duel: Duel) -> Side | None:
        """Returns the side of a duel whose seat the browser holds, or None."""
        return next((side for side in Side if self.secret_of(duel, side)), None)

    def secret_of(self, duel: Duel, side: Side) -> bytes | None:
        """Returns the secret of that seat, or None if the browser doesn't hold it."""
        return self.secret_for(duel.id, side, duel.seat_hashes[side])

    def secret_for(self, duel_id: bytes, side: Side, seat_hash: bytes) -> bytes | None:
        """Returns the secret with that hash, or None if the browser doesn't hold it."""
        for one in (self.seat_secret(duel_id, side), *self.brought):
            if hmac.compare_digest(seat_hash_of(one), seat_hash):
                return one
        return None

    def with_secret(self, seat_secret: bytes) -> Seats:
        """Returns the seats with one from another device."""
        others = tuple(one for one in self.brought if one != seat_secret)
        return replace(self, brought=(*others, seat_secret)[-MOST_BROUGHT:])


def seat_hash_of(seat_secret: bytes) -> bytes:
    """Returns the hash by which a match knows a seat's secret."""
    return hashlib.sha256(seat_secret).digest()[:SEAT_BYTES]

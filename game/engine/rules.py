"""Rulesets as rows of data, and the errors of those that can't be played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property, lru_cache
from typing import TypeAlias, TypeVar

from game.engine.geometry import Board

LONGEST_SHIP = 8
MOST_SHIPS = 225
MOST_TURNS = 1998
"""The highest turn limit, counting the turns of both sides."""
LONGEST_COUNTDOWN = 40
MOST_ACTIONS, MOST_BYTES = 1400, 2800
"""The most actions of a match, and the most bytes that its ships and actions take in a record, so
that its token fits into an address."""


class Side(IntEnum):
    """One of the two players, and the index of a pair."""

    FIRST = 0
    SECOND = 1

    @property
    def opponent(self) -> Side:
        """The other side."""
        return _OPPONENT[self]


_OPPONENT = (Side.SECOND, Side.FIRST)
T = TypeVar("T")
Pair: TypeAlias = tuple[T, T]


class IllegalRules(ValueError):
    """The ruleset can't be played; the message says why."""


class NotASize(IllegalRules):
    """A board that is too small or too large."""


class NotAFleet(IllegalRules):
    """No ships, too many, or a ship that is too short or too long."""


class LongerThanBoard(IllegalRules):
    """A ship is longer than the board."""


class NoRoom(IllegalRules):
    """The fleet doesn't fit on the board; it needs at least `lacking` cells more."""

    def __init__(self, lacking: int) -> None:
        super().__init__(f"the fleet needs {lacking} cells more than there are")
        self.lacking = lacking


class TooTight(IllegalRules):
    """The fleet fits in so few ways that a random search may find none."""


class NotATurnLimit(IllegalRules):
    """A turn limit that is too low or too high."""


class TooLong(IllegalRules):
    """A match could outgrow an address."""


class AtLimit(Enum):
    """What decides a match at the turn limit."""

    AFLOAT = "afloat"
    DRAW = "draw"


@dataclass(frozen=True)
class Ruleset:
    """The switches of a game. Raises IllegalRules if no match can be played with them."""

    columns: int = 10
    rows: int = 10
    fleet: tuple[int, ...] = (5, 4, 4, 3, 3, 3, 2, 2, 2, 2)
    touching: bool = False
    again: bool = True
    moving: bool = True
    turns: int | None = 150
    """The turns of both sides after which the match ends, or None."""
    at_limit: AtLimit = AtLimit.AFLOAT
    salvo: bool = False
    begins: Side = Side.FIRST
    named: bool = False
    """Whether a hit tells which ship it was on."""
    solo: bool = False
    """Whether only the first side fires: it has no fleet, and the second one only hides."""

    def __post_init__(self) -> None:
        try:
            board = Board(self.columns, self.rows)
        except ValueError as error:
            raise NotASize(str(error)) from error
        if not 1 <= len(self.fleet) <= MOST_SHIPS:
            raise NotAFleet(f"not a fleet of 1 to {MOST_SHIPS} ships: {len(self.fleet)} ships")
        for length in self.fleet:
            if not 1 <= length <= LONGEST_SHIP:
                raise NotAFleet(f"not a length from 1 to {LONGEST_SHIP}: {length!r}")
        if max(self.fleet) > max(board.columns, board.rows):
            raise LongerThanBoard(f"longer than the board: {max(self.fleet)!r}")
        lacking = cells_lacking(board, self.fleet, touching=self.touching)
        if lacking:
            raise NoRoom(lacking)
        if self.turns is not None and not 1 <= self.turns <= MOST_TURNS:
            raise NotATurnLimit(f"not a number of turns from 1 to {MOST_TURNS}: {self.turns!r}")
        if self.solo and self.begins is not Side.FIRST:
            raise IllegalRules("who searches alone begins")
        if self.turns is not None and not self._has_room(self.turns):
            raise TooLong(f"too long to be kept in an address: {self.turns} turns")
        if self.limit == 0:
            raise TooLong("too many shots in a turn to be kept in an address")

    @cached_property
    def board(self) -> Board:
        """The board both sides place and fire on."""
        return _board(self.columns, self.rows)

    def fleet_of(self, side: Side) -> tuple[int, ...]:
        """The lengths of a side's ships."""
        return () if self.solo and side is Side.FIRST else self.fleet

    @cached_property
    def limit(self) -> int | None:
        """Turns of both sides after which the match ends, or None without a limit.

        Where ships move, a match could go on for ever. With no limit set, it ends when its record
        would outgrow an address.
        """
        if self.turns is not None or not self.moving:
            return self.turns
        fits = (n for n in range(MOST_TURNS, 0, -1) if self._has_room(n))
        return next(fits, 0)

    @property
    def countdown(self) -> int:
        """How many of the last turns of both sides are counted down; 0 without a limit.

        As in Bonn, where they are 40 of 150 turns, but never more of them.
        """
        limit = self.limit
        return 0 if limit is None else min(limit * 4 // 15, LONGEST_COUNTDOWN)

    def turns_of(self, side: Side, count: int) -> int:
        """How many of the first `count` turns of a match are a side's own."""
        return (count + (side is self.begins)) // 2

    @cached_property
    def most_actions(self) -> int:
        """The number of actions in the longest match of these rules."""
        return self._most_actions(self.limit)

    @property
    def _room(self) -> int:
        """How many actions fit into a record beside the ships, which take five bytes each."""
        return min(MOST_ACTIONS, (MOST_BYTES - 5 * len(self.fleet)) // self.action_bytes)

    @property
    def action_bytes(self) -> int:
        """How many bytes an action takes in a record: one if it can number all shots and moves."""
        moves = 1 + 2 * len(self.fleet) if self.moving else 0
        return 1 if self.board.size + moves <= 256 else 2

    def _has_room(self, turns: int) -> bool:
        """Whether matches of so many turns fit; beside a search alone lies another, its par."""
        return self._most_actions(turns) * (2 if self.solo else 1) <= self._room

    def _most_actions(self, turns: int | None) -> int:
        boards = 1 if self.solo else 2  # that are fired at
        if turns is None:
            return boards * self.board.size
        # Solo, the sides take turns to fire and to move; otherwise every turn has both.
        volleys, moves = ((turns + 1) // 2, turns // 2) if self.solo else (turns, turns)
        if self.again:  # each hit can earn one more volley
            volleys += boards * sum(self.fleet)
        shots = volleys * (len(self.fleet) if self.salvo else 1)
        return shots + moves if self.moving else min(shots, boards * self.board.size)


@lru_cache(maxsize=256)  # all that a board can be: 12 times 12 sizes
def _board(columns: int, rows: int) -> Board:
    return Board(columns, rows)


def cells_lacking(board: Board, fleet: Iterable[int], *, touching: bool) -> int:
    """How many cells a fleet needs beyond the board's, at least; 0 if it may fit.

    Ships that may not touch each need a free column on their right and a free row below. The last
    may lie off the board, so the board counts as one column and one row larger.
    """
    if touching:
        return max(0, sum(fleet) - board.size)
    need = sum(2 * (length + 1) for length in fleet)
    room = (board.columns + 1) * (board.rows + 1)
    return max(0, need - room)

"""Rulesets, and the errors of rulesets that can't be played."""

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
MOST_QUESTIONS = 15
MOST_REMEMBERED = 30
"""The most ships of a fleet that minds remember from round to round; pages offer no larger one."""
LONGEST_COUNTDOWN = 40
MOST_ACTIONS, MOST_BYTES = 1400, 2800
"""The most actions of a match, and the most bytes of its ships and actions in a record, so that its
token fits into an address."""


class Side(IntEnum):
    """One of the two players, and the index of a pair."""

    FIRST = 0
    SECOND = 1

    @property
    def opponent(self) -> Side:
        return _OPPONENT[self]


_OPPONENT = (Side.SECOND, Side.FIRST)
T = TypeVar("T")
Pair: TypeAlias = tuple[T, T]


class IllegalRules(ValueError):
    """The ruleset can't be played."""


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
    """The fleet has so few arrangements that a random search may find none."""


class NotATurnLimit(IllegalRules):
    """A turn limit that is too low or too high."""


class NotAQuestionCount(IllegalRules):
    """A number of questions that is below 0 or too high."""


class QuestionsRefused(IllegalRules):
    """Questions where ships move, or in a salvo."""


class TooLong(IllegalRules):
    """A match could become too long for an address."""


class AtLimit(Enum):
    AFLOAT = "afloat"
    DRAW = "draw"


@dataclass(frozen=True)
class Ruleset:
    """The switches of a game; raises IllegalRules."""

    columns: int = 10
    rows: int = 10
    fleet: tuple[int, ...] = (5, 4, 4, 3, 3, 3, 2, 2, 2, 2)
    touching: bool = False
    again: bool = True
    moving: bool = True
    turns: int | None = 150
    """The number of turns of both sides after which the match ends, or None."""
    at_limit: AtLimit = AtLimit.AFLOAT
    salvo: bool = False
    begins: Side = Side.FIRST
    named: bool = False
    """Whether a hit names its ship."""
    solo: bool = False
    """Whether only the first side fires and only the second side has a fleet."""
    questions: int = 0
    """How many questions each side may ask, at most one before each shot."""

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
        if not 0 <= self.questions <= MOST_QUESTIONS:
            raise NotAQuestionCount(f"not 0 to {MOST_QUESTIONS} questions: {self.questions!r}")
        if self.questions and (self.moving or self.salvo):
            raise QuestionsRefused("questions need ships that lie still, and single shots")
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
        """The number of turns of both sides after which the match ends, or None.

        If ships move, a match without a limit would never have to end. Its limit is then the number
        of turns that fit into an address.
        """
        if self.turns is not None or not self.moving:
            return self.turns
        fits = (n for n in range(MOST_TURNS, 0, -1) if self._has_room(n))
        return next(fits, 0)

    @property
    def countdown(self) -> int:
        """The number of last turns of both sides that are counted down; 0 without a limit.

        Bonn's game has 40 of 150 turns; this is the same share, but at most 40.
        """
        limit = self.limit
        return 0 if limit is None else min(limit * 4 // 15, LONGEST_COUNTDOWN)

    def turns_of(self, side: Side, count: int) -> int:
        """The number of a side's turns among the first `count` turns."""
        return (count + (side is self.begins)) // 2

    @cached_property
    def most_actions(self) -> int:
        """The number of actions in the longest match of these rules."""
        return self._most_actions(self.limit)

    @property
    def _room(self) -> int:
        """The number of actions that fit into a record beside the ships.

        A ship has five bytes, and six more for the places in earlier rounds that a mind remembers.
        """
        ships = 5 * len(self.fleet) + 6 * self.ships_remembered
        return min(MOST_ACTIONS, (MOST_BYTES - ships) // self.action_bytes)

    @property
    def ships_remembered(self) -> int:
        """The number of ships of a fleet that a mind remembers: none of a very large one."""
        return len(self.fleet) if len(self.fleet) <= MOST_REMEMBERED else 0

    @property
    def action_bytes(self) -> int:
        """The bytes of an action in a record: one if there are at most 256 shots and moves.

        A question has two, as there are more rectangles.
        """
        if self.questions:
            return 2
        moves = 1 + 2 * len(self.fleet) if self.moving else 0
        return 1 if self.board.size + moves <= 256 else 2

    def _has_room(self, turns: int) -> bool:
        """Whether a match fits into an address; a solo token contains two, with the par's match."""
        return self._most_actions(turns) * (2 if self.solo else 1) <= self._room

    def _most_actions(self, turns: int | None) -> int:
        boards = 1 if self.solo else 2  # that are fired at
        questions = boards * self.questions
        if turns is None:
            return boards * self.board.size + questions
        # Solo, the sides take turns to fire and to move; otherwise every turn has both.
        volleys, moves = ((turns + 1) // 2, turns // 2) if self.solo else (turns, turns)
        if self.again:  # each hit can earn one more volley
            volleys += boards * sum(self.fleet)
        shots = volleys * (len(self.fleet) if self.salvo else 1)
        if self.moving:
            return shots + moves
        return min(shots, boards * self.board.size) + questions


@lru_cache(maxsize=256)  # all that a board can be: 12 times 12 sizes
def _board(columns: int, rows: int) -> Board:
    return Board(columns, rows)


def cells_lacking(board: Board, fleet: Iterable[int], *, touching: bool) -> int:
    """A lower bound of the cells that a fleet needs beyond the board's; 0 if it may fit.

    If ships may not touch, each needs a free column on its right and a free row below. These may be
    off the board, so the board counts as one column and one row larger.
    """
    if touching:
        return max(0, sum(fleet) - board.size)
    need = sum(2 * (length + 1) for length in fleet)
    room = (board.columns + 1) * (board.rows + 1)
    return max(0, need - room)

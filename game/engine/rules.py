"""Rulesets: what may be played, as rows of data, and the errors of what may not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property, lru_cache
from typing import TypeAlias, TypeVar

from game.engine.geometry import Board

LONGEST_SHIP = 8
MOST_SHIPS = 225
MOST_TURNS = 999
MOST_ACTIONS, MOST_BYTES = 1400, 2800
"""No match has more actions than this, nor ships and actions that take more bytes in its record,
so that it fits into an address."""


class Side(IntEnum):
    """One of the two players; a pair is indexed by it."""

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
    """A board of a size that is not offered."""


class NotAFleet(IllegalRules):
    """Too many ships, none, or ships of a length that there is not."""


class LongerThanBoard(IllegalRules):
    """A ship is longer than the board."""


class NoRoom(IllegalRules):
    """The fleet doesn't fit on the board; `lacking` cells of it are left over, at the least."""

    def __init__(self, lacking: int) -> None:
        super().__init__(f"the fleet needs {lacking} cells more than there are")
        self.lacking = lacking


class TooTight(IllegalRules):
    """The fleet fits in so few ways that none may be found by chance."""


class NotATurnLimit(IllegalRules):
    """A limit of turns that is not offered."""


class TooLong(IllegalRules):
    """A match could grow longer than an address holds."""


class AtLimit(Enum):
    """What decides a match at the turn limit."""

    AFLOAT = "afloat"
    DRAW = "draw"


@dataclass(frozen=True)
class Ruleset:
    """A variant as a row of data. Raises IllegalRules where the values can't make a match."""

    columns: int = 10
    rows: int = 10
    fleet: tuple[int, ...] = (5, 4, 4, 3, 3, 3, 2, 2, 2, 2)
    touching: bool = False
    again: bool = True
    moving: bool = True
    turns: int | None = 75
    at_limit: AtLimit = AtLimit.AFLOAT
    salvo: bool = False
    begins: Side = Side.FIRST

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
        if self.turns is not None and self._most_actions(self.turns) > self._room:
            raise TooLong(f"too long to be kept in an address: {self.turns} turns")
        if self.limit == 0:
            raise TooLong("too many shots in a turn to be kept in an address")

    @cached_property
    def board(self) -> Board:
        """The board both sides place and fire on."""
        return _board(self.columns, self.rows)

    @property
    def limit(self) -> int | None:
        """Half-turns after which the match ends, or None where it ends without a limit.

        Where ships move, a match can go on for ever; with no limit set, it then ends when its
        record would outgrow an address.
        """
        return _limit(self)

    @property
    def most_actions(self) -> int:
        """How many actions the longest match of these rules has."""
        return _longest(self)

    @property
    def _room(self) -> int:
        """How many actions a record has room for beside the ships, of five bytes each."""
        return min(MOST_ACTIONS, (MOST_BYTES - 5 * len(self.fleet)) // self.action_bytes)

    @property
    def action_bytes(self) -> int:
        """How many bytes of a record an action takes: one where all shots and moves fit in it."""
        moves = 1 + 2 * len(self.fleet) if self.moving else 0
        return 1 if self.board.size + moves <= 256 else 2

    def _most_actions(self, turns: int | None) -> int:
        volley = len(self.fleet) if self.salvo else 1
        if turns is None:
            return 2 * self.board.size
        # Every hit can earn one volley more; each half-turn has one of its own and one move.
        volleys = turns + (2 * sum(self.fleet) if self.again else 0)
        shots = volleys * volley
        if not self.moving:
            return min(shots, 2 * self.board.size)
        return shots + turns


@lru_cache(maxsize=256)
def _board(columns: int, rows: int) -> Board:
    return Board(columns, rows)


@lru_cache(maxsize=256)
def _limit(rules: Ruleset) -> int | None:
    if rules.turns is not None or not rules.moving:
        return rules.turns
    fits = (n for n in range(MOST_TURNS, 0, -1) if rules._most_actions(n) <= rules._room)
    return next(fits, 0)


@lru_cache(maxsize=256)
def _longest(rules: Ruleset) -> int:
    return rules._most_actions(_limit(rules))


def cells_lacking(board: Board, fleet: Iterable[int], *, touching: bool) -> int:
    """How many cells a fleet needs beyond the board's, at the least; 0 where it may fit.

    Ships that may not touch each need a free column to the right and a free row below, on a
    board that is one column and one row larger.
    """
    if touching:
        return max(0, sum(fleet) - board.size)
    need = sum(2 * (length + 1) for length in fleet)
    room = (board.columns + 1) * (board.rows + 1)
    return max(0, need - room)

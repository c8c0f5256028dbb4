"""The actions of a match, the errors of illegal ones, and their results."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from game.engine.fleets import Course, Placement
from game.engine.geometry import Board, Cell
from game.engine.rules import Side


class IllegalAction(ValueError):
    """An action that the rules don't allow now."""


class MatchOver(IllegalAction):
    """The match has ended."""


class NotFiring(IllegalAction):
    """A shot while a move or Stay is due."""


class NotMoving(IllegalAction):
    """A second move in a turn, a move after its first shot, or where ships don't move."""


class CellSpent(IllegalAction):
    """A shot at a cell whose result is already known."""


class NoQuestionLeft(IllegalAction):
    """A question when the side has asked all it may, or where the rules have none."""


class AskedAlready(IllegalAction):
    """A second question before the same shot."""


class SameQuestion(IllegalAction):
    """A question that the side has asked before."""


class NotARectangle(IllegalAction):
    """A question whose first cell isn't the upper left one and its last the lower right one."""


class NoSuchShip(IllegalAction):
    """A move of a ship that the fleet doesn't have."""


class ShipHit(IllegalAction):
    """A move of a ship with a hit."""


class CourseBlocked(IllegalAction):
    """A move to an illegal placement."""


@dataclass(frozen=True, slots=True)
class Fire:
    """A shot at a cell of the opponent's board."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Ask:
    """The question whether a ship has a cell in a rectangle of the opponent's board.

    Ship cells count whether or not they have been hit. `first` is the upper left cell of the
    rectangle, `last` the lower right one.
    """

    first: Cell
    last: Cell


@dataclass(frozen=True, slots=True)
class Steer:
    """A move of the side's own ship by one cell; `ship` is its index in the fleet."""

    ship: int
    course: Course


@dataclass(frozen=True, slots=True)
class Stay:
    """The decision not to move any ship in this turn."""


Action: TypeAlias = Fire | Steer | Stay | Ask
Manoeuvre: TypeAlias = Steer | Stay
STAY = Stay()


class Result(Enum):
    WATER = "water"
    HIT = "hit"
    SUNK = "sunk"


class Reason(Enum):
    """Why a match ended; the turn limit decides all but ALL_SUNK, RESIGNED and ABANDONED."""

    ALL_SUNK = "all-sunk"
    MORE_AFLOAT = "more-afloat"
    AS_MANY_AFLOAT = "as-many-afloat"
    LIMIT = "limit"
    RESIGNED = "resigned"
    ABANDONED = "abandoned"
    """One side was away for so long that the other one ended the match, without a winner."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match; a draw has no winner."""

    winner: Side | None
    reason: Reason


class Shot(NamedTuple):
    """A shot with a known result; `turn` counts both sides' turns from 0."""

    ply: int
    turn: int
    side: Side
    cell: Cell
    result: Result
    wreck: Placement | None
    ship: int | None = None
    """The index of the ship that was hit if the rules name it; else None."""


def until_all_sunk(shots: Iterable[Shot], ships: int) -> tuple[Shot, ...]:
    """Returns a side's shots up to the one that sank the last of so many ships.

    A salvo may have been aimed at more cells; they don't count as shots that were needed.
    """
    counted: list[Shot] = []
    for shot in shots:
        if not ships:
            break
        counted.append(shot)
        ships -= shot.result is Result.SUNK
    return tuple(counted)


class Question(NamedTuple):
    """A question with its answer; `turn` counts both sides' turns from 0."""

    ply: int
    turn: int
    side: Side
    ask: Ask
    is_yes: bool


def without_ships(board: Board, questions: Iterable[Question]) -> int:
    """The mask of the rectangles that were answered No."""
    mask = 0
    for question in questions:
        if not question.is_yes:
            mask |= board.rectangle(question.ask.first, question.ask.last)
    return mask

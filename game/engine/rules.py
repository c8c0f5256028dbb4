"""Rulesets, and the errors of rulesets that can't be played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property, lru_cache
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar, get_type_hints

from game.engine.geometry import LARGEST, SMALLEST, Board

LONGEST_SHIP = 8
MOST_SHIPS = 225
MOST_TURNS = 1998
"""The highest turn limit, counting the turns of both sides."""
MOST_QUESTIONS = 15
LONGEST_COUNTDOWN = 40
MOST_REMEMBERED = 30
"""The most ships of a fleet that minds remember from round to round; pages offer no larger one."""
MOST_ACTIONS, MOST_BYTES = 1400, 2800
"""The most actions of a match, and the most bytes of its ships and actions in a token, so that it
fits into an address."""


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


class SilenceRefused(IllegalRules):
    """Sinkings that aren't told where something else tells them."""


class TooLong(IllegalRules):
    """A match could become too long for an address."""


class Touching(Enum):
    """Where ships of a fleet may touch."""

    NOWHERE = "nowhere"
    CORNERS = "corners"
    ANYWHERE = "anywhere"

    def __bool__(self) -> bool:
        return self is not Touching.NOWHERE


class AtLimit(Enum):
    AFLOAT = "afloat"
    DRAW = "draw"


class Row(NamedTuple):
    """How a field of a ruleset is written; game/display/rule_words.py has its words on pages."""

    values: Sequence[Any] = ()
    """Its values in the order of their numbers in a token; those of a number are a range."""
    words: Sequence[str] = ()
    """The word of each value in a record. If the first is empty, the field is optional: neither a
    record nor an engine needs to name it."""
    bit: int | None = None
    """The lowest bit of its number in a token: never changed, never reused."""
    error: type[IllegalRules] = IllegalRules
    kind: str = ""
    """What another value is not, in the text of the error."""
    is_sea: bool = False
    """Whether it decides which fleets are legal."""
    is_offered: bool = True
    """Whether forms, addresses and the engine protocol have it; else it follows from who plays."""
    field: str = ""
    default: Any = None

    @property
    def is_switch(self) -> bool:
        return isinstance(self.default, bool)

    @property
    def is_number(self) -> bool:
        return isinstance(self.values, range)

    @property
    def is_optional(self) -> bool:
        return self.words[:1] == ("",)

    @property
    def by_word(self) -> dict[str, Any]:
        return dict(zip(self.words, self.values, strict=True))

    @property
    def by_choice(self) -> dict[str, Any]:
        """The values of an enumeration by their names in addresses and in JSON."""
        return {value.value: value for value in self.values}

    def number(self, rules: Ruleset) -> int:
        """Returns the index of its value in `values` and `words`."""
        return self.values.index(getattr(rules, self.field))


_SWITCH = (False, True)
_SIDE = Row(range(SMALLEST, LARGEST + 1), is_sea=True)
_TURNS = Row(
    range(1, MOST_TURNS + 1), error=NotATurnLimit, kind=f"a number of turns from 1 to {MOST_TURNS}"
)
_ASKED = range(MOST_QUESTIONS + 1)
_QUESTIONS = Row(
    _ASKED, ("", *(f"questions {n}" for n in _ASKED[1:])), 8, NotAQuestionCount,
    f"0 to {MOST_QUESTIONS} questions",
)  # fmt: skip


@dataclass(frozen=True)
class Ruleset:
    """The switches of a game, each with its row; raises IllegalRules."""

    columns: Annotated[int, _SIDE] = 10
    rows: Annotated[int, _SIDE] = 10
    fleet: Annotated[tuple[int, ...], Row(is_sea=True)] = (5, 4, 4, 3, 3, 3, 2, 2, 2, 2)
    touching: Annotated[
        Touching | bool, Row(tuple(Touching), ("apart", "corners", "touching"), 12, is_sea=True)
    ] = Touching.NOWHERE
    """True means anywhere, and False nowhere; the value is a member of `Touching`."""
    again: Annotated[bool, Row(_SWITCH, ("once", "again"), 1)] = True
    moving: Annotated[bool, Row(_SWITCH, ("still", "moving"), 2)] = True
    turns: Annotated[int | None, _TURNS] = 150
    """The number of turns of both sides after which the match ends, or None."""
    at_limit: Annotated[AtLimit, Row(tuple(AtLimit), ("afloat", "draw"), 6)] = AtLimit.AFLOAT
    salvo: Annotated[bool, Row(_SWITCH, ("single", "salvo"), 3)] = False
    begins: Annotated[Side, Row(tuple(Side), ("first", "second"), 7, is_offered=False)] = Side.FIRST
    named: Annotated[bool, Row(_SWITCH, ("", "named"), 4)] = False
    """Whether a hit names its ship."""
    silent: Annotated[bool, Row(_SWITCH, ("", "silent"), 14)] = False
    """Whether a shot that sinks a ship is told as a hit. At the end all is told."""
    solo: Annotated[bool, Row(_SWITCH, ("", "alone"), 5, is_offered=False)] = False
    """Whether only the first side fires and only the second side has a fleet."""
    questions: Annotated[int, _QUESTIONS] = 0
    """How many questions each side may ask, at most one before each shot."""

    def __post_init__(self) -> None:
        if isinstance(self.touching, bool):
            chosen = Touching.ANYWHERE if self.touching else Touching.NOWHERE
            object.__setattr__(self, "touching", chosen)
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
        lacking = cells_lacking(board, self.fleet, touching=bool(self.touching))
        if lacking:
            raise NoRoom(lacking)
        for row in NUMBERS:
            value = getattr(self, row.field)
            if value is not None and value not in row.values:
                raise row.error(f"not {row.kind}: {value!r}")
        if self.questions and (self.moving or self.salvo):
            raise QuestionsRefused("questions need ships that lie still, and single shots")
        if self.silent and (self.moving or self.salvo or self.named):
            raise SilenceRefused("other rules would tell of the sinkings: moves, salvos or names")
        if self.solo and self.begins is not Side.FIRST:
            raise IllegalRules("who searches alone begins")
        if self.turns is not None and not self.has_room(self.turns):
            raise TooLong(f"too long to be kept in an address: {self.turns} turns")
        if self.limit == 0:
            raise TooLong("too many shots in a turn to be kept in an address")

    @property
    def sea(self) -> tuple[tuple[str, Any], ...]:
        """The fields that decide which fleets are legal, with their values."""
        return tuple((row.field, getattr(self, row.field)) for row in ROWS if row.is_sea)

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
        return next((n for n in range(MOST_TURNS, 0, -1) if self.has_room(n)), 0)

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

    @property
    def ships_remembered(self) -> int:
        """The number of ships of a fleet that a mind remembers: none of a very large one."""
        return len(self.fleet) if len(self.fleet) <= MOST_REMEMBERED else 0

    @cached_property
    def possible_actions(self) -> int:
        """The number of shots, moves and questions, legal or not. A question names two cells."""
        cells = self.columns * self.rows
        moves = 1 + 2 * len(self.fleet) if self.moving else 0
        return cells + moves + (cells**2 if self.questions else 0)

    @property
    def most_actions(self) -> int:
        """The number of actions in the longest match."""
        return self._actions_in(self.limit)

    def has_room(self, turns: int | None, taken: int = 0) -> bool:
        """Whether a match fits into an address in which so many bytes are taken by something else.

        A ship has five bytes, and six more for the places in earlier rounds that a mind remembers.
        """
        room = MOST_BYTES - taken - 5 * len(self.fleet) - 6 * self.ships_remembered
        bits = (self.possible_actions - 1).bit_length()
        return self._actions_in(turns) <= min(MOST_ACTIONS, 8 * room // bits)

    def _actions_in(self, turns: int | None) -> int:
        boards = 1 if self.solo else 2  # that are fired at
        cells, questions = boards * self.columns * self.rows, boards * self.questions
        if turns is None:
            return cells + questions
        # Solo, the sides take turns to fire and to move; otherwise every turn has both.
        volleys, moves = ((turns + 1) // 2, turns // 2) if self.solo else (turns, turns)
        if self.again:  # each hit can earn one more volley
            volleys += boards * sum(self.fleet)
        shots = volleys * (len(self.fleet) if self.salvo else 1)
        return shots + moves if self.moving else min(shots, cells) + questions


ROWS = tuple(
    hint.__metadata__[0]._replace(field=field, default=getattr(Ruleset, field))
    for field, hint in get_type_hints(Ruleset, include_extras=True).items()
)
"""The rows in the order of the fields, which is that of the engine protocol."""
NUMBERS = tuple(row for row in ROWS if row.is_number)
LISTED = tuple(sorted(ROWS, key=lambda row: 0 if row.is_sea else 1 if row.is_switch else 2))
"""The rows in the order of records and pages: those of the sea, the other switches, the rest."""


_board = lru_cache(maxsize=256)(Board)  # all that a board can be: 12 times 12 sizes


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

"""Sheets to draw: a grid with labels, empty or with a fleet. A cell is ten units wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

from game.display.cells import names_in_use
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Fleet, complete
from game.engine.geometry import LETTERS, Direction
from game.engine.rules import Ruleset

DEALT = 12
"""The fleets that are dealt for a class."""
_CELL = 10
_SHORT = 3
"""The most characters of labels that have room above a column."""
_CHARACTER = 2.2
"""The width of a character."""


class Label(NamedTuple):
    text: str
    at: int
    """The middle of its column or row."""


class Ship(NamedTuple):
    """A ship as a rectangle within its cells."""

    x: int
    y: int
    width: int
    height: int


class Sheet(NamedTuple):
    columns: Sequence[Label]
    rows: Sequence[Label]
    language: str
    is_upright: bool
    """Whether the labels of the columns have room only when they stand upright."""
    view_box: str
    grid: str
    """The lines as the data of a path."""
    ships: Sequence[Ship] = ()


def empty_sheet(rules: Ruleset) -> Sheet:
    """Returns a sheet without ships, labelled as the cells are called."""
    names = names_in_use()
    columns: Sequence[str] = names.columns if names else LETTERS[: rules.columns]
    rows: Sequence[str] = names.rows if names else [str(row + 1) for row in range(rules.rows)]
    width, height = _CELL * rules.columns, _CELL * rules.rows
    left = _CELL + _CHARACTER * max(map(len, rows))
    longest = max(map(len, columns))
    is_upright = longest > _SHORT
    top = _CELL + _CHARACTER * longest if is_upright else _CELL
    across = "".join(f"M0 {y}h{width}" for y in range(0, height + 1, _CELL))
    down = "".join(f"M{x} 0v{height}" for x in range(0, width + 1, _CELL))
    return Sheet(
        [Label(text, _CELL * number + _CELL // 2) for number, text in enumerate(columns)],
        [Label(text, _CELL * number + _CELL // 2) for number, text in enumerate(rows)],
        names.language if names else "",
        is_upright,
        f"{-left:g} {-top:g} {left + width + 1:g} {top + height + 1:g}",
        across + down,
    )


def with_fleet(rules: Ruleset, fleet: Fleet) -> Sheet:
    """Returns a sheet with a fleet."""
    ships = []
    for placement in fleet:
        x, y = (_CELL * at for at in (divmod(placement.bow, rules.columns)[::-1]))
        long, wide = _CELL * placement.length - 2, _CELL - 2
        is_down = placement.direction is Direction.DOWN
        ships.append(Ship(x + 1, y + 1, *((wide, long) if is_down else (long, wide))))
    return empty_sheet(rules)._replace(ships=ships)


def deal(rules: Ruleset, word: str) -> Iterator[Sheet]:
    """Yields the sheets of a deal, which are always the same for a word; raises DoesNotFit."""
    seed = blake2b(word.encode(), digest_size=SEED_BYTES).digest()
    for number in range(DEALT):
        yield with_fleet(rules, complete(rules, (), Chance(seed, "paper", number)))

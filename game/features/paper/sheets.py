"""Sheets to draw: a grid with labels, empty or with a fleet. A cell is ten units wide."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Fleet, complete
from game.engine.geometry import Direction
from game.engine.rules import Ruleset
from game.matches.cell_names import CellNames
from game.ops.text_width import ems

DEALT, MOST_DEALT = 12, 40
"""The fleets that are dealt for a class if it doesn't say how many, and the most."""
_WAYS = 4
"""The ways in which a sheet can be looked at: as it is, and in one or two mirrors."""
_CELL = 10
_FONT = 4
"""The size of the labels' font; `paper.css` has it, too."""
_GAP = 4
"""The room around labels, of which half lies between them and the grid."""
_TIGHT = 0.75
"""How much of the board ships that never touch may fill until a deal takes long."""


class Label(NamedTuple):
    text: str
    at: int
    """The middle of its column or row."""
    is_upright: bool = False
    """Whether it has room above its column only when it stands upright."""


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
    view_box: str
    grid: str
    """The lines as the data of a path."""
    ships: Sequence[Ship] = ()


def empty_sheet(cell_names: CellNames) -> Sheet:
    """Returns a sheet without ships, labelled as the cells are called."""
    columns, rows = cell_names.columns, cell_names.rows
    width, height = _CELL * len(columns), _CELL * len(rows)
    left = _GAP + max(map(_width, rows))
    longest = max(map(_width, columns))
    top = _GAP + (longest if longest > _CELL else _FONT)
    across = "".join(f"M0 {y}h{width}" for y in range(0, height + 1, _CELL))
    down = "".join(f"M{x} 0v{height}" for x in range(0, width + 1, _CELL))
    return Sheet(
        [
            Label(text, _CELL * number + _CELL // 2, _width(text) > _CELL)
            for number, text in enumerate(columns)
        ],
        [Label(text, _CELL * number + _CELL // 2) for number, text in enumerate(rows)],
        cell_names.language,
        f"{-left:g} {-top:g} {left + width + 1:g} {top + height + 1:g}",
        across + down,
    )


def _width(label: str) -> float:
    return _FONT * ems(label)


def deal(rules: Ruleset, cell_names: CellNames, word: str, number: int = DEALT) -> list[Sheet]:
    """Returns the sheets of a deal, which are always the same for a word; raises DoesNotFit.

    A tight fleet is rarely found at the first try, so its sheets show the fleets of three deals,
    each also in mirrors, and there are twelve of them at most.
    """
    seed = blake2b(word.encode(), digest_size=SEED_BYTES).digest()
    is_tight = _is_tight(rules)
    number = min(number, DEALT if is_tight else MOST_DEALT)
    count = DEALT // _WAYS if is_tight else number
    fleets = [complete(rules, (), Chance(seed, "paper", turn)) for turn in range(count)]
    empty = empty_sheet(cell_names)
    return [
        empty._replace(ships=_drawn(rules, fleets[at % count], at // count)) for at in range(number)
    ]


def _is_tight(rules: Ruleset) -> bool:
    """Whether ships that never touch, each with the water to its right and below it, fill much."""
    filled = sum(2 * (length + 1) for length in rules.fleet)
    return not rules.touching and filled > _TIGHT * (rules.columns + 1) * (rules.rows + 1)


def _drawn(rules: Ruleset, fleet: Fleet, way: int) -> list[Ship]:
    """Returns the ships of a fleet, in one of the ways in which a sheet can be looked at."""
    ships = []
    for placement in fleet:
        row, column = divmod(placement.bow, rules.columns)
        is_down = placement.direction is Direction.DOWN
        across, down = (1, placement.length) if is_down else (placement.length, 1)
        if way & 1:
            column = rules.columns - column - across
        if way & 2:
            row = rules.rows - row - down
        x, y, width, height = (_CELL * cells for cells in (column, row, across, down))
        ships.append(Ship(x + 1, y + 1, width - 2, height - 2))
    return ships

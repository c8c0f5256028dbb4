"""Cells and boards: `B7` is column B, row 7, counted from the top left."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import NewType, cast

LETTERS = "ABCDEFGHIJKLMNO"
FULL_WIDTH = {sign + 0xFEE0: sign for sign in range(0x21, 0x7F)}
"""The characters of ASCII in full width, as East Asian keyboards write them, for str.translate."""
SMALLEST, LARGEST = 4, 15

Cell = NewType("Cell", int)
"""An index into the cells of a board, row by row from A1. On ten columns, B7 is 61."""

CELL_PATTERN = "[A-Z][1-9][0-9]?"
_CELL_TEXT = re.compile(CELL_PATTERN)


class NotACell(ValueError):
    """The text isn't the name of a cell of the board."""


class NotLatin(NotACell):
    """The text has letters of another alphabet, of which some look like Latin ones."""


class Direction(Enum):
    """How a ship lies; the value is its letter in `C4h3`."""

    ACROSS = "h"
    DOWN = "v"


@dataclass(frozen=True, slots=True)
class Board:
    """A board of 4 to 15 columns and rows."""

    columns: int
    rows: int
    size: int = field(init=False, compare=False, repr=False)
    """The number of cells."""

    def __post_init__(self) -> None:
        for count in (self.columns, self.rows):
            if not SMALLEST <= count <= LARGEST:
                raise ValueError(f"not a board side from {SMALLEST} to {LARGEST}: {count!r}")
        object.__setattr__(self, "size", self.columns * self.rows)

    @property
    def cells(self) -> Iterable[Cell]:
        """Every cell, row by row from A1."""
        return cast("Iterable[Cell]", range(self.size))  # calling Cell takes ten times as long

    def has(self, column: int, row: int) -> bool:
        """Whether column and row, both from 0, lie on the board."""
        return 0 <= column < self.columns and 0 <= row < self.rows

    def cell(self, column: int, row: int) -> Cell:
        """The cell at a column and row, both from 0; raises NotACell off the board."""
        if not self.has(column, row):
            raise NotACell(f"not on a {self.columns} by {self.rows} board: {(column, row)!r}")
        return Cell(row * self.columns + column)

    def column(self, cell: Cell) -> int:
        """The column of a cell, from 0 at the left."""
        return cell % self.columns

    def row(self, cell: Cell) -> int:
        """The row of a cell, from 0 at the top."""
        return cell // self.columns

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the cells, and of those below them, by their index."""
        return _NAMES[self.columns]

    def name(self, cell: Cell) -> str:
        """`B7` for the cell in the second column and seventh row; the inverse of parse."""
        names = _NAMES[self.columns]
        return names[cell] if 0 <= cell < len(names) else _name(self.columns, cell)

    def parse(self, text: str) -> Cell:
        """The cell named `B7`; raises NotACell for other spellings, such as `b7` and `B07`."""
        if not _CELL_TEXT.fullmatch(text):
            raise NotACell(f"not a cell: {text[:12]!r}")
        column, row = LETTERS.find(text[0]), int(text[1:]) - 1
        if column < 0 or not self.has(column, row):
            raise NotACell(f"not on a {self.columns} by {self.rows} board: {text!r}")
        return Cell(row * self.columns + column)

    def distance(self, cell: Cell, other: Cell) -> int:
        """The Chebyshev distance of two cells."""
        return max(
            abs(self.column(cell) - self.column(other)), abs(self.row(cell) - self.row(other))
        )

    def corners(self, cell: Cell, other: Cell) -> tuple[Cell, Cell]:
        """The upper left and the lower right cell of the rectangle between two cells."""
        left, right = sorted((self.column(cell), self.column(other)))
        top, bottom = sorted((self.row(cell), self.row(other)))
        return self.cell(left, top), self.cell(right, bottom)

    def rectangle(self, first: Cell, last: Cell) -> int:
        """The mask of a rectangle from its upper left to its lower right cell."""
        row = (1 << self.column(last) - self.column(first) + 1) - 1 << first
        rows = self.row(last) - self.row(first) + 1
        return sum(row << self.columns * down for down in range(rows))

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """The up to eight cells around a cell, row by row."""
        return _neighbours(self)[cell]

    def sides(self, cell: Cell) -> tuple[Cell, ...]:
        """The up to four cells that share an edge with a cell, row by row."""
        return _sides(self)[cell]

    def diagonals(self, cell: Cell) -> list[Cell]:
        """The up to four cells that only share a corner with a cell."""
        return list({*_neighbours(self)[cell]}.difference(self.sides(cell)))


def _name(columns: int, cell: int) -> str:
    return f"{LETTERS[cell % columns]}{cell // columns + 1}"


_NAMES = {
    columns: tuple(_name(columns, cell) for cell in range(columns * LARGEST))
    for columns in range(SMALLEST, LARGEST + 1)
}
"""The names of cells, by the number of columns of the board."""


@lru_cache(maxsize=24)  # the presets have one board, own rules any; up to 30 kB each
def _sides(board: Board) -> tuple[tuple[Cell, ...], ...]:
    width = board.columns
    beside = [{cell - width, cell - 1, cell + 1, cell + width} for cell in board.cells]
    return tuple(
        tuple(cell for cell in near if cell in beside[at])
        for at, near in enumerate(_neighbours(board))
    )


@lru_cache(maxsize=24)  # the presets have one board, own rules any; up to 30 kB each
def _neighbours(board: Board) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        tuple(
            board.cell(column + across, row + down)
            for down in (-1, 0, 1)
            for across in (-1, 0, 1)
            if (across or down) and board.has(column + across, row + down)
        )
        for row in range(board.rows)
        for column in range(board.columns)
    )


def mask_of(cells: Iterable[Cell]) -> int:
    """A set of cells as a bit mask: bit n is cell n."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask: int) -> list[Cell]:
    """The cells of a mask, ascending; the inverse of `mask_of`."""
    cells = []
    while mask:  # few bits are set
        cells.append(Cell((mask & -mask).bit_length() - 1))
        mask &= mask - 1
    return cells

"""How pages call the cells of a match: `B7`, unless a part of its setup calls them otherwise.

Views, forms and the terminal receive it as a value. Handles, records and tokens have `B7` always.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from game.engine.geometry import LETTERS, Board, Cell


@dataclass(frozen=True, eq=False)
class CellNames:
    """The names of the cells of a board: letters and numbers."""

    board: Board
    is_labelled: bool = False
    """Whether labels stand in place of letters and numbers."""
    is_typed: bool = False
    """Whether persons type the cells at which they fire, in place of pressing them."""
    has_answers: bool = False
    """Whether answers are typed, which labels don't tell."""
    language: str = ""
    """The language of the labels as in the attribute `lang`, or empty."""
    longest: int = 0
    """The width of the longest label if columns have no room for it, else 0."""
    styles: tuple[str, ...] = ()
    """What pages load to show them."""

    @property
    def columns(self) -> Sequence[str]:
        """What stands above the columns, from the left."""
        return LETTERS[: self.board.columns]

    @property
    def rows(self) -> Sequence[str]:
        """What stands beside the rows, from the top."""
        return [str(row + 1) for row in range(self.board.rows)]

    @property
    def handles(self) -> Mapping[str, str | int]:
        """Public values of pages and their JSON, beside handles that stay `B7`."""
        return {}

    @property
    def answers(self) -> Sequence[tuple[str, Sequence[str]]]:
        """The answers of the cells: each row's label and what is typed in it, for teachers."""
        return ()

    def name(self, cell: Cell) -> str:
        """Returns the name of a cell, as it stands in sentences."""
        return self.board.name(cell)

    def marked(self, sentence: str) -> str:
        """Returns a sentence in HTML, in which names are in their language and can be spoken."""
        return sentence

    def read(self, text: str) -> Cell:
        """Returns the cell that was typed; raises NotACell, or Refused where labels are typed."""
        return self.board.parse(text)


@cache
def lettered(board: Board) -> CellNames:
    """Returns the names by letters and numbers."""
    return CellNames(board)


class MatchPart:
    """What a feature adds to a match or to its setup."""

    __slots__ = ()

    @property
    def cell_names(self) -> CellNames | None:
        """How a setup with this part calls its cells; None if it doesn't say."""
        return None

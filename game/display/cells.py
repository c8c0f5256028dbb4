"""How the cells of a match are called on its pages: `B7`, unless a feature calls them otherwise.

Whatever opens a match or a draft for a person has its names used; they hold until the next one is
opened, as a language does that Django has activated. Handles, records and tokens have `B7` always.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Protocol

from game.engine.geometry import Board, Cell


class Names(Protocol):
    """The names that a feature has for the cells of a match."""

    @property
    def columns(self) -> Sequence[str]:
        """The labels of the columns, from the left."""

    @property
    def rows(self) -> Sequence[str]:
        """The labels of the rows, from the top."""

    @property
    def language(self) -> str:
        """The language of the labels as in the attribute `lang`, or empty."""

    @property
    def is_typed(self) -> bool:
        """Whether persons type the cells at which they fire, in place of pressing them."""

    def name(self, cell: Cell) -> str:
        """Returns the name of a cell, as it stands in sentences."""

    def marked(self, sentence: str) -> str:
        """Returns a sentence in HTML, in which names are in their language and can be spoken."""

    def read(self, board: Board, text: str) -> Cell:
        """Returns the cell that was typed; raises Refused."""


_NAMES: ContextVar[Names | None] = ContextVar("the names of cells", default=None)


def use(found: Names | None) -> None:
    """Has cells called so from now on; None stands for letters and numbers."""
    _NAMES.set(found)


def names_in_use() -> Names | None:
    """Returns the names in use; None for letters and numbers."""
    return _NAMES.get()


def called(board: Board, cell: Cell) -> str:
    """Returns the name of a cell, as it stands in sentences."""
    found = _NAMES.get()
    return found.name(cell) if found else board.name(cell)

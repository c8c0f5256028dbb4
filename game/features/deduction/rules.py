"""Rules of the deduction game, hiding places, guesses and feedback.

    hidden at H1 B2 D3    guess B3 C3 H3    feedback 0,2,1

A hiding place and a guess have the same form: as many distinct cells as there are ships. The rules
are those of a project for COMP30020 Declarative Programming, University of Melbourne.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import NamedTuple

from game.engine.geometry import Board, Cell

MOST_SHIPS = 5
MOST_PLACES = 200_000
"""Rules with more places are refused: a search counts its possible places one by one."""
FARTHEST = 2
"""The greatest distance that feedback counts, in king's moves."""

Cells = tuple[Cell, ...]
"""A hiding place or a guess: distinct cells in rising order."""


class IllegalRules(ValueError):
    """Rules that can't be played."""


class NotAPlace(ValueError):
    """The cells are not a hiding place or guess of these rules."""


class NotFeedback(ValueError):
    """The text is not feedback of these rules."""


class Feedback(NamedTuple):
    """How many guessed cells are on their nearest ship, one away from it and two away."""

    exact: int
    one: int
    two: int

    def __str__(self) -> str:
        """`0,2,1`; twin of Rules.parse_feedback."""
        return f"{self.exact},{self.one},{self.two}"


class Answer(NamedTuple):
    """A guess and the feedback it got."""

    guess: Cells
    feedback: Feedback


@dataclass(frozen=True, slots=True)
class Rules:
    """The board's size in cells, and the number of ships, each of one cell."""

    columns: int = 8
    rows: int = 4
    ships: int = 3

    def __post_init__(self) -> None:
        """Raises IllegalRules."""
        try:
            board = Board(self.columns, self.rows)
        except ValueError as error:
            raise IllegalRules(str(error)) from error
        if not 1 <= self.ships <= MOST_SHIPS:
            raise IllegalRules(f"not a number of ships from 1 to {MOST_SHIPS}: {self.ships!r}")
        if comb(board.size, self.ships) > MOST_PLACES:
            raise IllegalRules(f"more than {MOST_PLACES} hiding places: {self}")

    def __str__(self) -> str:
        """`8x4x3`: columns, rows, ships; twin of parse_rules."""
        return f"{self.columns}x{self.rows}x{self.ships}"

    @property
    def board(self) -> Board:
        return Board(self.columns, self.rows)

    @property
    def places(self) -> int:
        """The number of hiding places, and of guesses."""
        return comb(self.columns * self.rows, self.ships)

    @property
    def found(self) -> Feedback:
        """The feedback that ends a search."""
        return Feedback(self.ships, 0, 0)

    def cells(self, cells: Iterable[Cell]) -> Cells:
        """The cells as a hiding place or a guess, in rising order; raises NotAPlace."""
        ordered = tuple(sorted(cells))
        size = self.columns * self.rows
        if len(ordered) != self.ships or len(set(ordered)) != self.ships:
            raise NotAPlace(f"not {self.ships} distinct cells: {self.names(ordered)!r}")
        if not all(0 <= cell < size for cell in ordered):
            raise NotAPlace(f"not cells of this sea: {ordered!r}")
        return ordered

    def parse(self, text: str) -> Cells:
        """The place or guess that `H1 B2 D3` names, in any order; raises NotACell or NotAPlace."""
        return self.cells(self.board.parse(name) for name in text.split())

    def names(self, cells: Iterable[Cell]) -> str:
        """`H1 B2 D3`; twin of parse."""
        board = self.board
        return " ".join(board.name(cell) for cell in cells)

    def feedback(self, place: Cells, guess: Cells) -> Feedback:
        """The hider's answer to a guess: each guessed cell counts once, for its nearest ship."""
        far = _distances(self.board)
        nearest = [min(far[cell][ship] for ship in place) for cell in guess]
        return Feedback(*(nearest.count(distance) for distance in range(FARTHEST + 1)))

    def parse_feedback(self, text: str) -> Feedback:
        """The feedback that `0,2,1` names; raises NotFeedback."""
        match = re.fullmatch(r"(\d) ?, ?(\d) ?, ?(\d)", text, re.ASCII)
        if match is None or sum(map(int, match.groups())) > self.ships:
            raise NotFeedback(f"not a feedback: {text[:12]!r}")
        return Feedback(*map(int, match.groups()))


@lru_cache(maxsize=16)  # the seas that are offered; 30 kB each
def _distances(board: Board) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(board.distance(one, other) for other in board.cells) for one in board.cells)


MELBOURNE = Rules()
"""The original rules: 4 rows, 8 columns, three ships, 4,960 hiding places."""


def parse_rules(text: str) -> Rules:
    """The rules that `8x4x3` names; raises IllegalRules."""
    match = re.fullmatch(r"(\d{1,2})x(\d{1,2})x(\d)", text, re.ASCII)
    if match is None:
        raise IllegalRules(f"not a sea: {text[:12]!r}")
    return Rules(*map(int, match.groups()))


# --- the seas that pages offer, and how strong the searchers are in them ---

SEAS: dict[str, Rules] = {
    "small": Rules(columns=6, rows=4, ships=2),
    "original": MELBOURNE,
    "large": Rules(columns=8, rows=8, ships=3),
}
SEA, SEARCHER = "original", "middle"

MEANS: dict[Rules, dict[str, float]] = {
    SEAS["small"]: {"easy": 4.70, "middle": 4.12, "strong": 4.01},
    SEAS["original"]: {"easy": 5.88, "middle": 4.98, "strong": 4.61},
    SEAS["large"]: {"easy": 6.6, "middle": 5.9, "strong": 5.5},
}
"""The mean number of guesses of each searcher, over many hiding places."""

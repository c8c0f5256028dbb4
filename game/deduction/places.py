"""Hiding places as arrays: which are still possible, and what guesses tell of them.

Places and guesses are arrays of shape (count, ships) of cell indices. Feedback is a code: with s
ships, (s + 1)² for each cell on a ship, s + 1 for each one away and 1 for each two away. The
largest code, s(s + 1)², is that of the guess that finds them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt

from game.deduction.rules import Answer, Cells, Feedback, Rules
from game.engine.geometry import Cell

Array = npt.NDArray[np.uint8]
Figures = npt.NDArray[np.float64]

WORK = 10_000_000
"""The most feedbacks counted at once to compare guesses: some thirty milliseconds of one core."""
_CHUNK = 250_000


@lru_cache(maxsize=4)
def every_place(rules: Rules) -> Array:
    """All hiding places, in the order of their cells: shape (rules.places, ships)."""
    cells = chain.from_iterable(combinations(range(rules.columns * rules.rows), rules.ships))
    places = np.fromiter(cells, np.uint8, rules.places * rules.ships)
    places.flags.writeable = False
    return places.reshape(-1, rules.ships)


@lru_cache(maxsize=16)
def _weights(rules: Rules) -> Array:
    """What a guessed cell adds to the code for a ship on another: shape (cells, cells)."""
    board, base = rules.board, rules.ships + 1
    worth = {0: base * base, 1: base, 2: 1}
    return np.array(
        [[worth.get(board.distance(one, other), 0) for other in board.cells]
         for one in board.cells], np.uint8,
    )  # fmt: skip


def code(rules: Rules, feedback: Feedback) -> int:
    """The code of a feedback; twin of feedback_of."""
    base = rules.ships + 1
    return (feedback.exact * base + feedback.one) * base + feedback.two


def feedback_of(rules: Rules, number: int) -> Feedback:
    """The feedback of a code."""
    base = rules.ships + 1
    return Feedback(number // (base * base), number // base % base, number % base)


def near(rules: Rules, places: Array) -> Array:
    """What each cell of the sea would add to the code, for each place: shape (cells, places)."""
    weights = _weights(rules)
    best = weights[:, places[:, 0]]
    for ship in range(1, rules.ships):
        np.maximum(best, weights[:, places[:, ship]], out=best)
    return best


def codes(known: Array, guesses: Array) -> Array:
    """The code of each guess for each place whose `near` is given: shape (guesses, places)."""
    total: Array = known[guesses[:, 0]]
    for ship in range(1, guesses.shape[1]):
        total += known[guesses[:, ship]]
    return total


def narrow(rules: Rules, places: Array, guess: Cells, feedback: Feedback) -> Array:
    """The places among these that give that feedback to the guess."""
    weights = _weights(rules)[list(guess)]
    found = np.zeros(len(places), np.uint8)
    for cell in weights:
        found += cell[places].max(axis=1)
    left: Array = places[found == code(rules, feedback)]
    return left


def possible(rules: Rules, answers: Iterable[Answer]) -> Array:
    """The places that go with all answers."""
    places = every_place(rules)
    for guess, feedback in answers:
        places = narrow(rules, places, guess, feedback)
    return places


def heat(rules: Rules, places: Array) -> list[int]:
    """In how many of the places a ship lies on each cell of the sea."""
    counts = np.bincount(places.ravel(), minlength=rules.columns * rules.rows)
    return [int(count) for count in counts]


def tally(rules: Rules, places: Array, guesses: Array) -> npt.NDArray[np.int64]:
    """How many places give each code to each guess: shape (guesses, codes)."""
    width = code(rules, rules.found) + 1
    known = near(rules, places)
    step = max(1, _CHUNK // len(places))
    parts = []
    for start in range(0, len(guesses), step):
        some = codes(known, guesses[start : start + step])
        rows = np.arange(len(some))[:, None] * width + some
        parts.append(np.bincount(rows.ravel(), minlength=len(some) * width).reshape(-1, width))
    return np.concatenate(parts)


def expected_left(counts: npt.NDArray[np.int64]) -> Figures:
    """How many places each guess of a tally leaves on average; finding them all leaves none."""
    left = counts[:, :-1].astype(np.float64)
    result: Figures = (left * left).sum(axis=1) / counts.sum(axis=1)
    return result


def entropy(counts: npt.NDArray[np.int64]) -> Figures:
    """How many halvings of the places the feedback to each guess is worth on average."""
    share = counts / counts.sum(axis=1, keepdims=True)
    result: Figures = -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=1)
    return result


def as_cells(row: npt.NDArray[np.integer]) -> Cells:
    """A row of an array as cells."""
    return tuple(Cell(int(cell)) for cell in row)


def as_row(cells: Cells) -> Array:
    """Cells as an array of one row."""
    return np.array([cells], np.uint8)

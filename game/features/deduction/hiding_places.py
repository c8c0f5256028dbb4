"""Hiding places as arrays: which are possible, what guesses reveal, and the review of a search.

Places and guesses are arrays of cell indices with axes (place, ship). Feedback is a code: with s
ships, (s + 1)² for each cell on a ship, s + 1 for each one away and 1 for each two away. The
largest code, s(s + 1)², means that all are found.
"""

from collections.abc import Callable
from functools import lru_cache
from math import log2
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from game.engine.geometry import Cell
from game.features.deduction.rules import MELBOURNE, Answer, Cells, Feedback, Rules

Array = npt.NDArray[np.uint8]
Figures = npt.NDArray[np.float64]
Tally = npt.NDArray[np.int64]

WORK, LARGE, WORK_IF_LARGE = 10_000_000, 5_000, 5_000_000
"""The most steps for comparing guesses, which take about forty milliseconds of CPU. In a sea with
more places than LARGE there are half as many, as an answer of the site holds a whole search."""
SAMPLE = 2_000
"""Guesses are compared over at most this many places."""
ALIKE = 1e-9
"""Values that differ by less are equal."""
BEST_FIRST = {MELBOURNE: "A1 H1 A3"}
"""The first guesses that leave the fewest places on average, as finding them takes long."""
_CHUNK = 250_000


@lru_cache(maxsize=4)  # the three seas that are offered; up to 1 MB each
def every_place(rules: Rules) -> Array:
    """All hiding places, in the order of their cells: axes (place, ship)."""
    size = rules.columns * rules.rows
    places = np.arange(size, dtype=np.uint8)[:, None]
    for _ in range(rules.ships - 1):
        after = size - 1 - places[:, -1].astype(np.intp)  # cells behind the last of each row
        start = np.repeat(np.cumsum(after) - after, after)
        rows = np.repeat(places, after, axis=0)
        following = rows[:, -1] + 1 + (np.arange(len(rows)) - start)
        places = np.column_stack((rows, following.astype(np.uint8)))
    places.flags.writeable = False
    return places


@lru_cache(maxsize=16)  # the seas that are offered
def _weights(rules: Rules) -> Array:
    """What a guessed cell adds to the code for a ship's nearest cell: axes (guess, ship)."""
    board, base = rules.board, rules.ships + 1
    worth = {0: base * base, 1: base, 2: 1}
    return np.array(
        [[worth.get(board.distance(cell, other), 0) for other in board.cells]
         for cell in board.cells], np.uint8,
    )  # fmt: skip


def code(rules: Rules, feedback: Feedback) -> int:
    base = rules.ships + 1
    return (feedback.exact * base + feedback.one) * base + feedback.two


def near(rules: Rules, places: Array, cells: Array) -> Array:
    """What a guess at each of the cells would add to the code: axes (cell, place)."""
    weights = _weights(rules)[cells]
    best = weights[:, places[:, 0]]
    for ship in range(1, rules.ships):
        np.maximum(best, weights[:, places[:, ship]], out=best)
    return best


def codes(known: Array, guesses: Array) -> Array:
    """The code of each guess for each place; `known` is from `near`. Axes (guess, place)."""
    total: Array = known[guesses[:, 0]]
    for ship in range(1, guesses.shape[1]):
        total += known[guesses[:, ship]]
    return total


def narrow(rules: Rules, places: Array, guess: Cells, feedback: Feedback) -> Array:
    """The places that would give that feedback to the guess."""
    hits = near(rules, places, as_row(guess)[0]).sum(axis=0, dtype=np.uint8)
    left: Array = places[hits == code(rules, feedback)]
    return left


@lru_cache(maxsize=16)  # each guess of a search narrows what the one before has left; up to 1 MB
def possible(rules: Rules, answers: tuple[Answer, ...]) -> Array:
    """The hiding places that agree with all answers."""
    if not answers:
        return every_place(rules)
    guess, feedback = answers[-1]
    return narrow(rules, possible(rules, answers[:-1]), guess, feedback)


def heat(rules: Rules, places: Array) -> list[int]:
    """For each cell, the number of places with a ship on it."""
    counts: list[int] = np.bincount(places.ravel(), minlength=rules.board.size).tolist()
    return counts


def tally(rules: Rules, places: Array, guesses: Array) -> Tally:
    """The number of places that give each code to each guess: axes (guess, code)."""
    width = code(rules, rules.found) + 1
    cells, rows_of_known = np.unique(guesses, return_inverse=True)
    guesses = rows_of_known.reshape(guesses.shape).astype(np.uint8)
    known = near(rules, places, cells)
    step = max(1, _CHUNK // len(places))
    parts = []
    for start in range(0, len(guesses), step):
        some = codes(known, guesses[start : start + step])
        rows = np.arange(len(some))[:, None] * width + some
        parts.append(np.bincount(rows.ravel(), minlength=len(some) * width).reshape(-1, width))
    return np.concatenate(parts)


def thinned(rows: Array, most: int) -> Array:
    """At most `most` of the rows, evenly spread."""
    return rows[:: -(-len(rows) // most)]


def most_work(rules: Rules) -> int:
    """How many steps may be spent on one choice among guesses."""
    return WORK if rules.places <= LARGE else WORK_IF_LARGE


def comparable(rules: Rules, sample: Array, work: int = WORK) -> int:
    """How many guesses so much work allows to compare over a sample of places."""
    width = code(rules, rules.found) + 1
    return work // (len(sample) + 4 * width)


def expected_left(counts: Tally) -> Figures:
    """The mean number of places left after each guess of a tally; finding all leaves none."""
    left = counts[:, :-1].astype(np.float64)
    result: Figures = (left * left).sum(axis=1) / counts.sum(axis=1)
    return result


def entropy(counts: Tally) -> Figures:
    """The entropy of each guess's feedback in bits: how often it halves the places, on average."""
    share = counts / counts.sum(axis=1, keepdims=True)
    result: Figures = -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=1)
    return result


def foremost(
    rules: Rules, places: Array, worth: Callable[[Tally], Figures], work: int = WORK
) -> Cells:
    """The guess with the highest worth, and among equals a possible place.

    Compares all guesses over all places if the work allows it, else a sample over a sample. No
    guess is worth more than one that gets another answer for each place.
    """
    sample = thinned(places, SAMPLE)
    most = comparable(rules, sample, work) // 4
    ceiling = float(worth(np.ones((1, len(sample)), np.int64))[0])
    best: tuple[float, Cells] | None = None
    for guesses in (thinned(places, most), thinned(every_place(rules), 3 * most)):
        values = worth(tally(rules, sample, guesses))
        index = int(np.argmax(values))
        if best is None or values[index] > best[0] + ALIKE:
            best = float(values[index]), as_cells(guesses[index])
        if best[0] > ceiling - ALIKE:
            break
    assert best is not None  # noqa: S101 (there is always a guess)
    return best[1]


def as_cells(row: npt.NDArray[np.integer]) -> Cells:
    return tuple(Cell(int(cell)) for cell in row)


def as_row(cells: Cells) -> Array:
    return np.array([cells], np.uint8)


# --- the review ---

MOST_WORK = 60_000_000
"""The most steps for finding the best guess at all moments of a search together."""
LUCKY = 0.5
"""The least luck, in halvings, that the review calls good or bad."""


class Step(NamedTuple):
    guess: Cells
    feedback: Feedback
    before: int
    """Possible places before the guess."""
    after: int
    """Places left after it; 0 if it found the ships."""
    expected: float
    """The expected number of places left."""
    best: Cells
    """The guess with the fewest places left in expectation."""
    best_expected: float
    luck: float
    """The halvings of the answer minus the guess's entropy."""
    is_possible: bool
    """Whether the guess was itself a possible place."""

    @property
    def is_best(self) -> bool:
        """Whether no other guess had fewer places left in expectation."""
        return self.expected <= self.best_expected + ALIKE


@lru_cache(maxsize=64)  # matches that are being reviewed; 5 kB each
def review(rules: Rules, answers: tuple[Answer, ...]) -> tuple[Step, ...]:
    """Judges each guess by what was known before it: what it was worth, and how lucky it was.

    Information is counted in halvings (bits): from 80 places to 10 takes three. Averaged over the
    places still possible, a guess is worth its entropy (Shannon, 1948); luck is the excess over
    that, which averages to zero. Halvings of several guesses add up.
    """
    places, steps, best = every_place(rules), [], None
    work = min(most_work(rules), MOST_WORK // max(1, len(answers)))
    for guess, feedback in answers:
        left = narrow(rules, places, guess, feedback)
        best = best or best_guess(rules, places, work)
        own = tally(rules, places, as_row(guess))
        steps.append(Step(
            guess, feedback, len(places), 0 if feedback == rules.found else len(left),
            float(expected_left(own)[0]), best,
            float(expected_left(tally(rules, places, as_row(best)))[0]),
            log2(len(places) / len(left)) - float(entropy(own)[0]),
            bool((places == as_row(guess)).all(axis=1).any()),
        ))  # fmt: skip
        if len(left) < len(places):
            places, best = left, None
    return tuple(steps)


def best_guess(rules: Rules, places: Array, work: int = WORK) -> Cells:
    """The guess, possible or not, with the fewest of these places left in expectation."""
    if len(places) == rules.places and rules in BEST_FIRST:
        return rules.parse(BEST_FIRST[rules])
    return foremost(rules, places, lambda counts: -expected_left(counts), work)

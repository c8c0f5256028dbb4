"""The review of a search: what each guess could be expected to tell, and where luck came in.

What an answer tells is counted in halvings: from 80 places to 10 are three. A guess is worth, on
average over all places that were still possible, its entropy (Shannon, 1948); luck is what it
told beyond that, and averages to nothing. Halvings of several guesses add up.
"""

from __future__ import annotations

from functools import lru_cache
from math import log2
from typing import NamedTuple

from game.deduction.places import (
    ALIKE,
    Array,
    as_row,
    entropy,
    every_place,
    expected_left,
    foremost,
    narrow,
    tally,
)
from game.deduction.rules import MELBOURNE, Answer, Cells, Feedback, Rules

LUCKY = 0.5
"""From so many halvings on, luck is called by its name."""
BEST_FIRST = {MELBOURNE: "A1 H1 A3"}
"""The best first guess where it is known: to find it anew takes a while."""


class Step(NamedTuple):
    """One guess of a search, judged."""

    guess: Cells
    feedback: Feedback
    before: int
    """Places that were possible before the guess."""
    after: int
    """Places that were left, none where the guess found the ships."""
    expected: float
    """Places that the guess could be expected to leave."""
    best: Cells
    """The guess that could be expected to leave the fewest."""
    best_expected: float
    luck: float
    """Halvings that the answer told beyond what the guess was worth on average."""
    is_possible: bool
    """Whether the guess could have been the hiding place itself."""

    @property
    def is_best(self) -> bool:
        """Whether no guess was expected to leave fewer places."""
        return self.expected <= self.best_expected + ALIKE


@lru_cache(maxsize=64)
def review(rules: Rules, answers: tuple[Answer, ...]) -> tuple[Step, ...]:
    """Each guess judged by what was known before it."""
    places, steps, best = every_place(rules), [], None
    for guess, feedback in answers:
        left = narrow(rules, places, guess, feedback)
        best = best or best_guess(rules, places)
        steps.append(_judged(rules, places, left, guess, feedback, best))
        if len(left) < len(places):
            places, best = left, None
    return tuple(steps)


def _judged(
    rules: Rules, places: Array, left: Array, guess: Cells, feedback: Feedback, best: Cells
) -> Step:
    own = tally(rules, places, as_row(guess))
    return Step(
        guess, feedback, len(places), 0 if feedback == rules.found else len(left),
        float(expected_left(own)[0]), best,
        float(expected_left(tally(rules, places, as_row(best)))[0]),
        log2(len(places) / len(left)) - float(entropy(own)[0]),
        bool((places == as_row(guess)).all(axis=1).any()),
    )  # fmt: skip


def best_guess(rules: Rules, places: Array) -> Cells:
    """The guess, possible or not, that can be expected to leave the fewest of these places.

    Where there are very many places, the best of a sample judged over a sample.
    """
    if len(places) == rules.places and rules in BEST_FIRST:
        return rules.parse(BEST_FIRST[rules])
    return foremost(rules, places, lambda counts: -expected_left(counts))

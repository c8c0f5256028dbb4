"""The review of a search: what each guess was worth, and how lucky its answer was.

Information is counted in halvings (bits): from 80 places to 10 takes three. Averaged over the
places still possible, a guess is worth its entropy (Shannon, 1948); luck is the excess over that,
which averages to zero. Halvings of several guesses add up.
"""

from __future__ import annotations

from functools import lru_cache
from math import log2
from typing import NamedTuple

from game.deduction import places as arrays
from game.deduction.places import WORK, Array, as_row, entropy, expected_left, tally
from game.deduction.rules import Answer, Cells, Feedback, Rules

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
        return self.expected <= self.best_expected + arrays.ALIKE


@lru_cache(maxsize=64)  # matches that are being reviewed; 5 kB each
def review(rules: Rules, answers: tuple[Answer, ...]) -> tuple[Step, ...]:
    """Judges each guess by what was known before it."""
    places, steps, best = arrays.every_place(rules), [], None
    work = min(arrays.most_work(rules), MOST_WORK // max(1, len(answers)))
    for guess, feedback in answers:
        left = arrays.narrow(rules, places, guess, feedback)
        best = best or best_guess(rules, places, work)
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


def best_guess(rules: Rules, places: Array, work: int = WORK) -> Cells:
    """The guess, possible or not, with the fewest of these places left in expectation.

    For very many places, the best of a sample of guesses over a sample of places.
    """
    if len(places) == rules.places and rules in arrays.BEST_FIRST:
        return rules.parse(arrays.BEST_FIRST[rules])
    return arrays.foremost(rules, places, lambda counts: -expected_left(counts), work)

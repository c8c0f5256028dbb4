"""The computer's searchers: easy, middle (the rule of the original project) and strong.

They get only evidence and chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from game.deduction import places
from game.deduction.places import as_cells, possible
from game.deduction.rules import MELBOURNE, Answer, Cells, Rules
from game.deduction.tree import load
from game.engine.chance import Chance
from game.engine.geometry import Cell


class Evidence(NamedTuple):
    """All that a searcher may know: the rules, and the answers to its guesses."""

    rules: Rules
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Searcher:
    """A computer player that looks for a hiding place. It has no state between guesses."""

    name: str
    """The name in forms: lower case, never changed."""
    guess: Callable[[Evidence, Chance], Cells]
    """Returns the next guess, decided by the arguments alone."""


def _easy(seen: Evidence, chance: Chance) -> Cells:
    """Guesses any place that is still possible, all equally likely."""
    left = possible(*seen)
    return as_cells(left[chance.below(len(left))])


def _middle(seen: Evidence, chance: Chance) -> Cells:
    """Guesses the first of the possible places that leave the fewest others on average."""
    rules = seen.rules
    if not seen.answers and rules in places.BEST_FIRST:
        return rules.parse(places.BEST_FIRST[rules])
    left = possible(*seen)
    sample = places.thinned(left, places.SAMPLE)
    most = places.comparable(rules, sample, places.most_work(rules))
    guesses = places.thinned(left, most)
    counts = places.tally(rules, sample, guesses)
    return as_cells(guesses[np.argmin(places.expected_left(counts))])


def _strong(seen: Evidence, chance: Chance) -> Cells:
    """Follows a prepared tree; without one, makes the guess with the highest entropy."""
    rules = seen.rules
    found = load().guess(seen.answers) if rules == MELBOURNE else None
    if found is not None:
        return found
    left = possible(*seen)
    if len(left) <= 2:
        return as_cells(left[0])
    return places.foremost(rules, left, places.entropy, places.most_work(rules))


def _mirrored(searcher: Searcher) -> Searcher:
    """Returns a searcher of a board that is mirrored at random, differently in each match.

    The mean number of guesses stays the same, but nobody can learn where it looks last.
    """

    def guess(seen: Evidence, chance: Chance) -> Cells:
        rules, turned = seen.rules, chance.for_whole_match("mirror").bits(2)
        answers = tuple(
            Answer(mirrored(rules, it.guess, turned), it.feedback) for it in seen.answers
        )
        found = searcher.guess(Evidence(rules, answers), chance)
        return mirrored(rules, found, turned)

    return Searcher(searcher.name, guess)


def mirrored(rules: Rules, cells: Cells, turned: int) -> Cells:
    """The cells mirrored: bit 0 of `turned` swaps left and right, bit 1 top and bottom."""
    board = rules.board

    def turn(cell: Cell) -> Cell:
        column, row = board.column(cell), board.row(cell)
        return board.cell(
            board.columns - 1 - column if turned & 1 else column,
            board.rows - 1 - row if turned & 2 else row,
        )

    return rules.cells(map(turn, cells))


_ALL = (Searcher("easy", _easy), Searcher("middle", _middle), Searcher("strong", _strong))

PLAIN = {one.name: one for one in _ALL}
"""The searchers for measuring."""
SEARCHERS = {one.name: _mirrored(one) for one in _ALL}
"""The searchers for playing."""

"""The computer's searchers: easy, middle (the rule of the original project) and strong.

They get only evidence and chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from game.deduction.places import (
    BEST_FIRST,
    SAMPLE,
    as_cells,
    comparable,
    entropy,
    expected_left,
    foremost,
    most_work,
    possible,
    tally,
    thinned,
)
from game.deduction.rules import MELBOURNE, Answer, Cells, Rules
from game.deduction.tree import load
from game.engine.chance import Chance
from game.engine.geometry import Cell


class Evidence(NamedTuple):
    """All that a searcher may know: the rules, and the answers to its guesses."""

    rules: Rules
    answers: tuple[Answer, ...] = ()


class Searcher(Protocol):
    """A computer player that looks for a hiding place. It has no state between guesses."""

    @property
    def name(self) -> str:
        """The name in forms: lower case, never changed."""

    def guess(self, seen: Evidence, chance: Chance) -> Cells:
        """The next guess, decided by the arguments alone."""


@dataclass(frozen=True, slots=True)
class RandomSearcher:
    """Guesses any place that is still possible, all equally likely."""

    name: str = "easy"

    def guess(self, seen: Evidence, chance: Chance) -> Cells:
        places = possible(*seen)
        return as_cells(places[chance.below(len(places))])


@dataclass(frozen=True, slots=True)
class Original:
    """Guesses the first of the possible places that leave the fewest others on average."""

    name: str = "middle"

    def guess(self, seen: Evidence, chance: Chance) -> Cells:
        rules = seen.rules
        if not seen.answers and rules in BEST_FIRST:
            return rules.parse(BEST_FIRST[rules])
        places = possible(*seen)
        sample = thinned(places, SAMPLE)
        guesses = thinned(places, comparable(rules, sample, most_work(rules)))
        return as_cells(guesses[np.argmin(expected_left(tally(rules, sample, guesses)))])


@dataclass(frozen=True, slots=True)
class Strongest:
    """Follows a prepared tree; without one, makes the guess with the highest entropy."""

    name: str = "strong"

    def guess(self, seen: Evidence, chance: Chance) -> Cells:
        rules = seen.rules
        found = load().guess(seen.answers) if rules == MELBOURNE else None
        if found is not None:
            return found
        places = possible(*seen)
        if len(places) <= 2:
            return as_cells(places[0])
        return foremost(rules, places, entropy, most_work(rules))


@dataclass(frozen=True, slots=True)
class Mirrored:
    """Searches a board that is mirrored at random, differently in each match.

    The mean number of guesses stays the same, but nobody can learn where it looks last.
    """

    searcher: Searcher

    @property
    def name(self) -> str:
        return self.searcher.name

    def guess(self, seen: Evidence, chance: Chance) -> Cells:
        turned = chance.for_whole_match("mirror").bits(2)
        answers = tuple(
            Answer(mirrored(seen.rules, guess, turned), feedback)
            for guess, feedback in seen.answers
        )
        guess = self.searcher.guess(Evidence(seen.rules, answers), chance)
        return mirrored(seen.rules, guess, turned)


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


_ALL: tuple[Searcher, ...] = (RandomSearcher(), Original(), Strongest())

PLAIN: dict[str, Searcher] = {one.name: one for one in _ALL}
"""The searchers for measuring."""
SEARCHERS: dict[str, Searcher] = {one.name: Mirrored(one) for one in _ALL}
"""The searchers for playing."""

"""The computer's ways of searching. They are handed evidence and chance, and nothing else.

easy     any place that goes with all answers
middle   of the places that go with all answers, the guess that leaves the fewest on average:
the rule of the original project
strong   the guess that a tree grown beforehand holds for the answers so far; in a sea without
a tree, the guess, possible or not, whose feedback is worth most
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from game.deduction.places import (
    SAMPLE,
    as_cells,
    comparable,
    entropy,
    expected_left,
    foremost,
    possible,
    tally,
    thinned,
)
from game.deduction.rules import MELBOURNE, Answer, Cells, Rules
from game.deduction.tree import load
from game.engine.chance import Chance
from game.engine.geometry import Cell

FIRST = {MELBOURNE: "A1 H1 A3"}
"""The first guess of the original's rule: it takes a while to find, and is always the same."""


class Evidence(NamedTuple):
    """All that a searcher may know: the sea, and the answers to its guesses."""

    rules: Rules
    answers: tuple[Answer, ...] = ()


class Searcher(Protocol):
    """A computer player that looks for a hiding place. It keeps nothing between two guesses."""

    @property
    def name(self) -> str:
        """A word that names it in forms and records: lower case, never changed."""
        ...

    def guess(self, seen: Evidence, chance: Chance) -> Cells:
        """The next guess, decided by the arguments alone."""
        ...


@dataclass(frozen=True, slots=True)
class Drifter:
    """Guesses any place that is still possible."""

    name: str = "easy"

    def guess(self, seen: Evidence, chance: Chance) -> Cells:
        """One of the possible places, each as likely."""
        places = possible(*seen)
        return as_cells(places[chance.below(len(places))])


@dataclass(frozen=True, slots=True)
class Original:
    """Guesses the possible place that leaves the fewest others on average."""

    name: str = "middle"

    def guess(self, seen: Evidence, chance: Chance) -> Cells:
        """The first in order of those that leave as few."""
        rules = seen.rules
        if not seen.answers and rules in FIRST:
            return rules.parse(FIRST[rules])
        places = possible(*seen)
        sample = thinned(places, SAMPLE)
        guesses = thinned(places, comparable(rules, sample))
        return as_cells(guesses[np.argmin(expected_left(tally(rules, sample, guesses)))])


@dataclass(frozen=True, slots=True)
class Strongest:
    """Follows a tree that was grown beforehand, and where it has none, the most telling guess."""

    name: str = "strong"

    def guess(self, seen: Evidence, chance: Chance) -> Cells:
        """The guess of the tree, or the most telling one, possible ones first."""
        rules = seen.rules
        found = load().guess(seen.answers) if rules == MELBOURNE else None
        if found is not None:
            return found
        places = possible(*seen)
        return as_cells(places[0]) if len(places) <= 2 else foremost(rules, places, entropy)


@dataclass(frozen=True, slots=True)
class Mirrored:
    """Searches the sea as seen in a mirror that each match draws anew.

    What a searcher needs on average is the same in every mirror; but nobody can learn by heart
    where it looks last.
    """

    searcher: Searcher

    @property
    def name(self) -> str:
        """The name of the searcher that looks into the mirror."""
        return self.searcher.name

    def guess(self, seen: Evidence, chance: Chance) -> Cells:
        """The searcher's guess, mirrored back."""
        turned = chance.for_whole_match("mirror").bits(2)
        answers = tuple(
            Answer(mirrored(seen.rules, guess, turned), feedback)
            for guess, feedback in seen.answers
        )
        guess = self.searcher.guess(Evidence(seen.rules, answers), chance)
        return mirrored(seen.rules, guess, turned)


def mirrored(rules: Rules, cells: Cells, turned: int) -> Cells:
    """The cells seen in a mirror: bit 0 swaps left and right, bit 1 top and bottom."""
    board = rules.board

    def turn(cell: Cell) -> Cell:
        column, row = board.column(cell), board.row(cell)
        return board.cell(
            board.columns - 1 - column if turned & 1 else column,
            board.rows - 1 - row if turned & 2 else row,
        )

    return rules.cells(map(turn, cells))


_ALL: tuple[Searcher, ...] = (Drifter(), Original(), Strongest())

PLAIN: dict[str, Searcher] = {one.name: one for one in _ALL}
"""The searchers as they are measured."""
SEARCHERS: dict[str, Searcher] = {one.name: Mirrored(one) for one in _ALL}
"""The searchers as they are played against."""

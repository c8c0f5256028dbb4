"""The computer's searchers: easy, middle (the rule of the original project) and strong.

They get only evidence and chance. The strongest follows a tree of guesses for the original rules:

    A1 H1 A3
     0,0,0 C2 E3 G2
      0,0,2 D1 D4 F2

The first line is the first guess. Below each guess, indented by one, are the feedbacks with the
guesses that follow them. There is no line if at most two places are left: the first of them, in
the order of their cells, is guessed. docs/deduction.md says how the tree was found.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.features.deduction.hiding_places import (
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
from game.features.deduction.rules import MELBOURNE, Answer, Cells, Rules
from game.matches.parts import FeaturePart


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
    if not seen.answers and rules in BEST_FIRST:
        return rules.parse(BEST_FIRST[rules])
    left = possible(*seen)
    sample = thinned(left, SAMPLE)
    most = comparable(rules, sample, most_work(rules))
    guesses = thinned(left, most)
    counts = tally(rules, sample, guesses)
    return as_cells(guesses[np.argmin(expected_left(counts))])


def _strong(seen: Evidence, chance: Chance) -> Cells:
    """Follows a prepared tree; without one, makes the guess with the highest entropy."""
    rules = seen.rules
    planned = load_tree().get(seen.answers) if rules == MELBOURNE else None
    if planned is not None:
        return planned
    left = possible(*seen)
    if len(left) <= 2:
        return as_cells(left[0])
    return foremost(rules, left, entropy, most_work(rules))


def _mirrored(searcher: Searcher) -> Searcher:
    """Returns a searcher of a board that is mirrored at random, differently in each match.

    The mean number of guesses stays the same, but nobody can learn where it looks last.
    """

    def guess(seen: Evidence, chance: Chance) -> Cells:
        rules, turned = seen.rules, chance.for_whole_match("mirror").bits(2)
        answers = tuple(
            Answer(mirrored(rules, answer.guess, turned), answer.feedback)
            for answer in seen.answers
        )
        guess = searcher.guess(Evidence(rules, answers), chance)
        return mirrored(rules, guess, turned)

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


_WAYS = {"easy": _easy, "middle": _middle, "strong": _strong}
PLAIN = {name: Searcher(name, guess) for name, guess in _WAYS.items()}
"""The searchers for measuring."""
SEARCHERS = {name: _mirrored(one) for name, one in PLAIN.items()}
"""The searchers for playing."""


# --- the tree ---

_FILE = Path(__file__).with_name("tree.txt")


Tree: TypeAlias = dict[tuple[Answer, ...], Cells]
"""The next guess after some answers."""


@cache
def load_tree() -> Tree:
    """The tree of the file, for the original rules."""
    tree: Tree = {}
    above: list[tuple[Answer, ...]] = []
    for line in _FILE.read_text(encoding="ascii").splitlines():
        depth = len(line) - len(line.lstrip(" "))
        feedback, _, cells = line.strip().partition(" ") if depth else ("", "", line)
        answers: tuple[Answer, ...] = ()
        if depth:
            before = above[depth - 1]
            answers = (*before, Answer(tree[before], MELBOURNE.parse_feedback(feedback)))
        tree[answers] = MELBOURNE.parse(cells)
        above[depth:] = [answers]
    return tree


def guesses_needed(place: Cells) -> int:
    """The number of guesses with which the tree finds a hiding place."""
    answers: tuple[Answer, ...] = ()
    while not answers or answers[-1].feedback != MELBOURNE.found:
        guess = load_tree().get(answers) or as_cells(possible(MELBOURNE, answers)[0])
        answers = (*answers, Answer(guess, MELBOURNE.feedback(place, guess)))
    return len(answers)


PART = FeaturePart(prepare=load_tree)

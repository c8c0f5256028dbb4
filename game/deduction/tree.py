"""The tree of guesses that the strongest searcher follows, in a text that people can read.

    A1 H1 A3
     0,0,0 C2 E3 G2
      0,0,2 D1 D4 F2

A line without feedback is the first guess. Below a guess, one step further to the right, stands
for each feedback the guess that follows it. Where at most two places are left there is no line:
the first of them, in the order of their cells, is guessed. `manage.py deduction_tree` grows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from game.deduction.places import as_cells, possible
from game.deduction.rules import MELBOURNE, Answer, Cells, Feedback

FILE = Path(__file__).with_name("tree.txt")


@dataclass(frozen=True, slots=True)
class Tree:
    """A guess, and what follows each feedback; an empty one says nothing."""

    first: Cells | None = None
    branches: dict[Feedback, Tree] = field(default_factory=dict)

    def guess(self, answers: Iterable[Answer]) -> Cells | None:
        """The guess after those answers, or None where the tree has none."""
        node = self
        for guess, feedback in answers:
            if guess != node.first or feedback not in node.branches:
                return None
            node = node.branches[feedback]
        return node.first

    def needs(self, place: Cells) -> int:
        """How many guesses find that hiding place."""
        answers: list[Answer] = []
        while not answers or answers[-1].feedback != MELBOURNE.found:
            guess = self.guess(answers)
            if guess is None:
                guess = as_cells(possible(MELBOURNE, answers)[0])
            answers.append(Answer(guess, MELBOURNE.feedback(place, guess)))
        return len(answers)


def parse(lines: Iterable[str]) -> Tree:
    """The tree that the lines draw, for the original's sea; raises ValueError for other text."""
    above: list[Tree] = []
    for line in lines:
        depth = len(line) - len(line.lstrip(" "))
        if depth > len(above) or (depth == 0 and above):
            raise ValueError(f"not a line of a tree: {line[:40]!r}")
        feedback, _, cells = line.strip().partition(" ") if depth else ("", "", line)
        node = Tree(MELBOURNE.parse(cells))
        if depth:
            above[depth - 1].branches[MELBOURNE.parse_feedback(feedback)] = node
        above[depth:] = [node]
    return above[0] if above else Tree()


@cache
def load() -> Tree:
    """The tree that comes with the game."""
    return parse(FILE.read_text(encoding="ascii").splitlines())

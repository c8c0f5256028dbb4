"""The tree of guesses that the strongest searcher follows, and its text.

    A1 H1 A3
     0,0,0 C2 E3 G2
      0,0,2 D1 D4 F2

The first line is the first guess. Below each guess, indented by one, are the feedbacks with the
guesses that follow them. There is no line if at most two places are left: the first of them, in
the order of their cells, is guessed.

A beam search found the tree. The cost of a set of places is the number of guesses that all of them
need together: the size of the set and the costs of the parts into which a guess splits it. For each
set, the 24 guesses with the lowest estimate were followed to the end, and those with more than
seven guesses for a place were dropped. Estimates came from the sizes of the parts, and for at most
20 places from a lower bound: one place needs one guess, 19 more need two, and the others three.
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
    """A guess, and the tree that follows each feedback."""

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
        """The number of guesses that find that hiding place."""
        answers: list[Answer] = []
        while not answers or answers[-1].feedback != MELBOURNE.found:
            guess = self.guess(answers)
            if guess is None:
                guess = as_cells(possible(MELBOURNE, answers)[0])
            answers.append(Answer(guess, MELBOURNE.feedback(place, guess)))
        return len(answers)


def parse(lines: Iterable[str]) -> Tree:
    """The tree in these lines, for the original rules; raises ValueError."""
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
    return parse(FILE.read_text(encoding="ascii").splitlines())

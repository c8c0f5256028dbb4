"""How many guesses a searcher needs, over many hiding places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from time import process_time_ns
from typing import NamedTuple

from game.deduction.places import as_cells, every_place
from game.deduction.rules import Answer, Cells, Rules
from game.deduction.searchers import Evidence, Searcher
from game.engine.chance import Chance

_UNDECIDED = "easy"


class Measured(NamedTuple):
    """The guesses that a searcher needed."""

    counts: dict[int, int]
    """The number of places found, by the number of guesses."""
    slowest: float
    """CPU time of the slowest guess, in milliseconds."""

    @property
    def places(self) -> int:
        """The number of places searched for."""
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        """The mean number of guesses."""
        return sum(guesses * count for guesses, count in self.counts.items()) / self.places

    @property
    def worst(self) -> int:
        """The largest number of guesses."""
        return max(self.counts)


def some_places(rules: Rules, most: int) -> list[Cells]:
    """All places, or `most` of them, evenly spread."""
    places = every_place(rules)
    return [as_cells(place) for place in places[:: -(-len(places) // most)]]


def measure(searcher: Searcher, rules: Rules, places: Iterable[Cells], seed: bytes) -> Measured:
    """Has a searcher find each of the places.

    A deterministic searcher is asked only once for each sequence of answers.
    """
    asked: dict[tuple[Answer, ...], Cells] = {}
    counts: Counter[int] = Counter()
    slowest = 0
    for number, place in enumerate(places):
        answers: tuple[Answer, ...] = ()
        while not answers or answers[-1].guess != place:
            guess = asked.get(answers)
            if guess is None:
                before = process_time_ns()
                chance = Chance(seed, f"place {number}", len(answers))
                guess = searcher.guess(Evidence(rules, answers), chance)
                slowest = max(slowest, process_time_ns() - before)
                if searcher.name != _UNDECIDED:
                    asked[answers] = guess
            answers = (*answers, Answer(guess, rules.feedback(place, guess)))
        counts[len(answers)] += 1
    return Measured(dict(sorted(counts.items())), slowest / 1e6)

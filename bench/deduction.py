"""How many guesses the searchers of the deduction game need, over many hiding places.

python -m bench deduction
python -m bench deduction --searcher strong --sea 10x10x3 --most 200
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from time import process_time_ns
from typing import NamedTuple

from bench.progress import say, track
from bench.samples import NotAMeasure
from game.deduction.places import as_cells, every_place
from game.deduction.rules import MELBOURNE, Answer, Cells, IllegalRules, Rules, parse_rules
from game.deduction.searchers import PLAIN, Evidence, Searcher
from game.engine.chance import SEED_BYTES, Chance

_UNDECIDED = "easy"


class Measured(NamedTuple):
    """The guesses that a searcher needed."""

    counts: dict[int, int]
    """The number of places found, by the number of guesses."""
    slowest: float
    """CPU time of the slowest guess, in milliseconds."""

    @property
    def places(self) -> int:
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        return sum(guesses * count for guesses, count in self.counts.items()) / self.places

    @property
    def worst(self) -> int:
        return max(self.counts)


def some_places(rules: Rules, most: int) -> list[Cells]:
    """All places, or `most` of them, evenly spread."""
    places = every_place(rules)
    return [as_cells(place) for place in places[:: -(-len(places) // most)]]


def measure(searcher: Searcher, rules: Rules, places: Sequence[Cells], seed: bytes) -> Measured:
    """Has a searcher find each of the places.

    A deterministic searcher is asked only once for each sequence of answers.
    """
    asked: dict[tuple[Answer, ...], Cells] = {}
    counts: Counter[int] = Counter()
    slowest = 0
    for number, place in enumerate(track(places, searcher.name)):
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


# --- the command ---


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--searcher", choices=sorted(PLAIN), action="append")
    add("--sea", default=str(MELBOURNE), help="columns, rows, ships: 8x4x3")
    add("--most", type=int, default=4960, help="places searched for")
    add("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    try:
        rules = parse_rules(options.sea)
    except IllegalRules as error:
        raise NotAMeasure(str(error)) from error
    places = some_places(rules, max(1, options.most))
    say(f"{rules}: {len(places)} of {rules.places} hiding places")
    for name in track(options.searcher or PLAIN, "searchers"):
        found = measure(PLAIN[name], rules, places, options.seed.to_bytes(SEED_BYTES, "big"))
        spread = "  ".join(f"{guesses}: {count}" for guesses, count in found.counts.items())
        say(
            f"{name:8} mean {found.mean:.4f}  worst {found.worst}  "
            f"slowest answer {found.slowest:.0f} ms of one core\n{'':8} {spread}"
        )

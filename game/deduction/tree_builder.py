"""Makes the strongest searcher's tree by a beam search for the fewest guesses in total.

The cost of a set of places is the sum of the guesses that each of them needs. A guess splits the
set by its feedback; the cost is the size of the set plus the costs of the parts, and the part that
was guessed costs nothing. Small sets are judged by a lower bound on their cost, large ones by an
estimate; only the most promising guesses are followed to the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from game.deduction.places import (
    Array,
    as_cells,
    as_row,
    codes,
    every_place,
    feedback_of,
    near,
    tally,
)
from game.deduction.rules import Cells, Rules

Indices = npt.NDArray[np.uint16]

SMALL = 20
"""Sets up to this size are judged by the lower bound, larger ones by the estimate."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to continue with a set of places: a guess, and its total cost."""

    cost: int
    worst: int
    """The largest number of guesses that a place needs."""
    guess: int


class Grower:
    """Finds a good guess for every set of places that can follow a first guess."""

    def __init__(self, rules: Rules, *, wide: int, narrow: int) -> None:
        """Follows `wide` guesses for each large set of places, `narrow` for each small one."""
        self.rules = rules
        self.guesses: Array = every_place(rules)
        self._near = near(rules, self.guesses)
        self._top = rules.ships * (rules.ships + 1) ** 2
        self._wide, self._narrow = wide, narrow
        self._plans: dict[tuple[bytes, int], Plan | None] = {}
        self._estimates = np.array([_estimate(count) for count in range(rules.places + 1)])

    def index(self, guess: Cells) -> int:
        """The index of a guess among all guesses."""
        return int(np.flatnonzero((self.guesses == as_row(guess)).all(axis=1))[0])

    def all_places(self) -> Indices:
        """The set of all places."""
        return np.arange(len(self.guesses), dtype=np.uint16)

    def parts(self, places: Indices, guess: int) -> Iterator[tuple[int, Indices]]:
        """The sets into which a guess splits the places, by the code of its feedback."""
        found = codes(self._near[:, places], self.guesses[guess : guess + 1])[0]
        for code in np.unique(found):
            yield int(code), places[found == code]

    def plan(self, places: Indices, most: int) -> Plan | None:
        """The best plan found with at most `most` guesses for each place, or None."""
        if len(places) <= 2:
            plan = Plan(2 * len(places) - 1, len(places), int(places[0]))
            return plan if plan.worst <= most else None
        free = self._known(places, len(places))
        if free is None or free.worst <= most:
            return free
        return self._known(places, most)

    def _known(self, places: Indices, most: int) -> Plan | None:
        key = (places.tobytes(), most)
        if key not in self._plans:
            self._plans[key] = self._search(places, most)
        return self._plans[key]

    def follow(
        self, places: Indices, guess: int, most: int, limit: float = float("inf")
    ) -> Plan | None:
        """The plan that starts with a guess.

        None if it needs more than `most` guesses or costs `limit` or more.
        """
        parts = [part for code, part in self.parts(places, guess) if code != self._top]
        parts.sort(key=len, reverse=True)
        cost = len(places) + sum(_least(len(part)) for part in parts)
        worst = 1
        for part in parts:
            if cost >= limit or len(part) == len(places):
                return None
            plan = self.plan(part, most - 1)
            if plan is None:
                return None
            cost += plan.cost - _least(len(part))
            worst = max(worst, 1 + plan.worst)
        return Plan(cost, worst, guess) if cost < limit else None

    def _search(self, places: Indices, most: int) -> Plan | None:
        best: Plan | None = None
        for least, guess in self._promising(places):
            if best is not None and least >= best.cost:
                break
            plan = self.follow(places, guess, most, best.cost if best else float("inf"))
            best = plan or best
        return best

    def _promising(self, places: Indices) -> list[tuple[float, int]]:
        """Guesses worth following, best first, each with a lower bound on its cost, or 0."""
        if len(places) <= SMALL:
            least = self._bounds(places)
            order = np.argsort(least, kind="stable")[: self._narrow]
            return [(float(least[guess]), int(guess)) for guess in order]
        estimates = self._expectations(places)
        order = np.argsort(estimates, kind="stable")[: self._wide]
        return [(0.0, int(guess)) for guess in order]

    def _bounds(self, places: Indices) -> npt.NDArray[np.int64]:
        """The lower bound of each guess's cost: a part of n places costs at least 2n - 1."""
        known = np.sort(codes(self._near[:, places], self.guesses), axis=1)
        count = 1 + (known[:, 1:] != known[:, :-1]).sum(axis=1)
        return np.asarray(3 * len(places) - count - (known[:, -1] == self._top))

    def _expectations(self, places: Indices) -> npt.NDArray[np.float64]:
        """The estimated cost of each guess, from the sizes of its parts."""
        counts = tally(self.rules, self.guesses[places], self.guesses)
        return np.asarray(self._estimates[counts[:, :-1]].sum(axis=1))

    def lines(self, places: Indices, plan: Plan, most: int, depth: int = 0) -> Iterator[str]:
        """The tree as text: a line for each guess while more than two places are left."""
        yield self.rules.names(as_cells(self.guesses[plan.guess]))
        for code, part in self.parts(places, plan.guess):
            then = self.plan(part, most - 1) if len(part) > 2 and code != self._top else None
            if then is not None:
                lines = self.lines(part, then, most - 1, depth + 1)
                answer = feedback_of(self.rules, code)
                yield f"{' ' * (depth + 1)}{answer} {next(lines)}"
                yield from lines


_SIZES = (1, 2, 3, 5, 8, 12, 25, 55, 165, 400, 5000)
_GUESSES = (1.0, 1.5, 1.77, 2.08, 2.2, 2.36, 2.7, 3.0, 3.4, 3.75, 4.65)
"""The mean number of guesses per place in earlier trees, for sets of these sizes."""


def _estimate(count: int) -> float:
    """The estimated cost of a set of that many places."""
    return count * float(np.interp(log(count), np.log(_SIZES), _GUESSES)) if count else 0.0


def _least(count: int) -> int:
    """The lower bound: one place is guessed at once, 19 more by one further guess each."""
    first, second = min(count, 1), min(max(count - 1, 0), 19)
    return first + 2 * second + 3 * (count - first - second)

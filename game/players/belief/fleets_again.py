"""The fleets that an enemy placed in the last rounds, as what was learnt of it; see docs/belief.md.

After the numbers of the habits come those of each fleet, ship by ship in the fleet's order: the
number of its placement, `Placement.number`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import factorial, log

import numpy as np

from game.engine.fleets import Placement
from game.engine.rules import Ruleset
from game.players.belief.habits import HABITS, HabitWeights, habit_weights, learn
from game.players.belief.tables import tables_for

MOST_FLEETS = 3
"""The number of fleets that are remembered."""
AGAIN, ANEW = 0.03, 0.97
"""The counts of fleets placed again and of new ones, before any round: the parameters of a beta
distribution of the probability that a fleet is placed again."""
_CHANGED = 0.05
"""The probability that a ship of a fleet placed again lies elsewhere."""


def learn_round(
    learnt: tuple[int, ...], rules: Ruleset, fleet: Sequence[Placement]
) -> tuple[int, ...]:
    """What is known after one more fleet was revealed: its habits, and the last fleets."""
    placed = [ship.number for ship in fleet[: rules.ships_remembered]]
    numbers = (*learnt[len(HABITS) :], *placed)
    return (*learn(learnt, rules, fleet), *numbers[-MOST_FLEETS * len(rules.fleet) :])


def fleets_of(learnt: tuple[int, ...], rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    """The remembered fleets, oldest first: ascending indices of placements.

    Numbers that no fleet of these rules has are left out.
    """
    tables, size = tables_for(rules), len(rules.fleet)
    at = {(one.length, one.number): index for index, one in enumerate(tables.placements)}
    numbers = learnt[len(HABITS) :]
    fleets = [numbers[start : start + size] for start in range(0, len(numbers), size)]
    placed = [
        tuple(sorted(at.get(ship, -1) for ship in zip(rules.fleet, one, strict=False)))
        for one in fleets
    ]
    return tuple(one for one in placed if len(one) == size and one[0] >= 0)


def is_again(learnt: tuple[int, ...], rules: Ruleset) -> bool:
    """Whether the newest fleet was also placed before."""
    fleets = fleets_of(learnt, rules)
    return fleets[-1:] != () and fleets[-1] in fleets[:-1]


@lru_cache(maxsize=64)
def with_fleets(learnt: tuple[int, ...], rules: Ruleset) -> tuple[float, HabitWeights]:
    """The habits with one more variant for each remembered fleet, and the share of all of these.

    Their priors are relative to that share.
    """
    habits, tables = habit_weights(rules), tables_for(rules)
    fleets = fleets_of(learnt, rules)
    if not fleets:
        return 0.0, habits
    counts = Counter(fleets)
    repeats = len(fleets) - len(counts)
    share = (AGAIN + repeats) / (AGAIN + ANEW + len(fleets) - 1)
    weights, log_means = [], []
    for fleet in counts:
        kinds = np.bincount(tables.kind[list(fleet)], minlength=len(tables.lengths))
        row = np.full(len(tables.kind), _CHANGED)
        each = (1 - _CHANGED) / (kinds[tables.kind] * habits.uniform)
        for ship in fleet:
            row[ship] += each[ship]
        weights.append(row)
        # Two ships of one length are never in the same place.
        log_means.append(sum(log(factorial(one) / one**one) for one in kinds.tolist()))
    return share, habits._replace(
        weights=np.concatenate([habits.weights, weights]),
        log_mean=np.append(habits.log_mean, log_means),
        prior=np.append(habits.prior, [count / len(fleets) for count in counts.values()]),
    )

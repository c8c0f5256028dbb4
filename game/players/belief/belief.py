"""The belief: the posterior distribution over the enemy's fleets; see docs/belief.md.

`believe(knowledge_of(seen), chance).cells[board.parse("B7")]` is the probability of a ship at B7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from game.engine.chance import Chance
from game.players.belief.evidence import Evidence
from game.players.belief.exact import exact_posterior, ways_to_lie, weights_by_placement
from game.players.belief.habits import habit_weights
from game.players.belief.rounds import expected_weights
from game.players.belief.sampler import affordable, draw
from game.players.belief.tables import (
    CellChances,
    Floats,
    Indices,
    Knowledge,
    PlacementTables,
    read_sinkings,
    tables_for,
)
from game.players.sinkings import Readings, lengths_left, readings

PARTICLES = 768
"""The number of fleets in a sample."""
_FULL_WORK, _FEWEST = 2400, 48
"""See `affordable`: with fewer particles the belief would be noise."""
MOST_READINGS = 16
"""The most readings of ambiguous sinkings that are considered if ships move."""
_READING_WORK = 2_500_000
"""The most work on all of them, as the candidate placements of all ships times the shots."""
_SWEEPS = 2
_GRAIN = float(1 << 22)
"""The integer weight of the likeliest fleet. Sums of at most 2048 such weights stay below 2 ** 53
and so are exact."""


@dataclass(frozen=True, eq=False)
class Belief(CellChances):
    tables: PlacementTables
    fleets: Indices
    """Shape (ships, fleets): placements, or `tables.no_ship`."""
    weights: Floats
    """Shape (fleets,)."""
    is_listed: bool
    """Whether these are all possible fleets, rather than a sample."""


def believe(
    knowledge: Knowledge,
    chance: Chance,
    particles: int = PARTICLES,
    *,
    expects_habits: bool = False,
) -> Belief:
    """The belief given some knowledge, which may even be contradictory.

    If there are too many fleets to list, at most `particles` are sampled by `chance`. The enemy is
    assumed to place and move uniformly at random; with `expects_habits`, it may have habits of
    placing, with what was learnt of them, and may flee.
    """
    if knowledge.rules.moving:
        known, ambiguous = read_sinkings(knowledge)
        if ambiguous:
            return _believe_each(known, ambiguous, chance, particles, expects_habits)
    return _believe(_evidence(knowledge, chance, expects_habits), chance, particles)


def _evidence(knowledge: Knowledge, chance: Chance, expects_habits: bool) -> Evidence:
    if not expects_habits:
        return Evidence(knowledge)
    expected = partial(expected_weights, chance=chance)
    return Evidence(knowledge, expected, uniform=habit_weights(knowledge.rules).uniform)


def _believe(evidence: Evidence, chance: Chance, particles: int) -> Belief:
    exact = exact_posterior(evidence)
    if exact is not None:
        listed, weights = exact
        # Integers have exact sums in any order, so equal cells have equal probabilities on every
        # machine. They are rounded up because no possible fleet may get the weight 0.
        weights = np.ceil(weights * (_GRAIN / weights.max()))
        fleets, expected = listed.T, weights_by_placement(evidence.tables, listed, weights)
    else:
        work = evidence.tables.work(evidence.knowledge.left)
        particles = affordable(particles, work, full_work=_FULL_WORK, fewest=_FEWEST)
        drawn = draw(evidence, chance, particles, sweeps=_SWEEPS)
        fleets, expected, weights = drawn.fleets, drawn.weights, np.ones(particles)
    chances = evidence.chances(expected, weights.sum())
    return Belief(
        chances.cells, chances.unhit, evidence.tables, fleets, weights, is_listed=exact is not None
    )


def _believe_each(
    knowledge: Knowledge, ambiguous: Readings, chance: Chance, particles: int, expects_habits: bool
) -> Belief:
    """The mean of the beliefs given each reading of the ambiguous sinkings, by their likelihood.

    This is an approximation for ships that move; see docs/belief.md.
    """
    work = tables_for(knowledge.rules).work(knowledge.rules.fleet) * len(knowledge.shots)
    most = max(1, min(MOST_READINGS, _READING_WORK // work))
    ways = [knowledge.shots]
    for at in ambiguous:
        # Each reading changes the readings of the next sinking.
        ways = [
            (*shots[:at], shots[at]._replace(wreck=wreck), *shots[at + 1 :])
            for shots in ways
            for wreck in readings(knowledge.rules, shots)[at]
        ][:most] or ways
    known = [
        _evidence(
            knowledge._replace(shots=shots, left=lengths_left(knowledge.rules, shots)),
            chance,
            expects_habits,
        )
        for shots in ways
    ]
    weights = np.array([ways_to_lie(one) for one in known])
    weights = weights if weights.any() else np.ones(len(known))
    shares = weights / weights.sum()
    beliefs = [_believe(one, chance, max(1, particles // len(known))) for one in known]
    likeliest = beliefs[int(shares.argmax())]
    cells, unhit = (
        np.minimum(sum(share * part for share, part in zip(shares, parts, strict=True)), 1.0)
        for parts in ([one.cells for one in beliefs], [one.unhit for one in beliefs])
    )
    return replace(likeliest, cells=cells, unhit=unhit, is_listed=False)

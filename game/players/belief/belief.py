"""The belief: the posterior distribution over the enemy's fleets; see docs/belief.md.

`believe(knowledge_of(seen), chance).cells[board.parse("B7")]` is the probability of a ship at B7.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from game.engine.chance import Chance
from game.players.belief.evidence import Evidence
from game.players.belief.exact import exact_posterior, weights_by_placement
from game.players.belief.habits import habit_weights
from game.players.belief.rounds import expected_weights
from game.players.belief.sampler import affordable, draw
from game.players.belief.tables import (
    CellChances,
    Floats,
    Indices,
    Knowledge,
    PlacementTables,
)

PARTICLES = 768
"""The number of fleets in a sample."""
_FULL_WORK, _FEWEST = 2400, 48
"""See `affordable`: with fewer particles the belief would be noise."""
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
    evidence = Evidence(knowledge)
    if expects_habits:
        prior = partial(expected_weights, chance=chance)
        evidence = Evidence(knowledge, prior, uniform=habit_weights(knowledge.rules).uniform)
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

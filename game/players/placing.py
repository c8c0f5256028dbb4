"""How the admiral and the ranks place a fleet: the less it shows of itself, the likelier."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from game.engine.chance import Chance
from game.engine.fleets import Fleet, complete, make_fleet
from game.engine.observation import Observation
from game.engine.rules import Ruleset, Side
from game.players.belief.belief import Belief, believe
from game.players.belief.tables import Floats, Indices, generator, knowledge_of

CANDIDATE_FLEETS = 256
"""Of how many random fleets one is chosen to deploy."""
DEPLOY_INVERSE_TEMPERATURE = 1.0
"""How strongly fleets that show little are preferred: the exponent for each cell of exposure."""
SHORTEST_SHIP_WEIGHT = 12.0
"""Cells of exposure for each hit that enemies would expect on the shortest ships."""


def hidden_fleet(rules: Ruleset, chance: Chance, particles: int) -> Fleet:
    """A random legal fleet; the less it shows of itself, the likelier; see `exposures`.

    It is chosen from fleets of a belief that draws so many `particles`.
    """
    belief = believe(knowledge_of(Observation.opening(rules, Side.FIRST)), chance, particles)
    whole = np.flatnonzero((belief.fleets < belief.tables.no_ship).all(axis=0))
    if not len(whole):
        return complete(rules, (), chance)
    drafts = belief.fleets.T[generator(chance).choice(whole, CANDIDATE_FLEETS)]
    costs = exposures(belief, drafts)
    draft = drafts[boltzmann_choice(costs, DEPLOY_INVERSE_TEMPERATURE, chance)]
    return make_fleet(rules, [belief.tables.placements[at] for at in draft])


def exposures(opening: Belief, drafts: Indices) -> Floats:
    """For each draft fleet how much it shows to an enemy, in cells: shape (drafts,).

    `opening` is the belief before any shot; `drafts` has shape (drafts, ships) and holds
    placements. Counted are the cells that can hold no further ship, since a wreck tells as much
    about its surroundings, and SHORTEST_SHIP_WEIGHT for each hit to be expected on the shortest
    ships: they are found last, and so decide how long a search takes.
    """
    tables = opening.tables
    blocked = tables.blocks[drafts].any(axis=1).sum(axis=1)
    hits = tables.covers[:-1] @ opening.cells * (tables.length == tables.lengths[-1])
    exposed: Floats = blocked + SHORTEST_SHIP_WEIGHT * hits[drafts].sum(axis=1)
    return exposed


def boltzmann_choice(costs: Sequence[float] | Floats, beta: float, chance: Chance) -> int:
    """The index of an option, drawn in proportion to exp(-beta * cost): the Boltzmann distribution
    with `beta` as the inverse temperature.
    """
    # From the least cost, so that the exponential can't overflow.
    ends = np.exp(beta * (np.min(costs) - np.array(costs))).cumsum()
    return int(np.searchsorted(ends, chance.uniform() * ends[-1], side="right"))

"""How the commodore and the admiral place a fleet: a distribution that prefers hidden fleets.

The probability of a fleet is a softmax of weighted traits. The weights approximate an equilibrium,
so that a shooter who knows them gains nothing. They were found by fictitious play (Brown,
*Iterative solution of games by fictitious play*, 1951); docs/research/belief.md has the figures.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from game.engine.chance import Chance
from game.engine.fleets import Fleet, complete, make_fleet
from game.engine.observation import Observation
from game.engine.rules import Ruleset, Side, Touching
from game.players.belief.belief import Belief, believe
from game.players.belief.tables import Floats, Indices, knowledge_of

T = TypeVar("T")
CANDIDATE_FLEETS = 1024
"""The number of uniform fleets from which one is chosen."""
_GRAIN = 1 << 12
"""The unit of integer probabilities, whose sums are exact and whose squared sums over 100,000
fleets stay below 2 ** 63."""


class Traits(NamedTuple, Generic[T]):
    """What makes fleets hard to find: of each trait integers of shape (fleets,), or its weight.

    A weight is the coefficient of the standardized trait in the log probability of a fleet.
    """

    closed: T
    """The number of cells closed to further ships: on the ships and, if they may not touch, around
    them. Ships that share their surroundings reveal less when they sink."""
    expected: T
    """The hits on the ships' cells expected under uniform fleets, in units of 1 / _GRAIN."""
    shortest: T
    """The same for the shortest ships, which are found last."""


FEW_APART = Traits(closed=-1.0, expected=-0.6, shortest=0.0)
MANY_APART = Traits(closed=-0.6, expected=-1.3, shortest=-0.7)
TOUCHING = Traits(closed=0.0, expected=-0.4, shortest=-0.45)
"""Mixed strategies, found by play against shooters who know them; see docs/belief.md."""
MOVING = Traits(closed=-1.5, expected=0.0, shortest=-1.5)
"""If ships move: knowledge of where they began is soon out of date, but unlikely placements leave
little room to move. Bonn's hard mind needs 65 shots for such fleets, 63 for uniform ones and 58
for MANY_APART."""
MANY_SHIPS = 8
"""The number of ships from which MANY_APART is used; five and ten ships were measured."""


def hidden_fleet(rules: Ruleset, chance: Chance) -> Fleet:
    """A random legal fleet, chosen among uniform fleets by its traits."""
    opening = uniform_belief(rules, chance, CANDIDATE_FLEETS)
    drafts = whole_fleets(opening)
    if not len(drafts):
        return complete(rules, (), chance)
    costs = -log_weights(weights_for(rules), traits(opening, drafts))
    draft = drafts[boltzmann_choice(costs, 1.0, chance)]
    return make_fleet(rules, [opening.tables.placements[at] for at in draft])


def uniform_belief(rules: Ruleset, chance: Chance, particles: int) -> Belief:
    """The belief before any shot, under which all legal fleets are equally likely."""
    return believe(knowledge_of(Observation.opening(rules, Side.FIRST)), chance, particles)


def whole_fleets(belief: Belief) -> Indices:
    """The complete fleets of a belief: shape (fleets, ships)."""
    fleets = belief.fleets.T
    return fleets[(fleets < belief.tables.no_ship).all(axis=1)]


def traits(opening: Belief, drafts: Indices) -> Traits[Indices]:
    """The traits of fleets, given as placements of shape (drafts, ships).

    `opening` is the belief before any shot.
    """
    tables = opening.tables
    chances = np.rint(opening.cells * _GRAIN).astype(np.int64)
    expected = np.where(tables.covers[:-1], chances, 0).sum(axis=1)
    shortest = np.where(tables.length == tables.lengths[-1], expected, 0)
    closed = tables.blocks[drafts[:, 0]]
    for ship in drafts.T[1:]:
        closed |= tables.blocks[ship]
    return Traits(closed.sum(axis=1), expected[drafts].sum(axis=1), shortest[drafts].sum(axis=1))


def weights_for(rules: Ruleset) -> Traits[float]:
    if rules.moving:
        return MOVING
    if rules.touching is Touching.ANYWHERE:
        return TOUCHING
    return MANY_APART if len(rules.fleet) >= MANY_SHIPS else FEW_APART


def log_weights(
    weights: Traits[float], traits: Traits[Indices], among: Traits[Indices] | None = None
) -> Floats:
    """The log probabilities of fleets with these traits, up to a constant: shape (fleets,).

    Traits are standardized by those of uniform fleets, `among`; the default is `traits`.
    """
    total = np.zeros(len(traits.closed))
    for weight, trait, uniform in zip(weights, traits, among or traits, strict=True):
        count, first = len(uniform), int(uniform.sum())
        # In integers, so that the standard deviation is the same on every machine.
        spread = count * int((uniform * uniform).sum()) - first**2
        if weight and spread > 0:
            total += weight * (trait * count - first) / sqrt(spread)
    return total


def boltzmann_choice(costs: Sequence[float] | Floats, beta: float, chance: Chance) -> int:
    """The index of an option, from the Boltzmann distribution of inverse temperature `beta`."""
    # Relative to the least cost, so that the exponential can't overflow.
    ends = np.exp(beta * (np.min(costs) - np.array(costs))).cumsum()
    return int(np.searchsorted(ends, chance.uniform() * ends[-1], side="right"))

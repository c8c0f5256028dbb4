"""How the commodore and the admiral place a fleet: the less it shows of itself, the likelier.

But only so much likelier that a shooter who knows this gains nothing by it. A placing is a chance
for each fleet, proportional to the exponential of weighted traits. The weights were found once, by
fictitious play (Brown, *Iterative solution of games by fictitious play*, 1951); docs/belief.md
has its results.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from game.engine.chance import Chance
from game.engine.fleets import Fleet, complete, make_fleet
from game.engine.observation import Observation
from game.engine.rules import Ruleset, Side
from game.players.belief.belief import Belief, believe
from game.players.belief.tables import Floats, Indices, knowledge_of

CANDIDATE_FLEETS = 1024
"""Of how many uniform fleets one is chosen to deploy."""
_GRAIN = 1 << 12
"""Chances of cells as whole numbers: their sums are the same on every machine, and the squares of
their sums over 100,000 fleets stay below 2 ** 63."""


class Traits(NamedTuple):
    """What makes fleets hard to find: numbers of shape (fleets,)."""

    closed: Indices
    """How many cells are closed to further ships: those of the ships and, where they may not
    touch, those around them. A wreck tells that its surroundings are free, and ships that share
    their surroundings tell less. Where ships may touch it is the same for all fleets."""
    expected: Indices
    """How many hits an enemy expects on the ships' cells who takes all fleets for equally likely;
    in whole numbers of 1 / _GRAIN hits."""
    shortest: Indices
    """The same for the shortest ships: they are found last, and so decide how long a search
    takes."""


class TraitWeights(NamedTuple):
    """How each trait changes the logarithm of a fleet's chance, by its standard deviation."""

    closed: float
    expected: float
    shortest: float


FEW_APART = TraitWeights(closed=-1.0, expected=-0.6, shortest=0.0)
MANY_APART = TraitWeights(closed=-0.6, expected=-1.3, shortest=-0.7)
TOUCHING = TraitWeights(closed=0.0, expected=-0.4, shortest=-0.45)
"""The mixed placings, found by play against shooters who know them; see docs/belief.md."""
MOVING = TraitWeights(closed=-1.5, expected=0.0, shortest=-1.5)
"""Where ships move: what a shooter knows of where they began is soon out of date, but ships that
are seldom expected lie where they can hardly move. Bonn's hard mind, which knows no placing, needs
65 shots so, 63 for uniform fleets, and 58 by MANY_APART; see docs/belief.md."""
MANY_SHIPS = 8
"""Fleets of so many ships or more are placed as Bonn's ten: measured are five ships and ten."""


def hidden_fleet(rules: Ruleset, chance: Chance) -> Fleet:
    """A random legal fleet; the less it shows of itself, the likelier; see `Traits`."""
    opening = uniform_belief(rules, chance, CANDIDATE_FLEETS)
    drafts = whole_fleets(opening)
    if not len(drafts):
        return complete(rules, (), chance)
    costs = -log_weights(weights_for(rules), traits(opening, drafts))
    draft = drafts[boltzmann_choice(costs, 1.0, chance)]
    return make_fleet(rules, [opening.tables.placements[at] for at in draft])


def uniform_belief(rules: Ruleset, chance: Chance, particles: int) -> Belief:
    """The belief before any shot: all legal fleets are equally likely."""
    return believe(knowledge_of(Observation.opening(rules, Side.FIRST)), chance, particles)


def whole_fleets(belief: Belief) -> Indices:
    """Those of its fleets in which each ship has a placement: shape (fleets, ships)."""
    fleets = belief.fleets.T
    return fleets[(fleets < belief.tables.no_ship).all(axis=1)]


def traits(opening: Belief, drafts: Indices) -> Traits:
    """The traits of the draft fleets: arrays of shape (drafts,).

    `opening` is the belief before any shot; `drafts` has shape (drafts, ships) and holds
    placements.
    """
    tables = opening.tables
    chances = np.rint(opening.cells * _GRAIN).astype(np.int64)
    expected = np.where(tables.covers[:-1], chances, 0).sum(axis=1)
    shortest = np.where(tables.length == tables.lengths[-1], expected, 0)
    closed = tables.blocks[drafts[:, 0]]
    for ship in drafts.T[1:]:
        closed |= tables.blocks[ship]
    return Traits(closed.sum(axis=1), expected[drafts].sum(axis=1), shortest[drafts].sum(axis=1))


def weights_for(rules: Ruleset) -> TraitWeights:
    """The weights by which fleets of a ruleset are placed."""
    if rules.moving:
        return MOVING
    if rules.touching:
        return TOUCHING
    return MANY_APART if len(rules.fleet) >= MANY_SHIPS else FEW_APART


def log_weights(weights: TraitWeights, found: Traits, among: Traits | None = None) -> Floats:
    """How likely fleets of these traits are, as logarithms up to a constant: shape (fleets,).

    `among` has the traits of uniform fleets, by which the standard deviations are worked out; by
    default the fleets are uniform themselves.
    """
    total = np.zeros(len(found.closed))
    for weight, trait, uniform in zip(weights, found, among or found, strict=True):
        count, first = len(uniform), int(uniform.sum())
        # In whole numbers, so that the deviation is the same on every machine.
        spread = count * int((uniform * uniform).sum()) - first**2
        if weight and spread > 0:
            total += weight * (trait * count - first) / sqrt(spread)
    return total


def boltzmann_choice(costs: Sequence[float] | Floats, beta: float, chance: Chance) -> int:
    """The index of an option, drawn in proportion to exp(-beta * cost): the Boltzmann distribution
    with `beta` as the inverse temperature.
    """
    # From the least cost, so that the exponential can't overflow.
    ends = np.exp(beta * (np.min(costs) - np.array(costs))).cumsum()
    return int(np.searchsorted(ends, chance.uniform() * ends[-1], side="right"))

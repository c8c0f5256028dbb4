"""The belief: how likely each fleet of the enemy is after all that was seen; see docs/belief.md.

`believe(knowledge_of(seen), chance).cells[board.parse("B7")]` is the chance of a ship there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from game.engine.chance import Chance
from game.players.belief.exact import exact_posterior, ways_to_lie, weights_by_placement
from game.players.belief.habit_evidence import expected_weights
from game.players.belief.habits import habit_weights
from game.players.belief.messages import Evidence
from game.players.belief.sampler import affordable, draw
from game.players.belief.tables import (
    CellChances,
    Floats,
    Indices,
    Knowledge,
    PlacementTables,
    read_sinkings,
)
from game.players.sinkings import Readings, lengths_left, readings

PARTICLES = 768
"""How many fleets are drawn where they can't be listed."""
_FULL_WORK = 2400
"""Up to this work for each fleet (see `PlacementTables.work`) all are drawn, beyond it fewer, so
that the largest boards answer in about the same time."""
_FEWEST = 48
"""So many are drawn however much work each is: with fewer the belief would be noise."""
MOST_READINGS = 16
"""How many readings of the ambiguous sinkings are followed where ships move."""
_SWEEPS = 2
"""How often every ship of every fleet is drawn anew among the others."""
_GRAIN = float(1 << 22)
"""The weight of the likeliest fleet. At most 2048 such weights are added up, so that the sums
stay far below 2 ** 53, up to where a float holds every whole number."""


@dataclass(frozen=True, eq=False)
class Belief(CellChances):
    """The chances of the cells, and the fleets that they come from."""

    tables: PlacementTables
    fleets: Indices
    """Shape (ships, fleets): placements, `tables.no_ship` for a ship without one."""
    is_listed: bool
    """Whether these are all fleets that are possible, and not a sample of them."""


def believe(
    knowledge: Knowledge,
    chance: Chance,
    particles: int = PARTICLES,
    *,
    expects_habits: bool = False,
) -> Belief:
    """The belief after what is known; `chance` decides the sample where there are many fleets.

    At most so many `particles` are drawn. Any knowledge has a belief, even if it contradicts
    itself. The enemy is taken to place and move by chance, unless `expects_habits`: then habits of
    placing are reckoned with, what was learnt of them too, and that it may flee.
    """
    if knowledge.rules.moving:
        known, ambiguous = read_sinkings(knowledge)
        if ambiguous:
            return _believe_each(known, ambiguous, chance, particles, expects_habits)
    return _believe(_evidence(knowledge, expects_habits), chance, particles)


def _evidence(knowledge: Knowledge, expects_habits: bool) -> Evidence:
    if not expects_habits:
        return Evidence(knowledge)
    return Evidence(knowledge, expected_weights, uniform=habit_weights(knowledge.rules).uniform)


def _believe(evidence: Evidence, chance: Chance, particles: int) -> Belief:
    exact = exact_posterior(evidence)
    if exact is not None:
        fleets, weights = exact
        # Whole numbers have exact sums in whatever order they are added, so equal cells have equal
        # chances on every machine. Rounded up, since no possible fleet may get a weight of 0.
        whole = np.ceil(weights * (_GRAIN / weights.max()))
        weights = weights_by_placement(evidence.tables, fleets, whole)
        return _belief(evidence, fleets.T, weights, whole.sum(), is_listed=True)
    work = evidence.tables.work(evidence.knowledge.left)
    particles = affordable(particles, work, full_work=_FULL_WORK, fewest=_FEWEST)
    drawn = draw(evidence, chance, particles, sweeps=_SWEEPS)
    return _belief(evidence, drawn.fleets, drawn.weights, particles, is_listed=False)


def _belief(
    evidence: Evidence, fleets: Indices, weights: Floats, total: float, *, is_listed: bool
) -> Belief:
    chances = evidence.chances(weights, total)
    return Belief(chances.cells, chances.unhit, evidence.tables, fleets, is_listed)


def _believe_each(
    knowledge: Knowledge, ambiguous: Readings, chance: Chance, particles: int, expects_habits: bool
) -> Belief:
    """The mean of the beliefs after each reading of the ambiguous sinkings, by their likelihood.

    For ships that move: an approximation, see docs/belief.md.
    """
    ways = [knowledge.shots]
    for at in ambiguous:
        # Read again for each: what one sinking takes, the next can't have.
        ways = [
            (*shots[:at], shots[at]._replace(wreck=wreck), *shots[at + 1 :])
            for shots in ways
            for wreck in readings(knowledge.rules, shots)[at]
        ][:MOST_READINGS] or ways
    known = [
        _evidence(
            knowledge._replace(shots=shots, left=lengths_left(knowledge.rules, shots)),
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
    return Belief(cells, unhit, likeliest.tables, likeliest.fleets, is_listed=False)

"""The belief along a match: the chances before each shot, in order; see docs/belief.md.

A mind is asked once and draws its fleets from nothing. A review goes from shot to shot, and can
carry the fleets over: those that contradict the new shot are dropped, the others are repeated, and
each of their ships is drawn anew (resample and move: Gilks and Berzuini, *Following a moving
target*, 2001). That takes less time and has less error.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from game.engine.chance import Chance
from game.players.belief.exact import exact_posterior, weights_by_placement
from game.players.belief.messages import Evidence
from game.players.belief.sampler import Start, affordable, draw
from game.players.belief.tables import (
    CellChances,
    Floats,
    Indices,
    Knowledge,
    PlacementTables,
)

PARTICLES = 1024
"""How many fleets are carried over."""
_FULL_WORK = 1700
"""Up to this work for each fleet all are carried over, beyond it fewer: a review asks dozens of
questions for one page."""
_FEWEST = 64
_SWAPS = 3
"""For so many pairs of lengths hits may be swapped at each question."""
_MIN_SURVIVORS = 8
"""With fewer fleets left than this, all are drawn from nothing: copies of so few would agree with
one another by chance, and one Gibbs sweep doesn't part them enough."""
Shorts: TypeAlias = npt.NDArray[np.int16]


class ParticleState(NamedTuple):
    """What is carried over from one question to the next."""

    fleets: Shorts | None
    """Shape (ships, particles): placements; the rows of each kind stand together, the longest
    first. 16 bits, since the review keeps many states; None where there was nothing to draw."""
    placement_weights: Floats
    """Shape (placements,): those that these fleets were drawn with."""
    wrecks: int
    """How many ships had sunk."""


START = ParticleState(None, np.zeros(0), 0)
"""The state before the first question."""


def previous_question(knowledge: Knowledge) -> Knowledge | None:
    """What was known before the last shot, or before the last salvo; None before the first.

    Each question has one before it, whoever asks, so that its answer doesn't depend on what else
    was asked.
    """
    if not knowledge.shots:
        return None
    last = knowledge.shots[-1]
    is_last = [shot.turn == last.turn for shot in knowledge.shots]
    count = sum(is_last) if knowledge.rules.salvo else 1
    removed = knowledge.shots[len(knowledge.shots) - count :]
    sunk = [shot.wreck.length for shot in removed if shot.wreck is not None]
    return knowledge._replace(
        shots=knowledge.shots[: len(knowledge.shots) - count],
        left=tuple(sorted((*knowledge.left, *sunk), reverse=True)),
        turn=last.turn,
    )


def proceed(
    state: ParticleState, knowledge: Knowledge, chance: Chance, particles: int = PARTICLES
) -> tuple[ParticleState, CellChances]:
    """The chances after what is known, and what to carry over from there.

    `state` is what came of the previous question, START for the first one.
    """
    evidence = Evidence(knowledge)
    tables = evidence.tables
    exact = exact_posterior(evidence)
    if exact is not None:
        by_placement = weights_by_placement(tables, *exact)
        return START, evidence.chances(by_placement, float(exact[1].sum()))
    # By the whole fleet and not by what is left of it: the number stays the same along a match.
    work = tables.work(knowledge.rules.fleet)
    particles = affordable(particles, work, full_work=_FULL_WORK, fewest=_FEWEST)
    start = carry_over(state, evidence) if not evidence.shots.ambiguous_sinkings else None
    swaps = _swaps(evidence, chance)
    drawn = draw(evidence, chance, particles, sweeps=1, start=start, swaps=swaps)
    chances = evidence.chances(drawn.weights, particles)
    if evidence.shots.ambiguous_sinkings:  # nothing tells which of these ships sank
        return START, chances
    fleets, wrecks = drawn.fleets.astype(np.int16), len(evidence.shots.wrecks)
    return ParticleState(fleets, evidence.placement_weights, wrecks), chances


def carry_over(state: ParticleState, evidence: Evidence) -> Start | None:
    """The fleets of the previous question, weighed by how likely they are now.

    None if there are none, or too few of them still agree.
    """
    if state.fleets is None:
        return None
    tables, weights_now = evidence.tables, evidence.placement_weights
    fleets = state.fleets.astype(np.intp)
    for wreck in evidence.shots.wrecks[state.wrecks :]:
        fleets = _without_ship(tables, fleets, wreck.placement)
    # The old weights are in the sample already, so each fleet now weighs as much as they changed.
    is_possible = (weights_now > 0) & (state.placement_weights > 0)
    change = np.divide(
        weights_now, state.placement_weights, out=np.zeros_like(weights_now), where=is_possible
    )
    # The 0 is for `no_ship`: a fleet with a ship that found no placement is not carried over.
    weights = np.append(change, 0.0)[fleets].prod(axis=0)
    for hit in evidence.hits:
        weights = weights * tables.covers[fleets, hit].any(axis=0)
    if (weights > 0).sum() < _MIN_SURVIVORS:
        return None
    return Start(fleets[:, weights > 0].T, weights[weights > 0])


def _swaps(evidence: Evidence, chance: Chance) -> list[tuple[int, int]]:
    """The pairs of kinds between whose ships hits are swapped."""
    # A hit that names its ship lies on one of that length, with which no other can swap it.
    if not evidence.hits or evidence.knowledge.rules.named:
        return []
    # Only neighbours in length: they fit the same hits most often.
    pairs = list(pairwise(np.flatnonzero(np.array(evidence.counts) > 0).tolist()))
    chance.shuffle(pairs)
    return pairs[:_SWAPS]


def _without_ship(tables: PlacementTables, fleets: Indices, placement: int) -> Indices:
    """The fleets that have a ship in a placement, without it; rows keep their kinds."""
    fleets = fleets[:, (fleets == placement).any(axis=0)]
    if not fleets.size:
        return fleets
    row = (fleets == placement).argmax(axis=0)
    # The last ship of that kind takes the place of the one that sank, and its row goes.
    kinds = np.append(tables.kind, -1)[fleets]
    last = int(np.flatnonzero((kinds == tables.kind[placement]).any(axis=1))[-1])
    fleets[row, np.arange(fleets.shape[1])] = fleets[last]
    return np.delete(fleets, last, axis=0)

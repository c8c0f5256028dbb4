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
from game.players.belief.sampler import Sampler, affordable
from game.players.belief.tables import (
    CellChances,
    Floats,
    Indices,
    Knowledge,
    PlacementTables,
    generator,
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
    sampler = Sampler(evidence, generator(chance), particles)
    fleets = carry_over(sampler, state, evidence) if not evidence.shots.doubts else None
    if fleets is None:
        fleets = _sorted_by_kind(sampler.sample(), evidence)
    by_placement = rejuvenate(sampler, fleets, is_named=knowledge.rules.named)
    chances = evidence.chances(by_placement, particles)
    if evidence.shots.doubts:  # these fleets have ships that sank, and none can tell which
        return START, chances
    after = ParticleState(
        sampler.fleets.astype(np.int16), evidence.placement_weights, len(evidence.shots.wrecks)
    )
    return after, chances


def carry_over(sampler: Sampler, state: ParticleState, evidence: Evidence) -> Indices | None:
    """The fleets of the previous question, resampled by how likely they are now.

    Returns shape (ships, particles); None if there are none, or too few of them still agree.
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
    return fleets[:, sampler.systematic(weights)]


def rejuvenate(sampler: Sampler, fleets: Indices, *, is_named: bool = False) -> Floats:
    """Takes over the fleets and draws their ships anew, so that repeated fleets part again.

    `fleets` has shape (ships, particles); `is_named` says whether a hit tells which ship it was
    on. Returns for each placement, shape (placements + 1,), the
    number of fleets expected to have a ship there.
    """
    sampler.fleets = fleets
    row_kinds = np.repeat(np.arange(len(sampler.counts)), sampler.counts)
    # A hit that names its ship lies on one of that length, with which no other can swap it.
    if sampler.hits and not is_named:
        # Only neighbours in length: they fit the same hits most often.
        pairs = list(pairwise(sorted(set(row_kinds.tolist()))))
        for at in sampler.random.permutation(len(pairs))[:_SWAPS]:
            sampler.swap_hits(row_kinds, pairs[at])
    return sampler.gibbs_sweep(np.broadcast_to(row_kinds[:, None], fleets.shape))


def _sorted_by_kind(fleets: Indices, evidence: Evidence) -> Indices:
    """The fleets with ships of one kind in each row, and no row more than there are ships."""
    kinds = np.append(evidence.tables.kind, len(evidence.counts))[fleets]
    order = np.argsort(kinds, axis=0, kind="stable")
    return np.take_along_axis(fleets, order, axis=0)[: sum(evidence.counts)]


def _without_ship(tables: PlacementTables, fleets: Indices, placement: int) -> Indices:
    """The fleets that have a ship in a placement, without it; rows keep their kinds."""
    fleets = fleets[:, (fleets == placement).any(axis=0)]
    if not fleets.size:
        return fleets
    row = (fleets == placement).argmax(axis=0)
    # The last ship of that kind takes the place of the one that sank, and its row goes.
    last = int(np.flatnonzero(tables.kind[fleets[:, 0]] == tables.kind[placement])[-1])
    fleets[row, np.arange(fleets.shape[1])] = fleets[last]
    return np.delete(fleets, last, axis=0)

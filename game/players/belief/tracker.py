"""The belief before each shot of a match, by a particle filter; see docs/belief.md.

A mind is asked once and samples from scratch. A review goes from shot to shot and resamples the
particles of the previous shot by importance weights, followed by a Gibbs sweep (resample and move:
Gilks and Berzuini, *Following a moving target*, 2001). That is faster and more accurate.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from game.engine.chance import Chance
from game.players.belief.evidence import Evidence
from game.players.belief.exact import exact_posterior, weights_by_placement
from game.players.belief.sampler import Start, affordable, draw
from game.players.belief.tables import CellChances, Floats, Indices, Knowledge, PlacementTables

PARTICLES = 1024
_FULL_WORK = 1700
"""See `affordable`; a page of the review needs dozens of beliefs."""
_FEWEST = 64
_SWAPS = 3
"""The number of pairs of lengths between which hits may be swapped at each shot."""
_MIN_SURVIVORS = 8
"""With fewer surviving particles all are sampled from scratch, because one Gibbs sweep doesn't
decorrelate copies of so few (particle depletion)."""


class ParticleState(NamedTuple):
    fleets: npt.NDArray[np.int16] | None
    """Shape (ships, particles): placements, ordered by kind; None if nothing was sampled. They have
    16 bits because the review caches many states."""
    placement_weights: Floats
    """Shape (placements,): the weights with which these fleets were sampled."""
    wrecks: int
    """The number of sunk ships."""


START = ParticleState(None, np.zeros(0), 0)
"""The state before the first shot."""


def previous_question(knowledge: Knowledge) -> Knowledge | None:
    """The knowledge before the last shot, or the last salvo; None before the first.

    Belief states form a fixed chain, so results don't depend on the order of requests.
    """
    if not knowledge.shots:
        return None
    last = knowledge.shots[-1]
    is_last = [shot.turn == last.turn for shot in knowledge.shots]
    count = sum(is_last) if knowledge.rules.salvo else 1
    sunk = [shot.wreck.length for shot in knowledge.shots[-count:] if shot.wreck is not None]
    return knowledge._replace(
        shots=knowledge.shots[:-count],
        asked=tuple(one for one in knowledge.asked if one.ply < last.ply),
        left=tuple(sorted((*knowledge.left, *sunk), reverse=True)),
        turn=last.turn,
    )


def proceed(
    state: ParticleState, knowledge: Knowledge, chance: Chance, particles: int = PARTICLES
) -> tuple[ParticleState, CellChances]:
    """The next state and the probabilities of the cells; `state` belongs to `previous_question`."""
    evidence = Evidence(knowledge)
    tables = evidence.tables
    exact = exact_posterior(evidence)
    if exact is not None:
        by_placement = weights_by_placement(tables, *exact)
        return START, evidence.chances(by_placement, float(exact[1].sum()))
    # The whole fleet decides, so that the number of particles stays the same during a match.
    work = tables.work(knowledge.rules.fleet)
    particles = affordable(particles, work, full_work=_FULL_WORK, fewest=_FEWEST)
    start, swaps = carry_over(state, evidence), _swaps(evidence, chance)
    drawn = draw(evidence, chance, particles, sweeps=1, start=start, swaps=swaps)
    chances = evidence.chances(drawn.weights, particles)
    fleets, wrecks = drawn.fleets.astype(np.int16), len(evidence.wrecks)
    return ParticleState(fleets, evidence.placement_weights, wrecks), chances


def carry_over(state: ParticleState, evidence: Evidence) -> Start | None:
    """The particles of the previous shot with their importance weights.

    None if there are none, or if too few have a positive weight.
    """
    if state.fleets is None:
        return None
    tables, weights_now = evidence.tables, evidence.placement_weights
    fleets = state.fleets.astype(np.intp)
    for wreck in evidence.wrecks[state.wrecks :]:
        fleets = _without_ship(tables, fleets, wreck.placement)
    # The sample follows the old weights, so the importance weights are the ratios.
    is_possible = (weights_now > 0) & (state.placement_weights > 0)
    change = np.divide(
        weights_now, state.placement_weights, out=np.zeros_like(weights_now), where=is_possible
    )
    # The 0 is for `no_ship`: an incomplete fleet is dropped.
    weights = np.append(change, 0.0)[fleets].prod(axis=0)
    for hit in evidence.hits:
        weights = weights * tables.covers[fleets, hit].any(axis=0)
    for reaching in evidence.rectangles.T:
        weights = weights * reaching[fleets].any(axis=0)
    if (weights > 0).sum() < _MIN_SURVIVORS:
        return None
    return Start(fleets[:, weights > 0].T, weights[weights > 0])


def _swaps(evidence: Evidence, chance: Chance) -> list[tuple[int, int]]:
    """The pairs of kinds between whose ships hits are swapped."""
    # A hit that names its ship can't belong to a ship of another length.
    if not evidence.hits or evidence.knowledge.rules.named:
        return []
    # Ships of adjacent lengths fit the same hits most often.
    pairs = list(pairwise(np.flatnonzero(np.array(evidence.counts) > 0).tolist()))
    chance.shuffle(pairs)
    return pairs[:_SWAPS]


def _without_ship(tables: PlacementTables, fleets: Indices, placement: int) -> Indices:
    """The fleets that contain a placement, without that ship; rows keep their kinds."""
    fleets = fleets[:, (fleets == placement).any(axis=0)]
    if not fleets.size:
        return fleets
    row = (fleets == placement).argmax(axis=0)
    # The last ship of that kind replaces the sunk one, and its row is deleted.
    kinds = np.append(tables.kind, -1)[fleets]
    last = int(np.flatnonzero((kinds == tables.kind[placement]).any(axis=1))[-1])
    fleets[row, np.arange(fleets.shape[1])] = fleets[last]
    return np.delete(fleets, last, axis=0)

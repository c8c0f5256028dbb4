"""The belief: how likely each fleet of the enemy is after all that was seen; see docs/belief.md.

`believe(knowledge_of(seen), chance).cells[board.parse("B7")]` is the chance of a ship there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.players.belief.exact import fleets_of, follow
from game.players.belief.messages import odds
from game.players.belief.sampler import Swarm
from game.players.belief.tables import Floats, Indices, Knowledge, Sea, generator, sea, tell

PARTICLES = 768
"""How many fleets are drawn where they can't be listed."""
_FAIR_WORK = 2400
_FEWEST = 48
_GRAIN = float(1 << 22)


@dataclass(frozen=True, eq=False)
class Belief:
    """Weighted fleets of the ships afloat, and what follows for each cell."""

    sea: Sea
    fleets: Indices
    """Ship by fleet: the number of its place; the number of places for a ship without one."""
    weights: Floats
    """Of each fleet; whole numbers, so that sums of them are exact in any order."""
    places: Floats
    """For each place the weight of all fleets with a ship there."""
    hits: tuple[Cell, ...]
    """The open hits."""
    is_listed: bool
    """Whether these are all fleets there can be, and not some of them drawn by chance."""

    @cached_property
    def cells(self) -> Floats:
        """For each cell the chance that an unsunk enemy ship lies there now."""
        chances = self._spread(self.places)
        chances[list(self.hits)] = 1.0
        return chances

    @cached_property
    def unhit(self) -> Floats:
        """For each cell the chance that a ship lies there that was never hit."""
        is_unhit = ~self.sea.covers[:, list(self.hits)].any(axis=1)
        return self._spread(self.places * is_unhit)

    @property
    def pinned(self) -> Floats:
        """For each cell the chance that a ship lies there that was hit and can't move any more."""
        return np.maximum(self.cells - self.unhit, 0.0)

    def _spread(self, places: Floats) -> Floats:
        weight = float(self.weights.sum())
        chances: Floats = (places[:, None] * self.sea.covers).sum(axis=0) / weight
        return np.minimum(chances, 1.0)


def believe(knowledge: Knowledge, chance: Chance, particles: int = PARTICLES) -> Belief:
    """The belief after what is known, drawn with the help of chance where it can't be listed."""
    waters = sea(knowledge.rules)
    told = tell(knowledge, waters)
    hits = told.open_cells(knowledge)
    if not knowledge.left:
        return _weighted(waters, np.full((1, 1), waters.none), np.ones(1), hits)
    followed = follow(knowledge, waters) if knowledge.rules.moving else None
    if followed is not None:
        return _weighted(waters, *followed, hits)
    worth = odds(knowledge, waters, told)
    counts = [knowledge.left.count(length) for length in waters.lengths]
    listed = fleets_of(waters, worth, counts, hits)
    if listed is not None and len(listed):
        weights = np.append(worth, 1.0)[listed].prod(axis=1)
        if weights.max() > 0:
            return _weighted(waters, listed, weights, hits)
    # The work grows with the places that are looked at for all ships of a fleet.
    work = sum(count * int((waters.kind == kind).sum()) for kind, count in enumerate(counts))
    particles = max(min(_FEWEST, particles), particles * _FAIR_WORK // max(work, _FAIR_WORK))
    swarm = Swarm(waters, worth, counts, hits, generator(chance), particles)
    places = swarm.sail()
    return Belief(waters, swarm.fleets, np.ones(particles), places, hits, False)


def _weighted(waters: Sea, fleets: Indices, weights: Floats, hits: tuple[Cell, ...]) -> Belief:
    whole = np.ceil(weights * (_GRAIN / weights.max()))
    each = np.repeat(whole, fleets.shape[1])
    places: Floats = np.bincount(fleets.ravel(), each, waters.none + 1).astype(float)
    return Belief(waters, fleets.T, whole, places, hits, True)

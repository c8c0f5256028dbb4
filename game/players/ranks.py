"""The admiral and the ranks below: they fire by the belief, and think when they place and steer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from game.engine.chance import Chance
from game.engine.fleets import Fleet, Placement, complete, make_fleet, steered
from game.engine.geometry import Cell
from game.engine.observation import STAY, Manoeuvre, Observation
from game.engine.rules import Side
from game.players.belief.belief import PARTICLES, Belief, believe
from game.players.belief.endgame import Endgame
from game.players.belief.tables import Floats, Indices, generator, knowledge_about, knowledge_of

OF_THE_PINNED = 0.3
"""Where ships move, what a hit on a ship that can't any more is worth, a first hit being 1."""
OF_SURPRISE = 0.25
"""Where ships stay, what one bit of information is worth, a hit being 1."""
SURE = 1 - 1e-9
"""From this chance on a hit is certain, whatever was rounded."""
CANDIDATES = 3
"""Where all fleets can be listed, for so many targets it counts the shots that would follow."""
COUNTDOWN = 12
"""Half-turns before the limit from which on every hit is worth the same."""
DRAFTS = 256
"""Of so many random fleets it chooses one."""
CARE = 1.0
"""How much rather its ships keep close together: the exponent for each cell they keep free."""
SHYNESS = 12.0
"""How many such cells a hit is worth that enemies would expect on its shortest ships."""
ALERT = 12.0
"""How much rather it moves to where fewer hits are to be expected: the exponent for each hit."""
HOPE = 0.5
"""Below this part of the average chance no rank searches a cell, unless nothing else is left."""
AT_ONCE = 4.0
"""What a hit on a ship that it has found is worth to a rank that can't let go of it."""


@dataclass(frozen=True, slots=True)
class Admiral:
    """A mind that fires by its belief.

    `overlooks` is the chance that it overlooks a cell while it searches where ships move, and that
    it steers without thinking; `strays` that where they stay it fires anywhere; `finishes` whether
    it first sinks what it has hit, wise or not.
    """

    name: str
    overlooks: float = 0.0
    strays: float = 0.0
    finishes: bool = False
    particles: int = PARTICLES

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """Any legal fleet, rather one that shows itself little; see `exposures`."""
        opening = knowledge_of(Observation.opening(seen.ruleset, Side.FIRST))
        belief = believe(opening, chance, self.particles)
        whole = np.flatnonzero((belief.fleets < belief.sea.none).all(axis=0))
        if not len(whole):
            return complete(seen.ruleset, (), chance)
        drafts = belief.fleets.T[generator(chance).choice(whole, DRAFTS)]
        draft = drafts[_rather(exposures(belief, drafts), CARE, chance)]
        return make_fleet(seen.ruleset, [belief.sea.placements[place] for place in draft])

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """The target that promises most; chance decides between equals."""
        belief = believe(knowledge_of(seen), chance, self.particles)
        targets = np.array(seen.targets)
        draws = generator(chance).random((2, len(targets)))
        if belief.is_listed and not (self.strays or seen.ruleset.moving or seen.ruleset.salvo):
            best = targets[np.lexsort((draws[1], belief.cells[targets]))[::-1][:CANDIDATES]]
            if belief.cells[best[0]] > SURE:  # no miss, and what it tells comes for nothing
                return Cell(int(best[0]))
            end = Endgame(belief, seen.spent)
            return Cell(min(best.tolist(), key=end.shots_after))
        search, finish = (worth[targets] for worth in worths(seen, belief))
        if self.overlooks and seen.ruleset.moving:
            search = np.where(draws[0] < self.overlooks, _GLANCE, search)
            search[belief.unhit[targets] < HOPE * belief.unhit[targets].mean()] = 0.0
        if self.finishes:
            finish = AT_ONCE * belief.pinned[targets]
        if self.strays and not seen.ruleset.moving and chance.uniform() < self.strays:
            search, finish = (belief.cells[targets] > 0).astype(float), np.zeros(len(targets))
        return Cell(int(targets[np.lexsort((draws[1], search + finish))[-1]]))

    def believe(self, seen: Observation, chance: Chance) -> list[float]:
        """For every cell, row by row from A1, the chance that an unsunk enemy ship lies there."""
        chances: list[float] = believe(knowledge_of(seen), chance, self.particles).cells.tolist()
        return chances

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """Rather the move after which the enemy's next shots meet least, by what it knows."""
        if not seen.steers:
            return STAY
        if chance.uniform() < self.overlooks:
            return chance.choice(seen.steers) if chance.below(2) else STAY
        expected = believe(knowledge_about(seen), chance, self.particles).cells
        options: list[Manoeuvre] = [STAY, *seen.steers]
        change = [0.0]
        for steer in seen.steers:
            ship = seen.ships[steer.ship].placement
            target = steered(seen.board, ship, steer.course)
            change.append(_hits(expected, target) - _hits(expected, ship) if target else 0.0)
        return options[_rather(change, ALERT, chance)]


def worths(seen: Observation, belief: Belief) -> tuple[Floats, Floats]:
    """For each cell what a shot there promises, a certain first hit on a ship being 1.

    In two parts, of the search for other ships and of sinking those that were hit. Where ships
    move, one that was hit lies still: it can wait, and is in the others' way.
    """
    unhit, pinned = belief.unhit, belief.pinned
    if not seen.ruleset.moving:
        return unhit + OF_SURPRISE * _surprise(belief.cells), pinned
    if seen.turns_left is not None and seen.turns_left <= COUNTDOWN:
        return unhit, pinned
    return unhit, OF_THE_PINNED * pinned


def exposures(opening: Belief, drafts: Indices) -> Floats:
    """For each draft, a row of places, in how many cells it shows itself to an enemy.

    Those in which no further ship may lie, which wrecks will tell, and SHYNESS for each hit to be
    expected on the shortest ships: they are found last, and so decide how long a search takes.
    """
    sea = opening.sea
    kept_free = sea.near[drafts].any(axis=1).sum(axis=1)
    expected = sea.covers[:-1] @ opening.cells * (sea.length == sea.lengths[-1])
    exposed: Floats = kept_free + SHYNESS * expected[drafts].sum(axis=1)
    return exposed


def _surprise(chances: Floats) -> Floats:
    """For each cell the bits of information in whether a ship lies there (Shannon, 1948)."""
    inside = np.clip(chances, 1e-12, 1 - 1e-12)
    bits: Floats = -inside * np.log2(inside) - (1 - inside) * np.log2(1 - inside)
    return bits


def _hits(expected: Floats, ship: Placement) -> float:
    return float(expected[list(ship.cells)].sum())


def _rather(costs: Sequence[float] | Floats, care: float, chance: Chance) -> int:
    """The index of an option, the likelier the less it costs (Boltzmann)."""
    likely = np.exp(care * (np.min(costs) - np.array(costs))).cumsum()
    return int(np.searchsorted(likely, chance.uniform() * likely[-1], side="right"))


_GLANCE = 1e-6
"""What an overlooked cell promises: less than any other that may hold a ship."""
ADMIRAL = Admiral("admiral")
RANKS = (
    Admiral("recruit", 0.96, 1.0, finishes=True, particles=128),
    Admiral("sailor", 0.87, 0.78, finishes=True, particles=128),
    Admiral("lieutenant", 0.4, 0.6, finishes=True, particles=128),
    Admiral("captain", 0.91, 0.27, particles=128),
    ADMIRAL,
)
"""The five levels, the weakest first, each in one sea about as many shots from the next: seven
where Bonn's ships move, three where ships stay.
"""

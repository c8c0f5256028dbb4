"""The admiral and the ranks below: they fire by the belief, and think when they place and steer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.engine.observation import STAY, Manoeuvre, Observation
from game.engine.rules import DoesNotFit, Fleet, Placement, Side, complete, steered
from game.players.belief import PARTICLES, Belief, believe
from game.players.sea import Floats, generator, knowledge_about, knowledge_of

OF_THE_PINNED = 0.3
"""Where ships move, what a hit on a ship that can't any more is worth, a first hit being 1."""
OF_SURPRISE = 0.25
"""Where ships stay, what one bit of information is worth, a hit being 1."""
COUNTDOWN = 12
"""Half-turns before the limit from which on every hit is worth the same."""
DRAFTS = 12
"""Of so many random fleets it chooses one."""
CARE = 2.0
"""How much rather it lies where fewer hits are to be expected: the exponent for each hit."""
ALERT = 12.0
"""The same for the choice of a move."""


@dataclass(frozen=True, slots=True)
class Admiral:
    """A mind that fires by its belief.

    `overlooks` is the chance that it overlooks a cell, and that it steers without thinking.
    """

    name: str
    overlooks: float = 0.0
    particles: int = PARTICLES

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """A random legal fleet, rather one that lies where enemies expect less."""
        rules = seen.ruleset
        drafts = [complete(rules, (), chance)]
        try:
            drafts += [complete(rules, (), chance) for _ in range(DRAFTS - 1)]
        except DoesNotFit:
            return drafts[0]
        opening = knowledge_of(Observation.opening(rules, Side.FIRST))
        expected = believe(opening, chance, self.particles).cells
        hits = [sum(_hits(expected, ship) for ship in draft) for draft in drafts]
        return drafts[_rather(hits, CARE, chance)]

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """The target that promises most; chance decides between equals."""
        belief = believe(knowledge_of(seen), chance, self.particles)
        targets = np.array(seen.targets)
        worth = worths(seen, belief)[targets]
        draws = generator(chance).random((2, len(targets)))
        worth[draws[0] < self.overlooks] = -1.0
        return Cell(int(targets[np.lexsort((draws[1], worth))[-1]]))

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
            target = steered(seen.board, ship, steer.way)
            change.append(_hits(expected, target) - _hits(expected, ship) if target else 0.0)
        return options[_rather(change, ALERT, chance)]


def worths(seen: Observation, belief: Belief) -> Floats:
    """For each cell what a shot there promises, a certain first hit on a ship being 1.

    Where ships move, a ship that was hit lies still: it can wait, and is in the others' way.
    """
    chances = belief.cells
    if not seen.ruleset.moving:
        return chances + OF_SURPRISE * _surprise(chances)
    if seen.turns_left is not None and seen.turns_left <= COUNTDOWN:
        return chances
    unhit = belief.unhit
    return unhit + OF_THE_PINNED * (chances - unhit)


def _surprise(chances: Floats) -> Floats:
    """For each cell the bits of information in whether a ship lies there (Shannon, 1948)."""
    inside = np.clip(chances, 1e-12, 1 - 1e-12)
    bits: Floats = -inside * np.log2(inside) - (1 - inside) * np.log2(1 - inside)
    return bits


def _hits(expected: Floats, ship: Placement) -> float:
    return float(expected[list(ship.cells)].sum())


def _rather(costs: Sequence[float], care: float, chance: Chance) -> int:
    """The index of an option, the likelier the less it costs (Boltzmann)."""
    likely = np.exp(care * (min(costs) - np.array(costs))).cumsum()
    return int(np.searchsorted(likely, chance.uniform() * likely[-1], side="right"))


ADMIRAL = Admiral("admiral")
RANKS = (
    Admiral("recruit", 0.89, 128),
    Admiral("sailor", 0.855, 128),
    Admiral("lieutenant", 0.8, 128),
    Admiral("captain", 0.7, 128),
    ADMIRAL,
)
"""The five levels, the weakest first, each about six shots of a moving Bonn fleet apart."""

"""The admiral: fires by the belief over whole fleets, and thinks when it steers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.engine.observation import STAY, Manoeuvre, Observation
from game.engine.rules import Fleet, complete
from game.players.belief import PARTICLES, believe, generator, knowledge_of


@dataclass(frozen=True, slots=True)
class Admiral:
    """A mind that fires by its belief."""

    name: str
    particles: int = PARTICLES

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """A random legal fleet."""
        return complete(seen.ruleset, (), chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """The target where a ship lies most probably."""
        belief = believe(knowledge_of(seen), chance, self.particles)
        chances = belief.cells
        targets = np.array(seen.targets)
        draws = generator(chance).random(len(targets))
        return Cell(int(targets[np.lexsort((draws, chances[targets]))[-1]]))

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """Half of the time nothing, else any legal move."""
        if seen.steers and chance.below(2):
            return chance.choice(seen.steers)
        return STAY


ADMIRAL = Admiral("admiral")

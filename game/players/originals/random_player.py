"""The random player does everything at random: the weakest opponent, to compare the others with."""

from __future__ import annotations

from game.engine.chance import Chance
from game.engine.fleets import Fleet, complete
from game.engine.geometry import Cell
from game.engine.observation import STAY, Manoeuvre, Observation


class RandomPlayer:
    """A mind that plays at random."""

    name = "random"

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """A random legal fleet."""
        return complete(seen.ruleset, (), chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """Any cell that may be fired at."""
        return chance.choice(seen.targets)

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """Half of the time nothing, else any legal move."""
        # Where no ship can move it draws as many numbers, so that it takes as long.
        options: tuple[Manoeuvre, ...] = seen.steers or (STAY,)
        return chance.choice(options) if chance.below(2) else STAY

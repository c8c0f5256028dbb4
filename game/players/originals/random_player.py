"""The random player, the weakest mind, and the base class of minds that place and move like it."""

from __future__ import annotations

from game.engine.actions import STAY, Ask, Manoeuvre
from game.engine.chance import Chance
from game.engine.fleets import Fleet, complete
from game.engine.geometry import Cell
from game.engine.observation import Observation


class RandomFleet:
    """Places and steers its fleet at random."""

    __slots__ = ()

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """A random legal fleet, placed ship by ship."""
        return complete(seen.ruleset, (), chance)

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """Stay with probability 1/2, otherwise a random legal move."""
        # It draws as many numbers where it stays or has no legal move, so that it takes as long.
        options: tuple[Manoeuvre, ...] = seen.steers or (STAY,)
        move = chance.choice(options)
        return move if chance.below(2) else STAY

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        """None: it asks nothing."""


class RandomPlayer(RandomFleet):
    name = "random"

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        return chance.choice(seen.targets)

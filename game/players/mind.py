"""What every computer player is: someone who deploys, aims and steers."""

from __future__ import annotations

from typing import Protocol

from game.engine.chance import Chance
from game.engine.fleets import Fleet
from game.engine.geometry import Cell
from game.engine.observation import Manoeuvre, Observation


class Mind(Protocol):
    """A computer player. Its answers follow from its two arguments alone.

    Whoever asks keeps nothing between two questions, so a mind keeps nothing either; what it
    wants to hold on to for a match it draws from `chance.for_whole_match(label)`.
    """

    @property
    def name(self) -> str:
        """A word that names the mind in addresses and records: lower case, never changed."""
        ...

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """A legal fleet for the ruleset of the observation."""
        ...

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """One of the observation's targets."""
        ...

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """One of the observation's steers, or Stay."""
        ...

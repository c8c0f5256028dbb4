"""The interface of a computer player: it deploys, aims, steers and asks."""

from typing import Protocol

from game.engine.actions import Ask, Manoeuvre
from game.engine.chance import Chance
from game.engine.fleets import Fleet
from game.engine.geometry import Cell
from game.engine.observation import Observation


class Mind(Protocol):
    """A computer player: its methods are pure functions of their arguments.

    A mind has no state between two requests. What should stay the same during a match is drawn from
    `chance.for_whole_match(label)`.
    """

    @property
    def name(self) -> str:
        """The name in addresses and records: lower case, never changed."""

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """A legal fleet for the ruleset of the observation."""

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """One of the observation's targets."""

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """One of the observation's steers, or Stay."""

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        """A question that the mind hasn't asked, before a shot; None to save it.

        It is called only where `seen.may_ask`.
        """

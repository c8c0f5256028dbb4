"""The random player, the weakest mind, and the base class of minds that place and move like it."""

from dataclasses import replace

from game.engine.actions import STAY, Ask, Manoeuvre
from game.engine.chance import Chance
from game.engine.fleets import Fleet, Placement, blocked_by, complete, free_placements, make_fleet
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.presets import PRESETS
from game.engine.rules import Side


class RandomFleet:
    """Places and steers its fleet at random."""

    __slots__ = ()

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """A random legal fleet, placed ship by ship."""
        return complete(seen.ruleset, (), chance)

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """Stay with probability 1/2, otherwise a random legal move."""
        options: tuple[Manoeuvre, ...] = seen.steers or (STAY,)
        move = chance.choice(options)
        return move if chance.below(2) else STAY

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        """None: it asks nothing."""


class RandomPlayer(RandomFleet):
    name = "random"

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """A random legal fleet; in Five threes without a ship whose centre is on the edge.

        The original draws the row and the column of each centre from 1 to 8.
        """
        rules = seen.ruleset
        if replace(rules, begins=Side.FIRST, solo=False) != PRESETS["cmu"].ruleset:
            return complete(rules, (), chance)
        placed, neighbours = list[Placement](), rules.board.neighbours
        for length in rules.fleet:
            free = free_placements(rules.board, length, blocked_by(rules, placed))
            inside = [one for one in free if len(neighbours(one.cells[one.length // 2])) == 8]
            placed.append(chance.choice(inside))
        return make_fleet(rules, placed)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        return chance.choice(seen.targets)

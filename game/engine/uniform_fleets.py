"""Fleets drawn uniformly: every legal fleet of a ruleset is equally likely.

`complete` places ship by ship, which favours fleets whose ships leave each other little room. Here
parts of a fleet are placed again many times, and changes are rejected at the rate that cancels
this bias.
"""

from game.engine.chance import Chance
from game.engine.fleets import Fleet, Placement, blocked_by, complete, free_placements, make_fleet
from game.engine.rules import Ruleset

REDEALS = 200
"""Steps of the chain. After 40, Bonn's fleets already cover as many cells on the rim as uniform
fleets do."""


def uniform_fleet(rules: Ruleset, chance: Chance) -> Fleet:
    """A legal fleet, all equally likely; raises DoesNotFit if none is found.

    It is drawn by a Markov chain (Metropolis and others, 1953; Hastings, 1970). A step removes
    some ships and deals them again, each to one of the `n` placements then free. A deal has
    probability 1/Π n, so accepting it with probability Π n (new) / Π n (old) keeps the uniform
    distribution. A step may deal all ships again, so every fleet can be reached.
    """
    ships = sorted(complete(rules, (), chance), key=lambda ship: -ship.length)
    for _ in range(REDEALS):
        ships = _redealt(rules, ships, chance)
    return make_fleet(rules, ships)


def _redealt(rules: Ruleset, ships: list[Placement], chance: Chance) -> list[Placement]:
    """The ships after one step of the chain."""
    # Small steps are accepted more often, large ones lead further.
    count = 1 + chance.below(1 + chance.below(len(ships)))
    order = list(range(len(ships)))
    chance.shuffle(order)
    taken, kept = sorted(order[:count]), tuple(ships[at] for at in order[count:])
    removed = tuple(ships[at] for at in taken)
    dealt, choices = _deal(rules, removed, kept, chance)
    # A single ship has as many choices as before, so it is always accepted.
    if count > 1:
        _, before = _deal(rules, removed, kept)
        if chance.uniform() * before >= choices:
            return ships
    after = list(ships)
    for at, ship in zip(taken, dealt, strict=True):
        after[at] = ship
    return after


def _deal(
    rules: Ruleset, ships: Fleet, kept: Fleet, chance: Chance | None = None
) -> tuple[list[Placement], int]:
    """Returns ships placed again one by one, and the product of their numbers of choices.

    Without `chance` they lie as before. The product is 0 if a ship has no choice left.
    """
    dealt: list[Placement] = []
    choices = 1
    blocked = blocked_by(rules, kept)
    for ship in ships:
        free = free_placements(rules.board, ship.length, blocked)
        if not free:
            return dealt, 0
        choices *= len(free)
        dealt.append(chance.choice(free) if chance else ship)
        blocked |= blocked_by(rules, dealt[-1:])
    return dealt, choices

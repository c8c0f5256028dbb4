"""Fleets drawn from the uniform prior: every legal fleet of a ruleset as likely as any other.

`complete` deals ship by ship, which prefers fleets whose ships leave one another little room. Here
a dealt fleet is redealt in parts, many times, and chance refuses just so many of the changes that
what it preferred evens out.
"""

from __future__ import annotations

from collections.abc import Sequence

from game.engine.chance import Chance
from game.engine.fleets import Fleet, Placement, all_placements, blocked_by, complete, make_fleet
from game.engine.rules import Ruleset

REDEALS = 200
"""How often a part of the fleet is dealt anew; far more than its beginning is felt.

After 40 the cells on the rim of Bonn's board are as many as in fleets from mere chance."""


def uniform_fleet(rules: Ruleset, chance: Chance) -> Fleet:
    """A legal fleet, each as likely as any other; raises DoesNotFit where none is found.

    A Markov chain over legal fleets (Metropolis and others, 1953; Hastings, 1970). A step takes
    some ships out and deals them again, each in one of the `n` places then free to it. A deal
    comes with chance 1/Π n, so that accepting it with chance Π n / Π n of the ships that were
    taken out leaves the uniform distribution as it is. Any step may deal all ships anew, so no
    fleet is out of reach.
    """
    ships = sorted(complete(rules, (), chance), key=lambda ship: -ship.length)
    for _ in range(REDEALS):
        ships = _redealt(rules, ships, chance)
    return make_fleet(rules, ships)


def _redealt(rules: Ruleset, ships: list[Placement], chance: Chance) -> list[Placement]:
    """The ships after one step of the chain."""
    # Few at a time is accepted more often, many at a time leads further.
    count = 1 + chance.below(1 + chance.below(len(ships)))
    order = list(range(len(ships)))
    chance.shuffle(order)
    taken, kept = sorted(order[:count]), [ships[at] for at in order[count:]]
    dealt, courses = _deal(rules, [ships[at].length for at in taken], kept, chance)
    # One ship alone has the same choice as before.
    if count > 1:
        before = _ways(rules, [ships[at] for at in taken], kept)
        if chance.uniform() * before >= courses:
            return ships
    after = list(ships)
    for at, ship in zip(taken, dealt, strict=True):
        after[at] = ship
    return after


def _deal(
    rules: Ruleset, lengths: Sequence[int], kept: Sequence[Placement], chance: Chance
) -> tuple[list[Placement], int]:
    """Ships of these lengths put beside the others, one by one, and the product of their choices.

    Where there comes to be no choice, the product is 0.
    """
    dealt: list[Placement] = []
    courses = 1
    blocked = blocked_by(rules, kept)
    for length in lengths:
        free = _free(rules, length, blocked)
        if not free:
            return dealt, 0
        courses *= len(free)
        dealt.append(chance.choice(free))
        blocked |= blocked_by(rules, dealt[-1:])
    return dealt, courses


def _ways(rules: Ruleset, ships: Sequence[Placement], kept: Sequence[Placement]) -> int:
    """The product of the choices with which `_deal` would have put the ships where they are."""
    courses = 1
    blocked = blocked_by(rules, kept)
    for ship in ships:
        courses *= len(_free(rules, ship.length, blocked))
        blocked |= blocked_by(rules, (ship,))
    return courses


def _free(rules: Ruleset, length: int, blocked: int) -> list[Placement]:
    return [one for one in all_placements(rules.board, length) if not one.mask & blocked]

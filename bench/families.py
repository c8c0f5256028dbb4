"""Families of random fleets: uniform, or with one habit of placing each.

    family_fleet("edge", rules, chance)

A habit is a score: a fleet is as likely as the exponential of its score. All fleets have the
same score in the family `uniform`. Nothing here is shared with the belief, which is measured by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import exp

from bench.uniform_fleets import uniform_fleet
from game.engine.chance import Chance
from game.engine.fleets import Fleet, Placement, complete, make_fleet
from game.engine.geometry import Cell, Direction
from game.engine.rules import Ruleset

Score = Callable[[Ruleset, Sequence[Placement]], float]

STEPS = 30
"""Steps of the Markov chain for each ship."""
_CORNER_REACH = 4
_CHANCE_STEPS = 4000
"""Steps of the chain that estimates how often each cell has a ship."""


def family_fleet(family: str, rules: Ruleset, chance: Chance) -> Fleet:
    """A fleet of that family; raises KeyError for a name that isn't in FAMILIES.

    It is the last state of a Markov chain (Metropolis and others, 1953) that begins with a uniform
    fleet. A step places one ship again, and is accepted by the change of the score.
    """
    score = FAMILIES[family]
    ships: Sequence[Placement] = uniform_fleet(rules, chance)
    if score is None:
        return make_fleet(rules, ships)
    now = score(rules, ships)
    for _ in range(STEPS * len(rules.fleet)):
        draft = _one_placed_anew(rules, ships, chance)
        after = score(rules, draft)
        if chance.uniform() < exp(min(0.0, after - now)):
            ships, now = draft, after
    return make_fleet(rules, ships)


def _one_placed_anew(rules: Ruleset, ships: Sequence[Placement], chance: Chance) -> Fleet:
    """The fleet after one ship was moved to a random placement that the others leave free."""
    taken = chance.below(len(ships))
    return complete(rules, (*ships[:taken], *ships[taken + 1 :]), chance)


def _at_edge(rules: Ruleset, ships: Sequence[Placement]) -> int:
    cells = [cell for ship in ships for cell in ship.cells]
    return sum(len(rules.board.sides(cell)) < 4 for cell in cells)


def _corners(rules: Ruleset, ships: Sequence[Placement]) -> float:
    near = (min(_from_corner(rules, cell) for cell in ship.cells) for ship in ships)
    return 0.6 * sum(max(0, _CORNER_REACH - steps) for steps in near)


def _lying(direction: Direction, ships: Sequence[Placement]) -> int:
    return sum(ship.direction is direction for ship in ships)


def _clustered(rules: Ruleset, ships: Sequence[Placement]) -> float:
    """Prefers cells with a small variance of their columns and rows."""
    cells = [cell for ship in ships for cell in ship.cells]
    score = 0.0
    for places in ([rules.board.column(c) for c in cells], [rules.board.row(c) for c in cells]):
        middle = sum(places) / len(places)
        score -= sum((place - middle) ** 2 for place in places)
    return 0.08 * score


def _unlikely(rules: Ruleset, ships: Sequence[Placement]) -> float:
    """Prefers cells where random fleets rarely have a ship."""
    chances = _cell_chances(rules)
    mean = sum(chances) / len(chances)
    return -3.5 * sum(chances[cell] for ship in ships for cell in ship.cells) / mean


FAMILIES: Mapping[str, Score | None] = {
    "uniform": None,
    "edge": lambda rules, ships: 0.8 * _at_edge(rules, ships),
    "inland": lambda rules, ships: -2.0 * _at_edge(rules, ships),
    "corners": _corners,
    "across": lambda _, ships: 4.0 * _lying(Direction.ACROSS, ships),
    "down": lambda _, ships: 4.0 * _lying(Direction.DOWN, ships),
    "clustered": _clustered,
    "unlikely": _unlikely,
}


def _from_corner(rules: Ruleset, cell: Cell) -> int:
    column, row = rules.board.column(cell), rules.board.row(cell)
    return min(column, rules.columns - 1 - column) + min(row, rules.rows - 1 - row)


@lru_cache(maxsize=16)
def _cell_chances(rules: Ruleset) -> tuple[float, ...]:
    """The share of random fleets with a ship at each cell, averaged over mirror images."""
    chance = Chance(bytes(16), "families/chances", 0)
    ships: Fleet = uniform_fleet(rules, chance)
    counts = [0] * rules.board.size
    for _ in range(_CHANCE_STEPS):
        ships = _one_placed_anew(rules, ships, chance)
        for ship in ships:
            for cell in ship.cells:
                counts[cell] += 1
    last_column, last_row = rules.columns - 1, rules.rows - 1
    alike = [
        [
            rules.board.cell(x, y)
            for x in (rules.board.column(cell), last_column - rules.board.column(cell))
            for y in (rules.board.row(cell), last_row - rules.board.row(cell))
        ]
        for cell in rules.board.cells
    ]
    return tuple(sum(counts[c] for c in cells) / 4 / _CHANCE_STEPS for cells in alike)

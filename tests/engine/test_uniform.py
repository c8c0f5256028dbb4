"""Fleets from the uniform prior: against a list of all fleets, and against those of mere chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, product
from math import sqrt

import pytest

from bench import uniform_fleets
from bench.uniform_fleets import uniform_fleet
from game.engine.chance import Chance
from game.engine.fleets import DoesNotFit, Fleet, Placement, all_placements, complete, make_fleet
from game.engine.presets import BONN
from game.engine.rules import Ruleset
from tests.support.boards import PLAIN

SMALL = {
    "apart": Ruleset(columns=4, rows=4, fleet=(3, 2), **PLAIN),
    "in any order": Ruleset(columns=4, rows=4, fleet=(1, 3, 2), **PLAIN),
    "twins": Ruleset(columns=4, rows=4, fleet=(2, 2, 1), **PLAIN),
    "touching": Ruleset(columns=4, rows=4, fleet=(4, 3), **PLAIN | {"touching": True}),
}


def all_fleets(rules: Ruleset) -> set[frozenset[Placement]]:
    kinds = Counter(rules.fleet)
    courses = (combinations(all_placements(rules.board, one), kinds[one]) for one in kinds)
    fleets = (sum(parts, ()) for parts in product(*courses))
    return {frozenset(fleet) for fleet in fleets if are_beside(rules, fleet)}


def are_beside(rules: Ruleset, fleet: tuple[Placement, ...]) -> bool:
    return not any(
        one.mask & (other.mask if rules.touching else other.halo)
        for one, other in combinations(fleet, 2)
    )


def unevenness(rules: Ruleset, draw: Callable[[Ruleset, Chance], Fleet], each: int) -> float:
    """Pearson's chi squared in its own standard errors, of `each` draws for every fleet."""
    fleets = all_fleets(rules)
    draws = each * len(fleets)
    seen = Counter(frozenset(draw(rules, Chance(bytes(16), "draw", n))) for n in range(draws))
    assert set(seen) <= fleets
    freedom = len(fleets) - 1
    squares = sum((seen[fleet] - each) ** 2 / each for fleet in fleets)
    return (squares - freedom) / sqrt(2 * freedom)


@pytest.mark.parametrize("name", SMALL)
def test_every_legal_fleet_is_as_likely(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uniform_fleets, "REDEALS", 25)
    assert abs(unevenness(SMALL[name], uniform_fleet, 12)) < 4


def test_to_deal_ship_by_ship_is_not_to_draw_evenly() -> None:
    assert unevenness(SMALL["apart"], lambda rules, chance: complete(rules, (), chance), 30) > 4


def rim_cells(fleet: Fleet) -> int:
    board = BONN.board
    return sum(
        board.column(cell) in (0, board.columns - 1) or board.row(cell) in (0, board.rows - 1)
        for ship in fleet
        for cell in ship.cells
    )


def test_bonns_fleets_lie_at_the_edge_as_often_as_those_of_mere_chance() -> None:
    """14.75 ± 0.07 cells on the rim, counted over 1,651 fleets.

    They were what was left of 2.2 thousand million tries to lay ten ships anywhere.
    """
    fleets = [uniform_fleet(BONN, Chance(bytes(16), "draw", number)) for number in range(120)]
    mean = sum(map(rim_cells, fleets)) / len(fleets)
    assert mean == pytest.approx(14.75, abs=0.8)
    dealt = [complete(BONN, (), Chance(bytes(16), "draw", number)) for number in range(120)]
    assert sum(map(rim_cells, dealt)) / len(dealt) < 13.5


@pytest.mark.parametrize("fleet", [BONN.fleet, (2, 5, 1, 2)], ids=str)
def test_a_drawn_fleet_is_legal_and_in_the_order_of_the_rules(fleet: tuple[int, ...]) -> None:
    rules = Ruleset(columns=12, rows=9, fleet=fleet)
    for number in range(3):
        drawn = uniform_fleet(rules, Chance(bytes(16), "draw", number))
        assert make_fleet(rules, drawn) == drawn
        assert uniform_fleet(rules, Chance(bytes(16), "draw", number)) == drawn


def test_a_fleet_that_leaves_no_other_choice_is_drawn_too() -> None:
    full = Ruleset(columns=4, rows=4, fleet=(4, 4, 4, 4), **PLAIN | {"touching": True})
    assert len(uniform_fleet(full, Chance(bytes(16), "draw", 0))) == 4


def test_it_says_so_where_no_fleet_is_found() -> None:
    crowded = Ruleset(columns=4, rows=4, fleet=(3, 3, 3), **PLAIN)
    with pytest.raises(DoesNotFit):
        uniform_fleet(crowded, Chance(bytes(16), "draw", 0))

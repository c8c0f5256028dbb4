"""Fleets from the uniform prior: against a list of all fleets, and against those of mere chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import sqrt

import pytest

from bench import uniform_fleets
from bench.uniform_fleets import uniform_fleet
from game.engine.chance import Chance
from game.engine.fleets import DoesNotFit, Fleet, complete, make_fleet
from game.engine.presets import BONN
from game.engine.rules import Ruleset
from tests.support.boards import PLAIN
from tests.support.small_boards import chance, every_set_of_ships


def of_four(*fleet: int, touching: bool = False) -> Ruleset:
    return Ruleset(columns=4, rows=4, fleet=fleet, **{**PLAIN, "touching": touching})


def unevenness(rules: Ruleset, draw: Callable[[Ruleset, Chance], Fleet], each: int) -> float:
    """Pearson's chi squared in its own standard errors, of `each` draws for every fleet."""
    fleets = every_set_of_ships(rules)
    seen = Counter(frozenset(draw(rules, chance(n))) for n in range(each * len(fleets)))
    assert set(seen) <= fleets
    freedom = len(fleets) - 1
    squares = sum((seen[fleet] - each) ** 2 / each for fleet in fleets)
    return (squares - freedom) / sqrt(2 * freedom)


@pytest.mark.parametrize("rules", [of_four(3, 2), of_four(2, 2, 1), of_four(4, 3, touching=True)])
def test_every_legal_fleet_is_as_likely(rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uniform_fleets, "REDEALS", 25)
    assert abs(unevenness(rules, uniform_fleet, 6)) < 4


def test_to_deal_ship_by_ship_is_not_to_draw_evenly() -> None:
    assert unevenness(of_four(3, 2), lambda rules, luck: complete(rules, (), luck), 30) > 4


@pytest.mark.deep
def test_bonns_fleets_lie_at_the_edge_as_often_as_those_of_mere_chance() -> None:
    """14.75 ± 0.07 cells on the rim, counted over 1,651 fleets.

    They were what was left of 2.2 thousand million tries to lay ten ships anywhere.
    """
    rim = {cell for cell in BONN.board.cells if {cell // 10, cell % 10} & {0, 9}}

    def mean(fleets: list[Fleet]) -> float:
        return sum(len(rim & set(ship.cells)) for fleet in fleets for ship in fleet) / len(fleets)

    assert mean([uniform_fleet(BONN, chance(n)) for n in range(120)]) == pytest.approx(
        14.75, abs=0.8
    )
    assert mean([complete(BONN, (), chance(n)) for n in range(120)]) < 13.5


@pytest.mark.parametrize("fleet", [BONN.fleet, (2, 5, 1, 2)], ids=str)
def test_a_drawn_fleet_is_legal_and_in_the_order_of_the_rules(fleet: tuple[int, ...]) -> None:
    rules = Ruleset(columns=12, rows=9, fleet=fleet)
    drawn = uniform_fleet(rules, chance(1))
    assert make_fleet(rules, drawn) == drawn == uniform_fleet(rules, chance(1))


def test_a_fleet_that_leaves_no_other_choice_is_drawn_too() -> None:
    assert len(uniform_fleet(of_four(4, 4, 4, 4, touching=True), chance(0))) == 4


def test_it_says_so_where_no_fleet_is_found() -> None:
    with pytest.raises(DoesNotFit):
        uniform_fleet(of_four(3, 3, 3), chance(0))

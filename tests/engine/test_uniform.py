"""Fleets from the uniform prior: against a list of all fleets, and against those of mere chance."""

from collections import Counter
from math import sqrt

import pytest

from game.engine import uniform_fleets
from game.engine.rules import Ruleset
from game.engine.uniform_fleets import uniform_fleet
from tests.support.boards import PLAIN
from tests.support.small_boards import chance, every_set_of_ships


def of_four(*fleet: int, touching: bool = False) -> Ruleset:
    return Ruleset(columns=4, rows=4, fleet=fleet, **{**PLAIN, "touching": touching})


@pytest.mark.parametrize("rules", [of_four(3, 2), of_four(2, 2, 1), of_four(4, 3, touching=True)])
def test_every_legal_fleet_is_as_likely(rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    """By Pearson's chi squared, in its own standard errors."""
    monkeypatch.setattr(uniform_fleets, "REDEALS", 25)
    fleets, each = every_set_of_ships(rules), 6
    seen = Counter(frozenset(uniform_fleet(rules, chance(n))) for n in range(each * len(fleets)))
    assert set(seen) <= fleets
    freedom = len(fleets) - 1
    squares = sum((seen[fleet] - each) ** 2 / each for fleet in fleets)
    assert abs(squares - freedom) < 4 * sqrt(2 * freedom)

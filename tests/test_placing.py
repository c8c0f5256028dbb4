"""How the commodore and the admiral place their fleets."""

from collections import Counter

import numpy as np
import pytest

from game.engine.fleets import Fleet, make_fleet
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset
from game.engine.uniform_fleets import uniform_fleet
from game.players.belief.tables import Indices, tables_for
from game.players.hidden_fleets import (
    Traits,
    hidden_fleet,
    log_weights,
    traits,
    uniform_belief,
    weights_for,
    whole_fleets,
)
from tests.support.boards import ALL_SORTS
from tests.support.small_boards import chance, every_set_of_ships

OWN = {
    "smallest": Ruleset(columns=6, rows=6, fleet=(3, 2, 2, 1), touching=True),
    "largest": Ruleset(columns=15, rows=15, fleet=(8, *(4,) * 8, *(2,) * 12, *(1,) * 9)),
    "narrow": Ruleset(columns=15, rows=6, fleet=(8, 5, 5, 1)),
    "one ship": Ruleset(columns=6, rows=8, fleet=(4,), moving=False),
}
EVERY = {**{name: one.ruleset for name, one in PRESETS.items()}, **OWN, **ALL_SORTS}


# --- the fleets ---


@pytest.mark.parametrize("name", EVERY)
def test_fleets_are_legal_whatever_the_rules(name: str) -> None:
    rules = EVERY[name]
    for number in range(3):
        fleet = hidden_fleet(rules, chance(number))
        assert make_fleet(rules, fleet) == fleet


@pytest.mark.parametrize("name", ["bonn", "milton"])
def test_fleets_show_less_of_themselves_than_even_ones(name: str) -> None:
    """By the weighted traits: each weight alone could be outdone by another."""
    rules, games = PRESETS[name].ruleset, 20
    opening, tables = uniform_belief(rules, chance(0), 2048), tables_for(rules)

    def found(fleets: list[Fleet]) -> Traits[Indices]:
        return traits(opening, np.array([[tables.index_of[one] for one in f] for f in fleets]))

    uniform = found([uniform_fleet(rules, chance(number)) for number in range(games)])
    own = found([hidden_fleet(rules, chance(number)) for number in range(games)])
    scores = log_weights(weights_for(rules), own, among=uniform)
    assert scores.mean() > 1.5 * scores.std() / games**0.5  # of uniform fleets the mean is 0


@pytest.mark.parametrize("sizes", [(2, 2, 1), pytest.param((4, 3), marks=pytest.mark.long)])
def test_every_legal_fleet_comes_as_often_as_its_weight_says(sizes: tuple[int, ...]) -> None:
    rules = Ruleset(columns=4, rows=4, fleet=sizes, touching=sizes == (4, 3), moving=False)
    opening = uniform_belief(rules, chance(0), 4096)
    listed, places = whole_fleets(opening), opening.tables.placements
    fleets = [frozenset(places[at] for at in fleet) for fleet in listed]
    assert set(fleets) == every_set_of_ships(rules)
    weights = np.exp(log_weights(weights_for(rules), traits(opening, listed)))
    draws = 1500
    expected = draws * weights / weights.sum()
    drawn = Counter(frozenset(hidden_fleet(rules, chance(number))) for number in range(draws))
    found = np.array([drawn[fleet] for fleet in fleets])
    squares = (found - expected) ** 2 / (expected * (1 - expected / draws))
    assert found.sum() == draws
    assert squares.mean() == pytest.approx(1, abs=0.4)

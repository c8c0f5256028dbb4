"""How the commodore and the admiral place their fleets."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import numpy as np
import pytest

from bench.uniform_fleets import uniform_fleet
from game.engine.chance import Chance
from game.engine.fleets import Fleet, IllegalFleet, all_placements, make_fleet
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset
from game.players.belief.tables import Indices, tables_for
from game.players.placing import (
    FEW_APART,
    Traits,
    hidden_fleet,
    log_weights,
    traits,
    uniform_belief,
    weights_for,
    whole_fleets,
)
from tests.support.positions import ALL_SORTS

OWN = {
    "smallest": Ruleset(columns=6, rows=6, fleet=(3, 2, 2, 1), touching=True),
    "largest": Ruleset(columns=15, rows=15, fleet=(8, *(4,) * 8, *(2,) * 12, *(1,) * 9)),
    "narrow": Ruleset(columns=15, rows=6, fleet=(8, 5, 5, 1)),
    "one ship": Ruleset(columns=6, rows=8, fleet=(4,), moving=False),
}
EVERY = {**{name: one.ruleset for name, one in PRESETS.items()}, **OWN, **ALL_SORTS}
SMALL = {
    "apart": Ruleset(columns=4, rows=4, fleet=(3, 2), moving=False),
    "touching": Ruleset(columns=4, rows=4, fleet=(4, 3), touching=True, moving=False),
    "alike": Ruleset(columns=4, rows=4, fleet=(2, 2, 1), moving=False),
}


def chance(number: int) -> Chance:
    return Chance(bytes(16), "placing", number)


@cache
def every_fleet(name: str) -> frozenset[frozenset[str]]:
    """All legal fleets of a small board, each as the names of its placements."""
    rules, found = SMALL[name], set()
    options = [all_placements(rules.board, length) for length in rules.fleet]
    for ships in product(*options):
        try:
            found.add(names(make_fleet(rules, ships)))
        except IllegalFleet:
            continue
    return frozenset(found)


def names(fleet: Fleet) -> frozenset[str]:
    return frozenset(map(str, fleet))


def named(rules: Ruleset, fleets: Indices) -> list[frozenset[str]]:
    places = tables_for(rules).placements
    return [frozenset(str(places[at]) for at in fleet) for fleet in fleets]


# --- the fleets ---


@pytest.mark.parametrize("name", EVERY)
def test_fleets_are_legal_whatever_the_rules(name: str) -> None:
    rules = EVERY[name]
    for number in range(3):
        fleet = hidden_fleet(rules, chance(number))
        assert make_fleet(rules, fleet) == fleet


@pytest.mark.parametrize("name", ["apart", "touching"])
def test_every_legal_fleet_may_come(name: str) -> None:
    rules = SMALL[name]
    drawn = Counter(names(hidden_fleet(rules, chance(number))) for number in range(2500))
    assert set(drawn) == every_fleet(name)


@pytest.mark.parametrize("name", ["bonn", "uppsala", "camlship", "pencil"])
def test_fleets_show_less_of_themselves_than_even_ones(name: str) -> None:
    """By the weighted traits: each weight alone could be outdone by another."""
    rules, games = PRESETS[name].ruleset, 50
    opening, tables = uniform_belief(rules, chance(0), 2048), tables_for(rules)

    def found(fleets: list[Fleet]) -> Traits:
        return traits(opening, np.array([[tables.index_of[one] for one in f] for f in fleets]))

    uniform = found([uniform_fleet(rules, chance(number)) for number in range(games)])
    own = found([hidden_fleet(rules, chance(number)) for number in range(games)])
    scores = log_weights(weights_for(rules), own, among=uniform)
    assert scores.mean() > 1.5 * scores.std() / games**0.5  # of uniform fleets the mean is 0


def test_a_trait_that_all_fleets_share_says_nothing() -> None:
    same, rising = np.full(5, 7), np.arange(5)
    logs = log_weights(FEW_APART, Traits(closed=same, expected=rising, shortest=same))
    assert np.diff(logs) == pytest.approx(FEW_APART.expected / np.std(rising))


def test_fleets_come_as_often_as_their_weights_say() -> None:
    rules = SMALL["alike"]
    opening = uniform_belief(rules, chance(0), 4096)
    assert opening.is_listed
    fleets = whole_fleets(opening)
    logs = log_weights(weights_for(rules), traits(opening, fleets))
    shares = dict(zip(named(rules, fleets), np.exp(logs) / np.exp(logs).sum(), strict=True))
    draws = 3000
    drawn = Counter(names(hidden_fleet(rules, chance(number))) for number in range(draws))
    scores = [
        (drawn[fleet] - draws * share) / (draws * share * (1 - share)) ** 0.5
        for fleet, share in shares.items()
    ]
    assert np.mean(np.square(scores)) == pytest.approx(1, abs=0.4)

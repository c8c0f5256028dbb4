"""How fleets are placed, and the shooter who knows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from bench.placing import Shooter, agreeing, measure, uniform_fleets, weigher
from bench.uniform_fleets import uniform_fleet
from game.engine.actions import Result, Shot
from game.engine.chance import Chance
from game.engine.fleets import Fleet, IllegalFleet, all_placements, make_fleet
from game.engine.geometry import Cell
from game.engine.presets import FIVE_APART, FIVE_TOUCHING, PRESETS
from game.engine.rules import Ruleset, Side
from game.players.belief.tables import Floats, Indices, tables_for
from game.players.placing import (
    FEW_APART,
    Traits,
    hidden_fleet,
    log_weights,
    traits,
    uniform_belief,
    weights_for,
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


def test_the_same_chance_places_the_same_fleet_and_another_a_new_one() -> None:
    fleets = [hidden_fleet(FIVE_APART, chance(number)) for number in (1, 1, 2)]
    assert fleets[0] == fleets[1] != fleets[2]


@pytest.mark.parametrize("name", ["bonn", "uppsala", "camlship", "pencil"])
def test_fleets_show_less_of_themselves_than_even_ones(name: str) -> None:
    """By the weighted traits: each weight alone could be outdone by another."""
    rules, games = PRESETS[name].ruleset, 80
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


def test_closed_cells_are_those_on_ships_and_where_they_may_not_touch_beside_them() -> None:
    counted = []
    for touching in (False, True):
        rules = replace(SMALL["apart"], columns=9, fleet=(2, 2), touching=touching)
        opening, tables = uniform_belief(rules, chance(0), 64), tables_for(rules)
        places = {str(one): at for one, at in tables.index_of.items()}
        drafts = np.array([[places["A1h2"], places["D1h2"]], [places["A1h2"], places["E4h2"]]])
        counted.append(traits(opening, drafts).closed.tolist())
    # A1 and B1 close A1 to C2, D1 and E1 close C1 to F2: C1 and C2 twice.
    assert counted == [[12, 14], [4, 4]]


# --- the shooter ---


def results(rules: Ruleset, hidden: Fleet, targets: list[Cell]) -> Iterator[Shot]:
    spent: set[Cell] = set()
    for at, target in enumerate(targets):
        spent.add(target)
        ship = next((one for one in hidden if target in one.cells), None)
        is_sunk = ship is not None and set(ship.cells) <= spent
        result = Result.SUNK if is_sunk else Result.HIT if ship else Result.WATER
        yield Shot(at, at, Side.FIRST, target, result, ship if is_sunk else None)


@pytest.mark.parametrize("name", SMALL)
def test_the_fleets_that_agree_are_those_that_would_have_told_the_same(name: str) -> None:
    rules = SMALL[name]
    fleets = uniform_fleets(rules)
    assert sorted(map(sorted, named(rules, fleets))) == sorted(map(sorted, every_fleet(name)))
    whole = [make_fleet(rules, [tables_for(rules).placements[at] for at in f]) for f in fleets]
    for number in range(12):
        order = list(rules.board.cells)
        chance(number).shuffle(order)
        targets = order[: 2 + number % 7]
        told = list(results(rules, whole[number * 7 % len(whole)], targets))
        sunk = [str(shot.wreck) for shot in told if shot.wreck]
        expected = [
            names(fleet) - set(sunk)
            for fleet in whole
            if list(results(rules, fleet, targets)) == told
        ]
        left = list(rules.fleet)
        for shot in told:
            if shot.wreck:
                left.remove(shot.wreck.length)
        if left:
            afloat = replace(rules, fleet=tuple(left))
            found = named(afloat, agreeing(afloat, uniform_fleets(afloat), told))
            assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


def test_a_shooter_sinks_every_fleet_of_a_small_board_as_fast_as_one_by_one() -> None:
    """Played as one tree or each fleet by itself, the games are the same."""
    for rules in SMALL.values():
        shooter, fleets = Shooter(rules), uniform_fleets(rules)[::9]
        together = shooter.shots(fleets)
        alone = [int(shooter.shots(fleet[None])[0]) for fleet in fleets]
        assert together.tolist() == alone
        assert (together >= sum(rules.fleet)).all()
        assert (together <= rules.board.size).all()


def test_who_knows_a_placing_is_faster_against_it() -> None:
    """Fleets that hug the corner are found at once by one who knows that they do."""
    rules = replace(SMALL["apart"], columns=7, rows=7)
    fleets = uniform_fleets(rules)
    far = np.array([sum(one.cells) for one in tables_for(rules).placements])

    def known(drafts: Indices) -> Floats:
        return np.asarray(-far[drafts].sum(axis=1) / 8)

    nearest = fleets[np.argsort(-known(fleets))[:60]]
    assert Shooter(rules, known).shots(nearest).mean() < Shooter(rules).shots(nearest).mean() - 5


@pytest.mark.long
@pytest.mark.parametrize("rules", [FIVE_APART, FIVE_TOUCHING], ids=["apart", "touching"])
def test_to_know_the_placing_helps_nobody_and_not_to_know_it_costs(rules: Ruleset) -> None:
    found = measure(rules, games=600, seed=4)
    error = np.hypot(found.uniform.error, found.knowing.error)
    assert found.knowing.mean > found.uniform.mean - 2 * error
    assert found.naive.mean > found.uniform.mean + 1 - 2 * error


def test_the_weigher_agrees_with_the_choice_of_a_fleet() -> None:
    """On a board whose fleets can be listed, fleets come as often as their weights say."""
    rules = SMALL["alike"]
    fleets = uniform_fleets(rules)
    logs = weigher(rules, weights_for(rules))(fleets)
    shares = dict(zip(named(rules, fleets), np.exp(logs) / np.exp(logs).sum(), strict=True))
    draws = 3000
    drawn = Counter(names(hidden_fleet(rules, chance(number))) for number in range(draws))
    scores = [
        (drawn[fleet] - draws * share) / (draws * share * (1 - share)) ** 0.5
        for fleet, share in shares.items()
    ]
    assert np.mean(np.square(scores)) == pytest.approx(1, abs=0.4)

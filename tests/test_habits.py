"""Habits of placing: their weights, what is learnt of them, and what the belief makes of them."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from game.engine.fleets import Placement, complete
from game.engine.geometry import Direction
from game.engine.presets import BONN, FIVE_APART, FIVE_TOUCHING
from game.engine.rules import Ruleset
from game.engine.uniform_fleets import uniform_fleet
from game.players.belief.belief import PARTICLES, believe
from game.players.belief.exact import list_fleets
from game.players.belief.habits import (
    HABITS,
    MOST,
    habit_weights,
    learn,
    log_priors,
    noticed,
    probabilities,
)
from game.players.belief.tables import Floats, Knowledge, tables_for
from tests.support.small_boards import SMALL, chance, knowing

SEAS = {"bonn": BONN, "apart": FIVE_APART, "touching": FIVE_TOUCHING, "small": SMALL["apart"]}


def water(rules: Ruleset, cells: str, learnt: tuple[int, ...] = ()) -> Knowledge:
    """What is known after shots at water."""
    return knowing(rules, ", ".join(f"{cell} water" for cell in cells.split()), learnt=learnt)


def hopeful(known: Knowledge, particles: int = PARTICLES) -> Floats:
    """What is believed of the cells where habits are expected."""
    return believe(known, chance(1), particles, expects_habits=True).cells


def sure(habit: str, odds: int = MOST) -> tuple[int, ...]:
    return tuple(odds if name == habit else 0 for name in HABITS)


# --- the weights ---


@pytest.mark.parametrize("sea", SEAS)
def test_a_habit_makes_some_places_likelier_and_others_less_but_not_the_mean(sea: str) -> None:
    rules = SEAS[sea]
    habits, kind = habit_weights(rules), tables_for(rules).kind
    for row in habits.weights:
        assert np.bincount(kind, habits.uniform * row) == pytest.approx(1, abs=1e-4)
    assert habits.weights.min() > 0
    assert set(habits.habit.tolist()) == {-1, *range(len(HABITS))}


# --- what is learnt ---


EDGE = [cell for cell in FIVE_TOUCHING.board.cells if {cell // 10, cell % 10} & {0, 9}]


def cells_of(fleet: Sequence[Placement]) -> list[int]:
    return [cell for ship in fleet for cell in ship.cells]


def spread(fleet: Sequence[Placement]) -> float:
    rows, columns = np.divmod(cells_of(fleet), 10)
    return float(np.var(rows) + np.var(columns))


SCORES: dict[str, Callable[[Sequence[Placement]], float]] = {
    "edge": lambda fleet: len(set(cells_of(fleet)) & set(EDGE)),
    "inland": lambda fleet: -len(set(cells_of(fleet)) & set(EDGE)),
    "across": lambda fleet: sum(ship.direction is Direction.ACROSS for ship in fleet),
    "down": lambda fleet: sum(ship.direction is Direction.DOWN for ship in fleet),
    "clustered": lambda fleet: -spread(fleet),
}


@pytest.mark.parametrize("habit", SCORES)
def test_a_habit_is_noticed_for_what_it_is(habit: str) -> None:
    learnt: tuple[int, ...] = ()
    for number in range(8):
        drawn = (complete(FIVE_TOUCHING, (), chance(100 * number + one)) for one in range(40))
        learnt = learn(learnt, FIVE_TOUCHING, max(drawn, key=SCORES[habit]))
    assert noticed(learnt, FIVE_TOUCHING)[0][0] == habit


@pytest.mark.parametrize("sea", ["bonn", "apart", "touching"])
def test_fleets_placed_by_chance_show_no_habit(sea: str) -> None:
    for start in (0, 100):
        learnt: tuple[int, ...] = ()
        for number in range(8):
            learnt = learn(learnt, SEAS[sea], uniform_fleet(SEAS[sea], chance(start + number)))
        assert noticed(learnt, SEAS[sea]) == ()


# --- what the belief makes of it ---


def mixture(known: Knowledge) -> Floats:
    """The chances of the cells if all fleets are counted, each by the habits in their shares.

    Each variant is given by the product of its ships' weights; the shares are those before a shot.
    """
    rules, tables, habits = known.rules, tables_for(known.rules), habit_weights(known.rules)
    counts = [rules.fleet.count(length) for length in tables.lengths]
    fleets = list_fleets(tables, np.ones(tables.no_ship), counts)
    assert fleets is not None
    covers = np.asarray(tables.covers[fleets].any(axis=1))
    agrees = ~covers[:, [shot.cell for shot in known.shots]].any(axis=1)
    shares = probabilities(log_priors(known.learnt, habits))
    products = np.append(habits.weights, np.ones((len(shares), 1)), axis=1)[:, fleets].prod(axis=2)
    each = (shares[:, None] * products / products.mean(axis=1, keepdims=True)).sum(axis=0) * agrees
    chances: Floats = (each[:, None] * covers).sum(axis=0) / each.sum()
    return chances


@pytest.mark.parametrize("sea", ["apart", "touching", "crowded", "single cells"])
@pytest.mark.parametrize("cells", ["A1 C3", pytest.param("", marks=pytest.mark.long)])
@pytest.mark.parametrize("odds", [MOST, pytest.param(20, marks=pytest.mark.long)])
def test_the_belief_comes_close_to_counting_every_fleet_of_every_habit(
    sea: str, cells: str, odds: int
) -> None:
    for habit in HABITS:
        known = water(SMALL[sea], cells, sure(habit, odds))
        assert np.sqrt(np.mean((hopeful(known) - mixture(known)) ** 2)) < 0.05


@pytest.mark.parametrize("sea", ["apart", "moving"])
def test_only_who_expects_habits_makes_use_of_what_was_learnt(sea: str) -> None:
    rules = SMALL[sea]
    learnt, not_learnt = water(rules, "B2", sure("edge")), water(rules, "B2")
    assert believe(learnt, chance(1)).cells == pytest.approx(believe(not_learnt, chance(1)).cells)

"""A click's work is bounded by a count: the same in each run, on any machine."""

from __future__ import annotations

import pytest

from game.engine.presets import PRESETS
from game.management.commands.worst import PERSONS, calls_of, costs_of
from game.players.registry import MINDS

MOST_CALLS = 40_000
"""Calls for one action of a mind; `manage.py worst` looks for the most there are."""


@pytest.mark.parametrize("mind", MINDS)
@pytest.mark.parametrize("preset", ["bonn", "milton"])
def test_an_action_of_a_mind_takes_no_more_than_so_many_calls(mind: str, preset: str) -> None:
    costs = list(costs_of(PRESETS[preset].ruleset, mind, "patient", 0, 6))
    assert sum(cost.actions for cost in costs) >= 4
    for cost in costs:
        assert cost.calls <= MOST_CALLS * max(1, cost.actions), cost.where


def test_the_same_click_takes_about_the_same_number_of_calls() -> None:
    """What is kept between clicks saves a few of them."""
    rules = PRESETS["milton"].ruleset
    first, again = (
        [cost.calls for cost in costs_of(rules, "bonn-hard", "random", 3, 8)] for _ in range(2)
    )
    assert again == pytest.approx(first, rel=0.1)
    assert max(first) > 100


def test_calls_are_counted_and_the_patient_never_hit_while_there_is_water() -> None:
    assert calls_of(lambda: [len(word) for word in ("a", "b", "c")]) >= 4
    assert set(PERSONS) == {"random", "patient"}
    costs = list(costs_of(PRESETS["milton"].ruleset, "drifter", "patient", 0, 40))
    assert len(costs) == 40

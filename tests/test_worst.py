"""A click's work is bounded by a count: the same in each run, on any machine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from game.engine.presets import PRESETS
from game.management.commands.worst import PERSONS, calls_of, costs_of
from game.players.minds import MINDS

ROOT = Path(__file__).resolve().parent.parent
MOST_CALLS = 40_000
"""Calls for one action of a mind; `manage.py worst` looks for the most there are."""


@pytest.mark.parametrize("mind", MINDS)
@pytest.mark.parametrize("preset", ["bonn", "milton"])
def test_an_action_of_a_mind_takes_no_more_than_so_many_calls(mind: str, preset: str) -> None:
    costs = list(costs_of(PRESETS[preset].ruleset, mind, "patient", 0, 6))
    assert sum(cost.actions for cost in costs) >= 4
    for cost in costs:
        assert cost.calls <= MOST_CALLS * max(1, cost.actions), cost.where


def test_the_same_click_takes_the_same_number_of_calls() -> None:
    rules = PRESETS["milton"].ruleset
    first, again = (
        [cost.calls for cost in costs_of(rules, "bonn-hard", "random", 3, 8)] for _ in range(2)
    )
    assert again == first
    assert max(first) > 100


def test_each_run_of_the_command_counts_the_same_calls() -> None:
    """Not even the order in which Python keeps texts in a set makes a difference."""
    words = ("worst", "--only", "bonn", "--minds", "recruit", "--clicks", "4")
    runs = [
        subprocess.run(
            [sys.executable, "manage.py", *words], cwd=ROOT, capture_output=True, text=True,
            timeout=120, check=True, env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    counts = [re.search(r"bonn +recruit +(\d+) \| +(\d+) +(\d+) \|", run) for run in runs]
    assert counts[0] is not None
    assert counts[1] is not None
    assert counts[0].groups() == counts[1].groups()


def test_calls_are_counted_and_the_patient_never_hit_while_there_is_water() -> None:
    assert calls_of(lambda: [len(word) for word in ("a", "b", "c")]) >= 4
    assert set(PERSONS) == {"random", "patient"}
    costs = list(costs_of(PRESETS["milton"].ruleset, "random", "patient", 0, 40))
    assert len(costs) == 40

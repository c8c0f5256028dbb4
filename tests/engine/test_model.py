"""The engine held against the naive model, over random rulesets, fleets and actions."""

from collections import Counter
from typing import Any

import pytest

from game.engine.actions import Reason
from tests.support import times
from tests.support.model import play_out

NUMBERS = [*range(times(56, 300, 1000)), 71, 79]
"""The last two end as no other of the first hundred does."""


@pytest.mark.fuzz
@pytest.mark.parametrize("asks", [False, True])
def test_whole_matches_are_the_same_in_the_engine_and_in_the_model(asks: bool) -> None:
    ends: Counter[Any] = Counter()
    switches: Counter[Any] = Counter()
    asked, numbers = 0, range(times(20, 500, 4000)) if asks else NUMBERS
    for seed in numbers:
        try:
            match = play_out(seed, asks=asks).match
        except BaseException:
            print(f"seed {seed}")
            raise
        assert match.outcome is not None
        asked += len(match.questions)
        ends[match.outcome.reason, match.outcome.winner] += 1
        for name in ("touching", "again", "moving", "salvo", "begins", "named", "solo", "silent"):
            switches[name, getattr(match.ruleset, name)] += 1
        switches["turns", match.ruleset.turns is None] += 1
    if asks:
        assert asked > 3 * len(numbers)
        return
    assert {reason for reason, _ in ends} == set(Reason), "an end that no match came to"
    assert len(ends) == 10, "an end that only one side came to"
    assert len(switches) == 19
    assert min(switches.values()) >= len(numbers) // 6, "a switch that was hardly ever set so"

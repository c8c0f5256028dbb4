"""The engine held against the naive model, over random rulesets, fleets and actions."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from game.engine.actions import Reason
from tests.support import times
from tests.support.model import deal, play_out

NUMBERS = [*range(times(56, 300, 1000)), 71, 79]
"""The last two end as no other of the first hundred does."""


class Play(RuleBasedStateMachine):
    """Any actions, legal or not, in any order."""

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        asks = data.draw(st.booleans())
        self.both = deal(lambda bound: data.draw(st.integers(0, bound - 1)), asks=asks)

    @precondition(lambda self: self.both.model.end is None)
    @rule(pick=st.integers(0, 999), aiming_well=st.booleans())
    def a_legal_action(self, pick: int, aiming_well: bool) -> None:
        options = self.both.model.options(aiming_well=aiming_well)
        self.both.do(options[pick % len(options)])

    @rule(column=st.integers(0, 9), row=st.integers(-1, 7))
    def any_shot(self, column: int, row: int) -> None:
        rules = self.both.match.ruleset
        self.both.do(("fire", (column % rules.columns, min(row, rules.rows))))

    @rule(corners=st.tuples(*[st.integers(-1, 6)] * 4))
    def any_question(self, corners: tuple[int, int, int, int]) -> None:
        left, top, right, bottom = corners
        # A spot left of the board would be a cell of the row above.
        self.both.do(("ask", (max(left, 0) % 4, top), (max(right, 0) % 4, bottom)))

    @rule(ship=st.integers(-1, 5), course=st.sampled_from(["fore", "aft"]))
    def any_move(self, ship: int, course: str) -> None:
        self.both.do(("steer", ship, course))

    @rule()
    def staying(self) -> None:
        self.both.do(("stay",))

    @precondition(lambda self: self.both.match.ply > 30)
    @rule(side=st.integers(0, 1))
    def giving_up(self, side: int) -> None:
        self.both.cut_short(side)

    @rule(pick=st.integers(0, 999))
    def going_back(self, pick: int) -> None:
        self.both.back_to(pick % (self.both.match.ply + 1))

    @invariant()
    def the_record_is_whole(self) -> None:
        self.both.through_the_codec()


TestPlay = pytest.mark.fuzz(Play.TestCase)
TestPlay.settings = settings(
    database=None, max_examples=times(14, 500, 3400), stateful_step_count=60
)


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

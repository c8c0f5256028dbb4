"""Tokens of the deduction game: what they hold, and which are refused."""

from dataclasses import replace
from datetime import date

import pytest

from game.features.deduction.match import MOST_GUESSES, Mode
from game.features.deduction.rules import MELBOURNE
from game.features.deduction.saved import (
    begin_daily,
    seal_match,
    unseal_match,
)
from tests.deduction.samples import MATCHES, saved

TODAY = date(2026, 12, 1)
DAILY = begin_daily(TODAY, bytes(16))


@pytest.mark.parametrize("name", MATCHES)
@pytest.mark.parametrize("hour", [None, 1, 500_000])
def test_a_match_is_what_its_token_holds(name: str, hour: int | None) -> None:
    saved = replace(MATCHES[name], started_hour=hour)
    assert unseal_match(seal_match(saved)) == saved


def test_a_mark_is_read_back_and_stays_whatever_another_state_shows() -> None:
    helped = DAILY.with_heat(is_shown=True).with_heat(is_shown=False)
    for it in (DAILY, helped, DAILY.with_heat(is_shown=True)):
        assert unseal_match(seal_match(it)) == it
    assert helped.is_helped
    assert helped.marked_as(DAILY).is_helped


def test_the_longest_match_fits_an_address() -> None:
    race = saved(Mode.RACE)
    for _ in range(MOST_GUESSES):
        if race.match.result is None:
            race = race.guess(MELBOURNE.parse("E1 E2 E3"))
    assert len(seal_match(race)) < 1000
    assert unseal_match(seal_match(race)) == race

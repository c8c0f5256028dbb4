"""Matches and their records: who may do what when, and what no record can hold."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.engine.actions import MatchOver
from game.engine.chance import Chance
from game.features.deduction.match import (
    MOST_GUESSES,
    Match,
    Mode,
    Phase,
    Result,
    anywhere,
    begin_match,
    play_out,
    reply,
    reply_if_due,
)
from game.features.deduction.rules import MELBOURNE, Cells, Rules
from game.features.deduction.saved import DeductionGame, seal_match, unseal_match
from game.features.deduction.searchers import PLAIN, Evidence
from tests.deduction.samples import saved

SEED = bytes(range(16))
PLACE = MELBOURNE.parse("B1 C3 H4")
OTHER = MELBOURNE.parse("A1 D2 G4")
MISS = MELBOURNE.parse("E1 E2 E3")
STRONG = PLAIN["strong"]


def begun(mode: Mode, *, hidden: Cells = PLACE, own: Cells = OTHER) -> Match:
    """A match before its first guess, the ships hidden where told."""
    return saved(mode, place=hidden, own=own).match


# --- ways to play; what may not be done; fairness ---


def test_a_search_ends_with_the_guess_that_finds_every_ship() -> None:
    match = begun(Mode.SEARCH).guess(MISS)
    assert (match.phase, match.result, match.turn) == (Phase.SEARCHING, None, 1)
    match = match.guess(PLACE)
    assert (match.phase, match.result, match.turn) == (Phase.OVER, Result.WON, 2)
    assert match.mine.answers[-1].feedback == MELBOURNE.found


def test_a_search_ends_with_giving_up_or_when_there_are_no_more_guesses() -> None:
    match = begun(Mode.SEARCH)
    given_up = match.guess(MISS).give_up()
    assert (given_up.phase, given_up.result) == (Phase.OVER, Result.LOST)
    with pytest.raises(MatchOver):
        given_up.give_up()
    for _ in range(MOST_GUESSES):
        assert match.phase is Phase.SEARCHING
        match = match.guess(MISS)
    assert match.result is Result.LOST
    with pytest.raises(MatchOver):
        match.guess(PLACE)


def test_the_computer_searches_what_the_person_hid() -> None:
    match = begun(Mode.HIDE)
    assert match.phase is Phase.WATCHING
    match = play_out(match, STRONG)
    assert (match.phase, match.mine, match.result) == (Phase.OVER, None, Result.LOST)
    assert match.theirs.is_found


def test_a_race_is_won_by_the_one_who_needs_fewer_guesses() -> None:
    first = STRONG.guess(Evidence(MELBOURNE), Chance(SEED, "", 0))
    for own, result in ((OTHER, Result.WON), (first, Result.DRAW)):
        match = begun(Mode.RACE, own=own).guess(PLACE)
        assert match.result is None, "the computer has still its guess of this round"
        assert reply_if_due(match, STRONG).result is result
    match = begun(Mode.RACE)
    while match.result is None:
        match = reply_if_due(match.guess(MISS), STRONG)
    assert (match.result, match.theirs.is_found) == (Result.LOST, True)


def test_the_computers_place_is_fixed_by_the_seed_and_each_is_as_likely() -> None:
    seeds = (number.to_bytes(16, "big") for number in range(3200))
    places = [anywhere(MELBOURNE, Chance(seed, "hidden", 0)) for seed in seeds]
    counts = [sum(cell in place for place in places) for cell in MELBOURNE.board.cells]
    assert sum(counts) == 9600
    # 300 each on average; by the binomial distribution six deviations are 99.
    assert all(abs(count - 300) < 99 for count in counts)
    assert begin_match(MELBOURNE, Mode.RACE, SEED) == begin_match(MELBOURNE, Mode.RACE, SEED)


def test_the_computer_guesses_the_same_whatever_the_person_has_guessed_or_it_has_hidden() -> None:
    guesses = set()
    for hidden, mine in ((PLACE, MISS), (OTHER, PLACE), (MISS, OTHER)):
        match = reply_if_due(begun(Mode.RACE, hidden=hidden).guess(mine), STRONG)
        guesses.add(match.theirs.guesses)
    assert len(guesses) == 1


# --- records ---


@st.composite
def matches(draw: Any) -> Any:
    """A match of any way, after some of its actions."""
    rules = draw(st.sampled_from([MELBOURNE, Rules(6, 4, 2), Rules(8, 8, 3), Rules(5, 4, 1)]))
    mode = draw(st.sampled_from(Mode))
    seed = draw(st.binary(min_size=16, max_size=16))
    match, chance = begin_match(rules, mode, seed), Chance(seed, "test", 0)
    for _ in range(draw(st.integers(0, 12))):
        if match.phase is Phase.OVER:
            break
        cells = anywhere(rules, chance)
        if match.phase is Phase.HIDING:
            match = match.hide(cells)
        elif match.phase is Phase.WATCHING:
            match = reply(match, PLAIN["easy"])
        elif draw(st.integers(0, 9)) == 0:
            match = match.give_up()
        else:
            match = reply_if_due(match.guess(cells), PLAIN["easy"])
    return match


@given(matches())
@settings(max_examples=150)
def test_a_match_is_read_back_from_its_token(match: Any) -> None:
    saved = DeductionGame(match, "easy")
    assert unseal_match(seal_match(saved)) == saved

"""What the answers leave, in arrays, against the rules themselves."""

from itertools import combinations
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from game.features.deduction import hiding_places as places
from game.features.deduction.hiding_places import (
    as_cells,
    entropy,
    every_place,
    possible,
    tally,
)
from game.features.deduction.rules import Answer, Rules
from tests.deduction.samples import SMALL_SEAS, pairs

SMALL = Rules(columns=6, rows=4, ships=2)


@pytest.mark.parametrize("rules", SMALL_SEAS)
def test_every_place_is_there_once_in_the_order_of_its_cells(rules: Rules) -> None:
    expected = combinations(range(rules.board.size), rules.ships)
    assert [tuple(row) for row in every_place(rules).tolist()] == list(expected)


@given(pairs())
@settings(max_examples=6)
def test_the_places_left_are_those_that_give_the_same_answer(pair: Any) -> None:
    rules, place, guess = pair
    feedback = rules.feedback(place, guess)
    left = possible(rules, (Answer(guess, feedback),))
    expected = [
        one for one in map(as_cells, every_place(rules)) if rules.feedback(one, guess) == feedback
    ]
    assert [as_cells(one) for one in left] == expected
    assert place in expected


@given(pairs())
def test_the_codes_in_arrays_are_those_of_the_rules_feedback(pair: Any) -> None:
    rules, place, guess = pair
    feedback = rules.feedback(place, guess)
    known = places.near(rules, places.as_row(place), np.arange(rules.board.size))
    number = int(places.codes(known, places.as_row(guess))[0, 0])
    assert number == places.code(rules, feedback)


def test_a_tally_counts_each_feedback_once_for_each_place() -> None:
    guesses = every_place(SMALL)[::50]
    counts = tally(SMALL, every_place(SMALL), guesses)
    assert (counts.sum(axis=1) == SMALL.places).all()
    guess = as_cells(guesses[3])
    told = [SMALL.feedback(as_cells(one), guess) for one in every_place(SMALL)]
    by_hand = {feedback: told.count(feedback) for feedback in told}
    found = {number: int(count) for number, count in enumerate(counts[3]) if count}
    assert found == {places.code(SMALL, feedback): count for feedback, count in by_hand.items()}
    others = [count for feedback, count in by_hand.items() if feedback != SMALL.found]
    assert places.expected_left(counts)[3] == pytest.approx(
        sum(c * c for c in others) / SMALL.places
    )
    shares = [count / SMALL.places for count in by_hand.values()]
    assert entropy(counts)[3] == pytest.approx(-sum(p * log2(p) for p in shares))


def test_heat_counts_each_ship_of_each_place() -> None:
    some = possible(SMALL, (Answer(SMALL.parse("A1 B2"), SMALL.parse_feedback("0,0,1")),))
    counts = places.heat(SMALL, some)
    assert sum(counts) == 2 * len(some) > 0
    assert counts[SMALL.board.parse("A1")] == 0

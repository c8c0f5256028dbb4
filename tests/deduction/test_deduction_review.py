"""The review: what a guess could be expected to tell, and where luck came in."""

import pytest

from game.features.deduction.hiding_places import (
    as_cells,
    every_place,
    expected_left,
    possible,
    review,
    tally,
)
from game.features.deduction.rules import MELBOURNE, Answer, Rules

SMALL = Rules(columns=6, rows=4, ships=2)


def answers(rules: Rules, place: str, *guesses: str) -> tuple[Answer, ...]:
    cells = rules.parse(place)
    made = [rules.parse(guess) for guess in guesses]
    return tuple(Answer(guess, rules.feedback(cells, guess)) for guess in made)


def test_luck_averages_to_nothing_over_all_places_that_were_possible() -> None:
    guess = SMALL.parse("B2 E3")
    luck = [
        review(SMALL, (Answer(guess, SMALL.feedback(as_cells(place), guess)),))[0].luck
        for place in every_place(SMALL)
    ]
    assert sum(luck) / len(luck) == pytest.approx(0, abs=1e-9)
    assert max(luck) > 1 > -0.5 > min(luck)


def test_a_search_that_found_the_ships_told_all_there_was_to_tell() -> None:
    told = answers(MELBOURNE, "B1 C3 H4", "A1 H1 A3", "C2 D3 F4", "B1 C3 H4")
    steps = review(MELBOURNE, told)
    left = [len(possible(MELBOURNE, told[:count])) for count in range(3)]
    assert [step.before for step in steps] == left
    assert [step.after for step in steps] == [*left[1:], 0]
    assert [step.is_possible for step in steps] == [True, False, True]
    assert steps[0].is_best


def test_the_best_guess_can_be_expected_to_leave_the_fewest_of_all_guesses() -> None:
    told = answers(MELBOURNE, "B1 C3 H4", "E1 E2 E3")
    step = review(MELBOURNE, told + answers(MELBOURNE, "B1 C3 H4", "A1 B1 C1"))[1]
    left = possible(MELBOURNE, told)
    all_guesses = expected_left(tally(MELBOURNE, left, every_place(MELBOURNE)))
    assert step.best_expected == pytest.approx(float(all_guesses.min()))
    assert step.expected >= step.best_expected
    assert not step.is_best


def test_the_last_place_left_is_certain_and_neither_luck_nor_skill() -> None:
    place = "B2 E3"
    told: tuple[Answer, ...] = ()
    for guess in every_place(SMALL)[::7]:
        if len(possible(SMALL, told)) == 1:
            break
        told += answers(SMALL, place, SMALL.names(as_cells(guess)))
    step = review(SMALL, told + answers(SMALL, place, place))[-1]
    assert (step.before, step.expected, step.luck, step.is_best) == (1, 0, 0, True)

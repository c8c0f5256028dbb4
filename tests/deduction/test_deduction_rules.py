"""Seas, hiding places and feedback, against the examples of the original and a second model."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given

from game.engine.geometry import NotACell
from game.features.deduction.rules import (
    MELBOURNE,
    IllegalRules,
    NotAPlace,
    NotFeedback,
    parse_rules,
)
from tests.deduction.samples import pairs


def ring(cell: str, far: int) -> set[str]:
    """The names of all cells so many king's moves away, some of them off every board."""
    column, row = ord(cell[0]), int(cell[1:])
    steps = product(range(-far, far + 1), repeat=2)
    return {
        f"{chr(column + x)}{row + y}" for x, y in steps if max(abs(x), abs(y)) == far
    }  # fmt: skip


def naive(place: list[str], guess: list[str]) -> tuple[int, ...]:
    """Feedback as the rules tell it, from names of cells alone."""
    counts = [0, 0, 0]
    for cell in guess:
        for far in range(3):
            if ring(cell, far) & set(place):
                counts[far] += 1
                break
    return tuple(counts)


@pytest.mark.parametrize(
    ("place", "guess", "told"),
    [
        ("H1 B2 D3", "B3 C3 H3", "0,2,1"),
        ("H1 B2 D3", "B1 A2 H3", "0,2,1"),
        ("H1 B2 D3", "B2 H2 H1", "2,1,0"),
        ("A1 D2 B3", "A3 D2 H1", "1,1,0"),
        ("A1 D2 B3", "H4 G3 H2", "0,0,0"),
        ("A1 D2 B3", "D2 B3 A1", "3,0,0"),
    ],
)
def test_the_examples_of_the_original_are_answered_as_there(
    place: str, guess: str, told: str
) -> None:
    feedback = MELBOURNE.feedback(MELBOURNE.parse(place), MELBOURNE.parse(guess))
    assert str(feedback) == told
    for text in (told, told.replace(",", " , ")):
        assert MELBOURNE.parse_feedback(text) == feedback


@given(pairs())
def test_feedback_is_what_a_second_model_says_and_names_are_read_in_any_order(pair: Any) -> None:
    rules, place, guess = pair
    names = [rules.names(cells).split() for cells in (place, guess)]
    assert tuple(rules.feedback(place, guess)) == naive(*names)
    assert (rules.feedback(place, guess) == rules.found) is (place == guess)
    assert rules.feedback(place, place) == rules.found
    assert rules.parse(" ".join(reversed(names[0]))) == place


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("A1 B2", NotAPlace), ("A1 B2 C3 D4", NotAPlace), ("A1 A1 B2", NotAPlace), ("", NotAPlace),
        ("A1 B2 I1", NotACell), ("A1 B2 A5", NotACell), ("a1 B2 C3", NotACell),
        ("A1,B2,C3", NotACell),
    ],
)  # fmt: skip
def test_it_refuses_what_is_no_guess(text: str, error: type) -> None:
    with pytest.raises(error):
        MELBOURNE.parse(text)


@pytest.mark.parametrize("text", ["", "3", "1,1", "4,0,0", "2,1,1", "-1,0,0", "0,0,0,0", "٣,0,0"])
def test_it_refuses_what_is_no_feedback(text: str) -> None:
    with pytest.raises(NotFeedback):
        MELBOURNE.parse_feedback(text)


@pytest.mark.parametrize(
    "text", ["", "8x4", "8x4x3x1", "3x4x1", "16x4x1", "8x4x0", "8x4x6", "15x15x3"]
)
def test_it_refuses_seas_that_are_not_played_on(text: str) -> None:
    with pytest.raises(IllegalRules):
        parse_rules(text)

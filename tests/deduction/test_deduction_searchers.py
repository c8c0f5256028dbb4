"""The computer's searchers: what they may know, and how soon they find every place."""

from collections.abc import Iterator
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.engine.chance import Chance
from game.features.deduction.hiding_places import as_cells, every_place, possible
from game.features.deduction.rules import MEANS, MELBOURNE, SEAS, Answer, Cells, Feedback, Rules
from game.features.deduction.searchers import (
    PLAIN,
    SEARCHERS,
    Evidence,
    Searcher,
    Tree,
    guesses_needed,
    load_tree,
)

SEED = bytes(16)


def searched(
    searcher: Searcher, rules: Rules, place: Cells, seed: bytes = SEED
) -> tuple[Answer, ...]:
    """The answers on the way to a place."""
    answers: tuple[Answer, ...] = ()
    while not answers or answers[-1].guess != place:
        chance = Chance(seed, "guess", len(answers))
        guess = searcher.guess(Evidence(rules, answers), chance)
        answers = (*answers, Answer(guess, rules.feedback(place, guess)))
        assert len(answers) < 30
    return answers


# --- the tree; strengths ---


def walk(tree: Tree, answers: tuple[Answer, ...], places: list[Cells]) -> Iterator[int]:
    """How many guesses each place needs that agrees with these answers; takes guesses away."""
    guess = tree.pop(answers, None)
    if guess is None:
        assert len(places) <= 2, "a branch is missing"
        yield from (len(answers) + number for number in range(1, len(places) + 1))
        return
    parts: dict[Feedback, list[Cells]] = {}
    for place in places:
        parts.setdefault(MELBOURNE.feedback(place, guess), []).append(place)
    for feedback, part in parts.items():
        if feedback == MELBOURNE.found:
            yield len(answers) + 1
        else:
            yield from walk(tree, (*answers, Answer(guess, feedback)), part)


def test_the_tree_finds_every_place_with_at_most_seven_guesses() -> None:
    tree = dict(load_tree())
    needed = list(walk(tree, (), every(1)))
    assert (len(needed), max(needed)) == (4960, 7)
    assert sum(needed) == 22861, "4.609 on average"
    assert not tree, "branches that nothing leads to"


def every(step: int) -> list[Cells]:
    """Returns every so many hiding places of the original, evenly spread."""
    return [as_cells(place) for place in every_place(MELBOURNE)[::step]]


def test_the_strongest_searcher_follows_the_tree() -> None:
    for place in every(50):
        answers = searched(PLAIN["strong"], MELBOURNE, place)
        assert [load_tree().get(answers[:count]) for count in range(len(answers) - 2)] == [
            answer.guess for answer in answers[:-2]
        ]
        assert guesses_needed(place) == len(answers)


def test_each_strength_finds_sooner_than_the_one_below_on_average() -> None:
    means = [
        fmean(len(searched(PLAIN[name], MELBOURNE, place)) for place in every(20))
        for name in ("easy", "middle", "strong")
    ]
    assert means == sorted(means, reverse=True)
    assert means == pytest.approx(list(MEANS[MELBOURNE].values()), abs=0.2)
    assert all(list(MEANS[rules]) == list(SEARCHERS) for rules in SEAS.values())


@pytest.mark.parametrize("name", PLAIN)
def test_every_searcher_finds_ships_in_a_sea_far_larger_than_the_original(name: str) -> None:
    rules = Rules(columns=10, rows=10, ships=3)
    place = rules.parse("A1 E7 J10")
    assert searched(PLAIN[name], rules, place)[-1].feedback == rules.found


# --- fairness ---


@given(
    st.integers(0, 4959), st.binary(min_size=16, max_size=16), st.sampled_from(["easy", "middle"])
)
@settings(max_examples=25)
def test_guesses_of_the_lower_strengths_go_with_all_answers(
    index: Any, seed: Any, name: Any
) -> None:
    place = as_cells(every_place(MELBOURNE)[index])
    answers = searched(SEARCHERS[name], MELBOURNE, place, seed)
    for count, answer in enumerate(answers):
        assert answer.guess in set(map(as_cells, possible(MELBOURNE, answers[:count])))

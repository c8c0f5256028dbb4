"""The results of puzzles, challenges and days of puzzles that one cookie holds."""

from datetime import date

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from game.engine.geometry import Cell
from game.matches import keyring
from game.matches.keyring import BadToken, Purpose
from game.matches.results import MARK_BYTES, MOST_ENTRIES, Entry, Results, seal, unseal
from game.puzzles.pool import GRADES
from game.puzzles.progress import (
    SHOTS,
    VERDICTS,
    Answer,
    Five,
    first_answer,
    five_of_day,
    logged,
    right_of,
    suitable_grade,
    with_answer,
    with_five,
)
from game.views.cookies import RESULTS, keep_results, results_of

NONE = Results()


DAYS, PUZZLE, OTHER_KIND = 0, 1, 2
"""Codes of features."""


def many(kind: int, count: int, found: Results = NONE) -> Results:
    for number in range(count):
        found = found.with_first(kind, f"{kind} {number}", number)
    return found


def test_a_day_goes_on_and_becomes_the_newest() -> None:
    found = many(PUZZLE, 3).with_first(DAYS, "27", 1)
    found = many(OTHER_KIND, 2, found).with_result(DAYS, "27", 70_000)
    assert len(found.entries) == 6
    assert found.entries[-1].kind == DAYS
    assert found.of(DAYS, "27") == 65_535


def test_many_puzzles_displace_the_oldest_puzzles_and_nothing_else() -> None:
    found = many(OTHER_KIND, 9).with_first(DAYS, "27", 5)
    found = many(PUZZLE, 100, found)
    assert len(found.entries) == MOST_ENTRIES
    assert found.of(DAYS, "27") == 5
    assert found.of(OTHER_KIND, f"{OTHER_KIND} 0") == 0
    assert [it.result for it in found.entries if it.kind == PUZZLE] == [*range(78, 100)]


@pytest.mark.parametrize("count", [0, 1, MOST_ENTRIES])
def test_results_are_read_as_they_were_written(count: int) -> None:
    found = many(PUZZLE, count)
    assert unseal(seal(found)) == found
    assert len(seal(found)) <= 530


ENTRY = bytes((DAYS,)) + bytes(MARK_BYTES) + b"\0\1"
OTHERS = b"".join(bytes((DAYS, number)) + bytes(MARK_BYTES + 1) for number in range(33))


@pytest.mark.parametrize("content", [ENTRY[:-1], ENTRY * 2, OTHERS])
def test_any_other_content_is_refused(content: bytes) -> None:
    assert unseal(keyring.seal(Purpose.RESULTS, ENTRY)).entries == (
        Entry(DAYS, bytes(MARK_BYTES), 1),
    )
    with pytest.raises(BadToken):
        unseal(keyring.seal(Purpose.RESULTS, content))


def test_results_of_a_feature_that_is_not_there_are_kept_and_written_back() -> None:
    found = unseal(keyring.seal(Purpose.RESULTS, b"\x09" + ENTRY[1:]))
    again = unseal(seal(found.with_first(PUZZLE, "p1", 5)))
    assert [it.kind for it in again.entries] == [9, PUZZLE]


def test_the_cookie_is_set_where_something_is_new_and_a_bad_one_is_ignored() -> None:
    request, response = RequestFactory().get("/"), HttpResponse()
    request.COOKIES[RESULTS] = "nonsense"
    assert results_of(request) == Results()
    keep_results(request, response, Results())
    assert not response.cookies
    found = many(OTHER_KIND, 1)
    keep_results(request, response, found)
    request.COOKIES[RESULTS] = response.cookies[RESULTS].value
    assert results_of(request) == found


# --- answers to puzzles, a day's five, and the grade that follows from them ---

DAY, LINK = date(2026, 11, 23), bytes(32)
ANSWERS = st.builds(
    Answer, st.sampled_from(VERDICTS[1:]), st.integers(0, 5), st.integers(0, 224).map(Cell)
)
FIVES = st.builds(Five, st.tuples(*[st.sampled_from(VERDICTS)] * SHOTS), is_helped=st.booleans())


@given(ANSWERS, ANSWERS)
def test_the_first_answer_is_read_as_it_was_written(first: Answer, second: Answer) -> None:
    results = with_answer(Results(), "abc", first)
    assert first_answer(with_answer(results, "abc", second), "abc") == first
    assert first_answer(results, "other") is None


@given(FIVES)
def test_a_days_five_are_read_as_they_were_written(five: Five) -> None:
    results = with_five(Results(), DAY, LINK, five)
    assert five_of_day(results, DAY, LINK) == five
    assert five_of_day(results, DAY, bytes(31) + b"x") is None
    assert right_of(logged(DAY, five)) == five.right
    assert five.answered == SHOTS or five.verdicts[five.first_open or 0] == ""


def test_an_answer_of_the_five_stays() -> None:
    five = Five().answer(1, "wrong").answer(1, "right").answer(0, "right")
    assert five.verdicts == ("right", "wrong", "", "", "")
    assert (five.answered, five.right, five.first_open) == (2, 1, 2)


def grades_of(strength: int) -> list[int]:
    """The grades given to a player who solves those up to a strength and no others."""
    results, grades = Results(), list[int]()
    for number in range(30):
        grades.append(suitable_grade(results))
        verdict = "right" if grades[-1] <= strength else "wrong"
        results = with_answer(results, str(number), Answer(verdict, grades[-1], Cell(0)))
    return grades


def test_the_grade_settles_where_half_are_solved() -> None:
    for strength in GRADES[:-1]:
        assert {*grades_of(strength)[10:]} <= {strength, strength + 1}
    assert grades_of(0)[-1] == GRADES[0]
    assert grades_of(5)[-1] == GRADES[-1]
    own = with_answer(Results(), "own", Answer("right", 0, Cell(0)))
    assert suitable_grade(own) == suitable_grade(Results())

"""What a browser keeps of puzzles: answers, a day's five, and the grade that follows from them."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from game.engine.geometry import Cell
from game.features.puzzles.pool import GRADES
from game.features.puzzles.progress import (
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
from game.matches.results import Results

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

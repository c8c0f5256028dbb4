"""What a browser has done with puzzles: first answers, the day's five, and the grade that suits.

The cookie of results has a number for each puzzle and for each day of puzzles. Both are made here:

    puzzle  verdict 2 bits | grade 3 bits | cell 8 bits
    day     verdict 2 bits for each of the five | whether the hit calculator was opened

A verdict is 0 (none yet), 1 (wrong), 2 (good) or 3 (right).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from game.engine.geometry import Cell
from game.features.puzzles.pool import GRADES
from game.matches.day_results import DayResult
from game.matches.results import Results

FIVE_KIND, PUZZLE_KIND = 0, 1
"""The codes of a day's five and of a puzzle among the results that a browser keeps."""
DAY_KIND = 2
"""The code of five shots among the games of a day."""
VERDICTS = ("", "wrong", "good", "right")
RIGHT = "right"
SHOTS = len(GRADES)
"""The number of a day's puzzles."""
_FIRST_GRADE, _STEP = 2.0, 0.5


class Answer(NamedTuple):
    verdict: str
    grade: int
    """0 for a position of the player's own."""
    cell: Cell


def first_answer(results: Results, name: str) -> Answer | None:
    """Returns the browser's first answer to a puzzle, if it keeps it."""
    code = results.of(PUZZLE_KIND, name)
    return None if code is None else _answer(code)


def with_answer(results: Results, name: str, answer: Answer) -> Results:
    """Returns the results with an answer, unless there was an earlier one."""
    code = VERDICTS.index(answer.verdict) | answer.grade << 2 | answer.cell << 5
    return results.with_first(PUZZLE_KIND, name, code)


def _answer(code: int) -> Answer:
    return Answer(VERDICTS[code & 3], code >> 2 & 7, Cell(code >> 5))


def suitable_grade(results: Results) -> int:
    """Returns the grade at which the player solves about half of the puzzles.

    It rises by half a grade with each right first answer and falls with each other one, which
    settles where both are equally frequent (the up-and-down method: Dixon and Mood, 1948).
    """
    grade = _FIRST_GRADE
    for entry in results.entries:
        answer = _answer(entry.result)
        if entry.kind == PUZZLE_KIND and answer.grade:
            grade += _STEP if answer.verdict == RIGHT else -_STEP
            grade = min(max(grade, GRADES[0]), GRADES[-1])
    return round(grade)


@dataclass(frozen=True, slots=True)
class Five:
    """How far a browser is with a day's five puzzles."""

    verdicts: tuple[str, ...] = ("",) * SHOTS
    is_helped: bool = False
    """Whether the hit calculator was opened meanwhile."""

    @property
    def answered(self) -> int:
        return sum(verdict != "" for verdict in self.verdicts)

    @property
    def right(self) -> int:
        return self.verdicts.count(RIGHT)

    @property
    def first_open(self) -> int | None:
        """The number of the first puzzle that isn't answered, from 0."""
        return self.verdicts.index("") if "" in self.verdicts else None

    def answer(self, number: int, verdict: str) -> Five:
        """Returns the five with an answer, unless that puzzle had one."""
        if self.verdicts[number]:
            return self
        before, after = self.verdicts[:number], self.verdicts[number + 1 :]
        return replace(self, verdicts=(*before, verdict, *after))


def five_of_day(results: Results, day: date, first_link: bytes) -> Five | None:
    """Returns how far the browser is with a day's five; None if it hasn't opened them."""
    code = results.of(FIVE_KIND, _day_name(day, first_link))
    if code is None:
        return None
    verdicts = tuple(VERDICTS[code >> 2 * number & 3] for number in range(SHOTS))
    return Five(verdicts, is_helped=bool(code >> 2 * SHOTS & 1))


def with_five(results: Results, day: date, first_link: bytes, five: Five) -> Results:
    """Returns the results with that state of a day's five."""
    code = sum(VERDICTS.index(each) << 2 * number for number, each in enumerate(five.verdicts))
    code |= five.is_helped << 2 * SHOTS
    name = _day_name(day, first_link)
    is_known = results.of(FIVE_KIND, name) == code
    return results if is_known else results.with_result(FIVE_KIND, name, code)


def _day_name(day: date, first_link: bytes) -> str:
    return f"five {day.isoformat()} {first_link.hex()}"


def logged(day: date, five: Five) -> DayResult:
    """Returns a day's five as the logbook keeps them: one more than were not right."""
    shots = 1 + SHOTS - five.right
    return DayResult(day, DAY_KIND, shots, 0, is_helped=five.is_helped)


def right_of(logged: DayResult) -> int:
    """Returns how many were right; the inverse of logged."""
    return max(0, 1 + SHOTS - logged.shots)

"""What the page of a puzzle says: the question, the verdict and why, and results to share.

Where is a ship most likely?
Not the best. E5 is best: a ship lies there in 34 of 41 fleets. A3: 12 of 41.
Five shots 27: 4 of 5
"""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from game.display import positions
from game.display.boards import BoardView
from game.display.refusals import refusal as action_refusal
from game.engine.actions import CellSpent
from game.engine.geometry import NotACell
from game.engine.position import Position
from game.features.puzzles.judge import NotAPuzzle, Verdict
from game.features.puzzles.progress import SHOTS, Five
from game.features.puzzles.reasons import reason_sentence

SIGNS = {"right": "●", "good": "◐", "wrong": "○"}
"""What an answer was, as a sign that plain fonts have, too."""
REFUSALS = (NotACell, CellSpent, NotAPuzzle)


def question(number: int | None, *, is_second: bool, is_answered: bool = False) -> str:
    """Returns what is asked; `number` is that of one of the day's five, from 0.

    `is_answered` says whether the address holds an answer that wasn't given here.
    """
    if is_answered:
        return _("This link holds somebody’s answer. Choose your own cell first.")
    line = _("Where is a ship most likely?")
    if number is not None:
        words = {"number": number + 1, "count": SHOTS, "question": line}
        line = _("Shot %(number)s of %(count)s. %(question)s") % words
    again = _("You have answered it before, so this is a second try.")
    return f"{line} {again}" if is_second else line


def verdict_words(verdict: Verdict) -> str:
    """Returns how good the answer was: `Right.`"""
    return {
        "right": _("Right."), "good": _("Nearly the best."), "wrong": _("Not the best."),
    }[verdict.verdict]  # fmt: skip


def solution(verdict: Verdict) -> str:
    return f"{verdict_words(verdict)} {reason_sentence(verdict)}"


def refusal(error: Exception) -> str:
    """Returns why an answer isn't judged, in one sentence; for REFUSALS."""
    if isinstance(error, NotAPuzzle):
        return _("No fleet fits this position, or too many to be counted one by one.")
    return action_refusal(error)


def question_board(position: Position) -> BoardView:
    """Returns the board before the answer: the marks, and a button on every other cell."""
    seen = replace(positions.observation(position), spent=position.marked)
    return positions.drawn_board(position, seen, None, {}, None)


def solution_board(verdict: Verdict) -> BoardView:
    """Returns the board after the answer: the chances, the best cells and the chosen one."""
    position, tags = verdict.counted.position, dict.fromkeys(verdict.counted.best, "best")
    tags[verdict.cell] = "both" if verdict.cell in tags else "chosen"
    seen = replace(positions.observation(position), is_to_act=False)
    return positions.drawn_board(position, seen, verdict.counted.chances, tags, None, is_live=False)


def result(number: int, five: Five) -> str:
    """Returns the result of a day's five for others; `number` is that of the day."""
    counted = _("%(right)s of %(count)s") % {"right": five.right, "count": SHOTS}
    line = _("Five shots %(number)s: %(result)s") % {"number": number, "result": counted}
    helped = _("with the hit calculator")
    return f"{line}, {helped}" if five.is_helped else line


def signs(verdicts: Sequence[str]) -> str:
    return "".join(SIGNS.get(verdict, "·") for verdict in verdicts)


def signs_in_words(verdicts: Sequence[str]) -> str:
    """Returns `1 right, 2 good, 3 wrong`, for those that are answered."""
    lines = {
        "right": _("%(number)s right"), "good": _("%(number)s good"),
        "wrong": _("%(number)s wrong"),
    }  # fmt: skip
    told = enumerate(verdicts, start=1)
    return ", ".join(lines[verdict] % {"number": number} for number, verdict in told if verdict)

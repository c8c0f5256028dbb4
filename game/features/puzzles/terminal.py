"""The command of the terminal that shows puzzles, one after the other, while the game waits."""

import os
import re
from dataclasses import replace

from django.conf import settings
from django.utils.translation import gettext as _

from game.display import positions
from game.display.refusals import refusal
from game.engine.actions import CellSpent
from game.engine.chance import SEED_BYTES
from game.engine.geometry import NotACell
from game.engine.rules import Touching
from game.feature import TerminalSession
from game.features.puzzles import pool, progress, words
from game.features.puzzles.judge import Verdict, judge
from game.features.puzzles.pool import Puzzle
from game.features.puzzles.progress import Answer
from game.matches.results import Results
from game.ops.languages import words_of
from game.web.forms import Refused, parse_cell
from game.web.spelling import folded

_NAME = re.compile(r"[^a-z0-9-]")
"""What ends a name in an address."""
_LEAVE = {"", *map(folded, words_of(settings.LANGUAGE_TABLE, "quit"))}


class Puzzles:
    """The puzzles of a session, which follow at the grade that its player solves half of."""

    def __init__(self, session: TerminalSession) -> None:
        self._session = session
        self._seen: set[str] = set()
        self._results = Results()

    def choose(self, name: str) -> Puzzle:
        """Returns the puzzle of a name or an address, or without one another; raises Refused."""
        if name:
            puzzle = pool.find(_NAME.split(name.rpartition("puzzles/")[2].lower())[0])
            if puzzle is None:
                raise Refused(_("There is no such puzzle."))
        else:
            grade, seed = progress.suitable_grade(self._results), self._session.seed
            # A session with a seed repeats on another day.
            seen = self._seen if seed else self._seen | pool.open_names()
            puzzle = pool.next_one(grade, seen, seed or os.urandom(SEED_BYTES))
        self._seen.add(puzzle.name)
        return puzzle

    def solve(self, name: str) -> None:
        """Draws puzzles and their solutions until the player leaves; raises Refused."""
        while True:
            puzzle, verdict = self.choose(name), None
            self._draw(puzzle, None)
            while verdict is None:
                text = self._session.ask("> ").strip()
                if folded(text) in _LEAVE:
                    return
                try:
                    verdict = self.judged(puzzle, text)
                except (NotACell, CellSpent) as error:
                    self._session.say(refusal(error))
            self._draw(puzzle, verdict)
            while (text := self._session.ask("> ").strip()) != "":
                if folded(text) in _LEAVE:
                    return
                self._session.say(_("Enter: another puzzle. q: back to the game."))
            name = ""

    def judged(self, puzzle: Puzzle, text: str) -> Verdict:
        """Returns how good the typed cell is; raises NotACell or CellSpent."""
        verdict = judge(puzzle.position, parse_cell(puzzle.position.rules.board, text))
        answer = Answer(verdict.verdict, puzzle.grade, verdict.cell)
        self._results = progress.with_answer(self._results, puzzle.name, answer)
        return verdict

    def _draw(self, puzzle: Puzzle, verdict: Verdict | None) -> None:
        """Draws the board; after the answer with the chances, and the best cells as chosen."""
        position, rules = puzzle.position, puzzle.position.rules
        touching = {
            Touching.NOWHERE: _("Ships never touch here."),
            Touching.CORNERS: _("Ships may touch at corners, but not side by side."),
            Touching.ANYWHERE: _("Ships may touch here."),
        }[Touching(rules.touching)]
        title = f"{positions.sea_title(puzzle.preset, rules)}. {touching}"
        if verdict is None:
            board = words.question_board(position)
            question = words.question(None, is_second=False)
            said = question, _("Type a cell, or just Enter to go back to the game.")
        else:
            board = words.solution_board(verdict)
            best = verdict.counted.best
            board = board.redrawn(lambda place, cell: cell._replace(is_chosen=place in best))
            solution = words.solution(verdict) + " " + _("The sign + marks the best.")
            said = solution, _("Enter: another puzzle. q: back to the game.")
        self._session.show(
            board, title, replace(positions.observation(position), is_to_act=False), said
        )

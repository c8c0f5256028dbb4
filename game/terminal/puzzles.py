"""Puzzles in a terminal: which comes next, and its board before and after the answer."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

from django.conf import settings
from django.utils.translation import gettext as _

from game.display import positions, puzzle_page
from game.display.boards import BoardView
from game.display.refusals import refusal
from game.engine.actions import CellSpent
from game.engine.chance import SEED_BYTES
from game.engine.geometry import NotACell
from game.engine.observation import Observation
from game.forms import Refused, parse_cell
from game.matches.results import Results
from game.ops.addresses import component_after
from game.ops.languages import words_of
from game.puzzles import pool, progress
from game.puzzles.judge import Verdict, judge
from game.puzzles.pool import Puzzle
from game.puzzles.progress import Answer

_LEAVE = {"", *words_of(settings.LANGUAGE_TABLE, "quit")}


class Puzzles:
    """The puzzles of a session, which follow at the grade that its player solves half of."""

    def __init__(self, seed: bytes | None) -> None:
        self._seed = seed
        self._seen: set[str] = set()
        self._results = Results()

    def choose(self, name: str) -> Puzzle:
        """Returns the puzzle of a name or an address, or without one another; raises Refused."""
        if name:
            found = pool.find(component_after("puzzles/", name))
            if found is None:
                raise Refused(_("There is no such puzzle."))
        else:
            grade = progress.suitable_grade(self._results)
            if self._seed:  # the session repeats on another day
                found = pool.next_one(grade, self._seen, self._seed)
            else:
                seen = self._seen | pool.open_names()
                found = pool.next_one(grade, seen, os.urandom(SEED_BYTES))
        self._seen.add(found.name)
        return found

    def solve(
        self,
        name: str,
        ask: Callable[[str], str],
        say: Callable[[str], None],
        draw: Callable[[Puzzle, Verdict | None], None],
    ) -> None:
        """Draws puzzles and their solutions until the player leaves; raises Refused."""
        while True:
            puzzle, found = self.choose(name), None
            draw(puzzle, None)
            while found is None:
                text = ask("> ").strip()
                if text.lower() in _LEAVE:
                    return
                try:
                    found = self.judged(puzzle, text)
                except (NotACell, CellSpent) as error:
                    say(refusal(error))
            draw(puzzle, found)
            while (text := ask("> ").strip()) != "":
                if text.lower() in _LEAVE:
                    return
                say(_("Enter: another puzzle. q: back to the game."))
            name = ""

    def judged(self, puzzle: Puzzle, text: str) -> Verdict:
        """Returns how good the typed cell is; raises NotACell or CellSpent."""
        found = judge(puzzle.position, parse_cell(puzzle.position.rules.board, text))
        answer = Answer(found.verdict, puzzle.grade, found.cell)
        self._results = progress.with_answer(self._results, puzzle.name, answer)
        return found


def seen_of(puzzle: Puzzle) -> Observation:
    return replace(positions.observation(puzzle.position), is_to_act=False)


def title(puzzle: Puzzle) -> str:
    rules = puzzle.position.rules
    touching = _("Ships may touch here.") if rules.touching else _("Ships never touch here.")
    return f"{positions.sea_title(puzzle.preset, rules)}. {touching}"


def board(puzzle: Puzzle, found: Verdict | None) -> BoardView:
    """Returns the board; after the answer with the chances, and the best cells as chosen."""
    if found is None:
        return positions.question_board(puzzle.position)
    view = positions.solution_board(puzzle.position, found.outlook, found.cell, found.best)
    return view.redrawn(lambda place, cell: cell._replace(is_chosen=place in found.best))


def lines(found: Verdict | None) -> tuple[str, ...]:
    """Returns what is said below the board before and after the answer."""
    if found is None:
        question = puzzle_page.question(None, is_second=False)
        return question, _("Type a cell, or just Enter to go back to the game.")
    said = puzzle_page.solution(found) + " " + _("The sign + marks the best.")
    return said, _("Enter: another puzzle. q: back to the game.")

"""Boards and lists of guesses as the deduction game's pages draw them.

Before the end, the searched board is drawn from the answers alone.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, TypeAlias

from django.utils.translation import gettext as _

from game.display.boards import BoardOf, Hull
from game.display.words import grouped
from game.engine.geometry import Cell
from game.features.deduction.hiding_places import Step, heat, possible
from game.features.deduction.match import Search
from game.features.deduction.rules import Answer, Rules
from game.features.deduction.searchers import Evidence
from game.matches.cell_names import lettered

LEVELS = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
"""The share of places at which each level of heat begins."""


class CellView(NamedTuple):
    """How one cell is drawn, apart from its name."""

    state: str
    """unknown, impossible, ship, sea or hit"""
    is_choice: bool = False
    is_chosen: bool = False
    is_last: bool = False
    is_best: bool = False
    level: int = 0
    """Heat from 1 to 8; 0 if it isn't shown or no ship can be there."""
    percent: int | None = None
    """The percentage of remaining places with a ship here; None if it isn't shown."""

    @property
    def words(self) -> str:
        """The cell's state for screen readers, which follows its name: `, sea`."""
        if self.state == "unknown" and self.level:
            said = [_("ship in %(percent)s of 100 hiding places") % {"percent": self.percent}]
        else:
            states = {
                "unknown": _("unknown"), "impossible": _("no ship possible"), "ship": _("ship"),
                "sea": _("sea"), "hit": _("ship, found"),
            }  # fmt: skip
            said = [states[self.state]]
        if self.is_last:
            said.append(_("guessed"))
        if self.is_best:
            said.append(_("best"))
        return "".join(f", {words}" for words in said)


BoardView: TypeAlias = BoardOf[CellView]


class Warmth(NamedTuple):
    """The number of remaining places, and how many of them have a ship on each cell."""

    left: int
    counts: list[int]

    def percent(self, cell: Cell) -> int:
        """A cell's percentage; only certainty is rounded to 0 or 100."""
        count = self.counts[cell]
        if count in (0, self.left):
            return 100 * count // self.left
        return min(max(round(100 * count / self.left), 1), 99)

    def level(self, cell: Cell) -> int:
        """A cell's heat from 1 to 8, or 0 if no ship can be there."""
        share = self.counts[cell] / self.left
        return bisect_right(LEVELS, share) if share else 0

    def heat(self, cell: Cell) -> dict[str, Any]:
        """The values of a CellView that show a cell's heat."""
        return {"level": self.level(cell), "percent": self.percent(cell)}


def warmth(seen: Evidence) -> Warmth:
    places = possible(*seen)
    return Warmth(len(places), heat(seen.rules, places))


def _drawn(kind: str, rules: Rules, cells: Sequence[CellView]) -> BoardView:
    board = rules.board
    ships = [cell for cell in board.cells if cells[cell].state in ("ship", "hit")]
    hulls = tuple(
        Hull(index, 1, board.column(cell), board.row(cell), False, "afloat", "ship-1")
        for index, cell in enumerate(ships)
    )
    return BoardOf(kind, lettered(board), tuple(cells), hulls, is_plain=True)


def hiding(rules: Rules, chosen: Collection[str] = ()) -> BoardView:
    """The person's own board before the ships are hidden."""
    names = map(rules.board.name, rules.board.cells)
    cells = [CellView("sea", is_choice=True, is_chosen=name in chosen) for name in names]
    return _drawn("own", rules, cells)


def hidden(search: Search, *, warm: bool) -> BoardView:
    """The person's own board, with the computer's last guess and, if `warm`, the heat it sees."""
    known, last = warmth(search.evidence) if warm else None, search.last
    cells = [
        CellView(
            "sea" if cell not in search.place else "hit" if cell in last else "ship",
            is_last=cell in last,
            **known.heat(cell) if known else {},
        )
        for cell in search.rules.board.cells
    ]
    return _drawn("own", search.rules, cells)


def searched(seen: Evidence, *, warm: bool, chosen: Collection[str] = ()) -> BoardView:
    """The board that the person searches, with the cells chosen for a guess."""
    board, known = seen.rules.board, warmth(seen) if warm else None
    last = seen.answers[-1].guess if seen.answers else ()
    cells = [
        CellView(
            "impossible" if known and not known.counts[cell] else "unknown",
            is_choice=True,
            is_chosen=board.name(cell) in chosen,
            is_last=cell in last,
            **known.heat(cell) if known else {},
        )
        for cell in board.cells
    ]
    return _drawn("enemy", seen.rules, cells)


def full_boards(search: Search) -> BoardView:
    """The searched board after the end, with its ships and the last guess."""
    cells = [
        CellView("ship" if cell in search.place else "sea", is_last=cell in search.last)
        for cell in search.rules.board.cells
    ]
    return _drawn("enemy", search.rules, cells)


def judged(rules: Rules, answers: tuple[Answer, ...], step: Step) -> BoardView:
    """The board before a guess of an ended search: the heat, the guess and the best guess."""
    known = warmth(Evidence(rules, answers))
    cells = [
        CellView(
            "unknown" if known.counts[cell] else "impossible",
            is_last=cell in step.guess,
            is_best=cell in step.best,
            **known.heat(cell),
        )
        for cell in rules.board.cells
    ]
    return _drawn("enemy", rules, cells)


def trail(search: Search, *, counted: bool) -> list[dict[str, Any]]:
    """The guesses of a search with feedback and, if `counted`, the places left after each.

    `spots` are the column and the row of each guessed cell, from 0.
    """
    rules, board = search.rules, search.rules.board
    left = remaining(search) if counted else [None] * len(search.guesses)
    return [
        {
            "number": number,
            "names": rules.names(guess),
            "spots": [(board.column(cell), board.row(cell)) for cell in guess],
            **told._asdict(),
            "left": after,
            "left_text": "" if after is None else grouped(after),
        }
        for number, ((guess, told), after) in enumerate(zip(search.answers, left, strict=True), 1)
    ]


def remaining(search: Search) -> list[int]:
    """The number of places left after each guess; 0 after the one that found the ships."""
    rules, answers = search.rules, search.answers
    return [
        0 if answer.feedback == rules.found else len(possible(rules, answers[:number]))
        for number, answer in enumerate(answers, 1)
    ]

"""Questions about the enemy's board, as pages draw and list them."""

from itertools import product
from typing import NamedTuple

from django.utils.translation import gettext as _

from game.engine.actions import Ask, Question
from game.engine.geometry import Cell, cells_of
from game.engine.observation import Observation
from game.matches.cell_names import CellNames
from game.matches.question_chances import yes_before

UNSURPRISING = 95
"""How many of 100 fleets have to give an answer for it to be called no surprise."""


def place_asked(ask: Ask, cell_names: CellNames) -> str:
    """Returns the rectangle of a question: `D4 to E5`, or `D4` for one cell."""
    words = {"first": cell_names.name(ask.first), "last": cell_names.name(ask.last)}
    return _("%(first)s to %(last)s") % words if ask.first != ask.last else words["first"]


def answered(question: Question, cell_names: CellNames) -> str:
    """Returns `Is a ship in D4 to E5? Yes.`"""
    ask, answer = question.ask, _("Yes.") if question.is_yes else _("No.")
    line = _("Is a ship at %(place)s?") if ask.first == ask.last else _("Is a ship in %(place)s?")
    asked = line % {"place": place_asked(ask, cell_names)}
    return f"{asked} {answer}"


def divided(yes: int) -> str:
    """Returns `yes in 46 of 100 fleets`."""
    return _("yes in %(count)s of 100 fleets") % {"count": yes}


def surprise(seen: Observation, question: Question) -> str:
    """Returns `No surprise: 99 of 100 fleets say yes.`; empty if the answer was not so likely."""
    yes = yes_before(seen, question)
    count = yes if question.is_yes else 100 - yes
    if count == 100:
        return _("No surprise: the answer was certain.")
    if count < UNSURPRISING:
        return ""
    said = _("No surprise: %(count)s of 100 fleets say no.")
    if question.is_yes:
        said = _("No surprise: %(count)s of 100 fleets say yes.")
    return said % {"count": count}


class Box(NamedTuple):
    """A question's rectangle, in cells from the top left, with its answer."""

    cells: str
    """`A1 D4`, its upper left and its lower right cell."""
    x: int
    y: int
    columns: int
    rows: int
    is_yes: bool
    words: str
    """`A1 to D4: yes`"""
    step: int = 0
    """In a replay, the step that asks it, from 1."""
    look: str = ""
    """In a replay now or later, in a review best; else empty."""

    @property
    def id(self) -> str:
        return f"box-{self.cells.replace(' ', '-')}"

    @property
    def right(self) -> int:
        """The column of its lower right cell, from the left."""
        return self.x + self.columns - 1

    @property
    def bottom(self) -> int:
        return self.y + self.rows - 1

    @property
    def handles(self) -> dict[str, str]:
        return {"question": self.cells, "answer": "yes" if self.is_yes else "no"}


def box(question: Question, cell_names: CellNames) -> Box:
    board = cell_names.board
    first, last = question.ask.first, question.ask.last
    words = _("%(place)s: yes") if question.is_yes else _("%(place)s: no")
    x, y = board.column(first), board.row(first)
    return Box(
        f"{board.name(first)} {board.name(last)}",
        x, y, board.column(last) - x + 1, board.row(last) - y + 1,
        question.is_yes, words % {"place": place_asked(question.ask, cell_names)},
    )  # fmt: skip


def boxes(seen: Observation, cell_names: CellNames) -> tuple[Box, ...]:
    """Returns the rectangles that the observer has asked about."""
    return tuple(box(question, cell_names) for question in seen.asked)


def ruled_out(seen: Observation) -> frozenset[Cell]:
    """The cells in which the answers No leave no ship."""
    return frozenset(cells_of(seen.without_ships))


def first_box(seen: Observation) -> Ask:
    """The question that is offered first: two by two cells as near to the middle as tell anything.

    It is in the middle if no such question is left.
    """
    board, known = seen.board, seen.spent | ruled_out(seen)
    corners = sorted(
        product(range(board.rows - 1), range(board.columns - 1)),
        key=lambda at: abs(2 * at[0] - board.rows + 2) + abs(2 * at[1] - board.columns + 2),
    )
    boxes = [Ask(board.cell(x, y), board.cell(x + 1, y + 1)) for y, x in corners]
    asked = {question.ask for question in seen.asked}
    new = (
        box
        for box in boxes
        if box not in asked and not known.issuperset(cells_of(board.rectangle(box.first, box.last)))
    )
    return next(new, boxes[0])


def form_words() -> dict[str, str]:
    """The question with placeholders, which a script fills in: of a rectangle, and of one cell."""
    place = _("%(first)s to %(last)s") % {"first": "{first}", "last": "{last}"}
    return {
        "box_words": _("Is a ship in %(place)s?") % {"place": place},
        "cell_words": _("Is a ship at %(place)s?") % {"place": "{first}"},
    }

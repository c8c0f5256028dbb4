"""The question before a shot at a wreck, which ships may cross where they move.

Forms of the match's page ask for it by a field; without the field a shot is fired. A cookie says in
which matches the browser was asked.
"""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpResponse

from game.display.boards import enemy_board
from game.display.match_view import asking
from game.display.unfinished import mark_of
from game.engine.observation import observe
from game.forms import parse_cell
from game.matches.saved import SavedMatch
from game.views.answers import HtmxRequest, Page, show, swaps
from game.views.cookies import asked_wrecks, keep_asked

_FIELD = "wreck"


def wreck_field(request: HtmxRequest, saved: SavedMatch) -> str:
    """The field's value in a page's forms: `asked` if the browser was asked, else `ask`.

    It is empty where ships don't move.
    """
    if not saved.match.ruleset.moving:
        return ""
    return "asked" if _is_asked(request, saved) else "ask"


class WreckQuestion(NamedTuple):
    """The cell of a wreck that is to be asked about, and whether the ship was sunk this turn."""

    cell: str
    is_new: bool


def wreck_question(request: HtmxRequest, saved: SavedMatch) -> WreckQuestion | None:
    """The question of a page that asks before it fires; None if the form isn't to be asked about.

    It is about what the enemy's board shows as a wreck. Without a script it is asked each time: the
    page with the question is then the answer to the shot, and a reload sends that again. Raises
    NotACell.
    """
    fields = request.POST
    if _FIELD not in fields or "cell" not in fields:
        return None
    if swaps(request) and _is_asked(request, saved):
        return None
    seen = observe(saved.match, saved.viewer)
    cell = parse_cell(seen.board, fields["cell"])
    row, column = divmod(cell, seen.board.columns)
    drawn = enemy_board(seen).rows[row][column]
    if drawn.state != "sunk" or drawn.is_off or not drawn.is_target:
        return None
    is_new = seen.marks[cell].turn == seen.turn
    return WreckQuestion(seen.board.name(cell), is_new)


def show_asking(
    request: HtmxRequest, saved: SavedMatch, page: Page, question: WreckQuestion
) -> HttpResponse:
    """The page with the question, in whose match the browser now has been asked."""
    view = page.view and asking(page.view, question.cell)
    response = show(request, page._replace(view=view).having(is_wreck_new=question.is_new))
    keep_asked(request, response, mark_of(saved.match.seed))
    return response


def _is_asked(request: HtmxRequest, saved: SavedMatch) -> bool:
    return mark_of(saved.match.seed) in asked_wrecks(request)

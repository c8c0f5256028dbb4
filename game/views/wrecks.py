"""The question before a shot at a wreck, which ships may cross where they move.

Forms of the match's page ask for it by a field; without the field a shot is fired. A cookie says in
which matches the browser was asked.
"""

from django.http import HttpRequest, HttpResponse

from game.display.boards import enemy_board
from game.display.match_view import asking
from game.display.unfinished import mark_of
from game.matches.saved import SavedMatch
from game.views.page import Page
from game.views.requests import HtmxRequest, swaps
from game.web.forms import cell_in
from game.web.memory import Memory

_FIELD = "wreck"
_MOST_MARKS = 5
ASKED = Memory[tuple[str, ...]]("wrecks", (), list, tuple, seconds=30 * 24 * 60 * 60)
"""The marks of the newest matches in which the browser was asked."""


def wreck_field(request: HtmxRequest, saved: SavedMatch) -> str:
    """The field's value in a page's forms: `asked` if the browser was asked, else `ask`.

    It is empty where ships don't move.
    """
    if not saved.match.ruleset.moving:
        return ""
    return "asked" if mark_of(saved.match.seed) in ASKED.read(request) else "ask"


def wreck_question(request: HtmxRequest, saved: SavedMatch) -> str:
    """The name of a wreck's cell, if the page asks before it fires there; else nothing.

    It is about what the enemy's board shows as a wreck. Without a script it is asked each time: the
    page with the question is then the answer to the shot, and a reload sends that again. Raises
    NotACell.
    """
    fields = request.POST
    if _FIELD not in fields or "cell" not in fields:
        return ""
    if swaps(request) and mark_of(saved.match.seed) in ASKED.read(request):
        return ""
    seen, cell_names = saved.seen, saved.setup.cell_names
    cell = cell_in(cell_names, fields, "cell")
    drawn = enemy_board(seen, cell_names).cells[cell]
    may_fire = seen.outcome is None and seen.is_to_act and seen.shots_left and cell in seen.targets
    if drawn.state != "sunk" or not may_fire:
        return ""
    return seen.board.name(cell)


def asking_page(saved: SavedMatch, page: Page, cell: str) -> Page:
    """The page with the question whether to fire there."""
    seen = saved.seen
    at = seen.board.parse(cell)
    return page._replace(view=page.view and asking(page.view, cell)).having(
        is_wreck_new=seen.marks[at].turn == seen.turn, wreck_name=saved.setup.cell_names.name(at)
    )


def keep_asked(request: HttpRequest, response: HttpResponse, saved: SavedMatch) -> None:
    """Has the browser remember that it was asked in the match."""
    mark = mark_of(saved.match.seed)
    marks = (*(other for other in ASKED.read(request) if other != mark), mark)
    ASKED.keep(request, response, marks[-_MOST_MARKS:])

"""What all pages of a match have in common, before, during and after it."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from game.display.match_history import EVERY_SHOT
from game.display.match_view import Action, MatchView, game_of
from game.display.messages import Status
from game.display.names import player_names
from game.engine.rules import Side
from game.matches.setup import Setup
from game.views.hooks import Additions
from game.views.page import Page
from game.views.preferences import Preferences, preferences_of
from game.views.requests import HtmxRequest
from game.web.page_json import is_in_json

BOARDS = ("game/boards.js",)
DRAWERS = "shots", "fair"


class Visit(NamedTuple):
    """A request for a page of a match, its visitor, and what the last page has shown."""

    request: HtmxRequest
    visitor: Preferences
    """The preferences, which may be newer than the request's."""
    shots_already_shown: int | None = None
    """None if that is not known."""

    @classmethod
    def of(cls, request: HtmxRequest) -> Visit:
        return cls(request, preferences_of(request))

    @property
    def quiet(self) -> Visit:
        """The same visit, to which no shot is news."""
        return self._replace(shots_already_shown=EVERY_SHOT)

    @property
    def look(self) -> str:
        """The part of the page that the query asks for, such as the `own` board."""
        return self.request.GET.get("look", "")

    @property
    def opens_drawer(self) -> bool:
        """Whether the query asks for what stands in a drawer, which the page comes without."""
        return self.look in DRAWERS and not is_in_json(self.request)


def match_page(
    name: str,
    view: MatchView,
    additions: Additions | None = None,
    *,
    styles: tuple[str, ...] = ("game/match.css",),
    scripts: tuple[str, ...] = BOARDS,
    **extras: Any,
) -> Page:
    """A page of a match or a draft, with the template `game/_NAME.html` or of a feature's path.

    `additions` are what features have added to the view, and `extras` are what only the HTML shows.
    """
    setup = view.setup
    styles += setup.cell_names.styles
    for added in (additions or {}).values():
        styles, scripts = styles + added.styles, scripts + added.scripts
    if setup.is_solo:
        styles = (*styles, "game/solo.css")
    if setup.preset.has_radar:
        styles = (*styles, "game/radar.css")
    if setup.ruleset.questions:
        styles = (*styles, "game/ask.css")
    if setup.day is not None:
        scripts = (*scripts, "game/days.js")
    elif setup.is_shared:
        scripts = (*scripts, "game/curtain.js")
    body = name if "/" in name else f"game/_{name}.html"
    values = {"body": body, "styles": styles, "scripts": scripts, **extras}
    return Page(view.address, "game", values, view)


def simple_page(
    name: str, setup: Setup, address: str, *, title: str, status: str, action: str, turn: int = 0
) -> Page:
    """A page of a match without boards, with one button of that value."""
    view = MatchView(
        phase="handover",
        turn=turn,
        setup=setup.public,
        title=title,
        address=address,
        game=game_of(setup),
        status=Status(status),
        actions={"act": Action(address, (("action", action),))},
    )
    return match_page(name, view)


def curtain(
    setup: Setup, side: Side, where: str, *, status: str, turn: int = 0, is_placing: bool = False
) -> Page:
    """The page that tells two persons at one device to change places; `side` is the next one."""
    title = _("Change places")
    page = simple_page(
        "curtain", setup, where, title=title, turn=turn, status=status or title, action="show"
    )
    return page.having(next=player_names(setup)[side], is_placing=is_placing)

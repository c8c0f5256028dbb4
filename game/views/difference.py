"""Answers that hold only what differs from the page whose form was sent.

The page tells by its mark what it shows: `Battleship-Page: 5c01d3b2`.
"""

from collections.abc import Callable
from zlib import crc32

from game.views.page import Page
from game.views.preferences import Preferences
from game.views.requests import HtmxRequest
from game.web.page_json import is_in_json
from game.web.versions import own_mark

HEADER = "Battleship-Page"


def marked(page: Page, visitor: Preferences) -> Page:
    """The page of a match that goes on with its mark, if it shows what its address gives.

    A page with a question, a refusal or another look has none, so its forms get whole pages.
    """
    view = page.view
    assert view is not None  # noqa: S101 (it is a match)
    shown = (own_mark(), view.turn, view.shots.count, page.values["wreck_field"], visitor)
    return page.having(mark=f"{crc32(repr(shown).encode()):08x}")


def since(
    request: HtmxRequest, before: Callable[[], Page], visitor: Preferences, page: Page
) -> Page:
    """The page, to be rendered as what differs from the page before if the browser shows that.

    The coach changes almost every cell, and thinks for each page.
    """
    sent, view = request.headers.get(HEADER), page.view
    if not sent or is_in_json(request) or (view and view.setup.assists.coach):
        return page
    shown = marked(before(), visitor)
    return page.having(page_before=shown.context) if shown.values["mark"] == sent else page

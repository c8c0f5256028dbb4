"""Shared matches for tests of all pages and requests."""

from collections.abc import Iterator

from django.urls import reverse

from bench.requests import LATE, Request, late
from game.engine.rules import Side
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_match, seal_replay
from tests.support.matches import address, begun, opening, sea_sunk, won

PAGES = {
    "share": lambda: address(won(), page="share"),
    "elsewhere": lambda: address(begun(), page="elsewhere"),
    "daily, share": lambda: address(sea_sunk(), page="share"),
}
PANELS = [lambda: address(opening(), page="elsewhere"), lambda: address(won(), page="share")]
ENDED_PAGES = ("share",)
ANY_PAGES = ("elsewhere",)
"""The path components of pages of an ended match, and of any."""
PATHS = ("share/T/", "film/T/card.png", "elsewhere/T/")
FUZZED = {
    "two persons, given up": "share/{}/",
    "bonn": "elsewhere/{}/",
    "replay": "film/{}/card.png",
}
"""The page at which each of these samples is asked for."""
FORMS = ((won, "#act-share"),)


def requests(_saved: SavedMatch) -> Iterator[Request]:
    """A result, cards, the best moment, and a match with the longest code."""
    for what in LATE:
        saved = late(what)
        over = saved.resigned(Side.FIRST)
        yield Request("share", what, reverse("share", args=[seal_match(over)]))
        for name in ("card", "moment", "moment_card"):
            yield Request(name, what, reverse(name, args=[seal_replay(over)]))
        yield Request("elsewhere", what, reverse("elsewhere", args=[seal_match(saved)]))

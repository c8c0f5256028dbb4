"""Seas of a day, for tests of all pages and requests."""

from collections.abc import Iterator

from django.urls import reverse

from bench.requests import Request
from game.matches.saved import SavedMatch
from tests.support.matches import sea, sea_sunk

PAGES = {
    "today": "today/",
    "daily": sea,
    "daily, over": sea_sunk,
    "daily, refused": "daily/?day=2000-01-01",
}
PATHS = ("daily/", "daily/2026-11-24/", "daily/?day=2026-12-01")
ENDS = [(sea_sunk, [".next-sea"])]
BELOW_A_PATH = ["tests/daily/test_seas.py"]
STATES = ("daily", "daily, over")
BOARDS = ("daily",)
BEGUN = {"today's sea": ("daily/", None)}
PANELS = [lambda: "/en/today/"]
ON_ABOUT = {"sea-": "the games of a day"}


def requests(_saved: SavedMatch) -> Iterator[Request]:
    for name in ("today", "daily", "any_daily", "daily_links"):
        yield Request(name, "GET", reverse(name))
    for name in ("past_day", "any_past_day"):
        yield Request(name, "not of the chain", reverse(name, args=["1990-01-01"]))

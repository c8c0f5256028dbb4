"""Seas of a day, for tests of all pages and requests."""

from collections.abc import Iterator
from datetime import date

from django.urls import reverse

from bench.requests import Request
from game.engine.rules import Side
from game.matches import daily
from game.matches.saved import SavedMatch
from tests.support.day_games import Form, Game
from tests.support.matches import enemy_ships, saved_at, sea, sea_sunk, waters

PAGES = {
    "today": "today/",
    "daily": sea,
    "daily, over": sea_sunk,
    "daily, refused": "daily/?day=2000-01-01",
}
PATHS = ("daily/", "daily/2026-11-24/", "daily/?day=2026-12-01")
ENDS = [(sea_sunk, [".next-sea"])]
STATES = ("daily", "daily, over")
BEGUN = {"today's sea": ("daily/", None)}
PANELS = [lambda: "/en/today/"]
ON_ABOUT = {"sea-": "the sea of a day"}
ONLY_ITS_OWN = ("a new sea", "sea of a day", "today’s sea")


class _Sea(Game):
    """Today's sea."""

    def saved_at(self, where: str) -> SavedMatch:
        return saved_at(where)

    def seed_name(self, day: date) -> str:
        return daily.preset_of(day)

    def marks(self, where: str) -> tuple[str, ...]:
        return tuple(self.saved_at(where).setup.assists.used)

    def misses(self, where: str, count: int = 1) -> list[Form]:
        return [{"cell": cell} for cell in waters(saved_at(where).match, Side.SECOND)[:count]]

    def finish(self, where: str) -> list[Form]:
        return [{"cell": cell} for cell in enemy_ships(where)]


DAY_GAMES = {
    "sea": _Sea(
        page="daily/",
        front="",
        cookie="sea-",
        purpose="play",
        sentence={
            "en": "There is no sea for that day now.",
            "de": "Für diesen Tag gibt es gerade kein Meer.",
        },
        give_up={"action": "resign-yes"},
        helps={"hints": "hints", "coach": "coach"},
        back=("back",),
    )
}


def requests(_saved: SavedMatch) -> Iterator[Request]:
    for name in ("today", "daily", "any_daily", "daily_links"):
        yield Request(name, "GET", reverse(name))
    for name in ("past_day", "any_past_day"):
        yield Request(name, "not of the chain", reverse(name, args=["1990-01-01"]))

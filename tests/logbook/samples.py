"""Logbooks for tests, and what shared tests find of them."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import reduce
from typing import Any

from django.urls import reverse

from bench.requests import Request
from game.engine.presets import PRESETS
from game.features.logbook.cookie import LOGBOOK, MOST_IN_COOKIE
from game.features.logbook.model import Cell, Count, Ended, Logbook, mark_of, seal, unseal
from game.features.logbook.views import MOST_FORM
from game.matches import daily
from game.matches.day_results import DayResult
from game.matches.saved import SavedMatch
from game.players.registry import CODES

SEA, DEDUCTION, FIVE = KINDS = range(3)
"""The kinds of games of a day."""

PATHS = ("logbook/", "logbook/bring/T/")
CALENDARS = ("logbook/", "logbook/?month=2026-11")
"""The pages with a calendar that has links to past days."""
KEPT = [(LOGBOOK, ("play",))]
"""The cookies that these pages may set."""
PANELS = [lambda: "/en/logbook/"]
FORMS = [("/en/logbook/", "#act-forget")]
"""Pages with a form, and what is pressed there."""
ON_ABOUT = {LOGBOOK: "your logbook"}
"""What the page about the game says of each cookie."""
ONLY_ITS_OWN = ("logbook",)
LONG_FORMS = {"/en/logbook/": ("action=bring&text=", MOST_FORM)}
"""Pages whose forms may be longer than others: how such a form begins, and its most bytes."""
GOLDEN_FORMS = {"logbook": (seal, unseal)}
OWN_SEALS = ("logbook",)
"""The samples that are compressed, which depends on zlib's version, and sealed by another key."""


def golden() -> dict[str, Any]:
    day = date(2026, 11, 22)
    days = (
        DayResult(day, SEA, 31, 38), DayResult(day, DEDUCTION, 9, 0),
        DayResult(day, FIVE, 2, 0, is_helped=True),
        DayResult(date(2026, 12, 24), SEA, 64, 40, is_sunk=False),
    )  # fmt: skip
    mark, cell = mark_of(bytes(16)), Cell(1, 6)
    book = reduce(Logbook.with_day, days, Logbook())
    book = book.with_match(Ended((mark,), cell, 44, is_won=True), drawn=b"abc")
    return {"logbook": book.with_skill(mark, cell, 71)}


def _book(**results: Count) -> Logbook:
    """A logbook with the results against these ranks in "Moving fleets"."""
    cells = {Cell(PRESETS["bonn"].code, CODES[rank]): count for rank, count in results.items()}
    return Logbook(devices={b"one": cells}, device=b"one")


def _kept(book: Logbook) -> dict[str, str]:
    return {LOGBOOK: seal(book, MOST_IN_COOKIE)}


AT_A_LOSS = [
    (lambda: _kept(_book(recruit=Count(9, 3))), [".rivals small"]),
    (lambda: _kept(_book(lieutenant=Count(5))), [".rivals small"]),
]
"""Cookies with which a match against the lieutenant is lost, and what its card shows then."""


def day_cookies() -> dict[str, str]:
    """Cookies with the longest that the row of today's games can say."""
    today = daily.now().date()
    days = (
        DayResult(today - timedelta(1), FIVE, 1, 1), DayResult(today, FIVE, 2, 1),
        DayResult(today, SEA, 64, 40, is_sunk=False), DayResult(today, DEDUCTION, 12, 5),
    )  # fmt: skip
    return _kept(reduce(Logbook.with_day, days, Logbook()))


def fullest_cookie() -> str:
    """A cookie with which pages are longest."""
    days = (
        DayResult(date(2026, 1, 1) + timedelta(at), SEA, 20 + at * at % 61, 9 + at % 50)
        for at in range(1500)
    )
    ((name, text),) = _kept(reduce(Logbook.with_day, days, Logbook())).items()
    return f"{name}={text}"


def longest_cookies() -> dict[str, str]:
    return {LOGBOOK: "A" * MOST_IN_COOKIE}


def requests(_saved: SavedMatch) -> Iterator[Request]:
    yield Request("logbook", "GET", reverse("logbook"))
    yield Request("bring", "no logbook", reverse("bring", args=["x" * 4000]))

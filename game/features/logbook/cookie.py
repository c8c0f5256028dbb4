"""The cookie of the logbook, and what is written into it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from game.features.logbook import counting, model
from game.features.logbook.model import Logbook, is_a_day
from game.matches import daily
from game.matches.day_results import DayResult
from game.matches.keyring import BadToken
from game.matches.saved import SavedMatch
from game.players.registry import Proposed
from game.responses import set_cookie
from game.views.preferences import COOKIE_AGE

LOGBOOK = "logbook"
MOST_IN_COOKIE = 3_150
"""The longest logbook: all cookies of a request together stay below 6,000 bytes."""


def book_in(text: str) -> Logbook | None:
    """The logbook of a text: an empty one for an empty text, and None for a bad one."""
    try:
        return model.unseal(text) if text else Logbook()
    except BadToken:
        return None


def readable_book(request: HttpRequest) -> Logbook | None:
    return book_in(request.COOKIES.get(LOGBOOK, ""))


def kept_book(request: HttpRequest) -> Logbook:
    """The browser's logbook; an empty one without a cookie or for a bad one."""
    return readable_book(request) or Logbook()


def keep_book(request: HttpRequest, response: HttpResponse, book: Logbook) -> None:
    """Has the browser keep the logbook, unless it does already."""
    if book != kept_book(request):
        set_book(request, response, book)


def set_book(request: HttpRequest, response: HttpResponse, book: Logbook) -> None:
    """Has the browser keep the logbook for another year, without what has no room."""
    text = model.seal(book, MOST_IN_COOKIE)
    set_cookie(request, response, LOGBOOK, text, COOKIE_AGE)


def drop_book(response: HttpResponse) -> None:
    response.delete_cookie(LOGBOOK, samesite="Lax")


def keep_match(
    request: HttpRequest, response: HttpResponse, saved: SavedMatch, _token: str
) -> None:
    """Has the browser's logbook count an ended match."""
    keep_book(request, response, counting.with_match(kept_book(request), saved))


def keep_day(request: HttpRequest, response: HttpResponse, result: DayResult) -> None:
    """Has the browser's logbook keep the result of a game of the day that is no match."""
    if daily.is_offered() and is_a_day(result):
        keep_book(request, response, kept_book(request).with_day(result))


def keep_skill(request: HttpRequest, response: HttpResponse, saved: SavedMatch, skill: int) -> None:
    keep_book(request, response, counting.with_skill(kept_book(request), saved, skill))


def proposed(request: HttpRequest, saved: SavedMatch) -> Proposed | None:
    """The rank that suits the player after a match, which the logbook may not have yet."""
    return counting.proposed(counting.with_match(kept_book(request), saved), saved)

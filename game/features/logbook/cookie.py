"""The cookie of the logbook, and what it counts of the matches that one person has played here."""

import os

from django.http import HttpRequest, HttpResponse

from game.feature import PageAddition
from game.features.logbook import model
from game.features.logbook.model import Cell, Ended, Logbook, is_a_day, mark_of
from game.features.logbook.rank import proposed_rank
from game.matches import daily
from game.matches.day_results import SEA, DayResult
from game.matches.keyring import BadToken
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.players.registry import CODES
from game.web.memory import YEAR
from game.web.responses import set_cookie

LOGBOOK = "logbook"
MOST_IN_COOKIE = 1_900
"""The longest logbook in characters, for about 400 days: all cookies fit into a header of 8 kB."""


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
    set_cookie(request, response, LOGBOOK, text, YEAR)


def keep_match(request: HttpRequest, response: HttpResponse, saved: SavedMatch) -> None:
    """Has the browser's logbook count an ended match."""
    keep_book(request, response, with_match(kept_book(request), saved))


def keep_day(request: HttpRequest, response: HttpResponse, result: DayResult) -> None:
    """Has the browser's logbook keep the result of a game of the day that is no match."""
    if daily.is_offered() and is_a_day(result):
        keep_book(request, response, kept_book(request).with_day(result))


def keep_skill(request: HttpRequest, response: HttpResponse, saved: SavedMatch, skill: int) -> None:
    """Has the browser's logbook keep the skill in a match that it has, from 0 to 100."""
    if _counts(saved):
        mark, cell = mark_of(saved.match.seed), _cell(saved.setup)
        keep_book(request, response, kept_book(request).with_skill(mark, cell, skill))


def ended(request: HttpRequest, saved: SavedMatch) -> PageAddition | None:
    """Proposes the rank that suits the player after a match, which the logbook may not have yet."""
    if not _counts(saved) or saved.setup.is_solo:
        return None
    book = with_match(kept_book(request), saved)
    proposed = proposed_rank(book, saved.setup.preset.name)
    return PageAddition(proposed=proposed) if proposed else None


def with_match(book: Logbook, saved: SavedMatch) -> Logbook:
    """The logbook with a match that has ended, if one person played it here."""
    match, setup = saved.match, saved.setup
    if not _counts(saved) or match.outcome is None:
        return book
    shots = len(saved.seen.counted)
    if not shots:  # given up before it had begun
        return book
    is_won, day, par = match.outcome.winner is setup.person, None, saved.par and saved.par.shots
    if setup.day is not None and not setup.is_late:
        result = DayResult(setup.day.date, SEA, shots, par or 0, is_won, bool(setup.assists.used))
        day = result if is_a_day(result) else None
    # A player who goes back to the placing page after the end knows the server's share of the seed
    # and could choose their own to suit. Such a match has another seed, so its skill isn't counted
    # either.
    shares = [bytes.fromhex(setup.seed_shares.server)] if setup.seed_shares else []
    marks = tuple(map(mark_of, (*shares, match.seed)))
    is_drawn = match.outcome.winner is None
    ended = Ended(marks, _cell(setup), shots, is_won, is_drawn, day)
    return book.with_match(ended, os.urandom(model.ID_BYTES))


def _counts(saved: SavedMatch) -> bool:
    """Whether a logbook keeps the match: it is over, of one person, at this device."""
    setup, is_over = saved.setup, saved.match.outcome is not None
    is_single = len(setup.persons) == 1 and not setup.remote
    return is_over and is_single and daily.is_offered()


def _cell(setup: Setup) -> Cell:
    return Cell(setup.preset.code, 0 if setup.is_solo else CODES.get(setup.opponent, 0))

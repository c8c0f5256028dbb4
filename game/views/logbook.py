"""The logbook's page, and the cookie that keeps it.

The cookie holds as much as a cookie can. A script keeps the whole logbook in the browser's own
storage and sends it along as `kept`, so that the page shows everything; see static/game/logbook.js.
"""

from __future__ import annotations

import os
import re
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import replace_url

from game.display.logbook import HEIGHT, WIDTH, logbook_view
from game.engine.observation import observe
from game.matches import daily, pasted
from game.matches.keyring import BadToken
from game.matches.logbook import (
    ID_BYTES,
    Cell,
    Day,
    Ended,
    Kind,
    Logbook,
    is_a_day,
    is_offered,
    mark_of,
    seal,
    streak,
    unseal,
)
from game.matches.rank_proposal import Proposed, proposed_rank
from game.matches.review import Review
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.players.registry import CODES
from game.responses import SwitchedOff, set_cookie
from game.views import images
from game.views.answers import (
    HtmxRequest,
    address_elsewhere,
    safe_token_view,
    see_other,
    token_view,
)
from game.views.daily import chain_or_404
from game.views.preferences import COOKIE_AGE
from game.views.results import COOKIE as RESULTS

COOKIE = "logbook"
OF_DAYS = ("sea-", "deduction-")
"""How the names of the cookies begin that keep what is open of each day."""
MOST_IN_COOKIE = 3_150
"""The longest text in the cookie: all cookies of a request together stay below 6,000 bytes."""
MOST_FORM = 160 * 1024
"""The longest form, in bytes: what is kept, a pasted text and their names. Proxies refuse more."""
MOST_ADDRESS = 4000
"""The longest address: servers take request lines of 4,094 characters."""
MOST_IN_CODE = 1200
"""The longest address as a QR code, in characters: a phone reads 117 modules off another's screen,
and not the 177 that fit the most."""
FILE = "battleship-logbook.txt"


def keep_match(request: HttpRequest, response: HttpResponse, saved: SavedMatch) -> None:
    """Has the device keep a match that has ended, if one person played it here.

    If a day's par is counted later, a second call adds it.
    """
    if not _counts(saved):
        return
    before = kept_book(request)
    _keep(request, response, before, _with_match(before, saved))


def keep_skill(
    request: HttpRequest, response: HttpResponse, saved: SavedMatch, found: Review
) -> None:
    """Has the device keep the skill in a match that it has kept, once its review is known."""
    if not _counts(saved):
        return
    skill = found.accounts[saved.setup.person].skill
    before = kept_book(request)
    if skill is not None:
        book = before.with_skill(mark_of(saved.match.seed), _cell(saved.setup), round(skill))
        _keep(request, response, before, book)


def proposed(request: HttpRequest, saved: SavedMatch) -> Proposed | None:
    """The rank that suits the player after this match."""
    if not _counts(saved) or saved.setup.is_solo:
        return None
    return proposed_rank(_with_match(kept_book(request), saved), saved.setup.preset.name)


def is_ended(request: HttpRequest, day: date, kind: Kind) -> bool:
    """Whether this device has ended a game of the day."""
    return any(entry[:2] == (day, kind) for entry in kept_book(request).days)


def days_in_a_row(request: HttpRequest, saved: SavedMatch) -> int:
    """How many days in a row this device has played, with the match of a day that it has ended."""
    book = _with_match(kept_book(request), saved)
    oldest = daily.open_days(daily.now())[0]
    return streak((day.date for day in book.days), oldest).now if is_offered() else 0


def _counts(saved: SavedMatch) -> bool:
    """Whether a logbook keeps the match: it has ended, and one person played it at this device."""
    setup, is_over = saved.setup, saved.match.outcome is not None
    is_single = len(setup.persons) == 1 and not setup.remote
    return is_over and is_single and is_offered()


def _mark(saved: SavedMatch) -> bytes:
    """Identifies a match among those that are counted.

    If the seed has two shares, it is the server's: a player who goes back to the placing page
    after the end knows that share and could choose their own to suit. Such a match has another
    seed, so its skill isn't counted either.
    """
    seed_shares = saved.setup.seed_shares
    return mark_of(bytes.fromhex(seed_shares.server) if seed_shares else saved.match.seed)


def _cell(setup: Setup) -> Cell:
    return Cell(setup.preset.code, 0 if setup.is_solo else CODES.get(setup.opponent, 0))


def _with_match(book: Logbook, saved: SavedMatch) -> Logbook:
    match, setup = saved.match, saved.setup
    shots = len(observe(match, setup.person).counted)
    if not _counts(saved) or match.outcome is None or not shots:  # or given up before it had begun
        return book
    is_won, day, par = match.outcome.winner is setup.person, None, saved.par and saved.par.shots
    if setup.day is not None and not setup.is_late:
        date_of = setup.day.date
        result = Day(date_of, Kind.SEA, shots, par or 0, is_won, bool(setup.assists.used))
        day = result if is_a_day(result) else None
    is_drawn = match.outcome.winner is None
    ended = Ended(
        _mark(saved), _cell(setup), shots, is_won=is_won, is_drawn=is_drawn, day=day,
        seed_mark=mark_of(match.seed) if setup.seed_shares else None,
    )  # fmt: skip
    book = book.with_match(ended, os.urandom(ID_BYTES))
    # The page may be left before par is counted, so the day was kept without it.
    return book.with_par(day) if day is not None and par else book


def keep_deduction(
    request: HttpRequest,
    response: HttpResponse,
    *,
    day: date,
    guesses: int,
    par: int,
    is_found: bool = True,
    is_helped: bool = False,
) -> None:
    keep_day(request, response, Day(day, Kind.DEDUCTION, guesses, par, is_found, is_helped))


def keep_day(request: HttpRequest, response: HttpResponse, result: Day) -> None:
    """Has the device keep the result of a day of deduction or of five shots."""
    if is_offered() and is_a_day(result):
        before = kept_book(request)
        _keep(request, response, before, before.with_day(result))


def kept_book(request: HttpRequest) -> Logbook:
    """The logbook of the cookie; an empty one without a cookie or for a bad one."""
    return _opened(request.COOKIES.get(COOKIE, "")) or Logbook()


def _opened(text: str) -> Logbook | None:
    """An empty logbook for an empty text, and None for a bad one."""
    try:
        return unseal(text) if text else Logbook()
    except BadToken:
        return None


def _keep(request: HttpRequest, response: HttpResponse, before: Logbook, book: Logbook) -> None:
    if book != before:
        _set_cookie(request, response, book)


def _set_cookie(request: HttpRequest, response: HttpResponse, book: Logbook) -> None:
    """The cookie for another year. No script reads it: the page hands scripts what they keep."""
    set_cookie(request, response, COOKIE, seal(book, MOST_IN_COOKIE), COOKIE_AGE)


@token_view
def logbook(request: HtmxRequest) -> HttpResponse:
    _see_it_is_offered()
    if request.method == "POST":
        return _answer(request)
    book = _opened(request.COOKIES.get(COOKIE, ""))
    if book is None:
        refused = _("The logbook on this device can’t be read. A new one begins.")
        return _page(request, Logbook(), refused=refused)
    told = _has_been_added(request.GET.get("brought", ""))
    response = _page(request, book, told=told, is_whole=True)
    _keep(request, response, Logbook(), book)
    return response


@safe_token_view
def bring(request: HtmxRequest, token: str) -> HttpResponse:
    """Offers to add another device's logbook to this one; the page itself changes nothing."""
    _see_it_is_offered()
    brought = _opened(token)
    if brought is None:
        return _page(request, kept_book(request), refused=_no_logbook(), status=422)
    return _page(request, brought, offered=token)


def _no_logbook() -> str:
    return _("This is not a logbook of this site, or a part of it is missing. Nothing has changed.")


def _has_been_added(how: str) -> str:
    """The sentence after a logbook was added: whole (`on`), or what a cookie holds (`part`)."""
    match how:
        case "on":
            return _("The logbook has been added to yours.")
        case "part":
            return _(
                "The logbook has been added to yours, but its oldest days have no room in the "
                "cookie. Keep the file."
            )
    return ""


def _see_it_is_offered() -> None:
    if not is_offered():
        raise SwitchedOff(_("Logbooks are switched off on this site."))


def _answer(request: HtmxRequest) -> HttpResponse:
    # Ten years of days are more than the site's other forms may have, so it reads the body itself.
    form, book = QueryDict(request.read(MOST_FORM)), kept_book(request)
    match form.get("action"):
        case "forget":
            return _forgotten(request)
        case "anew":
            return _gone_on(request, book)
    kept = _opened(form.get("kept", ""))
    is_whole = kept is not None  # what can't be read is not overwritten
    kept = kept or Logbook()
    # If the cookie was lost, the device keeps the identity in what it sent.
    whole = kept if book.is_empty else book.merged(kept)
    match form.get("action"):
        case "save":
            return _file(whole)
        case "bring":
            return _brought(request, whole, form.get("text", ""), is_whole=is_whole)
        case "carry":
            carried = _carried(request, whole)
            return _page(request, whole, is_whole=is_whole, carried=carried)
    if not is_whole:
        refused = _("Older days that this device kept can’t be read.")
        return _page(request, whole, refused=refused, is_stuck=True, status=422)
    response = _page(request, whole, is_whole=True)
    _keep(request, response, book, whole)
    return response


def _gone_on(request: HtmxRequest, book: Logbook) -> HttpResponse:
    """The page with the cookie's logbook, which a script stores in place of an unreadable one."""
    told = _("The logbook goes on with what can be read.")
    response = _page(request, book, told=told, is_whole=True, is_forgotten=book.is_empty)
    if _opened(request.COOKIES.get(COOKIE, "")) is None:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response


def _brought(request: HtmxRequest, book: Logbook, text: str, *, is_whole: bool) -> HttpResponse:
    """The response with the union of a text and the logbook: a page for htmx, else a redirect."""
    token = pasted.token_in(text)
    brought = _opened(token)
    if not token or brought is None:
        return _page(request, book, refused=_no_logbook(), status=422)
    whole = book.merged(brought)
    if request.htmx:
        response = _page(request, whole, told=_has_been_added("on"), is_whole=is_whole)
    else:
        is_all = unseal(seal(whole, MOST_IN_COOKIE)) == whole
        response = see_other(f"{reverse('logbook')}?brought={'on' if is_all else 'part'}")
    _set_cookie(request, response, whole)
    return response


def _file(book: Logbook) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{FILE}"', "Cache-Control": "no-store"}
    content_type = "text/plain; charset=utf-8"
    return HttpResponse(f"{seal(book)}\n", content_type=content_type, headers=headers)


def _carried(request: HtmxRequest, book: Logbook) -> dict[str, str]:
    """A logbook as an address for another device and its QR code, each empty if it is too long."""
    address = address_elsewhere(request, reverse("bring", args=[seal(book)]))
    code = images.qr_code(address) if len(address) <= MOST_IN_CODE else ""
    return {"address": address if len(address) <= MOST_ADDRESS else "", "code": code}


def _forgotten(request: HtmxRequest) -> HttpResponse:
    """The answer to "Forget everything". A script or a header empties the browser's storage."""
    if request.htmx:
        told = _("Everything is forgotten.")
        response = _page(request, Logbook(), told=told, is_forgotten=True)
    else:
        response = see_other(reverse("logbook"))
        response.headers["Clear-Site-Data"] = '"storage"'
    seas = [name for name in request.COOKIES if name.startswith(OF_DAYS)]
    for name in (COOKIE, RESULTS, *seas):
        response.delete_cookie(name, samesite="Lax")
    return response


_MONTH = re.compile(r"(20(?:2[6-9]|[3-9][0-9]))-(0[1-9]|1[0-2])", re.ASCII)


def _page(
    request: HtmxRequest, book: Logbook, *, status: int = 200, is_whole: bool = False, **values: Any
) -> HttpResponse:
    """The page, or for htmx the part of it that changes; a script is to keep a whole logbook."""
    asked = _MONTH.fullmatch(request.GET.get("month", ""))
    now = daily.now()
    address = reverse("logbook") + (f"?month={asked[0]}" if asked else "")
    month = date(int(asked[1]), int(asked[2]), 1) if asked else None
    first, oldest = chain_or_404().first, daily.open_days(now)[0]
    context = {
        "address": request.get_full_path() if values.get("offered") else address,
        "book": book,
        "view": logbook_view(book, now.date(), oldest_open=oldest, first=first, month=month),
        "chart_size": (WIDTH, HEIGHT),
        "text": seal(book) if is_whole and not book.is_empty else "",
        **values,
    }
    template = "logbook/_logbook.html" if request.htmx else "logbook.html"
    response = render(request, template, context, status=status)
    response.headers["Cache-Control"] = "no-store"
    return replace_url(response, address) if request.htmx else response

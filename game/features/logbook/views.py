"""The logbook's page: what is kept, merged, brought from another device, and forgotten.

A cookie holds as much as a cookie can. A script keeps the whole logbook in the browser's own
storage and sends it along as `kept`, so that the page shows everything; see static/game/logbook.js.
"""

import re
from datetime import date
from typing import Any, NamedTuple

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import replace_url

from game.features.logbook import cookie
from game.features.logbook.model import Logbook, seal, unseal
from game.features.logbook.words import HEIGHT, WIDTH, logbook_view
from game.matches import daily
from game.ops.addresses import token_in
from game.views import cookies, images
from game.views.addresses import address_elsewhere
from game.views.answers import see_other
from game.views.calendar import calendar_view
from game.views.days import chain_or_404
from game.views.decorators import safe_token_view, token_view
from game.views.requests import HtmxRequest
from game.web.responses import SwitchedOff

MOST_FORM = 160 * 1024
"""The longest form, in bytes: what is kept, a pasted text and their names. Proxies refuse more."""
MOST_ADDRESS = 4000
"""The longest address: servers take request lines of 4,094 characters."""
MOST_IN_CODE = 1200
"""The longest address as a QR code, in characters: a phone reads 117 modules off another's screen,
and not the 177 that fit the most."""
FILE = "battleship-logbook.txt"


@token_view
def logbook(request: HtmxRequest) -> HttpResponse:
    _check_offered()
    if request.method == "POST":
        sent = _sent(request)
        return _ACTIONS.get(sent.action, _store)(request, sent)
    book = cookie.readable_book(request)
    if book is None:
        refused = _("The logbook on this device can’t be read. A new one begins.")
        return _page(request, Logbook(), refused=refused)
    told = _has_been_added(request.GET.get("brought", ""))
    response = _page(request, book, told=told, is_whole=True)
    if book != Logbook():
        cookie.set_book(request, response, book)
    return response


@safe_token_view
def bring(request: HtmxRequest, token: str) -> HttpResponse:
    """Offers to add another device's logbook to this one; the page itself changes nothing."""
    _check_offered()
    brought = cookie.book_in(token)
    if brought is None:
        return _page(request, cookie.kept_book(request), refused=_no_logbook(), status=422)
    return _page(request, brought, offered=token)


def _no_logbook() -> str:
    return _("This is not a logbook of this site, or a part of it is missing. Nothing has changed.")


def _has_been_added(how: str) -> str:
    """The sentence after a logbook was added: whole (`on`), or what a cookie holds (`part`)."""
    part = _(
        "The logbook has been added to yours, but its oldest days have no room in the cookie. "
        "Keep the file."
    )
    return {"on": _("The logbook has been added to yours."), "part": part}.get(how, "")


def _check_offered() -> None:
    if not daily.is_offered():
        raise SwitchedOff(_("Logbooks are switched off on this site."))


class _Sent(NamedTuple):
    """What a form brings: the logbook that a script has kept, and a text to add to it."""

    action: str
    book: Logbook
    """The logbook of the cookie with that of the script."""
    is_whole: bool
    """False if the script's can't be read, so that it is not overwritten."""
    text: str


def _sent(request: HtmxRequest) -> _Sent:
    # Ten years of days are more than the site's other forms may have, so it reads the body itself.
    form, book = QueryDict(request.read(MOST_FORM)), cookie.kept_book(request)
    kept = cookie.book_in(form.get("kept", ""))
    if kept is not None:
        # If the cookie was lost, the device keeps the identity in what it sent.
        book = kept if book.is_empty else book.merged(kept)
    return _Sent(form.get("action", ""), book, kept is not None, form.get("text", ""))


def _store(request: HtmxRequest, sent: _Sent) -> HttpResponse:
    """The page with the whole logbook, of which the cookie keeps what has room."""
    if not sent.is_whole:
        refused = _("Older days that this device kept can’t be read.")
        return _page(request, sent.book, refused=refused, is_stuck=True, status=422)
    response = _page(request, sent.book, is_whole=True)
    cookie.keep_book(request, response, sent.book)
    return response


def _begin_anew(request: HtmxRequest, sent: _Sent) -> HttpResponse:
    """The page with the cookie's logbook, which a script stores in place of an unreadable one."""
    told, book = _("The logbook goes on with what can be read."), cookie.kept_book(request)
    response = _page(request, book, told=told, is_whole=True, is_forgotten=book.is_empty)
    if cookie.readable_book(request) is None:
        response.delete_cookie(cookie.LOGBOOK, samesite="Lax")
    return response


def _add(request: HtmxRequest, sent: _Sent) -> HttpResponse:
    """The response with the union of a text and the logbook: a page for htmx, else a redirect."""
    token = token_in(sent.text)
    brought = cookie.book_in(token)
    if not token or brought is None:
        return _page(request, sent.book, refused=_no_logbook(), status=422)
    whole = sent.book.merged(brought)
    if request.htmx:
        response = _page(request, whole, told=_has_been_added("on"), is_whole=sent.is_whole)
    else:
        is_all = unseal(seal(whole, cookie.MOST_IN_COOKIE)) == whole
        response = see_other(f"{reverse('logbook')}?brought={'on' if is_all else 'part'}")
    cookie.set_book(request, response, whole)
    return response


def _save(request: HtmxRequest, sent: _Sent) -> HttpResponse:
    """The logbook as a file."""
    headers = {"Content-Disposition": f'attachment; filename="{FILE}"', "Cache-Control": "no-store"}
    content_type = "text/plain; charset=utf-8"
    return HttpResponse(f"{seal(sent.book)}\n", content_type=content_type, headers=headers)


def _carry(request: HtmxRequest, sent: _Sent) -> HttpResponse:
    """The page with the address for another device and its QR code, unless they are too long."""
    address = address_elsewhere(request, reverse("bring", args=[seal(sent.book)]))
    code = images.qr_code(address) if len(address) <= MOST_IN_CODE else ""
    carried = {"address": address if len(address) <= MOST_ADDRESS else "", "code": code}
    return _page(request, sent.book, is_whole=sent.is_whole, carried=carried)


def _forget(request: HtmxRequest, sent: _Sent) -> HttpResponse:
    """The page with nothing left. A script or a header empties the browser's storage."""
    if request.htmx:
        told = _("Everything is forgotten.")
        response = _page(request, Logbook(), told=told, is_forgotten=True)
    else:
        response = see_other(reverse("logbook"))
        response.headers["Clear-Site-Data"] = '"storage"'
    cookies.forget_played(request, response)
    return response


_ACTIONS = {"anew": _begin_anew, "bring": _add, "carry": _carry, "forget": _forget, "save": _save}


_MONTH = re.compile(r"20(2[6-9]|[3-9][0-9])-(0[1-9]|1[0-2])", re.ASCII)


def _page(
    request: HtmxRequest, book: Logbook, *, status: int = 200, is_whole: bool = False, **shown: Any
) -> HttpResponse:
    """The page, or for htmx the part of it that changes; a script is to keep a whole logbook.

    `shown` are the other values of its template, such as `told` and `refused`.
    """
    asked = _MONTH.fullmatch(request.GET.get("month", ""))
    now = daily.now()
    address = reverse("logbook") + (f"?month={asked[0]}" if asked else "")
    month = date.fromisoformat(f"{asked[0]}-01") if asked else None
    context = {
        "address": request.get_full_path() if "offered" in shown else address,
        "book": book,
        "view": logbook_view(book, daily.open_days(now)[0]),
        "calendar": calendar_view(book.days, now, first=chain_or_404().first, month=month),
        "chart_size": (WIDTH, HEIGHT),
        "text": seal(book) if is_whole and not book.is_empty else "",
        **shown,
    }
    template = f"logbook/{'_logbook' if request.htmx else 'page'}.html"
    response = render(request, template, context, status=status)
    response.headers["Cache-Control"] = "no-store"
    return replace_url(response, address) if request.htmx else response

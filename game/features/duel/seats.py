"""The cookie that holds a browser's seats in matches at two devices, and who may act by it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from game.features.duel.parts import seal_seats, unseal_seats
from game.features.duel.state import Seats
from game.matches import keyring
from game.matches.keyring import BadToken
from game.ops.hosts import is_origin_of
from game.web.responses import set_cookie

_PLAIN = "seats"
_SECURE = "__Host-seats"
"""Browsers accept a cookie of this name only from the host itself, over TLS.

Below a path it has another name: see game.web.below.
"""
COOKIE_AGE = 400 * 24 * 60 * 60
"""Seconds until the cookie expires: the longest that browsers allow."""


def seats_of(request: HttpRequest) -> Seats | None:
    """The seats of the browser that sent the request; None if it brings none."""
    text = _cookie_of(request)
    try:
        return unseal_seats(text) if text else None
    except BadToken:  # such as one sealed by a key that was dropped
        return None


def seats_to_claim(request: HttpRequest) -> Seats:
    """The browser's seats, to which one is to be added; new ones if it has none.

    Over TLS a cookie that another host of the domain could have set is ignored, because that host
    would hold the seat, too.
    """
    if request.is_secure() and _SECURE not in request.COOKIES:
        return Seats.new()
    return seats_of(request) or Seats.new()


def _cookie_of(request: HttpRequest) -> str:
    return request.COOKIES.get(_SECURE) or request.COOKIES.get(_PLAIN) or ""


def keep_seats(request: HttpRequest, response: HttpResponse, seats: Seats) -> None:
    """Has the browser keep its seats, unless it does already."""
    if seats != seats_of(request):
        _set(request, response, seats)


def renew_seats(request: HttpRequest, response: HttpResponse) -> None:
    """Seals the browser's seats again if another key than theirs is in use now."""
    seats, is_set = seats_of(request), {_SECURE, _PLAIN} & response.cookies.keys()
    if seats is not None and not is_set and not keyring.is_latest(_cookie_of(request)):
        _set(request, response, seats)


def _set(request: HttpRequest, response: HttpResponse, seats: Seats) -> None:
    name = _SECURE if request.is_secure() else _PLAIN
    set_cookie(request, response, name, seal_seats(seats), COOKIE_AGE)


def is_from_here(request: HttpRequest) -> bool:
    """Whether a form says that it comes from a page of this site.

    A seat's cookie carries authority, so a form that doesn't say where it comes from is refused
    here, unlike on other pages.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("Origin", "")
    is_same_scheme = origin.partition("://")[0].lower() == request.scheme
    return is_same_scheme and is_origin_of(origin, request.get_host())

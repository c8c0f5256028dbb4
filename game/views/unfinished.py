"""The match that a browser acted in last, to which the home page leads back until it has ended.

One cookie says what it is, for the home page. Another has its token, and is sent to /continue/
only, so that it doesn't make every request longer.
"""

from __future__ import annotations

import re

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import resolve, reverse
from django.views.decorators.http import require_http_methods

from game.display.unfinished import Unfinished, parse_unfinished
from game.responses import set_cookie
from game.views.answers import HtmxRequest, address, bad_token, see_other
from game.views.preferences import COOKIE_AGE

COOKIE, TOKEN_COOKIE = "unfinished", "unfinished-token"
_PLACE = re.compile(r"(play|duel|deduction_play)/([A-Za-z0-9_-]+)", re.ASCII)
"""The name of a view, and the token for it."""
_GONE = (400, 403, 410)
"""The status of a match that doesn't open any more, or not in this browser."""


def unfinished(request: HttpRequest) -> Unfinished | None:
    """The match that the browser has yet to finish; None if it keeps none."""
    return parse_unfinished(request.COOKIES.get(COOKIE, ""))


def keep_unfinished(
    request: HttpRequest, response: HttpResponse, found: Unfinished, view: str, token: str
) -> None:
    """Has the browser keep the match in which it has just acted, in place of another one."""
    if found != unfinished(request):
        set_cookie(request, response, COOKIE, str(found), COOKIE_AGE)
    path = reverse("continue")
    set_cookie(request, response, TOKEN_COOKIE, f"{view}/{token}", COOKIE_AGE, path=path)


def is_kept(request: HttpRequest, found: Unfinished) -> bool:
    """Whether the browser keeps that match, at whatever step of it."""
    kept = unfinished(request)
    return kept is not None and kept.mark == found.mark


def drop_ended(request: HttpRequest, response: HttpResponse, ended: Unfinished) -> None:
    """Has the browser forget a match that has ended, if it is the one that it keeps."""
    if is_kept(request, ended):
        _drop(response)


def _drop(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Lax")
    response.delete_cookie(TOKEN_COOKIE, path=reverse("continue"), samesite="Lax")


@require_http_methods(["GET", "HEAD", "POST"])
def go_on(request: HtmxRequest) -> HttpResponse:
    """Redirects to the unfinished match; a form removes it from the home page."""
    if request.method == "POST":
        response = see_other(reverse("home"))
        _drop(response)
        return response
    place = request.COOKIES.get(TOKEN_COOKIE, "")
    if not place:
        response = redirect(reverse("home"))
        _drop(response)
        return response
    found = _PLACE.fullmatch(place)
    if found is None:
        response = bad_token(request)
    else:
        where = address(found[1], found[2])
        view = resolve(f"/{where.removeprefix(settings.PATH)}")
        try:  # only the page itself knows whether it opens, and says why if it doesn't
            response = view.func(request, *view.args, **view.kwargs)
        except Http404:  # such as a match at two devices where there are none any more
            response = bad_token(request)
        if response.status_code not in _GONE:
            return redirect(where)
    _drop(response)
    return response

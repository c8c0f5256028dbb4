"""Redirects that show a page once to the player who sits at a shared device.

Without scripts each action is answered by a redirect. The page it leads to would begin with a
curtain, though the same player goes on. A cookie names that page by the hash of its token, which is
too long to be sent twice: the first request shows the page, and later ones get the curtain, as
after going back or reloading.
"""

from __future__ import annotations

from hashlib import sha256

from django.http import HttpRequest, HttpResponse

from game.responses import set_cookie

_COOKIE, _SECONDS = "uncovered", 20


def uncover(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Lets the page that a redirect leads to be shown once."""
    set_cookie(request, response, _COOKIE, _mark(token), _SECONDS)


def is_uncovered(request: HttpRequest, token: str) -> bool:
    return request.COOKIES.get(_COOKIE) == _mark(token)


def _mark(token: str) -> str:
    return sha256(token.encode()).hexdigest()[:32]


def covered_again(response: HttpResponse) -> HttpResponse:
    """The response with the page, after which the next request gets the curtain."""
    response.delete_cookie(_COOKIE)
    return response

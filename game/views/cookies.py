"""The cookies of what a browser has played, and of which page it may show.

Preferences, seats and other cookies are kept by the modules that need them.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import chain

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from game.display.unfinished import Unfinished, parse_unfinished
from game.matches import results
from game.matches.keyring import BadToken
from game.matches.results import Results
from game.views import places
from game.views.preferences import COOKIE_AGE
from game.web.responses import set_cookie

RESULTS = "results"


def forget_played(request: HttpRequest, response: HttpResponse) -> None:
    """Has the browser forget its results, and what features keep of what was played."""
    played = (RESULTS, *chain.from_iterable(places.every(lambda row: row.cookies)))
    for name in request.COOKIES:
        if name.startswith(played):
            response.delete_cookie(name, samesite="Lax")


# --- results of what features offer ---


def results_of(request: HttpRequest) -> Results:
    """The browser's results; none without a cookie or for a bad one."""
    try:
        return results.unseal(request.COOKIES.get(RESULTS, ""))
    except BadToken:
        return Results()


def keep_results(request: HttpRequest, response: HttpResponse, found: Results) -> None:
    """Has the browser keep these results, unless it does already."""
    if found != results_of(request):
        set_cookie(request, response, RESULTS, results.seal(found), COOKIE_AGE)


# --- the match that the browser acted in last ---

UNFINISHED, UNFINISHED_TOKEN = "unfinished", "unfinished-token"
"""One says what the match is, for the home page. The other has its token, and is sent to /continue/
only, so that it doesn't make every request longer."""


def unfinished(request: HttpRequest) -> Unfinished | None:
    """The match that the browser has yet to finish; None if it keeps none."""
    return parse_unfinished(request.COOKIES.get(UNFINISHED, ""), places.games())


def unfinished_place(request: HttpRequest) -> tuple[str, str]:
    """The name of that match's view and the token for it; both are empty without a cookie."""
    view, _slash, token = request.COOKIES.get(UNFINISHED_TOKEN, "").partition("/")
    return view, token


def keep_unfinished(
    request: HttpRequest,
    response: HttpResponse,
    found: Unfinished,
    view: str,
    token: str,
    *,
    is_over: bool = False,
) -> None:
    """Has the browser keep the match in which it has just acted, in place of another one.

    One that is over is dropped, if it is the one that it keeps.
    """
    if is_over:
        if is_kept(request, found):
            drop_unfinished(response)
        return
    if found != unfinished(request):
        set_cookie(request, response, UNFINISHED, str(found), COOKIE_AGE)
    path = reverse("continue")
    set_cookie(request, response, UNFINISHED_TOKEN, f"{view}/{token}", COOKIE_AGE, path=path)


def is_kept(request: HttpRequest, found: Unfinished) -> bool:
    """Whether the browser keeps that match, at whatever step of it."""
    kept = unfinished(request)
    return kept is not None and kept.mark == found.mark


def drop_unfinished(response: HttpResponse) -> None:
    response.delete_cookie(UNFINISHED, samesite="Lax")
    response.delete_cookie(UNFINISHED_TOKEN, path=reverse("continue"), samesite="Lax")


# --- what the browser has been shown ---

_UNCOVERED, _SECONDS = "uncovered", 20
"""Without scripts each action at a shared device is answered by a redirect. The page it leads to
would begin with a curtain, though the same player goes on. This cookie names that page by the hash
of its token, which is too long to be sent twice: the first request shows the page, and later ones
get the curtain, as after going back or reloading."""


def uncover(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Lets the page that a redirect leads to be shown once."""
    set_cookie(request, response, _UNCOVERED, _hash(token), _SECONDS)


def is_uncovered(request: HttpRequest, token: str) -> bool:
    return request.COOKIES.get(_UNCOVERED) == _hash(token)


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()[:32]


def covered_again(response: HttpResponse) -> HttpResponse:
    """The response with the page, after which the next request gets the curtain."""
    response.delete_cookie(_UNCOVERED)
    return response

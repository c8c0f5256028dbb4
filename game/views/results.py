"""The cookie that keeps a browser's results of puzzles, challenges and days of puzzles."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from game.matches import results
from game.matches.keyring import BadToken
from game.matches.results import Results
from game.responses import set_cookie
from game.views.preferences import COOKIE_AGE

COOKIE = "results"


def results_of(request: HttpRequest) -> Results:
    """The browser's results; none without a cookie or for a bad one."""
    try:
        return results.unseal(request.COOKIES.get(COOKIE, ""))
    except BadToken:
        return Results()


def keep_results(request: HttpRequest, response: HttpResponse, found: Results) -> None:
    """Has the browser keep these results, unless it does already."""
    if found != results_of(request):
        set_cookie(request, response, COOKIE, results.seal(found), COOKIE_AGE)

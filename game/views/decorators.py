"""Views' decorators: addresses that hold tokens, ended matches, and expensive answers."""

from collections.abc import Callable, Sequence
from functools import wraps
from threading import BoundedSemaphore, Lock
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from game.matches.keyring import BadToken
from game.matches.saved import SavedMatch
from game.ops import database, metrics
from game.ops.database import DatabaseDown
from game.views.addresses import address
from game.views.expiry import Expired, expired, new_match_link
from game.views.requests import HtmxRequest, View
from game.web.responses import SwitchedOff, error_page, one_moment


def token_view(view: View, methods: Sequence[str] = ("GET", "HEAD", "POST")) -> View:
    """Decorates a view whose address may hold a token.

    Every bad token gets the same response, and so does every match that is no longer open.
    """

    @wraps(view)
    def wrapper(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except BadToken as error:
            metrics.count_refusal(error.reason)
            response = bad_token(request)
        except Expired as error:
            metrics.count_refusal("expired")
            response = expired(request, error)
        patch_vary_headers(response, ["HX-Request"])
        return response

    return require_http_methods(methods)(wrapper)


def safe_token_view(view: View) -> View:
    """Decorates such a view that accepts only GET and HEAD."""
    return token_view(view, ("GET", "HEAD"))


def ended_match_view(
    unseal: Callable[[str], SavedMatch], methods: Sequence[str] = ("GET", "HEAD")
) -> Callable[[View], View]:
    """Decorates a view of an ended match, which is given the match and its token.

    It accepts only GET and HEAD unless told otherwise; a match that isn't over is redirected to its
    play page.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HtmxRequest, token: str, **more: str) -> HttpResponse:
            saved = unseal(token)
            if saved.match.outcome is None:
                return redirect(address("play", token))
            return view(request, saved, token, **more)

        return token_view(wrapper, methods)

    return decorate


def database_down() -> str:
    return _("The server can’t reach its storage just now. Try again in a moment.")


def database_view(switched_off: Promise) -> Callable[[View], View]:
    """Decorates views of rows: 404 with that sentence on a site without a database.

    The response is 503 while the database is down.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not database.is_on():
                raise SwitchedOff(switched_off)
            try:
                return view(request, *args, **kwargs)
            except DatabaseDown:
                return one_moment(request, database_down())

        return wrapper

    return decorate


MOST_EXPENSIVE = 2
"""How many expensive answers are computed or wait for that. The other threads are for clicks."""


_expensive, _turn = BoundedSemaphore(MOST_EXPENSIVE), Lock()


def one_at_a_time(view: View) -> View:
    """Decorates a view that may take a tenth of a second; it answers 503 if all places are taken.

    Threads share Python's lock, so two such answers at once would not be ready sooner, but would
    slow down clicks.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not _expensive.acquire(blocking=False):
            return one_moment(request, _("The server is busy with other requests like this one."))
        try:
            with _turn:
                return view(request, *args, **kwargs)
        finally:
            _expensive.release()

    return wrapper


def bad_token(request: HttpRequest) -> HttpResponse:
    sentence = _("It was cut off or damaged, or it is too old.")
    why = _(
        "A match is kept in its link, from the first letter to the last. If you have the whole "
        "link somewhere, copy it again."
    )
    title, ways = _("This link doesn’t work"), [new_match_link(request, None)]
    return error_page(
        request, 400, title, sentence, why, ways=ways, drawing="wreck", address=reverse("home")
    )

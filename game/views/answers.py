"""How a view answers: with a page, with a part of it for htmx, or with a redirection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any, Protocol

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods
from django_htmx.http import replace_url
from django_htmx.middleware import HtmxDetails

from game.matches.keyring import BadToken
from game.matches.saved import SavedMatch
from game.ops import metrics

View = Callable[..., HttpResponse]


class HtmxRequest(HttpRequest):
    """A request as views get it: the middleware of django-htmx has looked at it."""

    htmx: HtmxDetails


# --- which requests a view takes ---


def token_view(view: View) -> View:
    """Marks a view whose address may hold a token: there is one answer to a bad one."""
    return _token_view(view, ("GET", "HEAD", "POST"))


def safe_token_view(view: View) -> View:
    """Marks such a view to which nothing can be sent."""
    return _token_view(view, ("GET", "HEAD"))


def _token_view(view: View, methods: Sequence[str]) -> View:
    @wraps(view)
    def wrapper(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except BadToken as error:
            metrics.count_refusal(error.reason)
            response = bad_token(request)
        patch_vary_headers(response, ["HX-Request"])
        return response

    return require_http_methods(methods)(wrapper)


def ended_match_view(unseal: Callable[[str], SavedMatch]) -> Callable[[View], View]:
    """Marks a view of a match that is over, which gets the match and its token.

    Nothing can be sent to such a view, and a match that goes on is played on instead.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HtmxRequest, token: str) -> HttpResponse:
            saved = unseal(token)
            if saved.match.outcome is None:
                return redirect(address("play", token))
            return view(request, saved, token)

        return safe_token_view(wrapper)

    return decorate


def bad_token(request: HttpRequest) -> HttpResponse:
    """The one answer to an address whose token is cut, forged, foreign or of an unknown version."""
    found = request.resolver_match
    is_deduction = found is not None and str(found.url_name).startswith("deduction")
    anew = reverse("deduction") if is_deduction else reverse("new", args=["bonn"])
    context = {"address": reverse("home"), "new_address": anew}
    return render(request, "400.html", context, status=400)


# --- answers ---


class Page(Protocol):
    """What a view shows: it knows its address, and its templates."""

    @property
    def address(self) -> str:
        """Where the browser finds it again."""

    def render(self, request: HttpRequest, *, is_part: bool) -> str:
        """The whole page, or only the part of it that htmx puts in."""


def show(request: HtmxRequest, page: Page, *, status: int = 200) -> HttpResponse:
    """The page itself; for htmx the part of it that changes."""
    is_part = bool(request.htmx)
    response = HttpResponse(page.render(request, is_part=is_part), status=status)
    return replace_url(response, page.address) if is_part else response


def follow(request: HtmxRequest, page: Page) -> HttpResponse:
    """The answer to a form that was followed: the page for htmx, else the way to it."""
    return show(request, page) if request.htmx else see_other(page.address)


def see_other(where: str) -> HttpResponse:
    """A redirection that a browser follows with GET, whatever it has sent."""
    response = HttpResponseRedirect(where)
    response.status_code = 303
    return response


# --- addresses ---


def address(name: str, token: str) -> str:
    """The address of that name with a token in it, in the language of the request."""
    before, after = _around(name, get_language() or "en")
    return f"{before}{token}{after}"


@lru_cache(maxsize=64)
def _around(name: str, _language: str) -> tuple[str, str]:
    """What stands in an address before its token, and what behind it."""
    before, _token, after = reverse(name, args=["token"]).partition("token")
    return before, after


def step_of(text: str, last: int, first: int = 0) -> int:
    """The step that an address asks for; the first where it asks for none that there is."""
    is_number = text.isascii() and text.isdigit() and len(text) < 6
    return min(max(int(text), first), last) if is_number else first

"""Headers of every response, health checks, and what is answered or refused before a view runs."""

import codecs
import re
from collections.abc import Callable
from functools import cache
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.module_loading import import_string
from django.utils.translation import get_language, get_language_from_request

from game import feature_list
from game.matches import keyring
from game.ops import logs, metrics
from game.ops.addresses import TOKEN_PAGES
from game.ops.hosts import is_origin_of
from game.web.memory import plain_cookies
from game.web.page_json import JSON, is_in_json, prefers_json, to_json
from game.web.responses import foreign_form, other_body, set_cookie
from game.web.versions import HEADER, own_mark

Handler = Callable[[HttpRequest], HttpResponse]
Middleware = Callable[[Handler], Handler]


def answers_early(answer: Callable[[HttpRequest], HttpResponse | None]) -> Middleware:
    """Makes middleware of a function that may respond in place of the view."""
    return lambda get_response: lambda request: answer(request) or get_response(request)


def changes_responses(change: Callable[[HttpRequest, HttpResponse], None]) -> Middleware:
    """Makes middleware of a function that changes each response."""

    def middleware(get_response: Handler) -> Handler:
        def handler(request: HttpRequest) -> HttpResponse:
            response = get_response(request)
            change(request, response)
            return response

        return handler

    return middleware


HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}

_PAGES = ("continue", "new", "watch", "settings", *TOKEN_PAGES, *feature_list.words("match_pages"))
_GAME = re.compile(rf"/({'|'.join(_PAGES)})/")
_EMPTY = re.compile(r"/new/[a-z-]+/$")
"""An empty placing page, whose template says whether it may be indexed."""


def begin_request(get_response: Handler) -> Handler:
    """Has log lines name the request as the proxy does, and adds the headers of every response.

    The request has its cookies as plain texts, since only those of other sites need decoding.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        request.COOKIES = plain_cookies(request.META.get("HTTP_COOKIE", ""))
        logs.begin_request(request.META.get("HTTP_X_REQUEST_ID", ""))
        response = get_response(request)
        _keep_form(request, response)
        _add_headers(request, response)
        return response

    return middleware


def _add_headers(request: HttpRequest, response: HttpResponse) -> None:
    """Adds the headers of every response, static files and errors included.

    A response at an address that may hold a match is not stored unless it says so itself, and not
    indexed unless it is an empty placing page.
    """
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers[HEADER] = own_mark()
    if _GAME.search(request.path_info):
        response.headers.setdefault("Cache-Control", "no-store")
        # With a query, a placing page is one of countless rulesets.
        is_empty = _EMPTY.search(request.path_info) and not request.META.get("QUERY_STRING")
        if not (is_empty and response.status_code == 200):
            response.headers["X-Robots-Tag"] = "noindex"


_WORDS_IN_JSON = ("new", "place", "play", "replay", *feature_list.words("json_pages"))
JSON_PAGES = re.compile(rf"/[a-z-]+/({'|'.join(_WORDS_IN_JSON)})/")
"""The addresses that also answer in JSON."""


def answer_in_json(get_response: Handler) -> Handler:
    """Answers in JSON where a request at an address of a match prefers that to HTML.

    Pages answer in JSON by themselves. Of the redirect after a form the address is left.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if not JSON_PAGES.match(request.path_info):
            return get_response(request)
        request.is_in_json = prefers_json(request.META.get("HTTP_ACCEPT", ""))  # type: ignore[attr-defined]
        if is_in_json(request):  # a script of the site never asks for it
            request.META.pop("HTTP_HX_REQUEST", None)
        response = get_response(request)
        patch_vary_headers(response, ["Accept"])
        if is_in_json(request):
            to_json(response, request.get_full_path())
        return response

    return middleware


@answers_early
def answer_without_page(request: HttpRequest) -> HttpResponse | None:
    """Answers polls of pages, /healthz while the process runs, and /readyz if it can read its keys.

    Any host and scheme will do, since proxies ask by IP address.
    """
    if poll := _polls().get(request.path_info[1:].partition("/")[0]):
        return poll(request)
    if request.path_info == "/healthz":
        return _plain("ok", 200)
    if request.path_info == "/readyz":
        return _plain("ready", 200) if keyring.is_ready() else _plain("no keys", 503)
    return None


@cache
def _polls() -> dict[str, Handler]:
    """Returns what answers the polls of pages, by the first component of their paths."""
    there = [row for row in feature_list.FEATURES if row.app in settings.INSTALLED_APPS]
    return {page: import_string(name) for row in there for page, name in row.polls}


def _plain(word: str, status: int) -> HttpResponse:
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(f"{word}\n", content_type="text/plain", status=status, headers=headers)


REASONS = {403: "foreign", 404: "address", 405: "method", 415: "form", 422: "action"}
"""The counter's word for each status. 400 has several reasons, so views count it themselves."""


@changes_responses
def count_refusals(request: HttpRequest, response: HttpResponse) -> None:
    if response.status_code in REASONS:
        metrics.count_refusal(REASONS[response.status_code])


FORM = "application/x-www-form-urlencoded"


def _keep_form(request: HttpRequest, response: HttpResponse) -> None:
    """Has a form sent again to the whole address of its page, such as one with the final slash.

    After 301 and 302 browsers and programs ask for that page, and the form is lost.
    """
    if request.method in ("GET", "HEAD") or response.status_code not in (301, 302):
        return
    if urlsplit(response["Location"]).path.strip("/").endswith(request.path_info.strip("/")):
        response.status_code = 308 if response.status_code == 301 else 307


@answers_early
def refuse_forms(request: HttpRequest) -> HttpResponse | None:
    """Refuses forms of other sites' pages with 403, and what no form of this site sends with 415.

    Only a cookie that carries authority could be abused by a foreign form, and a feature that has
    one is stricter. Still, other sites should not make browsers act here.
    """
    if request.method not in ("GET", "HEAD", "OPTIONS") and is_foreign(request):
        return foreign_form(request)
    return _refused_body(request) if request.method == "POST" else None


def _refused_body(request: HttpRequest) -> HttpResponse | None:
    """Returns the refusal of a body of another type or character set.

    Django reads forms whose character set is spelt `utf-8`, so other spellings of it become that.
    """
    if request.content_type not in (FORM, ""):
        return other_body(request, request.content_type or "")
    if charset := (request.content_params or {}).get("charset", ""):
        try:
            name = codecs.lookup(charset).name
        except (LookupError, ValueError):
            name = charset
        if name not in ("utf-8", "ascii"):
            return other_body(request, charset)
        request.encoding = "utf-8"
    return None


def is_foreign(request: HttpRequest) -> bool:
    """Whether a form says that it comes from another site."""
    # "none" is a person's own doing, such as a bookmark; old browsers send no such header.
    site, origin = request.headers.get("Sec-Fetch-Site", "none"), request.headers.get("Origin")
    if site not in ("same-origin", "none"):
        return True
    if origin == "null":  # of a frame without rights, or where the referrer policy hides the origin
        return site != "same-origin"
    return origin is not None and not is_origin_of(origin, request.get_host())


@changes_responses
def keep_visitors_apart(request: HttpRequest, response: HttpResponse) -> None:
    """Adds `Vary: Cookie` to pages, and a cookie with the language if the browser prefers another.

    The address alone decides a page's language; the cookie is only for the redirect from `/`.
    """
    if not response.headers.get("Content-Type", "").startswith(("text/html", JSON)):
        return
    patch_vary_headers(response, ["Cookie"])
    shown = get_language()
    is_here = request.path_info.startswith(f"/{shown}/") and response.status_code == 200
    if shown and is_here and get_language_from_request(request) != shown:
        name, age = settings.LANGUAGE_COOKIE_NAME, settings.LANGUAGE_COOKIE_AGE
        set_cookie(request, response, name, shown, age)

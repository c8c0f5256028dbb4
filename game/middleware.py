"""What every answer carries, and what is refused before a page is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language, get_language_from_request

from game.matches import keyring
from game.ops import metrics
from game.ops.addresses import TOKEN_PAGES

Handler = Callable[[HttpRequest], HttpResponse]

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


_GAME = re.compile(rf"/(deduction/)?(new|watch|settings|{'|'.join(TOKEN_PAGES)})/")
_EMPTY = re.compile(r"/new/[a-z-]+/$")
"""Where a fleet is placed that nobody has begun: its page tells robots itself."""


def answer_headers(get_response: Handler) -> Handler:
    """Adds the headers that are the same for every answer, files and errors included.

    Whatever is answered at an address that may hold a match is not kept but where the answer itself
    says so, and not indexed but for the first page of a match.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if _GAME.search(request.path_info):
            response.headers.setdefault("Cache-Control", "no-store")
            if not (_EMPTY.search(request.get_full_path()) and response.status_code == 200):
                response.headers["X-Robots-Tag"] = "noindex"
        return response

    return middleware


def answer_health(get_response: Handler) -> Handler:
    """Says at /healthz that the process answers, and at /readyz whether it has its keys.

    By whatever name and scheme it is asked: proxies ask by address.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info == "/healthz":
            return _said("ok", 200)
        if request.path_info == "/readyz":
            return _said("ready", 200) if keyring.is_ready() else _said("no keys", 503)
        return get_response(request)

    return middleware


def _said(word: str, status: int) -> HttpResponse:
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(f"{word}\n", content_type="text/plain", status=status, headers=headers)


REASONS = {403: "foreign", 404: "address", 405: "method", 415: "form", 422: "action"}
"""What a refusal is counted as, by its status. What 400 is for is known where it is given."""


def count_refusals(get_response: Handler) -> Handler:
    """Counts what was refused, by why."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code in REASONS:
            metrics.count_refusal(REASONS[response.status_code])
        return response

    return middleware


FORM = "application/x-www-form-urlencoded"


def refuse_other_bodies(get_response: Handler) -> Handler:
    """Refuses what no form of this site sends, files above all: 415, in one sentence."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method == "POST" and request.content_type not in (FORM, ""):
            return render(request, "400_form.html", {"address": "/"}, status=415)
        return get_response(request)

    return middleware


def refuse_foreign(get_response: Handler) -> Handler:
    """Refuses forms sent from other sites' pages: 403, in one sentence.

    There is no cookie whose authority a foreign page could borrow; this keeps other sites from
    sending people's browsers here all the same.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD", "OPTIONS") and _is_foreign(request):
            return render(request, "403.html", status=403)
        return get_response(request)

    return middleware


def _is_foreign(request: HttpRequest) -> bool:
    if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return True
    origin = request.headers.get("Origin")
    try:
        return origin is not None and urlsplit(origin).netloc != request.get_host()
    except ValueError:
        return True


def tell_preferences_apart(get_response: Handler) -> Handler:
    """Tells whoever keeps copies of pages that they look as the visitor's cookie says."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["Cookie"])
        return response

    return middleware


def remember_language(get_response: Handler) -> Handler:
    """Remembers the language of the page where the next visit would otherwise get the other.

    The address alone decides a page's language; the cookie only tells `/` where to lead.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        shown = get_language()
        is_html = response.headers.get("Content-Type", "").startswith("text/html")
        is_here = request.path_info.startswith(f"/{shown}/") and response.status_code == 200
        if shown and is_here and is_html and get_language_from_request(request) != shown:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                shown,
                max_age=settings.LANGUAGE_COOKIE_AGE,
                samesite=settings.LANGUAGE_COOKIE_SAMESITE,
                secure=settings.LANGUAGE_COOKIE_SECURE,
                httponly=True,
            )
        return response

    return middleware

"""Serves the site below a path of its host, as BATTLESHIP_PATH names it: `/battleships/`.

Behind this module a request is what it would be at the root. Addresses that the site prints begin
with the path, since Django's script prefix and STATIC_URL do.
"""

import re
from collections.abc import Mapping
from http.cookies import SimpleCookie

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, HttpResponseRedirect
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext as _

from game.web.middleware import Handler

PROBES = "/healthz", "/readyz"
"""These addresses are answered without the path, too, since probes ask a copy directly."""
_HOST, _SECURE = "__Host-", "__Secure-"
"""Browsers accept cookies of the first kind for the whole host only, and all others by TLS."""


def serve_below_path(get_response: Handler) -> Handler:
    """Takes the path from addresses and the site's prefix from the names of cookies.

    A proxy that has removed the path says so by `X-Forwarded-Prefix`. Other sites of the host have
    cookies of their own, and what is outside of the path is none of this site's pages.
    """
    if settings.PATH == "/":
        raise MiddlewareNotUsed

    def middleware(request: HttpRequest) -> HttpResponse:
        path, given = settings.PATH, request.path_info
        told = request.META.get("HTTP_X_FORWARDED_PREFIX", "").rstrip("/")
        # What the proxy has removed isn't removed again: its limits are those of the address left.
        if told != path[:-1]:
            if given.startswith(path):
                request.path_info = given[len(path) - 1 :]
            elif given not in PROBES:
                return _outside(request)
        request.path = path + request.path_info[1:]
        request.COOKIES = _own_cookies(request.COOKIES)
        response = get_response(request)
        response.cookies = _named_cookies(response.cookies)
        return response

    return middleware


def _outside(request: HttpRequest) -> HttpResponse:
    """Redirects from other spellings of the path, such as one without a slash, or answers 404."""
    spelled = rf"/*{settings.PATH[1:-1]}(?![\w~-]|\.\w)/*"
    meant = re.match(spelled, request.path_info, re.IGNORECASE)
    if meant and request.method in ("GET", "HEAD"):
        request.path = settings.PATH + request.path_info[meant.end() :]
        return HttpResponseRedirect(request.get_full_path())
    request.path = request.path_info  # for the log
    with override(get_language_from_request(request)):
        response = HttpResponseNotFound(
            _("There is no page at this address.") + "\n", content_type="text/plain; charset=utf-8"
        )
    patch_vary_headers(response, ["Accept-Language"])
    return response


def _prefix() -> str:
    return str(settings.PATH[1:].replace("/", "."))


def _own_cookies(cookies: Mapping[str, str]) -> dict[str, str]:
    """Returns the site's cookies by the names that it gives them; the inverse of _named_cookies."""
    prefix, found = _prefix(), {}
    for name, text in cookies.items():
        start = _SECURE if name.startswith(_SECURE) else ""
        own = name.removeprefix(start).removeprefix(prefix)
        is_own = f"{start}{prefix}{own}" == name and not own.startswith("__")
        if is_own:
            found[(start and _HOST) + own] = text
    return found


def _named_cookies(cookies: SimpleCookie) -> SimpleCookie:
    """Returns cookies as browsers keep them: `__Host-seats` as `__Secure-battleships.seats`."""
    prefix, named = _prefix(), SimpleCookie()
    for name, cookie in cookies.items():
        start = _SECURE if name.startswith(_HOST) else ""
        own = f"{start}{prefix}{name.removeprefix(_HOST)}"
        cookie.set(own, cookie.value, cookie.coded_value)
        cookie["path"] = settings.PATH + cookie["path"][1:]
        named[own] = cookie
    return named

"""Redirects from addresses that were spoilt on their way to those that they were.

A repaired address is one of a page, its token is one that this site has sealed, and it differs from
the one that was asked for; so there is at most one redirect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from urllib.parse import quote

from django.conf import settings
from django.conf.locale import LANG_INFO
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.request import split_domain_port
from django.urls import Resolver404, resolve
from django.utils.cache import patch_vary_headers
from django.utils.encoding import iri_to_uri
from django.utils.translation import (
    get_language_from_request,
    get_supported_language_variant,
    override,
)

from game.engine.presets import PRESETS
from game.engine.rules import ROWS
from game.matches import pasted
from game.matches.parts import models
from game.ops.addresses import plain_path, plain_paths, repaired_query, unbroken
from game.web.middleware import Handler

REFUSED = (400, 404, 422)
LONGEST = 8000
"""The longest address that is led to, in characters; proxies take request lines of 8,190."""
RULES = frozenset(row.field for row in ROWS if row.is_offered)


def repair_addresses(get_response: Handler) -> Handler:
    """Redirects where an address is refused, or has a query that is read otherwise than meant."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return get_response(request)
        query = request.META.get("QUERY_STRING", "")
        if query and repaired_query(query, RULES) != query and (led := repaired(request)):
            return led
        response = get_response(request)
        return (response.status_code in REFUSED and repaired(request)) or response

    return middleware


def own_language(request: HttpRequest) -> str:
    """Returns the visitor's language, as addresses spell it, by the cookie and the browser."""
    return get_language_from_request(request).lower()


def repaired(request: HttpRequest) -> HttpResponse | None:
    """Returns the redirect to the repaired address; None if there is nothing to repair."""
    path, query = request.path_info, request.META.get("QUERY_STRING", "")
    before, _mark, escaped = path.partition("?")
    more = repaired_query(query or (escaped if "=" in escaped else ""), RULES)
    meant = path if _is_page(path) else _repaired_path(request, before, has_to=more != query)
    if meant is None:
        return None
    where = _address(meant, more)
    if where == _address(path, query) or len(where) > LONGEST:
        return None
    response = HttpResponseRedirect(where, headers={"Cache-Control": "no-store"})
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def _address(path: str, query: str) -> str:
    where = quote(settings.PATH + path[1:])
    return iri_to_uri(f"{where}?{query}" if query else where)


def _is_page(path: str) -> bool:
    language = path.removeprefix("/").partition("/")[0]
    with override(language if language in settings.LANGUAGE_TABLE else settings.LANGUAGE_CODE):
        try:
            found = resolve(path)
            if "back" in found.kwargs:
                resolve(f"/{language}/{found.kwargs['back']}")
        except Resolver404:
            return False
    known = _known()
    return all(known[name](text) for name, text in found.kwargs.items() if name in known)


@cache
def _known() -> dict[str, Callable[[str], object]]:
    """Returns what checks a part of an address, by its name in the URLconf, those of features too.

    There is a page for the part if the result is true.
    """
    known: dict[str, Callable[[str], object]] = {
        "token": pasted.opens,
        "so_far": pasted.opens,
        "preset": PRESETS.get,
    }
    for model in models().values():
        known.update(model.names)
    return known


def _repaired_path(request: HttpRequest, path: str, *, has_to: bool) -> str | None:
    """Returns the path of the page that was meant; None if it can't be known.

    It is also None where Django leads there with one redirect, unless the query `has_to` change: it
    adds a slash, or the language, but not both to the addresses that have none.
    """
    own = own_language(request)
    has_language = path[1:].partition("/")[0] in settings.LANGUAGE_TABLE
    if _is_page(f"{path}/"):
        is_led_on = has_language
    else:
        is_led_on = any(map(_is_page, (f"/{own}{path}", f"/{own}{path}/")))
    if is_led_on and not has_to:
        return None
    host = split_domain_port(request.get_host())[0]
    paths = chain(_token_paths(path, own), _plain_paths(path, host, own))
    return next(filter(_is_page, paths), None)


def _token_paths(text: str, own: str) -> Iterator[str]:
    for found in pasted.tokens(text):
        # With the padding of base64 it would be another spelling of the token: nothing adds that.
        if found.after.startswith("=/"):
            return
        language = plain_path(found.before.rstrip("/").rpartition("/")[2])[0]
        start = f"/{_offered(language, own)}/{plain_path(found.page)[0]}/{found.token}"
        for after in (unbroken(found.after), found.after):
            rest, noise = plain_path(after)
            yield from (f"{start}/{rest}/", f"{start}/{rest}")
        if noise or not rest:
            yield f"{start}/"


_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[_-][a-z0-9]{1,8}){0,3}")


def _plain_paths(text: str, host: str, own: str) -> Iterator[str]:
    for found in plain_paths(text, host):
        path = f"{found}/".removeprefix(settings.PATH[1:].lower()).rstrip("/")
        first, _slash, rest = path.partition("/")
        yield from (f"/{own}/{path}/", f"/{own}/{path}")
        if _LANGUAGE.fullmatch(first) and (rest or len(first) != 3 or first in LANG_INFO):
            start = f"/{_offered(first, own)}/{rest}"
            yield from (f"{start}/", start)
        yield from (f"/{path}/", f"/{path}")


def _offered(language: str, own: str) -> str:
    """Returns the language of this site that an address names, or else the visitor's own."""
    try:
        return get_supported_language_variant(language.replace("_", "-")).lower()
    except LookupError:
        return own

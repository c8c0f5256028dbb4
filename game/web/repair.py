"""Redirects from addresses to which a messenger has added signs, or that it has broken.

There is at most one redirect, since nothing is left to repair in the address that it leads to.
"""

import re
from urllib.parse import quote, unquote

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import is_valid_path
from django.utils.encoding import iri_to_uri
from django.utils.translation import override

from game.ops.addresses import plain_path
from game.web.middleware import Handler

_UNUSUAL = re.compile(r"[^\w./-]", re.ASCII)
_BREAKS = re.compile(r"%0[AD]|%E2%80%8B|%EF%BB%BF", re.IGNORECASE)
_OF_LINES = re.compile(r"\w+_labels=")
_SIGNS = re.compile(r"(?:%[0-9A-F]{2}|[^\w=])+\Z", re.IGNORECASE | re.ASCII)


def repair_addresses(get_response: Handler) -> Handler:
    """Redirects where an address has such signs, if without them it is that of a page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        may_lead = request.method in ("GET", "HEAD")
        if may_lead and _UNUSUAL.search(request.path_info) and (led := repaired(request)):
            return led
        response = get_response(request)
        is_refused = may_lead and response.status_code in (400, 404, 422)
        return (is_refused and repaired(request)) or response

    return middleware


def repaired(request: HttpRequest) -> HttpResponse | None:
    """Returns the redirect to the repaired address; None if there is nothing to repair."""
    path, query = request.path_info, request.META.get("QUERY_STRING", "")
    plain = plain_path(path)
    meant = next(filter(_is_page, (plain, f"{plain}/")), "")
    more = query  # which may have labels on lines of their own
    if not _OF_LINES.search(query):
        more = _SIGNS.sub(_without_signs, _BREAKS.sub("", query))
    is_for_django = meant in (path, f"{path}/")  # which adds a slash by itself
    if not meant or (is_for_django and more == query):
        return None
    where = quote(settings.PATH + meant[1:])
    headers = {"Cache-Control": "no-store"}
    return HttpResponseRedirect(iri_to_uri(f"{where}?{more}" if more else where), headers=headers)


def _without_signs(match: re.Match[str]) -> str:
    """Returns the end of a query without signs; one with letters or digits is somebody's value."""
    end = match[0]
    return end if any(map(str.isalnum, unquote(end))) else ""


def _is_page(path: str) -> bool:
    language = path[1:].partition("/")[0]
    with override(language if language in settings.LANGUAGE_TABLE else settings.LANGUAGE_CODE):
        return bool(is_valid_path(path))

"""Responses in JSON at the addresses of matches (docs/api.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

JSON, HTML = "application/json", "text/html"
_LONGEST_ACCEPT = 1000
"""A longer header gets HTML, as to read it would take long."""


def prefers_json(accept: str) -> bool:
    """Whether a header `Accept` prefers JSON to HTML, by the precedence of RFC 9110."""
    if len(accept) > _LONGEST_ACCEPT:
        return False
    asked = HttpRequest()
    asked.META["HTTP_ACCEPT"] = accept
    return asked.get_preferred_type([HTML, JSON]) == JSON


def is_in_json(request: HttpRequest) -> bool:
    """Whether the response to a request is to be JSON, as the middleware has found."""
    return getattr(request, "is_in_json", False)


def json_response(page: Mapping[str, Any], *, address: str = "", status: int = 200) -> HttpResponse:
    """A response with the values of a page; `address` is the page's own, if it has one."""
    content = {"address": address, **page} if address else page
    return HttpResponse(json.dumps(content, ensure_ascii=False), JSON, status)


def to_json(response: HttpResponse, asked: str) -> None:
    """Turns what is left of a redirect after a form, and of responses without a page, into JSON.

    A page with nothing for programs leaves the address that was `asked` for. Other redirects stay,
    and so does what is no page, such as a record.
    """
    is_html = response.get("Content-Type", "").startswith(HTML)
    if not is_html or response.status_code in (301, 302):
        return
    where = response.get("Location", asked if response.status_code == 200 else "")
    response.headers.pop("Location", None)
    if response.status_code == 303:
        response.status_code = 200
    page = {"address": where} if where else {}
    if response.status_code == 405:
        page["status"] = _("This address takes no request of this kind.")
    response.content = json.dumps(page, ensure_ascii=False).encode()
    response["Content-Type"] = JSON
    response["Content-Length"] = str(len(response.content))

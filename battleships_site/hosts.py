"""Writes a request's host in one form, and refuses hosts and ports that are not the site's."""

from __future__ import annotations

import logging
import re

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.utils.http import is_same_domain

from game.ops.hosts import USUAL, host_and_port
from game.web.middleware import answers_early


@answers_early
def write_hosts_alike(request: HttpRequest) -> HttpResponse | None:
    """Writes the host in lower case, without a final dot and a usual port.

    The addresses that the site makes contain it.
    """
    found = host_and_port(request.META.get("HTTP_HOST", ""))
    if found is not None:
        name, port = found
        is_usual = port in ("", USUAL["http"], USUAL[request.scheme or "http"])
        request.META["HTTP_HOST"] = name if is_usual else f"{name}:{port}"
    return None


@answers_early
def refuse_foreign_ports(request: HttpRequest) -> HttpResponse | None:
    """Answers 400 to a port that BATTLESHIP_HOSTS doesn't name, as Django does to a host.

    Absolute links would lead there.
    """
    name, port = split_domain_port(request.get_host())
    allowed = {there for host, there in settings.HOSTS if host == "*" or is_same_domain(name, host)}
    is_ours = "*" in allowed or ("" if port in USUAL.values() else port) in allowed
    if allowed and not is_ours:
        raise DisallowedHost(f"Invalid HTTP_HOST header: {request.get_host()!r}.")
    return None


_UNSAFE = re.compile(r"[^A-Za-z0-9.:\[\]_-]", re.ASCII)
_LONGEST = 100


class Refusals(logging.Filter):
    """Makes one warning, without a traceback, of Django's errors about requests that it refuses."""

    def filter(self, record: logging.LogRecord) -> bool:
        _security, found, reason = record.name.partition("django.security.")
        if not found:
            return True
        record.levelno, record.levelname, record.exc_info = logging.WARNING, "WARNING", None
        if reason == DisallowedHost.__name__:
            request = getattr(record, "request", None)
            host = _UNSAFE.sub("?", request.META.get("HTTP_HOST", "") if request else "")
            record.args = (host[:_LONGEST],)
            record.msg = "refused a request for the host '%s', which BATTLESHIP_HOSTS doesn't name"
        return True

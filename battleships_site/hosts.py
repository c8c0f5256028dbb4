"""Refuses hosts at ports that are not the site's, since absolute links would lead there."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.utils.http import is_same_domain

USUAL = ("", "80", "443")
"""The ports of http and https, which an address needn't name."""


def refuse_foreign_ports(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answers 400 to a port that BATTLESHIP_HOSTS doesn't name, as Django does to a host."""

    def middleware(request: HttpRequest) -> HttpResponse:
        name, port = split_domain_port(request.get_host())
        allowed = {
            there
            for host, there in settings.HOSTS
            if host == "*" or is_same_domain(name, host.lower())
        }
        is_ours = "*" in allowed or port in allowed or ("" in allowed and port in USUAL)
        if allowed and not is_ours:
            raise DisallowedHost(f"not a port of this site: {port!r}")
        return get_response(request)

    return middleware

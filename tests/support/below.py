"""The site below a path, for tests that are written for the root: BATTLESHIP_PATH chooses it."""

from __future__ import annotations

import re
from http.cookies import SimpleCookie
from typing import Any

from django.conf import settings
from django.test.client import ClientHandler
from django.urls import set_script_prefix

_ADDRESS = re.compile(
    r"""(?:(?<=[=(,"' ])|(?<="))/[\w~#?%][^"'\s)]*|https?://localhost[^"'\s<)]*|(?<=")/(?=")"""
)
"""What may be an address of the site in HTML, JSON, text or a header."""
_NONE = "Content-Type", "Accept", "Permissions-Policy"
_KEPT = re.compile(r"(__Host-)?(.+)")
_NAMED = re.compile(r"(__Secure-)?battleships\.(.+)")


class Below(ClientHandler):
    """Asks the site below the path, sees that all that it says is there, and removes it again."""

    def __call__(self, environ: Any) -> Any:
        set_script_prefix(settings.PATH)
        asked = environ["PATH_INFO"]
        is_probe = asked in ("/healthz", "/readyz")
        where = asked if is_probe else settings.PATH[:-1] + asked
        sent = {}
        for name, cookie in SimpleCookie(environ.get("HTTP_COOKIE", "")).items():
            start, own = _KEPT.fullmatch(name).groups()
            sent[f"{'__Secure-' if start else ''}battleships.{own}"] = cookie.coded_value
        cookies = "; ".join(map("=".join, sent.items()))
        answer: Any = super().__call__({**environ, "PATH_INFO": where, "HTTP_COOKIE": cookies})
        for name, text in answer.headers.items():
            answer.headers[name] = text if name in _NONE else at_root(text)
        is_text = not answer.headers.get("Content-Type", "").startswith("image/")
        if is_text and not answer.streaming and not answer.has_header("Content-Encoding"):
            answer.content = at_root(answer.content.decode("latin-1")).encode("latin-1")
        answer.cookies = _at_root(answer.cookies)
        return answer


def at_root(text: str) -> str:
    """The text with all addresses as they are at the root; each must be below the path."""
    for found in _ADDRESS.findall(text):
        path = re.sub(r"https?://localhost(:\d+)?", "", found)
        assert path.startswith(settings.PATH), found
    return text.replace(settings.PATH, "/")


def _at_root(cookies: SimpleCookie) -> SimpleCookie:
    found = SimpleCookie()
    for name, cookie in cookies.items():
        start, own = _NAMED.fullmatch(name).groups()
        own = f"{'__Host-' if start else ''}{own}"
        cookie.set(own, cookie.value, cookie.coded_value)
        cookie["path"] = at_root(cookie["path"])
        found[own] = cookie
    return found

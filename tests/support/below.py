"""The site below a path, for tests that are written for the root: BATTLESHIP_PATH chooses it."""

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


class Below(ClientHandler):
    """Asks the site below the path, sees that all that it says is there, and removes it again."""

    def __call__(self, environ: Any) -> Any:
        set_script_prefix(settings.PATH)
        asked, given = environ["PATH_INFO"], SimpleCookie(environ.get("HTTP_COOKIE", ""))
        where = asked if asked in ("/healthz", "/readyz") else settings.PATH[:-1] + asked
        cookies = "; ".join(f"battleships.{it}={given[it].coded_value}" for it in given)
        cookies = cookies.replace("battleships.__Host-", "__Secure-battleships.")
        answer: Any = super().__call__({**environ, "PATH_INFO": where, "HTTP_COOKIE": cookies})
        kind = answer.headers.get("Content-Type", "")
        for name, text in answer.headers.items():
            if name not in ("Content-Type", "Accept", "Permissions-Policy"):
                answer.headers[name] = at_root(text)
        is_packed = answer.streaming or answer.has_header("Content-Encoding")
        if not is_packed and not kind.startswith("image/"):
            answer.content = at_root(answer.content.decode("latin-1")).encode("latin-1")
        kept, answer.cookies = answer.cookies, SimpleCookie()
        for name, cookie in kept.items():
            start, own = name.split("battleships.")
            own = start.replace("__Secure-", "__Host-") + own
            cookie.set(own, cookie.value, cookie.coded_value)
            cookie["path"] = at_root(cookie["path"])
            answer.cookies[own] = cookie
        return answer


def at_root(text: str) -> str:
    """The text with all addresses as they are at the root; each must be below the path."""
    for found in _ADDRESS.findall(text):
        assert re.sub(r"https?://localhost(:\d+)?", "", found).startswith(settings.PATH), found
    return text.replace(settings.PATH, "/")

"""A device that plays by the public handles of pages: a browser without a script."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import unescape
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode, urljoin

from django.test import Client
from django.test.client import MULTIPART_CONTENT, ClientHandler
from django.test.signals import setting_changed

from game.views.preferences import DEFAULTS, PREFERENCES
from tests.support.page import Page

HTMX = {"hx-request": "true"}
JSON = {"accept": "application/json"}
FORM = "application/x-www-form-urlencoded"
PATIENCE = 60
"""Seconds to wait for a server."""
MOST_STEPS = 100
"""More than any page leads on by itself."""

Fields = Mapping[str, Any] | Sequence[tuple[str, str]]

_ASKED_LATE = {"MATCH_DAYS", "HAS_DATABASE", "SECRETS_FILE"}
"""Settings that are read with each request, never when the middleware is loaded."""
_HANDLERS: list[ClientHandler] = []


def _forget_handler(*, setting: str, **_: Any) -> None:
    if setting not in _ASKED_LATE:
        _HANDLERS.clear()


setting_changed.connect(_forget_handler)


class _Client(Client):
    """Django's client; all of them share one handler, as WhiteNoise scans all files to make one."""

    def request(self, **environ: Any) -> Any:
        if not _HANDLERS:
            _HANDLERS.append(ClientHandler(enforce_csrf_checks=False))
        self.handler = _HANDLERS[0]
        return super().request(**environ)


def preferring(**chosen: str) -> dict[str, str]:
    """The cookie of a visitor with these preferences."""
    return {PREFERENCES.name: PREFERENCES.text(replace(DEFAULTS, **chosen))}


class Device:
    """A browser without a script: it keeps cookies, and knows the page that it shows."""

    page: Page
    """The last page that `open` or `send` has brought."""
    status: int
    """The status of the last answer to them, before it led on to the page."""

    def __init__(
        self, *, language: str = "en", is_secure: bool = False, headers: Mapping[str, str] = {}
    ) -> None:
        self.client = _Client(headers={"host": "localhost", **headers})
        self.language, self.is_secure = language, is_secure
        self.where = f"/{language}/"

    @property
    def cookies(self) -> SimpleCookie:
        return self.client.cookies

    @property
    def preferred(self) -> dict[str, str]:
        """The preferences that it keeps."""
        kept = self.cookies.get(PREFERENCES.name)
        return PREFERENCES.value(kept.value).non_default if kept else {}

    def prefer(self, **chosen: str) -> None:
        """Has it keep these preferences alone."""
        self.cookies.load(preferring(**chosen))

    # --- one request and its answer ---

    def get(self, where: str, data: Any = None, *, follow: bool = False, **more: Any) -> Page:
        """Asks for an address; `follow` goes on as a browser does."""
        got = self.client.get(where, data, **self._scheme(more))
        return self._answer(got, where, follow, more)

    def ask_json(self, where: str, fields: Any = None) -> Page:
        """The answer in JSON to an address, or to a form that is sent there."""
        if fields is None:
            return self.get(where, headers=JSON, follow=True)
        return self.post(where, fields, headers=JSON)

    def see(self, where: str) -> Page:
        """The page at an address, or to which it leads; it has to be there."""
        page = self.get(where, follow=True)
        assert page.status == 200, where
        return page

    def post(
        self,
        where: str,
        data: Any = None,
        content_type: str = MULTIPART_CONTENT,
        *,
        follow: bool = False,
        **more: Any,
    ) -> Page:
        """Sends a form urlencoded, as pages do, or in parts if it has a file."""
        has_file = isinstance(data, dict) and any(hasattr(v, "read") for v in data.values())
        if content_type == MULTIPART_CONTENT and not has_file:
            data, content_type = urlencode(data or {}, doseq=True), FORM
        got = self.client.post(where, data, content_type, **self._scheme(more))
        return self._answer(got, where, follow, more)

    def pressed(self, where: str, fields: Any = None, **more: Any) -> str:
        """Sends a form that is accepted; the address that follows."""
        answer = self.post(where, fields, **more)
        assert answer.status == 303, (answer.status, where)
        return answer.location

    def request(self, method: str, where: str, data: Any = b"", **more: Any) -> Page:
        """Sends any request, such as HEAD."""
        got = self.client.generic(method, where, data, **self._scheme(more))
        return self._answer(got, where, follow=False, more=more)

    def _scheme(self, options: dict[str, Any]) -> dict[str, Any]:
        return {"secure": self.is_secure, **options}

    def _answer(self, got: Any, where: str, follow: bool, more: Mapping[str, Any]) -> Page:
        page = Page(got.status_code, got.headers, got.getvalue(), where, got.cookies)
        for _ in range(MOST_STEPS if follow else 0):
            if not page.next:
                break
            page = self.get(urljoin(page.where, page.next), **more)
        return page

    # --- as a person plays ---

    def open(self, where: str = "", **headers: str) -> Page:
        """Opens an address, or the one that is shown, as a reload does."""
        return self._show(self.get(where or self.where, headers=headers))

    def send(self, fields: Fields, where: str = "", **headers: str) -> Page:
        """Sends the first form of the page, or one to that address, with these fields.

        Returns the answer itself; `page` is the one to which it leads.
        """
        return self._show(self.post(where or self.page.form, fields, headers=headers))

    def _show(self, answer: Page) -> Page:
        page = answer
        while page.next:
            page = self.get(urljoin(page.where, page.next))
        self.page, self.status = page, answer.status
        self.where = unescape(page.headers.get("HX-Replace-Url", page.where))
        return answer


def asked(
    port: int, path: str, form: str | None = None, headers: Mapping[str, str] = {},
    *, method: str = "", host: str = "127.0.0.1", source: str = "",
) -> Page:  # fmt: skip
    """The answer of a server to one question, or to a form; `source` is the client's address."""
    connection = HTTPConnection(host, port, timeout=PATIENCE, source_address=(source, 0))
    kind = {} if form is None else {"Content-Type": FORM}
    try:
        connection.request(
            method or ("GET" if form is None else "POST"), path, form, {**kind, **headers}
        )
        got = connection.getresponse()
        return Page(got.status, got.headers, got.read(), path, SimpleCookie())
    finally:
        connection.close()

"""A test client that sends forms as the site's own pages do."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.test import Client
from django.test.client import MULTIPART_CONTENT, ClientHandler
from django.test.signals import setting_changed

FORM = "application/x-www-form-urlencoded"
ASKED_LATE = {"CACHES", "MATCH_DAYS", "MATCH_STORE", "SECRETS_FILE"}
"""Settings that are read with each request, never when the middleware is loaded."""
AT_ONCE = "0; url="
_HANDLERS: list[ClientHandler] = []


def _handler() -> ClientHandler:
    """Returns the handler of all clients: to make one, WhiteNoise scans all static files."""
    if not _HANDLERS:
        _HANDLERS.append(ClientHandler(enforce_csrf_checks=False))
    return _HANDLERS[0]


def _load_anew(*, setting: str, **_: Any) -> None:
    if setting not in ASKED_LATE:
        _HANDLERS.clear()


setting_changed.connect(_load_anew)


class FormClient(Client):
    """Sends a form urlencoded, where Django's client sends multipart; one with a file stays so."""

    def __init__(self, **options: Any) -> None:
        assert "enforce_csrf_checks" not in options, "all clients share one handler"
        super().__init__(**options)

    def request(self, **environ: Any) -> Any:
        self.handler = _handler()
        return super().request(**environ)

    def get(  # type: ignore[override]
        self, path: str, data: Any = None, *, follow: bool = False, **more: Any
    ) -> Any:
        """Follows, if it is to, redirects and pages that lead on at once, as a browser does."""
        response = super().get(path, data, follow, **more)
        while follow and response.get("Refresh", "").startswith(AT_ONCE):
            where, chain = response["Refresh"].removeprefix(AT_ONCE), response.redirect_chain
            response = super().get(where, None, follow, **more)
            response.redirect_chain = [*chain, (where, 200), *response.redirect_chain]
        return response

    def post(  # type: ignore[override]  # the arguments that follow are Django's own
        self, path: str, data: Any = None, content_type: str = MULTIPART_CONTENT, **more: Any
    ) -> Any:
        has_file = isinstance(data, dict) and any(hasattr(v, "read") for v in data.values())
        if content_type == MULTIPART_CONTENT and not has_file:
            data, content_type = urlencode(data or {}, doseq=True), FORM
        return super().post(path, data, content_type, **more)

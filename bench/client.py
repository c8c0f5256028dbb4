"""A browser of the site, and the site in one process of gunicorn, as deploy/ starts it.

    Browser().send("/en/rules/").status                      # answered by this process

    with served(log) as server, server.browser() as browser:
        browser.send("/healthz")

The process that answers is found in Linux's /proc.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlencode

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from game.display.messages import FULLY_ONBOARDED
from game.views.preferences import PREFERENCES, Preferences

_ALL_THREADS = 2
"""CPUCLOCK_SCHED, the kind of Linux's clock that counts a process's CPU time."""
_TIMEOUT = 60
EXPERIENCED = Preferences(sound_prompt="gone", onboarded=str(FULLY_ONBOARDED))
COOKIE = f"preferences={PREFERENCES.text(EXPERIENCED)}"
"""The preferences of a player whom pages explain nothing any more."""
FIREFOX = {
    "Accept": "text/html,*/*",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "en-GB,en;q=0.9",
    "Cookie": COOKIE,
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
}
"""The headers of such a player's browser."""
Fields = Mapping[str, Any]


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    """As it was sent: compressed, if the browser accepts that."""

    @property
    def leads_to(self) -> str:
        """The address that the browser shows next, or nothing."""
        return self.headers.get("Location", self.headers.get("HX-Replace-Url", ""))


def mark_of(page: Answer) -> str:
    """The mark of an uncompressed page, which its forms send; empty if it has none."""
    mark = re.search(rb'data-page="(\w+)"', page.body)
    return mark[1].decode() if mark else ""


class Browser:
    """A client of the application in this process, or of a server; a context manager.

    The application in this process is called by WSGI, as by a server: Django's test client would
    keep a part of each request, and add work of its own.
    """

    def __init__(
        self, headers: Mapping[str, str] | None = None, port: int = 0, address: str = "127.0.0.1"
    ) -> None:
        """`address` is the client's own, for a server at that port of 127.0.0.1."""
        self._headers = {"Host": "localhost", "Sec-Fetch-Site": "same-origin", **(headers or {})}
        self._connection = port and HTTPConnection(
            "127.0.0.1", port, timeout=_TIMEOUT, source_address=(address, 0)
        )

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection, which the next request opens again."""
        if self._connection:
            self._connection.close()

    def send(
        self, path: str, fields: Fields | None = None, *, htmx: bool = False, accept: str = ""
    ) -> Answer:
        """Returns the answer to a GET, or to a form with these fields.

        `htmx` asks for a part of a page, `accept` for a type of content.
        """
        headers, body = dict(self._headers), b""
        if accept:
            headers["Accept"] = accept
        if htmx:
            headers["HX-Request"] = "true"
        if fields is not None:
            body = urlencode(fields, doseq=True).encode()
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        method = "GET" if fields is None else "POST"
        if not self._connection:
            return _asked(method, path, body, headers)
        self._connection.request(method, path, body or None, headers)
        response = self._connection.getresponse()
        return Answer(response.status, dict(response.getheaders()), response.read())


def _asked(method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Returns the answer of the application in this process."""
    where, _, query = path.partition("?")
    environ = {
        "REQUEST_METHOD": method, "PATH_INFO": unquote(where), "QUERY_STRING": query,
        "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": headers.get("Content-Type", ""),
        "SERVER_NAME": "localhost", "SERVER_PORT": "80", "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": "http", "wsgi.input": BytesIO(body),
        **{f"HTTP_{name.upper().replace('-', '_')}": text for name, text in headers.items()},
    }  # fmt: skip
    begun: list[tuple[str, Mapping[str, str]]] = []

    def begin(status: str, headers: list[tuple[str, str]], *_: Any) -> Callable[[bytes], object]:
        begun.append((status, dict(headers)))
        return bytes

    answer = _application(tuple(settings.MIDDLEWARE))(environ, begin)
    content = b"".join(answer)
    answer.close()
    (status, found), *_ = begun
    return Answer(int(status[:3]), found, content)


@cache
def _application(_middleware: tuple[str, ...]) -> Any:
    """The application, loaded once for each setting of its middleware."""
    return get_wsgi_application()


# --- a server ---


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    master: int
    """The process that starts the one that answers."""

    def browser(self) -> Browser:
        """A browser with one connection that stays open."""
        return Browser(FIREFOX, self.port)

    def cpu_seconds(self) -> float:
        """User and system time of the process that answers, all its threads together.

        It is read from the process's clock, since /proc/PID/stat counts ticks of 10 ms and misses
        most of a health check.
        """
        return time.clock_gettime(~self._worker << 3 | _ALL_THREADS)

    @property
    def memory(self) -> float:
        """The private memory of that process, in MB."""
        rows = Path(f"/proc/{self._worker}/smaps_rollup").read_text().splitlines()
        sizes = [int(row.split()[1]) for row in rows if row.startswith("Private_")]
        return sum(sizes) / 1000

    @property
    def _worker(self) -> int:
        worker, *_ = Path(f"/proc/{self.master}/task/{self.master}/children").read_text().split()
        return int(worker)


@contextmanager
def served(log: Path, workers: int = 1, folder: Path | None = None) -> Iterator[Server]:
    """Yields a server that shares this process's secrets; its output is written to `log`.

    `folder` has another copy of the site with its environment. Raises OSError if the server doesn't
    answer.
    """
    kept = {name: text for name, text in os.environ.items() if not name.startswith("BATTLESHIP_")}
    with socket.create_server(("127.0.0.1", 0)) as listener, log.open("wb") as out:
        environment = {
            **kept,
            "BATTLESHIP_SECRETS_FILE": str(settings.SECRETS_FILE),
            "BIND": f"fd://{listener.fileno()}",
            "WEB_CONCURRENCY": str(workers),
        }
        command = ["-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "battleships_site.wsgi"]
        process = subprocess.Popen(  # noqa: S603 (our own server)
            [folder / ".venv/bin/python" if folder else sys.executable, *command],
            cwd=folder or settings.BASE_DIR, env=environment,
            pass_fds=(listener.fileno(),), stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip
        server = Server(listener.getsockname()[1], process.pid)
    with process:
        try:
            with server.browser() as browser:
                browser.send("/healthz")
            yield server
        finally:
            process.terminate()

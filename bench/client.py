"""The site in one process of gunicorn, as deploy/ starts it, and what its answers cost.

    with served(log) as server, Caller(server.port) as caller:
        caller.send("GET", "/healthz").status

The process that answers is found in Linux's /proc.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from django.conf import settings

_ALL_THREADS = 2
"""Which of a process's clocks: CPUCLOCK_SCHED of Linux, as in clock_getcpuclockid."""
_PATIENCE = 60
"""Seconds after which an answer is no longer waited for."""
BROWSER = {
    "Accept": "text/html,*/*",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "en-GB,en;q=0.9",
    "Cookie": "preferences=sound_prompt:gone.onboarded:15",
    "HX-Request": "true",
    "Sec-Fetch-Site": "same-origin",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
}  # fmt: skip
"""What the browser of one who has played before says when htmx asks for a part of a page."""
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    """As it was sent: packed."""


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    master: int
    """The process that starts the one that answers."""

    def cpu_seconds(self) -> float:
        """User and system time of the process that answers, all its threads together.

        By the clock that Linux has for every process: /proc/PID/stat counts ticks of 10 ms, and
        misses most of a hello.
        """
        return time.clock_gettime(~self._worker() << 3 | _ALL_THREADS)

    def _worker(self) -> int:
        children = Path(f"/proc/{self.master}/task/{self.master}/children").read_text()
        return int(children.split()[0])


class Caller:
    """A client with one connection that stays open; a context manager."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)

    def __enter__(self) -> Caller:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def send(self, method: str, path: str, fields: Mapping[str, str] | None = None) -> Answer:
        """The answer to a request, with a form's fields if any are given."""
        body = None if fields is None else urlencode(fields)
        self._connection.request(method, path, body, BROWSER | (FORM if fields else {}))
        response = self._connection.getresponse()
        return Answer(response.status, dict(response.getheaders()), response.read())


@contextmanager
def served(log: Path) -> Iterator[Server]:
    """A server of one process that shares this one's secrets; what it says is written to `log`.

    Raises OSError if it doesn't answer.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener, log.open("wb") as out:
        port = listener.getsockname()[1]
        process = subprocess.Popen(
            [
                sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py",
                "battleships_site.wsgi",
            ],
            cwd=settings.BASE_DIR,
            env=_environment() | {"BIND": f"fd://{listener.fileno()}"},
            pass_fds=(listener.fileno(),),
            stdout=out,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
    with process:
        try:
            with Caller(port) as caller:
                caller.send("GET", "/healthz")
            yield Server(port, process.pid)
        finally:
            process.terminate()


def _environment() -> dict[str, str]:
    """Our own variables, with the site set up as when nothing is said, but for the secrets."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("BATTLESHIP_")}
    return {
        **kept, "BATTLESHIP_SECRETS_FILE": str(settings.SECRETS_FILE), "BATTLESHIP_REGISTER": "",
        "WEB_CONCURRENCY": "1",
    }  # fmt: skip

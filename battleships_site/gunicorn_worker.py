"""Gunicorn's threaded worker: responses in one piece, no name of the server, no hasty starts."""

import sys
import time
from typing import Any

from gunicorn.http import wsgi
from gunicorn.workers.gthread import ThreadWorker

SECONDS_BETWEEN_STARTS = 5
"""How long a worker that can't start stays, so that its successor doesn't fail at once."""


class _Held:
    """A socket that stores what is sent."""

    def __init__(self) -> None:
        self.data = b""

    def sendall(self, data: bytes) -> None:
        self.data += data


class WholeResponse(wsgi.Response):  # type: ignore[misc, unused-ignore]
    """Sends the head together with the first piece of the body, which for a page is all of it.

    Gunicorn sends them separately. If a process is killed in between, the proxy has half a
    response and must pass it on; without any response it asks another copy.
    """

    sock: Any

    def default_headers(self) -> list[str]:
        """What gunicorn adds, but for its own name: it helps nobody who plays."""
        return [line for line in super().default_headers() if not line.startswith("Server:")]

    def write(self, arg: bytes) -> None:
        """Sends a piece of the body."""
        if self.headers_sent:
            super().write(arg)
            return
        held, socket = _Held(), self.sock
        self.sock = held
        try:
            super().write(arg)
        finally:
            self.sock = socket
        self.sock.sendall(held.data)


class Worker(ThreadWorker):  # type: ignore[misc, unused-ignore]
    """For `--worker-class`."""

    alive: bool

    def init_process(self) -> None:
        wsgi.Response = WholeResponse
        super().init_process()

    def load_wsgi(self) -> None:
        """Loads the site. Gunicorn replaces a worker that can't at once, and then the next."""
        try:
            super().load_wsgi()
        except SystemExit as error:  # by the settings, which say why
            self.log.error("%s", error)
            deadline = time.monotonic() + SECONDS_BETWEEN_STARTS
            while self.alive and time.monotonic() < deadline:
                time.sleep(0.1)
            sys.exit(1)

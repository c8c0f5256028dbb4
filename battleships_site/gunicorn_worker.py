"""Gunicorn's threaded worker, with whole responses, slow restarts and a limit for each answer."""

import sys
import time
from collections.abc import Iterable
from threading import get_ident
from typing import Any

from gunicorn.http import wsgi
from gunicorn.workers.gthread import ThreadWorker

SECONDS_BETWEEN_STARTS = 5
"""A worker that can't start stays for so long, so that its successor doesn't fail at once."""


LONGEST_ANSWER = 10
"""Seconds; the most expensive answer takes a quarter of one."""


class _Held:
    """A socket that stores what is sent."""

    def __init__(self) -> None:
        self.data = b""

    def sendall(self, data: bytes) -> None:
        self.data += data


class WholeResponse(wsgi.Response):  # type: ignore[misc, unused-ignore]
    """Sends the head together with the first piece of the body, which for a page is all of it.

    Gunicorn sends them separately. If a process is killed in between, the proxy has to pass on half
    a response; without any response it asks another copy.
    """

    sock: Any

    def default_headers(self) -> list[str]:
        """Returns gunicorn's headers without its own name."""
        return [line for line in super().default_headers() if not line.startswith("Server:")]

    def write(self, arg: bytes) -> None:
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
    wsgi: Any

    def init_process(self) -> None:
        self._began: dict[int, float] = {}
        """For each thread that computes an answer, when it began."""
        wsgi.Response = WholeResponse
        super().init_process()

    def load_wsgi(self) -> None:
        """Loads the site; without the pause gunicorn would replace a failing worker in a loop."""
        try:
            super().load_wsgi()
        except SystemExit as error:  # by the settings, which say why
            self.log.error("%s", error)
            deadline = time.monotonic() + SECONDS_BETWEEN_STARTS
            while self.alive and time.monotonic() < deadline:
                time.sleep(0.1)
            sys.exit(1)
        compute = self.wsgi

        def timed(*request: Any) -> Iterable[bytes]:
            self._began[get_ident()] = time.monotonic()
            try:
                answer: Iterable[bytes] = compute(*request)
                return answer
            finally:
                del self._began[get_ident()]

        self.wsgi = timed

    def notify(self) -> None:
        """Reports that the worker is alive, unless an answer takes too long.

        Gunicorn then replaces the worker, since a thread can't be ended. By itself it checks only
        the thread that waits for requests.
        """
        earliest = min(list(self._began.values()), default=time.monotonic())
        if time.monotonic() - earliest < LONGEST_ANSWER:
            super().notify()

"""Gunicorn's threaded worker, with whole responses, slow restarts and limits of time and memory."""

import resource
import sys
import time
from collections.abc import Iterable
from threading import get_ident
from typing import Any

from gunicorn.http import wsgi
from gunicorn.workers.gthread import _DEFER, TConn, ThreadWorker

SECONDS_BETWEEN_STARTS = 5
"""A worker that can't start stays for so long, so that its successor doesn't fail at once."""


LONGEST_ANSWER = 10
"""Seconds; the most expensive answer takes a quarter of one."""

LONGEST_SILENCE = 0.1
"""Seconds that a thread waits for the request of a new connection."""

MOST_MEMORY, MEMORY_UNIT = 220 * 2**20, 1 if sys.platform == "darwin" else 1024
"""Bytes at which a worker is replaced, 90 MiB beyond those after 50,000 requests."""
FEWEST_REQUESTS = 20_000
"""No worker is replaced before, so that one that needs as much from the start is not in a loop."""


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

    def handle(self, conn: TConn) -> Any:
        """Leaves a connection without a request to the thread that waits for all of them.

        Browsers open some in advance. Gunicorn keeps a thread for five seconds for each.
        """
        if conn.initialized or conn.wait_for_data(LONGEST_SILENCE):
            return super().handle(conn)
        return _DEFER

    def _cap_keepalive(self, deadline: float) -> None:
        """Closes idle connections before it ends, those that never had a request included.

        Gunicorn waits `graceful_timeout` for the latter, and takes no new ones meanwhile.
        """
        super()._cap_keepalive(deadline)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, deadline)

    def notify(self) -> None:
        """Reports that the worker is alive, unless an answer takes too long.

        Gunicorn then replaces the worker, since a thread can't be ended. By itself it checks only
        the thread that waits for requests. A worker that has grown ends, as with `max_requests`.
        """
        if self.alive and self.nr >= FEWEST_REQUESTS and _peak_memory() > MOST_MEMORY:
            self.log.warning("a process of %d MiB is replaced", _peak_memory() >> 20)
            self.alive = False
        earliest = min(list(self._began.values()), default=time.monotonic())
        if time.monotonic() - earliest < LONGEST_ANSWER:
            super().notify()


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MEMORY_UNIT

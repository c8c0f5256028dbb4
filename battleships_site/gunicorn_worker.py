"""Gunicorn's worker with threads, whose answers leave in one piece."""

from typing import Any

from gunicorn.http import wsgi
from gunicorn.workers.gthread import ThreadWorker


class _Held:
    """Keeps what would have been sent."""

    def __init__(self) -> None:
        self.data = b""

    def sendall(self, data: bytes) -> None:
        self.data += data


class WholeResponse(wsgi.Response):  # type: ignore[misc, unused-ignore]
    """Sends the head together with the first piece of the body, which is all of a page.

    Gunicorn sends them one after the other. A process that is killed in between leaves the proxy
    with half an answer, which it must hand on; of no answer at all it asks another copy.
    """

    sock: Any

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

    def init_process(self) -> None:
        """Begins to serve."""
        wsgi.Response = WholeResponse
        super().init_process()

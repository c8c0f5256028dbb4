"""Gunicorn's threaded worker, but with responses sent in one piece."""

from typing import Any

from gunicorn.http import wsgi
from gunicorn.workers.gthread import ThreadWorker


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
        wsgi.Response = WholeResponse
        super().init_process()

"""Reads the bodies of requests under gunicorn, which limits neither their length nor their time.

It also passes on a body in chunks without a length, of which Django reads nothing. Waitress does
all this by itself.
"""

import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from http import HTTPStatus
from io import BytesIO
from threading import Timer
from typing import Any

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

LONGEST_LINE = 8190
"""Bytes of a request line; gunicorn reads no longer ones."""
LONGEST_BODY = 192 * 1024
"""Bytes; the site itself answers to forms that are too long and shorter than this."""
SLOWEST_BODY = 5
"""Seconds in which a body must have come."""


def within_limits(application: Application) -> Application:
    """Refuses bodies that are too long or too slow, and gives those in chunks a length."""

    def within(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        connection = environ.get("gunicorn.socket")
        length = int(environ.get("CONTENT_LENGTH") or 0)
        is_chunked = "HTTP_TRANSFER_ENCODING" in environ
        if connection is None or not (length or is_chunked):
            return application(environ, start_response)
        body, status = b"", HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        if length <= LONGEST_BODY:
            body = _received(environ["wsgi.input"], connection, length or LONGEST_BODY + 1)
            if len(body) < length or (is_chunked and not body):
                status = HTTPStatus.REQUEST_TIMEOUT
            elif len(body) <= LONGEST_BODY:
                environ["wsgi.input"], environ["CONTENT_LENGTH"] = BytesIO(body), str(len(body))
                return application(environ, start_response)
        start_response(f"{status.value} {status.phrase}", [("Content-Type", "text/plain")])
        return [f"{status.description}.\n".encode()]

    return within


def _received(body: Any, connection: socket.socket, most: int) -> bytes:
    """Returns a body, or what of it has come in time; nothing if that can't be told apart."""
    late = Timer(SLOWEST_BODY, _end_reading, [connection])
    late.start()
    try:
        return bytes(body.read(most))
    except OSError:  # gunicorn's, where the body has no length
        return b""
    finally:
        late.cancel()


def _end_reading(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RD)

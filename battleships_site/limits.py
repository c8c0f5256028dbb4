"""The limits of requests, which are the same under every server.

Gunicorn and waitress read requests with limits and refusals of their own. What they let through
differs in two ways: gunicorn passes on a body without a length, of which Django reads nothing, and
it waits for a body for as long as the client takes.
"""

from __future__ import annotations

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
MOST_FIELDS, LONGEST_FIELD, LONGEST_FIELDS = 100, 16_380, 40 * 1024
"""The number of header fields, and the bytes of one and of all together."""
LONGEST_BODY = 192 * 1024
"""Bytes; the site itself answers to forms that are too long and shorter than this."""
SLOWEST_BODY = 5
"""Seconds in which a body must have come."""


class Refused(Exception):
    """A request that breaks a limit, with the status and the sentence of its answer."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self._status, self._sentence = status, sentence

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Returns the status, the headers and the body; waitress asks its errors for them, too."""
        body = f"{self._sentence}\n".encode()
        headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))]
        return f"{self._status.value} {self._status.phrase}", headers, body


TOO_LONG = Refused(
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    f"The body of this request is longer than {LONGEST_BODY} bytes.",
)
FIELDS_TOO_LONG = Refused(
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The header fields of this request are too long."
)
OTHER_CODING = Refused(
    HTTPStatus.NOT_IMPLEMENTED, "This site reads no transfer coding but chunked."
)
TOO_SLOW = Refused(HTTPStatus.REQUEST_TIMEOUT, "The body of this request came too slowly.")


def within_limits(application: Application) -> Application:
    """Answers for an application to requests beyond the limits, and gives each body a length."""

    def within(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        fields = ((name, text) for name, text in environ.items() if name.startswith("HTTP_"))
        try:
            if sum(len(name) + len(text) for name, text in fields) > LONGEST_FIELDS:
                raise FIELDS_TOO_LONG
            _read_body(environ)
        except Refused as refused:
            status, headers, body = refused.to_response()
            start_response(status, headers)
            return [body]
        return application(environ, start_response)

    return within


def _read_body(environ: dict[str, Any]) -> None:
    """Replaces a body that the server has yet to receive by one in memory, with its length."""
    coding = environ.pop("HTTP_TRANSFER_ENCODING", "")
    if coding.lower() not in ("", "chunked"):
        raise OTHER_CODING
    named = environ.get("CONTENT_LENGTH", "")
    length = int(named) if named.isdecimal() else 0
    if length > LONGEST_BODY:
        raise TOO_LONG
    connection = environ.get("gunicorn.socket")
    if connection is None or not (coding or length):
        return
    body = _received(environ["wsgi.input"], connection, LONGEST_BODY + 1 if coding else length)
    if len(body) > LONGEST_BODY:
        raise TOO_LONG
    if not coding and len(body) < length:
        raise TOO_SLOW
    environ["wsgi.input"], environ["CONTENT_LENGTH"] = BytesIO(body), str(len(body))


def _received(body: Any, connection: socket.socket, most: int) -> bytes:
    """Returns a body, or as much of it as has come in time; raises Refused if it isn't whole."""
    late = Timer(SLOWEST_BODY, _end_reading, [connection])
    late.start()
    try:
        return bytes(body.read(most))
    except OSError as error:  # gunicorn's, where the body has no length
        raise TOO_SLOW from error
    finally:
        late.cancel()


def _end_reading(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RD)

"""How gunicorn and waitress take bodies that no browser sends."""

import socket
import sys
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import Any

import pytest

from battleships_site.limits import LONGEST_BODY
from tests.support.device import FORM
from tests.support.served import ROOT, answers, environment, free_port, running

pytestmark = pytest.mark.cluster
SERVERS = {
    "gunicorn": ("-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "battleships_site.wsgi"),
    "waitress": ("manage.py", "serve"),
}
CHUNKED, LENGTH = "Transfer-Encoding: chunked", "Content-Length: 12"
CHUNKS = "4\r\nacti\r\n8;x=y\r\non=quick\r\n0\r\n\r\n"


def in_chunks(length: int) -> str:
    return f"{length:x}\r\n{'a' * length}\r\n0\r\n\r\n"


CASES = [
    (303, CHUNKED, CHUNKS), (303, LENGTH, "action=quick"), (422, CHUNKED, in_chunks(16_384)),
    (422, LENGTH, "action=slow+"), (413, CHUNKED, in_chunks(16_385)),
    (413, "Content-Length: 16385", "a" * 16_385), (413, CHUNKED, in_chunks(LONGEST_BODY + 1)),
    (413, f"Content-Length: {'9' * 30}", ""),
    (400, f"{LENGTH}\r\nContent-Length: 9", "action=quick"), (400, CHUNKED, "zz\r\n"),
]  # fmt: skip
"""Statuses of answers, each with the fields and the body of a form."""


@pytest.fixture(scope="module", params=SERVERS)
def server(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server."""
    port, log = free_port(), tmp_path_factory.mktemp(request.param) / "log"
    bind = {"BIND": f"127.0.0.1:{port}", "PORT": str(port), "WEB_CONCURRENCY": "1"}
    words = [sys.executable, *SERVERS[request.param]]
    with running(words, log, lambda: answers(port), cwd=ROOT, env=environment() | bind):
        yield port


@pytest.mark.parametrize(("status", "fields", "body"), CASES)
def test_a_form_is_taken_or_refused_however_its_length_is_told(
    server: int, status: int, fields: str, body: str
) -> None:
    head = f"POST /en/new/bonn/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {FORM}\r\n{fields}"
    with socket.create_connection(("127.0.0.1", server), timeout=60) as connection:
        connection.sendall(f"{head}\r\n\r\n{body}".encode())
        answer = HTTPResponse(connection)
        answer.begin()
        assert answer.status == status, answer.read()

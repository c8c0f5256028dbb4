"""What gunicorn and waitress answer to requests that no browser sends: the same."""

import socket
import sys
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import Any

import pytest

from battleships_site.limits import LONGEST_BODY
from tests.support.device import FORM
from tests.support.served import ROOT, answers, environment, free_port, running

pytestmark = pytest.mark.deep
SERVERS = {
    "gunicorn": ("-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "battleships_site.wsgi"),
    "waitress": ("manage.py", "serve"),
}
PAGE, PRESS = "GET /en/about/ HTTP/1.1", "POST /en/new/bonn/ HTTP/1.1"
CHUNKED, LENGTH = "Transfer-Encoding: chunked", "Content-Length: 12"
CHUNKS = "4\r\nacti\r\n8;x=y\r\non=quick\r\n0\r\n\r\n"


def request(line: str, *fields: str, body: str = "") -> str:
    return "\r\n".join([line, "Host: 127.0.0.1", f"Content-Type: {FORM}", *fields, "", body])


def press(*fields: str, body: str = CHUNKS) -> str:
    return request(PRESS, *fields, body=body)


def in_chunks(length: int) -> str:
    return press(CHUNKED, body=f"{length:x}\r\n{'a' * length}\r\n0\r\n\r\n")


def headers(count: int, length: int = 1) -> str:
    return request(PAGE, *(f"X{number}: {'a' * length}" for number in range(count - 2)))


def line(length: int) -> str:
    return request(f"GET /en/about/?{'a' * (length - 24)} HTTP/1.1")


CASES = {
    303: [
        press(CHUNKED), press("transfer-encoding: Chunked"), press(LENGTH, body="action=quick"),
        press(CHUNKED, body=CHUNKS[:-2] + "X: y\r\n\r\n"), press(CHUNKED, "Expect: 100-continue"),
    ],
    200: [
        headers(100), headers(3, 8_000), line(8_190),
        request(PAGE, CHUNKED, body="5\r\nhello\r\n0\r\n\r\n"), request(PAGE, "Script_Name: /en"),
        request(PAGE, "Expect: 100-continue"),
        request(PAGE, "X-Forwarded-Proto: https", "X-Forwarded-Proto: http"),
    ],
    400: [
        press(LENGTH, CHUNKED), press(CHUNKED, LENGTH), press(CHUNKED, CHUNKED),
        press(f"{CHUNKED}, chunked"), press("Transfer-Encoding: gzip"), press(f"{CHUNKED}, gzip"),
        press("Transfer-Encoding: identity", LENGTH),
        press(CHUNKED).replace("HTTP/1.1", "HTTP/1.0"),
        press(LENGTH, LENGTH), press("Content-Length: 12, 12"), press("Content-Length: 1e1"),
        press("Content-Length: -1"), press(f"Content-Length: {'9' * 5_000}"),
        press("Content-Length: \xb2"), press(CHUNKED, body="zz\r\n"),
        press(CHUNKED, body="4\r\nactixx0\r\n\r\n"), request(PAGE, "Host: 127.0.0.1"),
        request(PAGE, "X: a", " b"), request(PAGE, "X : a"), request(PAGE).replace("\r\n", "\n"),
        request("GET * HTTP/1.1"), request("GET /en/about/"),
        request("GET http://[/ HTTP/1.1"), request("GET /en/about/ HTTP/2.0"),
    ],
    413: [
        press("Content-Length: 16385", body="a" * 16_385), in_chunks(16_385),
        press(f"Content-Length: {'9' * 30}"),
        press(CHUNKED, body=f"{2 * LONGEST_BODY:x}\r\n{'a' * (LONGEST_BODY + 100)}"),
        press("Content-Length: 200000", "Expect: 100-continue", body=""),
    ],
    414: [line(8_191), line(50_000)],
    417: [press(LENGTH, "Expect: much", body="action=quick")],
    422: [in_chunks(16_384), press(body="")],
    431: [headers(101), headers(3, 16_390), headers(10, 10_000)],
    501: [press("Transfer-Encoding: xchunked"), press("Transfer-Encoding: gzip, chunked")],
}  # fmt: skip
"""Requests by the status of their answer."""


@pytest.fixture(scope="module", params=SERVERS)
def server(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server."""
    port, log = free_port(), tmp_path_factory.mktemp(request.param) / "log"
    bind = {"BIND": f"127.0.0.1:{port}", "PORT": str(port), "WEB_CONCURRENCY": "1"}
    words = [sys.executable, *SERVERS[request.param]]
    with running(words, log, lambda: answers(port), cwd=ROOT, env=environment() | bind):
        yield port


@pytest.mark.parametrize(
    ("status", "raw"), [(status, raw) for status, raws in CASES.items() for raw in raws]
)
def test_each_server_answers_alike_with_a_sentence(server: int, status: int, raw: str) -> None:
    with socket.create_connection(("127.0.0.1", server), timeout=60) as connection:
        connection.sendall(raw.encode("latin-1"))
        answer = HTTPResponse(connection)
        answer.begin()
        text = answer.read().decode()
    assert answer.status == status, text
    assert status == 303 or " " in text

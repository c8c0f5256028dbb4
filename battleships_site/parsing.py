"""Waitress' parser of requests, which refuses what gunicorn refuses, with the same status.

A proxy and a server that read the same bytes as different requests can be abused, for example by a
Content-Length beside a Transfer-Encoding. Waitress is more lenient than gunicorn there.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

from waitress.parser import HTTPRequestParser  # type: ignore[import-untyped]

from battleships_site.limits import (
    FIELDS_TOO_LONG,
    LONGEST_FIELD,
    LONGEST_LINE,
    MOST_FIELDS,
    OTHER_CODING,
    TOO_LONG,
    Refused,
)

_LINE = re.compile(rb"(OPTIONS \*|CONNECT [^ ]+|[^a-z# ]{3,20} (/|[^ /]+://)[^ ]*) HTTP/1\.\d")
_ONCE = b"content-length", b"content-type", b"host"
_CODINGS = {"chunked", "compress", "deflate", "gzip", "identity"}
_LINE_TOO_LONG = Refused(
    HTTPStatus.REQUEST_URI_TOO_LONG, "The address of this request is too long."
)
_BY_STATUS = {413: TOO_LONG, 431: FIELDS_TOO_LONG, 501: OTHER_CODING}


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Reads one request, and answers by one sentence if it can't be read."""

    completed: bool
    error: Any

    def received(self, data: bytes) -> int:
        """Takes bytes of a connection; returns how many of them belong to the request."""
        try:
            count = int(super().received(data))
            start = self.header_plus
            if not self.completed and start.count(b"\n") != start.count(b"\r\n"):
                raise _bad("A line of the head ends without CR.")
            if not self.completed and b"\n" not in start and len(start) > LONGEST_LINE + 1:
                raise _LINE_TOO_LONG
            if self.error:
                raise _BY_STATUS.get(self.error.code) or _bad(f"{self.error.body}.")
        except Refused as refused:
            self.error, count = refused, len(data)
        except ValueError:  # from an address or a Content-Length that Python can't read
            self.error, count = _bad("This request can't be read."), len(data)
        if self.error:
            self.completed = self.headers_finished = True
        if self.completed:
            self.expect_continue = False  # nothing is to come
        return count

    def parse_header(self, header_plus: bytes) -> None:
        """Reads the head of the request; raises Refused or waitress' ParsingError."""
        _check(header_plus)
        super().parse_header(header_plus)


def _bad(sentence: str) -> Refused:
    return Refused(HTTPStatus.BAD_REQUEST, sentence)


def _check(head: bytes) -> None:
    """Raises Refused for a head that gunicorn refuses, unless waitress does, too."""
    line, *lines = head.rstrip(b"\r\n").split(b"\r\n")
    if len(line) > LONGEST_LINE:
        raise _LINE_TOO_LONG
    if len(lines) > MOST_FIELDS or any(len(each) + 2 > LONGEST_FIELD for each in lines):
        raise FIELDS_TOO_LONG
    if not _LINE.fullmatch(line):
        raise _bad("The first line of this request is not one of HTTP/1.")
    if any(each.startswith((b" ", b"\t")) for each in lines):
        raise _bad("A header field is folded.")
    pairs = [each.lower().split(b":", 1) for each in lines if b":" in each]
    fields = [(name, text.strip(b" \t").decode("latin-1")) for name, text in pairs]
    names = [name for name, _ in fields]
    if any(names.count(name) > 1 for name in _ONCE):
        raise _bad("A header field is there twice.")
    if any(name == b"expect" and text != "100-continue" for name, text in fields):
        raise Refused(HTTPStatus.EXPECTATION_FAILED, "This site knows no other expectation.")
    codings = [
        coding.strip(" \t")
        for name, text in fields
        if name == b"transfer-encoding"
        for coding in text.split(",")
    ]
    if "" in codings:
        raise OTHER_CODING
    if codings and {*codings} <= _CODINGS:
        is_clear = codings.count("chunked") == 1 and codings[-1] == "chunked"
        if not is_clear or b"content-length" in names or line.endswith(b"1.0"):
            raise _bad("The length of the body of this request is not clear.")

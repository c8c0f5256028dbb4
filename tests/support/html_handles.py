"""What the handles of a page of a match say, read from its HTML: the oracle of its JSON."""

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from copy import deepcopy
from hashlib import shake_256
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from itertools import count
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from django.test.client import FakePayload

from game.feature_list import words

JSON, HTML = "application/json", "text/html"
_ADDRESSES = ("HX-Replace-Url", "HX-Push-Url", "HX-Redirect", "Location")
"""The headers in which a response names its page's address."""
_WORDS = ("new", "place", "play", "replay", *words("json_pages"))
_OF_MATCHES = re.compile(f"/[a-z]+/({'|'.join(_WORDS)})/")


def compare_with_html(patch: pytest.MonkeyPatch) -> list[str]:
    """Has every request about a match sent for JSON and for HTML, and the answers compared.

    A script's request is answered as one for JSON is: a form with a page in place of a redirect. A
    GET is compared with the whole page besides. All of them find the same cookies and the same
    rows, and draw the same random bytes. Returns the addresses of the answers in JSON, as
    they come.
    """
    answer, compared = Client.request, list[str]()

    def in_both(client: Client, **environ: Any) -> Any:
        if not _OF_MATCHES.match(environ["PATH_INFO"]):
            return answer(client, **environ)
        environ = client.defaults | environ
        body = environ["wsgi.input"].read() if "wsgi.input" in environ else b""
        cookies, place = client.cookies, len(compared)

        def sent(*, is_tried: bool = True, **headers: str) -> Any:
            client.cookies = deepcopy(cookies)
            draws = count()

            def drawn(length: int) -> bytes:
                return shake_256(f"{place} {next(draws)}".encode()).digest(length)

            given = {**environ, **headers, "wsgi.input": FakePayload(body)}
            with patch.context() as seeds, ExitStack() as stack:
                seeds.setattr(os, "urandom", drawn)
                if connection.in_atomic_block:  # the test has a database
                    stack.enter_context(transaction.atomic())
                    stack.callback(transaction.set_rollback, is_tried)
                return answer(client, **given)

        part = sent(HTTP_ACCEPT=HTML, HTTP_HX_REQUEST="true")
        whole = sent(HTTP_ACCEPT=HTML) if environ["REQUEST_METHOD"] == "GET" else part
        said = handles(part.content.decode())
        if whole is not part and whole.status_code == part.status_code:
            assert handles(whole.content.decode()) == said
        is_json = environ.get("HTTP_ACCEPT") == JSON
        got = sent(HTTP_ACCEPT=JSON, is_tried=not is_json)
        if got["Content-Type"] == JSON and part.content:
            compared.append(part.wsgi_request.get_full_path())
            assert (got.status_code, _offered(got.json(), part)) == _in_json(part, said)
            assert _values(got.cookies) == _values(part.cookies)
        return got if is_json else sent(is_tried=False)

    patch.setattr(Client, "request", in_both)
    return compared


def _values(cookies: SimpleCookie) -> dict[str, str]:
    return {name: it.value for name, it in cookies.items()}


def _offered(page: dict[str, Any], html: Any) -> dict[str, Any]:
    """Returns the page in JSON without the cells that persons have to type in this HTML."""
    text = html.content.decode()
    if 'name="typed"' in text and not re.search('<button[^>]*name="cell"', text):
        page["actions"] = [form for form in page["actions"] if "cell" not in form["buttons"]]
    return page


def _in_json(response: Any, page: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Returns the status and the content of the answer in JSON that says what this one says.

    A page that names no address of its own has the one that was asked for, unless it is an error.
    """
    status = response.status_code
    asked = "/" + response.wsgi_request.get_full_path().removeprefix(settings.PATH)
    own = asked if status == 200 else None
    where = next((response[name] for name in _ADDRESSES if name in response), own)
    return 200 if status == 303 else status, page if where is None else {"address": where, **page}


def handles(html: str) -> dict[str, Any]:
    """What the handles say in a page, or in the part of one that htmx swaps in."""
    _before, is_page, main = html.partition("<main")
    reader = _Reader()
    reader.feed(is_page + main if is_page else html)
    reader.close()
    return reader.page()


_VOID = {"br", "hr", "img", "input", "link", "meta"}
_NUMBERS = {"challenger-shots", "challenger-turns", "pace", "par", "questions", "shots", "turn"}
_TEXTS = {("data-told", key): key for key in ("status", "rules", "results")}
"""The elements whose text is told, by one of their attributes. The first of each key counts, but
all `results`."""
_TEXTS |= {("role", "status"): "status", ("data-statement", ""): "statement"}
_OF_CHALLENGES = ("data-challenger-shots", "data-challenger-turns", "data-challenger-won")
_SINGLE = ("data-commitment", "data-noted", "data-noticed", "data-touching", *_OF_CHALLENGES)
"""Handles that a page has once, not at `#game`."""
_OF_CELLS = ("data-age", "data-length", "data-percent")
_OF_FLEETS = ("data-length", "data-left", "data-of")

Attributes = dict[str, str]


class _Reader(HTMLParser):
    """Reads the handles that docs/api.md promises."""

    def __init__(self) -> None:
        super().__init__()
        self._page: dict[str, Any] = {}
        self._board: dict[str, Any] = {}
        self._row: list[str] = []
        self._fleet: list[dict[str, int]] = []
        self._form: dict[str, Any] | None = None
        self._again: dict[str, Any] | None = None
        """The form of the next match, some of whose buttons stand outside of it."""
        self._texts: dict[str, list[str]] = {}
        self._key = ""
        """The key of the text that is read."""
        self._depth = 0
        """How many elements of that text are open; 0 outside of one."""
        self._is_spoken = False
        """Whether the text is only there to be spoken, in place of other text."""

    def page(self) -> dict[str, Any]:
        told = {key: texts if key == "results" else texts[0] for key, texts in self._told()}
        page = {key: told.pop(key) for key in ("status",) if key in told} | self._page | told
        if "actions" in page:
            page["actions"] = [form for form in page["actions"] if form["buttons"]]
        return page

    def _told(self) -> Iterator[tuple[str, list[str]]]:
        """Yields each key with its texts."""
        for key, texts in self._texts.items():
            if found := [" ".join(text.split()) for text in texts if not text.isspace() and text]:
                yield key, found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if not self._depth:
            self._begin_text(given)
        elif tag not in _VOID:
            self._depth += 1
            self._is_spoken = "data-spoken" in given
        for name in _SINGLE:
            if name in given:
                self._page[_key(name)] = _value(name, given[name])
        match tag:
            case "td":
                self._read_cell(given)
            case "tr":
                self._row = []
            case "form":
                self._begin_form(given)
            case "input" | "button":
                self._read_field(tag, given)
            case "a":
                self._read_link(given)
            case "li" | "label":
                self._read_ship(given)
            case "section" | "fieldset" | "div":
                self._read_region(given)

    def handle_endtag(self, tag: str) -> None:
        self._depth -= bool(self._depth)
        self._is_spoken = False
        if tag == "form":
            self._form = None

    def handle_data(self, data: str) -> None:
        if self._depth and not self._is_spoken:
            self._texts[self._key][-1] += data

    def _begin_text(self, given: Attributes) -> None:
        for pair in given.items():
            if pair in _TEXTS:
                self._key, self._depth = _TEXTS[pair], 1
                self._texts.setdefault(self._key, []).append("")
                return

    def _read_region(self, given: Attributes) -> None:
        if given.get("id") == "game":
            handles = [name for name in given if name.startswith("data-")]
            self._page |= {_key(name): _value(name, given[name]) for name in handles}
            for name in ("script", "version"):
                self._page.pop(name, None)
            self._page |= {"boards": {}, "actions": [], "links": {}}
        elif "data-board" in given:
            self._board = {"rows": [], "cells": {}}
            self._page.setdefault("boards", {})[given["data-board"]] = self._board
        elif "data-fleet" in given:
            self._fleet = self._page.setdefault("fleets", {})[given["data-fleet"]] = []

    def _read_cell(self, given: Attributes) -> None:
        if "data-cell" in given:
            if not self._row:  # other rows, such as that of the letters, have no cells
                self._board["rows"].append(self._row)
            self._row.append(given["data-state"])
            if more := {_key(name): int(given[name]) for name in _OF_CELLS if name in given}:
                self._board["cells"][given["data-cell"]] = more

    def _read_ship(self, given: Attributes) -> None:
        if "data-of" in given:
            self._fleet.append({_key(name): int(given[name]) for name in _OF_FLEETS})

    def _begin_form(self, given: Attributes) -> None:
        where = given.get("action", "").partition("#")[0]
        if given.get("method") == "post" and not where.endswith("/settings/"):
            self._form = {"address": where, "fields": {}, "buttons": {}}
            self._page.setdefault("actions", []).append(self._form)
            if given.get("id") == "again":
                self._again = self._form

    def _read_field(self, tag: str, given: Attributes) -> None:
        kind, is_off = given.get("type"), "disabled" in given or "aria-disabled" in given
        is_unchecked = kind in ("radio", "checkbox") and "checked" not in given
        form = self._again if given.get("form") == "again" else self._form
        is_elsewhere = "form" in given and form is not self._again
        if form is None or "name" not in given or is_elsewhere or is_off or is_unchecked:
            return
        if "by-page" in given.get("class", "").split():  # not meant for programs
            return
        values = form["buttons" if tag == "button" else "fields"]
        values.setdefault(given["name"], []).append(given.get("value", ""))

    def _read_link(self, given: Attributes) -> None:
        if "data-question" in given:
            asked = {"question": given["data-question"], "answer": given["data-answer"]}
            self._page.setdefault("asked", []).append(asked)
        elif given.get("id", "").startswith("act-") and "href" in given:
            self._page.setdefault("links", {})[given["id"].removeprefix("act-")] = given["href"]


def _key(handle: str) -> str:
    return handle.removeprefix("data-")


def _value(handle: str, text: str) -> str | int:
    return int(text) if _key(handle) in _NUMBERS and text.isdecimal() else text

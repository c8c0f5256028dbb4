"""A page of a match as JSON (docs/api.md): what the handles of its HTML say, by their names.

It is read from the HTML itself, so it can't tell more than the page does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from django.http import HttpRequest, HttpResponse

JSON, HTML = "application/json", "text/html"
_LONGEST_ACCEPT = 1000
"""A longer header gets HTML, as to read it would take long."""
_ADDRESSES = ("HX-Replace-Url", "HX-Push-Url", "HX-Redirect", "Location")
"""The headers in which a response names its page's address."""


def prefers_json(accept: str) -> bool:
    """Whether a header `Accept` prefers JSON to HTML, by the precedence of RFC 9110."""
    if len(accept) > _LONGEST_ACCEPT:
        return False
    asked = HttpRequest()
    asked.META["HTTP_ACCEPT"] = accept
    return asked.get_preferred_type([HTML, JSON]) == JSON


def to_json(response: HttpResponse, asked: str) -> None:
    """Turns a page, a part of it for htmx, or the redirect after a form into JSON.

    A page that names no address of its own has the one that was `asked` for.

    Other redirects stay, and so does what is no page, such as a record.
    """
    is_html = response.get("Content-Type", "").startswith(HTML)
    if not is_html or response.status_code in (301, 302):
        return
    page = page_of(response.content.decode())
    own = asked if response.status_code == 200 else None
    where = next((response[name] for name in _ADDRESSES if name in response), own)
    if where is not None:
        page = {"address": where, **page}
    if response.status_code == 303:
        response.status_code = 200
    for name in [*_ADDRESSES, "HX-Refresh"]:
        response.headers.pop(name, None)
    response.content = json.dumps(page, ensure_ascii=False).encode()
    response["Content-Type"] = JSON
    response["Content-Length"] = str(len(response.content))


def page_of(html: str) -> dict[str, Any]:
    """What the handles say in a page, or in the part of one that htmx swaps in."""
    _before, is_page, main = html.partition("<main")
    reader = _Reader()
    reader.feed(is_page + main if is_page else html)
    reader.close()
    return reader.page()


_VOID = {"br", "hr", "img", "input", "link", "meta"}
_NUMBERS = {
    "challenger-shots", "challenger-turns", "pace", "par", "questions", "shots", "turn",
}  # fmt: skip
_TEXTS = {
    ("role", "status"): "status", ("data-statement", ""): "statement",
    **{("data-told", key): key for key in ("status", "rules", "results")},
}  # fmt: skip
"""The elements whose text is told, by one of their attributes. The first of each key counts, but
all `results`."""
_SINGLE = (
    "data-challenger-shots", "data-challenger-turns", "data-challenger-won", "data-commitment",
    "data-noted", "data-noticed", "data-touching",
)  # fmt: skip
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
        self._texts: dict[str, list[str]] = {}
        self._key = ""
        """The key of the text that is read."""
        self._depth = 0
        """How many elements of that text are open; 0 outside of one."""

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
        if tag == "form":
            self._form = None

    def handle_data(self, data: str) -> None:
        if self._depth:
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

    def _read_field(self, tag: str, given: Attributes) -> None:
        kind, is_off = given.get("type"), "disabled" in given or "aria-disabled" in given
        is_unchecked = kind in ("radio", "checkbox") and "checked" not in given
        if self._form is None or "name" not in given or "form" in given or is_off or is_unchecked:
            return
        if "by-page" in given.get("class", "").split():  # not meant for programs
            return
        values = self._form["buttons" if tag == "button" else "fields"]
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

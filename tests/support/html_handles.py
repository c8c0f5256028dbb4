"""Compares what a program reads in JSON with the handles of the same page in HTML."""

import os
import re
from contextlib import ExitStack
from copy import deepcopy
from hashlib import shake_256
from html import unescape
from itertools import count
from typing import Any
from urllib.parse import urljoin

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.client import FakePayload

from game.feature_list import words
from tests.support.page import Page

JSON, HTML = "application/json", "text/html"
_WORDS = ("new", "place", "play", "replay", *words("json_pages"))
_OF_MATCHES = re.compile(f"/[a-z]+/({'|'.join(_WORDS)})/")
_OF_PAGES_ALONE = {"data-page", "data-script", "data-version"}


def compare_with_html(patch: pytest.MonkeyPatch) -> list[str]:
    """Has every request about a match sent for JSON and for HTML, and the answers compared.

    A script's request is answered as one for JSON is: a form with a page in place of a redirect.
    Both find the same cookies and the same rows, and draw the same random bytes. Returns the
    addresses of the answers in JSON, as they come.
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

        html = sent(HTTP_ACCEPT=HTML, HTTP_HX_REQUEST="true")
        is_json = environ.get("HTTP_ACCEPT") == JSON
        got = sent(HTTP_ACCEPT=JSON, is_tried=not is_json)
        if got["Content-Type"] == JSON and html.content:
            compared.append(html.wsgi_request.get_full_path())
            assert got.status_code == (200 if html.status_code == 303 else html.status_code)
            assert {name: it.value for name, it in got.cookies.items()} == {
                name: it.value for name, it in html.cookies.items()
            }
            see_the_same(got.json(), Page(200, html.headers, html.content, "", html.cookies))
        return got if is_json else sent(is_tried=False)

    patch.setattr(Client, "request", in_both)
    return compared


def see_the_same(page: dict[str, Any], html: Page) -> None:
    """Asserts that a page in JSON says what one in HTML does, and offers nothing else."""
    if 'role="status"' in html:
        assert page.get("status", "") == html.says
    if 'id="game"' not in html:
        return
    handles = {name: it for name, it in html.game.items() if name.startswith("data-")}
    for name in handles.keys() - _OF_PAGES_ALONE:
        assert str(page[name.removeprefix("data-")]) == handles[name], name
    boards = {kind: list(html.cells(kind).values()) for kind in html.all(r'data-board="(\w+)"')}
    assert boards == {
        kind: [state for row in board["rows"] for state in row]
        for kind, board in page["boards"].items()
    }
    where = html.shown_at
    forms = {urljoin(where, unescape(it)) for it in html.all(r'<form\b[^>]*? action="([^"]*)"')}
    forms.add(where)
    for form in page["actions"]:
        assert form["address"] in forms
        for name, values in form["buttons"].items():
            if name != "cell" or html.values("cell"):  # else cells are typed on the page
                assert {*values} <= {*html.values(name)}, name
    for name, link in page["links"].items():
        assert f'id="act-{name}"' in html, name
        assert link in html.links, name

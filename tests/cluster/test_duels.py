"""Matches behind the example proxies, with two copies of the site and one PostgreSQL."""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.cookies import SimpleCookie
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from game.ops import secrets
from tests.cluster import kills
from tests.cluster.copies import Copy, running
from tests.support.device import asked
from tests.support.missing import needs
from tests.support.postgres import postgres
from tests.support.served import free_port, nginx, proxied

pytest.importorskip("game.features.duel")
pytestmark = pytest.mark.cluster


class Proxied(kills.Site):
    """The site behind a proxy."""

    def __init__(self, port: int) -> None:
        self.port, self.chance, self.races = port, random.Random(1), 0

    def race(self, asks: Sequence[Any]) -> list[kills.Answer]:
        self.races += len(asks) > 1
        with ThreadPoolExecutor() as pool:
            return [*pool.map(self.answer, asks)]

    def answer(self, ask: Any) -> kills.Answer:
        browser, where, fields = ask
        held = "; ".join(f"{name}={text}" for name, text in browser.cookies.items())
        headers = {"Cookie": held, "Sec-Fetch-Site": "same-origin"}
        form = None if fields is None else urlencode(fields)
        got = asked(self.port, where, form, headers)
        cookies = SimpleCookie("; ".join(got.headers.get_all("Set-Cookie") or []))
        sent = {name: found.value for name, found in cookies.items()}
        return kills.Answer(got.status, got.headers.get("Location", ""), str(got), sent)


@pytest.fixture
def copies(tmp_path: Path) -> Iterator[list[Copy]]:
    with postgres(tmp_path) as address:
        found = [Copy(name, tmp_path, database=address) for name in ("a", "b")]
        keys = secrets.make()
        for copy in found:
            secrets.write(copy.secrets, keys)
        with ExitStack() as stack:
            for copy in found:
                stack.enter_context(running(copy))
            yield found


@needs("HAProxy", "haproxy")
def test_matches_are_played_behind_haproxy(copies: list[Copy], tmp_path: Path) -> None:
    ports = {copy.name: copy.port for copy in copies}
    with proxied(ports, tmp_path, rate="1000000") as port:
        assert kills.play(Proxied(port)) > 3
    # Alone, a match goes on at the other copy after each click.
    turns = cycle(ports.values())
    where = asked(next(turns), "/en/new/cmu/?opponent=random", "action=quick").location
    while 'data-phase="over"' not in (page := asked(next(turns), where)):
        cell = page.first(r'name="cell" value="(\w+)"(?! aria-disabled)')
        where = asked(next(turns), where, f"cell={cell}").location


@needs("nginx", "nginx")
def test_a_match_is_played_behind_nginx(copies: list[Copy], tmp_path: Path) -> None:
    port = free_port()
    changes = (
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port};"),
        ("ssl_certificate", "#"),
        ("rate=150r/s", "rate=9000r/s"),
    )
    with nginx(port, [copy.port for copy in copies], tmp_path, *changes):
        assert kills.play(Proxied(port)) > 3

"""`manage.py register_bench`: what waiting and keeping a match cost at the match store in use.

BATTLESHIP_REGISTER=redis://127.0.0.1:6379/0 python manage.py register_bench

It deletes its own values, but a file keeps the room that they took.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from io import BytesIO
from math import sqrt
from statistics import mean, stdev
from time import process_time
from typing import Any

import redis
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.wsgi import get_wsgi_application
from django.db import connections

from game.ops import match_store

ROUNDS = 20
TOKEN_BYTES = 1_050
"""Of a sealed match in mid-play: 1,400 characters."""

Ask = Callable[[str], str]


class Command(BaseCommand):
    """Measures the match store that BATTLESHIP_REGISTER names."""

    help = "Measures CPU and reads of an idle wait, and the bytes of a running match."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--requests", type=int, default=500, help="in each of 20 rounds")
        parser.add_argument("--matches", type=int, default=2_000, help="whose room is measured")

    def handle(self, *args: Any, **options: Any) -> None:
        """Measures and prints."""
        if not match_store.is_on():
            raise CommandError("there is no match store: BATTLESHIP_REGISTER is empty")
        self.stdout.write(f"register: {settings.MATCH_STORE.partition(':')[0]}")
        seat = secrets.token_urlsafe(16)
        match_store.put({f"wait:{seat}": "17"})
        try:
            self._time_waiting(f"/wait/{seat}/17/", options["requests"])
        finally:
            match_store.forget([f"wait:{seat}"])
        self._weigh_matches(options["matches"])

    def _time_waiting(self, wait: str, requests: int) -> None:
        ask = _asker()
        assert ask(wait) == "204 No Content"  # noqa: S101 (else something else is measured)
        rounds = [
            [_microseconds(ask, path, requests) for path in ("/healthz", wait)]
            for _ in range(ROUNDS)
        ]
        healths, waits = zip(*rounds, strict=True)
        for name, values, unit in (
            ("CPU of /healthz", healths, "us"),
            ("CPU of an idle wait", waits, "us"),
            ("ratio", [one / other for other, one in rounds], "times"),
        ):
            error = stdev(values) / sqrt(ROUNDS)
            self.stdout.write(f"{name:20} {mean(values):7.2f} {unit} (standard error {error:.2f})")
        self.stdout.write(f"{'reads of a wait':20} {_reads(ask, wait):7g}")

    def _weigh_matches(self, matches: int) -> None:
        before, keys = _room(), list[str]()
        try:
            for _ in range(matches):
                pairs = _match()
                keys += pairs
                match_store.put(pairs)
            each = (_room() - before) / matches
        finally:
            for at in range(0, len(keys), 1_000):
                match_store.forget(keys[at : at + 1_000])
        self.stdout.write(f"{'room of a match':20} {each:7.0f} bytes (mean of {matches})")
        for many in (10_000, 1_000_000):
            self.stdout.write(f"{many:>20,} {many * each / 1e6:7,.0f} MB")


def _match() -> dict[str, str]:
    """What the match store holds of a running match: its last two plies, and where each seat is."""
    match = secrets.token_urlsafe(16)
    plies = {f"{match}:{ply}": secrets.token_urlsafe(TOKEN_BYTES) for ply in (30, 31)}
    return plies | {f"wait:{secrets.token_urlsafe(16)}": "31" for _ in range(2)}


def _asker() -> Ask:
    """A function that sends a path through all of the site, and returns the status."""
    site = get_wsgi_application()
    statuses: list[str] = []

    def begin(status: str, *rest: Any) -> Callable[[bytes], object]:
        statuses.append(status)
        return bytes

    def ask(path: str) -> str:
        environ = {
            "REQUEST_METHOD": "GET", "PATH_INFO": path, "SERVER_NAME": "localhost",
            "SERVER_PORT": "80", "wsgi.url_scheme": "http", "wsgi.input": BytesIO(),
        }  # fmt: skip
        answer = site(environ, begin)
        b"".join(answer)
        answer.close()
        return statuses.pop()

    return ask


def _microseconds(ask: Ask, path: str, requests: int) -> float:
    began = process_time()
    for _ in range(requests):
        ask(path)
    return (process_time() - began) / requests * 1e6


def _is_file() -> bool:
    return str(settings.MATCH_STORE).startswith("sqlite")


def _redis() -> Any:
    return redis.Redis.from_url(settings.MATCH_STORE)


def _reads(ask: Ask, wait: str) -> int:
    """How often one wait asks the match store."""
    if not _is_file():
        before = _redis().info("stats")["total_commands_processed"]
        ask(wait)
        after = _redis().info("stats")["total_commands_processed"]
        return int(after - before) - 1  # INFO itself
    asked: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        asked.append(sql)
        return execute(sql, *rest)

    with connections["default"].execute_wrapper(note):
        ask(wait)
    return len(asked)


def _room() -> int:
    """Bytes that the match store uses: of memory for Redis, else of the file."""
    if not _is_file():
        return int(_redis().info("memory")["used_memory"])
    with connections["default"].cursor() as cursor:
        pages, free, size = (
            cursor.execute(f"PRAGMA {what}").fetchone()[0]
            for what in ("page_count", "freelist_count", "page_size")
        )
    return int((pages - free) * size)

"""What pages that wait cost, how many a process serves, and the room of a match.

BATTLESHIP_MATCH_STORE=redis://127.0.0.1:6379/0 python -m bench match_store --pages 800 1000 1200

It deletes its own values, but a file keeps the room that they took.
"""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import redis
from django.conf import settings

from bench.client import Browser, served
from bench.clock import cpu_milliseconds
from bench.report import NotAMeasure, Sample, say, track
from game.ops import match_store

_PRESENCE = "game.features.duel.presence"
"""The module of the only feature that needs the store, which may be deleted."""
ROUNDS = 20
TOKEN_BYTES = {"a match of Bonn": 606, "the largest match": 2901}
"""Bytes of a sealed match, 808 and 3868 characters, however far it is."""
RESERVED = 60
"""The seconds after which the reservations expire, which can't be deleted."""
CONNECTIONS = 16
"""Connections that stay open between a proxy and the process."""
SECONDS = 10
"""How long the pages of one size ask, each once a second."""
WARM_UP = 3
"""Seconds before that which don't count."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--requests", type=int, default=500, help="in each of 20 rounds")
    parser.add_argument("--matches", type=int, default=2_000, help="matches to store")
    default = [800, 1_000, 1_200, 1_400]
    sizes = "numbers of pages that wait at once, each for 10 seconds"
    parser.add_argument("--pages", type=int, nargs="*", default=default, help=sizes)


def run(options: Namespace) -> None:
    if not match_store.is_on():
        raise NotAMeasure("there is no match store: BATTLESHIP_MATCH_STORE is empty")
    if not find_spec(_PRESENCE):
        raise NotAMeasure("no page waits: the feature is not there")
    say(f"match store: {settings.MATCH_STORE.partition(':')[0]}")
    _time_waiting(options.requests)
    for pages in options.pages:
        _hold(pages)
    _weigh_matches(options.matches)


def _here_key(key: str) -> str:
    found: str = import_module(_PRESENCE).here_key(key)
    return found


@contextmanager
def _waiting(pages: int) -> Iterator[list[str]]:
    """Yields the addresses at which so many pages ask, two of each match."""
    keys = [secrets.token_urlsafe(16) for _ in range(pages + pages % 2)]
    waits, here = [f"wait:{key}" for key in keys], [_here_key(key) for key in keys]
    match_store.put(dict.fromkeys(waits, "17"))
    try:
        yield [f"/wait/{key}/17/?of={here[at ^ 1]}" for at, key in enumerate(keys)][:pages]
    finally:
        match_store.forget([*waits, *(f"here:{key}" for key in here)])


def _time_waiting(requests: int) -> None:
    browser = Browser()

    def microseconds(path: str) -> float:
        spent = cpu_milliseconds(lambda: [browser.send(path) for _ in range(requests)])
        return 1000 * spent / requests

    with _waiting(1) as (wait,):
        if browser.send(wait).status != 204:
            raise NotAMeasure("the page doesn't wait")
        rounds = track(range(ROUNDS), "waits")
        pairs = [(microseconds("/healthz"), microseconds(wait)) for _ in rounds]
    checks, waits = zip(*pairs, strict=True)
    for name, values, unit in (
        ("CPU of /healthz", checks, "us"),
        ("CPU of an idle wait", waits, "us"),
        ("ratio", tuple(one / other for other, one in pairs), "times"),
    ):
        sample = Sample(values)
        say(f"{name:20} {sample.mean:7.2f} {unit} (standard error {sample.error:.2f})")


def _hold(pages: int) -> None:
    """Prints how long answers take while so many pages ask one process, each once a second."""
    with (
        _waiting(pages) as addresses,
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "log", store=settings.MATCH_STORE) as server,
    ):
        took = Sample(tuple(asyncio.run(_asked(server.port, addresses))))
    worst = f"(99th percentile {took.percentile(99):.1f} ms)"
    say(f"{f'{pages} pages wait':20} {took.median:7.2f} ms {worst}")


async def _asked(port: int, addresses: list[str]) -> list[float]:
    """Returns the milliseconds from when each request is due to its answer."""
    took, free = list[float](), asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]]()
    loop = asyncio.get_running_loop()
    for _ in range(CONNECTIONS):
        free.put_nowait(await asyncio.open_connection("127.0.0.1", port))
    begun = loop.time()

    async def ask(number: int, address: str) -> None:
        request = f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        for second in range(WARM_UP + SECONDS):
            due = begun + second + number / len(addresses)
            await asyncio.sleep(max(0, due - loop.time()))
            while True:
                reader, writer = await free.get()
                writer.write(request)
                try:
                    answer = await reader.readuntil(b"\r\n\r\n")
                    break
                except (asyncio.IncompleteReadError, ConnectionError):
                    # The process has closed it, as it does after many requests.
                    reader, writer = await asyncio.open_connection("127.0.0.1", port)
                finally:
                    free.put_nowait((reader, writer))
            if not answer.startswith(b"HTTP/1.1 204"):
                raise NotAMeasure(f"the page doesn't wait: {answer[:40]!r}")
            if second >= WARM_UP:
                took.append(1000 * (loop.time() - due))

    await asyncio.gather(*(ask(number, it) for number, it in enumerate(addresses)))
    return took


def _weigh_matches(matches: int) -> None:
    for name, token_bytes in TOKEN_BYTES.items():
        before, keys = _room(), list[str]()
        try:
            for _ in track(range(matches), "matches"):
                match = secrets.token_hex(16)
                tokens, marks = _match(match, token_bytes)
                match_store.put(tokens)
                match_store.put(marks, rooms={match: RESERVED})
                keys += (*tokens, *marks)
            each = (_room() - before) / matches
        finally:
            for at in range(0, len(keys), 1_000):
                match_store.forget(keys[at : at + 1_000])
        say(f"{f'room of {name}':20} {each:7.0f} bytes (mean of {matches})")


def _match(match: str, token_bytes: int) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the values of a running match: its newest step with a move, and all that is short.

    For each seat that is the newest step, when its page asked last, and when it nudged the other.
    """
    tokens = (f"{match}:31", f"{match}:31:move")
    polled = [secrets.token_urlsafe(16) for _ in range(2)]
    there = {
        f"{word}:{_here_key(key)}": "1763930400" for word in ("here", "nudged") for key in polled
    }
    marks = {f"{match}:30": "-"} | {f"wait:{key}": "31" for key in polled} | there
    return {key: secrets.token_urlsafe(token_bytes) for key in tokens}, marks


def _room() -> int:
    """Returns the bytes that the match store uses: of memory for Redis, else of the file."""
    if not settings.MATCH_STORE.startswith("sqlite"):
        told: Any = redis.Redis.from_url(settings.MATCH_STORE).info("memory")
        return int(told["used_memory"])
    with closing(sqlite3.connect(settings.MATCH_STORE.removeprefix("sqlite:"))) as file:
        pages, free, size = (
            file.execute(f"PRAGMA {what}").fetchone()[0]
            for what in ("page_count", "freelist_count", "page_size")
        )
    return int((pages - free) * size)

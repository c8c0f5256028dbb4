"""What a page that waits costs, and the room of a match, in the match store in use.

BATTLESHIP_REGISTER=redis://127.0.0.1:6379/0 python -m bench register

It deletes its own values, but a file keeps the room that they took.
"""

from __future__ import annotations

import secrets
from argparse import ArgumentParser, Namespace
from typing import Any

import redis
from django.conf import settings
from django.db import connections

from bench.client import Browser
from bench.clock import cpu_milliseconds
from bench.progress import say, track
from bench.samples import NotAMeasure, Sample
from game.ops import match_store

ROUNDS = 20
TOKEN_BYTES = 543
"""Bytes of a sealed match of Bonn: 724 characters, however far it is."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--requests", type=int, default=500, help="in each of 20 rounds")
    parser.add_argument("--matches", type=int, default=2_000, help="matches to store")


def run(options: Namespace) -> None:
    if not match_store.is_on():
        raise NotAMeasure("there is no match store: BATTLESHIP_REGISTER is empty")
    say(f"register: {settings.MATCH_STORE.partition(':')[0]}")
    seat = secrets.token_urlsafe(16)
    match_store.put({f"wait:{seat}": "17"})
    try:
        _time_waiting(f"/wait/{seat}/17/", options.requests)
    finally:
        match_store.forget([f"wait:{seat}"])
    _weigh_matches(options.matches)


def _time_waiting(wait: str, requests: int) -> None:
    browser = Browser()
    if browser.send(wait).status != 204:
        raise NotAMeasure("the page doesn't wait")

    def microseconds(path: str) -> float:
        spent = cpu_milliseconds(lambda: [browser.send(path) for _ in range(requests)])
        return 1000 * spent / requests

    rounds = [(microseconds("/healthz"), microseconds(wait)) for _ in track(range(ROUNDS), "waits")]
    checks, waits = zip(*rounds, strict=True)
    for name, values, unit in (
        ("CPU of /healthz", checks, "us"),
        ("CPU of an idle wait", waits, "us"),
        ("ratio", [one / other for other, one in rounds], "times"),
    ):
        sample = Sample(tuple(values))
        say(f"{name:20} {sample.mean:7.2f} {unit} (standard error {sample.error:.2f})")


def _weigh_matches(matches: int) -> None:
    before, keys = _room(), list[str]()
    try:
        for _ in track(range(matches), "matches"):
            pairs = _match()
            keys += pairs
            match_store.put(pairs)
        each = (_room() - before) / matches
    finally:
        for at in range(0, len(keys), 1_000):
            match_store.forget(keys[at : at + 1_000])
    say(f"{'room of a match':20} {each:7.0f} bytes (mean of {matches})")


def _match() -> dict[str, str]:
    """The values of a running match: its last two steps, a move, and the position of each seat."""
    match = secrets.token_hex(16)
    keys = (f"{match}:{key}" for key in ("30", "31", "31:move"))
    states = {key: secrets.token_urlsafe(TOKEN_BYTES) for key in keys}
    return states | {f"wait:{secrets.token_urlsafe(16)}": "31" for _ in range(2)}


def _room() -> int:
    """Bytes that the match store uses: of memory for Redis, else of the file."""
    if not settings.MATCH_STORE.startswith("sqlite"):
        told: Any = redis.Redis.from_url(settings.MATCH_STORE).info("memory")
        return int(told["used_memory"])
    with connections["default"].cursor() as cursor:
        pages, free, size = (
            cursor.execute(f"PRAGMA {what}").fetchone()[0]
            for what in ("page_count", "freelist_count", "page_size")
        )
    return int((pages - free) * size)

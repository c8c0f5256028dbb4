"""How long pages of other addresses take while one address repeats the dearest requests.

python -m bench load
python -m bench load --flood replay position --beside ../older

The site runs as deploy/ describes it: HAProxy with the example's limits before gunicorn with two
workers. Four players with an address each open pages and fire; meanwhile 14 connections of one
other address repeat a request, and pause for 0.1 seconds after each refusal. `--beside` names the
folder of another version, which is measured in turn with this one.

HAProxy must be installed, and all of 127.0.0.0/8 must lead here, as on Linux.
"""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPException
from itertools import count, product
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, NamedTuple

from django.conf import settings
from django.urls import reverse

from bench.client import FIREFOX, Browser, served
from bench.matches import begun, clicks_of
from bench.progress import say, track
from bench.requests import Request, expensive_requests
from bench.samples import NotAMeasure, Sample
from game.engine.presets import PRESETS
from game.matches.setup import Setup

FLOODS = {
    "replay": ("replay", "15 by 15, a step in fog"),
    "review": ("review", "15 by 15"),
    "position": ("position", "30 ships, many hits"),
    "play": ("play", "full board, go on"),
    "new": ("new", "salvos, quick"),
}
"""The requests to repeat, by name and kind of bench.requests."""
WORKERS, CONNECTIONS, PLAYERS = 2, 14, 4
PAUSE = 0.15
"""Seconds between two requests of a player, so that the proxy refuses none."""
AFTER_REFUSAL = 0.1
WARM_UP = 2.0
"""Seconds until what takes longest is compiled, and the flood is at its full rate."""
REFUSALS = (429, 503)
MIND = "bonn-easy"
"""A quick mind, since the site is measured."""


class Seen(NamedTuple):
    """What players and the flood saw in one round."""

    waits: list[float]
    """Milliseconds until each page of a player was there."""
    refused: int
    answers: Counter[int]
    """The answers to the flood, by status."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--flood", nargs="+", choices=FLOODS, default=list(FLOODS))
    parser.add_argument("--seconds", type=float, default=15, help="of each round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="another version's clone")


def run(options: Namespace) -> None:
    wanted = {FLOODS[name]: name for name in options.flood}
    floods = {wanted[kind]: one for one in expensive_requests() if (kind := one[:2]) in wanted}
    versions = {"this": settings.BASE_DIR}
    if options.beside:
        versions = {"beside": options.beside.resolve(), **versions}
    seen = defaultdict[tuple[str, str], list[Seen]](list)
    before = _load()
    with tempfile.TemporaryDirectory() as home, ExitStack() as stack:
        ports = {
            name: stack.enter_context(_site(Path(home) / name, tree))
            for name, tree in versions.items()
        }
        todo = list(product(range(options.rounds), ["none", *floods], ports))
        for number, (_, flood, version) in enumerate(track(todo, "rounds")):
            # The proxy remembers an address for a while.
            address = f"127.0.2.{number % 250 + 1}"
            one = _round(ports[version], address, floods.get(flood), options.seconds)
            seen[flood, version].append(one)
    say(f"{PLAYERS} players, {CONNECTIONS} connections of one address; milliseconds of a page")
    say(f"load of the machine before: {before}, after: {_load()}")
    say(f"{'flood':10}{'version':9}{'pages':>6}{'p50':>7}{'p99':>7}{'worst':>7}{'refused':>9}"
        "  answers to the flood a second")  # fmt: skip
    for (flood, version), rounds in seen.items():
        waits = Sample(tuple(wait for one in rounds for wait in one.waits))
        answers = sum((one.answers for one in rounds), Counter[int]())
        each = ", ".join(
            f"{status}: {n / options.rounds / options.seconds:.1f}"
            for status, n in sorted(answers.items())
        )
        say(
            f"{flood:10}{version:9}{len(waits.numbers):>6}{waits.median:>7.0f}"
            f"{waits.percentile(99):>7.0f}{waits.worst:>7.0f}"
            f"{sum(one.refused for one in rounds):>9}  {each}"
        )


def _load() -> str:
    """The processes that want to run, as means of 1, 5 and 15 minutes."""
    return " ".join(f"{mean:.1f}" for mean in os.getloadavg())


def proxied_copies(tree: Path, ports: Mapping[str, int]) -> str:
    """The example's file of the copies behind HAProxy, for copies at these ports of 127.0.0.1."""
    text = (tree / "deploy/haproxy/copies.cfg").read_text()
    servers = "\n".join(f"    server {name} 127.0.0.1:{port}" for name, port in ports.items())
    text = text.replace("    server-template copy 1-12 game:8000", servers)
    return text.replace(" resolvers docker init-addr none", "")


@contextmanager
def _site(home: Path, tree: Path) -> Iterator[int]:
    """The port of the example proxy before one copy of a version of the site."""
    home.mkdir()
    with served(home / "log", workers=WORKERS, tree=tree) as server:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        files = [tree / "deploy/haproxy/haproxy.cfg", home / "copies.cfg"]
        files[1].write_text(proxied_copies(tree, {"copy": server.port}))
        with (home / "haproxy.log").open("wb") as log:
            try:
                proxy = subprocess.Popen(  # noqa: S603 (fixed arguments)
                    ["haproxy", "-f", str(files[0]), "-f", str(files[1])],  # noqa: S607
                    stdout=log, stderr=log,
                    env=os.environ | {"BATTLESHIP_BIND": f"127.0.0.1:{port}"},
                )  # fmt: skip
            except FileNotFoundError as error:
                raise NotAMeasure("HAProxy is not installed") from error
        with proxy:
            try:
                _wait_for(port)
                yield port
            finally:
                proxy.terminate()


def _wait_for(port: int) -> None:
    for _ in range(100):
        try:
            with Browser(port=port) as browser:
                if browser.send("/en/").status == 200:
                    return
        except OSError:
            pass
        sleep(0.1)
    raise NotAMeasure("the site doesn't answer behind HAProxy")


def _round(port: int, address: str, flood: Request | None, seconds: float) -> Seen:
    """One round. The flood has a process of its own, so that it doesn't slow down the players."""
    with ProcessPoolExecutor(1, get_context("fork")) as other, ThreadPoolExecutor(PLAYERS) as pool:
        if flood:
            path, form = flood.path, flood.form or None
            flooding = other.submit(_flood, port, address, path, form, WARM_UP + seconds)
        sleep(WARM_UP)
        ends = perf_counter() + seconds
        played = list(pool.map(lambda number: _play(port, number, ends), range(PLAYERS)))
        answers = flooding.result() if flood else Counter[int]()
    waits = [wait for waited, _ in played for wait in waited]
    return Seen(waits, sum(refused for _, refused in played), answers)


def _play(port: int, number: int, ends: float) -> tuple[list[float], int]:
    """The milliseconds that a player's pages took until that time, and how many were refused."""
    waits, refused = list[float](), 0
    with Browser(FIREFOX, port, f"127.0.1.{number + 1}") as browser:
        for path, fields in _pages(number):
            before = perf_counter()
            if before > ends:
                break
            status = browser.send(path, fields, htmx=fields is not None).status
            waits.append(1000 * (perf_counter() - before))
            refused += status in REFUSALS
            sleep(PAUSE)
    return waits, refused


def _pages(number: int) -> Iterator[tuple[str, dict[str, str] | None]]:
    """The home page, a match's page and a shot there, again and again."""
    row = PRESETS["bonn"]
    for at in count(number, PLAYERS):
        for where, fields in clicks_of(begun(Setup(row.ruleset, (None, MIND), preset=row), at)):
            yield from ((reverse("home"), None), (where, None), (where, fields))


def _flood(
    port: int, address: str, path: str, form: dict[str, Any] | None, seconds: float
) -> Counter[int]:
    """The answers, by status, to connections of one address that send a request repeatedly."""
    ends = perf_counter() + seconds

    def send(_: int) -> Counter[int]:
        answers = Counter[int]()
        with Browser(FIREFOX, port, address) as browser:
            while perf_counter() < ends:
                try:
                    status = browser.send(path, form, htmx=form is not None).status
                except (OSError, HTTPException):
                    status = 0
                    browser.close()
                answers[status] += 1
                if status in (0, *REFUSALS):
                    sleep(AFTER_REFUSAL)
        return answers

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        return sum(pool.map(send, range(CONNECTIONS)), Counter[int]())

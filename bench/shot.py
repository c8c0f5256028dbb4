"""What a shot costs a real server, as a ratio to a health check.

The health check (/healthz) calls no view. Matches are played one after another from their first
click to their last. So no page is requested twice, but the process still has the match of its last
answer in its cache, as on a site with one process.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count, islice
from pathlib import Path
from statistics import fmean, median, quantiles
from time import perf_counter
from typing import NamedTuple

from bench.client import Browser, Server, served
from bench.matches import begun, clicks_of
from bench.progress import say, track
from game.engine.presets import PRESETS
from game.matches.setup import Setup

MIND = "bonn-easy"
"""A quick mind, since the site is measured."""
CLIENTS, ROUNDS = 4, 10
CHECK = "/healthz"


class Click(NamedTuple):
    """A person's action as a browser sends it."""

    kind: str
    """`bonn shot`, `bonn move` or `milton shot`."""
    path: str
    fields: dict[str, str]


Clicks = Sequence[tuple[Click, ...]]


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--shots", type=int, default=1000, help="of each kind")


def run(options: Namespace) -> None:
    shots = max(ROUNDS, options.shots)
    bonn, total = _clicks("bonn"), 2 * shots + ROUNDS
    # Two of Bonn at a time, as half of its clicks are moves.
    threes = islice(zip(bonn, bonn, _clicks("milton"), strict=False), total)
    clicks = list(track(threes, "playing matches", total))
    warm, measured, crowd = clicks[:ROUNDS], clicks[ROUNDS:-shots], clicks[-shots:]
    with tempfile.TemporaryDirectory() as home, served(Path(home) / "log") as server:
        with server.browser() as browser:
            for click in chain.from_iterable(warm):
                _send(browser, click)
            _print_costs(server, browser, measured)
        _print_latencies(server, crowd)


def _clicks(preset: str) -> Iterator[Click]:
    """The clicks of match after match, of a person who acts at random."""
    row = PRESETS[preset]
    for number in count():
        saved = begun(Setup(row.ruleset, (None, MIND), preset=row), number)
        for path, fields in clicks_of(saved):
            kind = "shot" if "cell" in fields else "move"
            yield Click(f"{preset} {kind}", path, fields)


def _print_costs(server: Server, browser: Browser, clicks: Clicks) -> None:
    """CPU and bytes of one client's clicks, with as many health checks between them."""
    spent: dict[str, list[float]] = defaultdict(list)
    sizes: dict[str, list[int]] = defaultdict(list)
    for at in track(range(ROUNDS), "one client"):
        some = clicks[at * len(clicks) // ROUNDS : (at + 1) * len(clicks) // ROUNDS]
        before = server.cpu_seconds()
        for _ in some:
            browser.send(CHECK)
        spent[CHECK].append((server.cpu_seconds() - before) / len(some))
        for click in chain.from_iterable(some):
            before = server.cpu_seconds()
            sizes[click.kind].append(_send(browser, click))
            spent[click.kind].append(server.cpu_seconds() - before)
    check = fmean(spent[CHECK])
    say(f"{len(clicks)} health checks: CPU, times a check, bytes of the answer as sent")
    say(f"{'clicks      ms     ratio    median   p95   max':>58}")
    say(f"{'check (/healthz)':18}{1000 * check:>17.2f}")
    for kind in sorted(sizes):
        size, each = sizes[kind], fmean(spent[kind])
        say(
            f"{kind:18}{len(size):>7}{1000 * each:>10.2f}{each / check:>8.2f} ×"
            f"{median(size):>9.0f}{_percentile(size, 95):>7.0f}{max(size):>6}"
        )


def _print_latencies(server: Server, clicks: Clicks) -> None:
    """The waiting times of several clients that send without a pause."""
    parts = [list(chain.from_iterable(clicks[at::CLIENTS])) for at in range(CLIENTS)]
    waited: dict[str, list[float]] = {click.kind: [] for three in clicks for click in three}

    def wait(part: Sequence[Click]) -> None:
        with server.browser() as browser:
            for click in part:
                before = perf_counter()
                _send(browser, click)
                waited[click.kind].append(1000 * (perf_counter() - before))

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(track(pool.map(wait, parts), "clients at once", CLIENTS))
    say(f"{CLIENTS} clients at once: latency, {'median   p99   p99/median':>34}")
    for kind, times in sorted(waited.items()):
        middle, late = median(times), _percentile(times, 99)
        say(f"{kind:18}{middle:>30.1f}{late:>8.1f}{late / middle:>8.1f} ×")


def _percentile(values: Sequence[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def _send(browser: Browser, click: Click) -> int:
    """The bytes of the answer's body as it was sent; raises RuntimeError for a refusal."""
    answer = browser.send(click.path, click.fields, htmx=True)
    if answer.status != 200:
        raise RuntimeError(f"a {click.kind} was refused: {answer.status}")
    return len(answer.body)

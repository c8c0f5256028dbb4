"""What a shot costs a real server, as a ratio to a health check.

The health check (/healthz) calls no view. Matches are played one after another from their first
click to their last. So no page is requested twice, but the process still has the match of its last
answer in its cache, as on a site with one process.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, islice
from pathlib import Path
from statistics import fmean
from time import perf_counter

from bench.client import Browser, Server, mark_of, served
from bench.clock import game_calls
from bench.matches import QUICK, Click, begun, clicks, patiently, played
from bench.report import Sample, Table, say, track
from game.engine.chance import Chance
from game.engine.presets import PRESETS
from game.matches.setup import Setup
from game.matches.tokens import seal_match

CLIENTS, ROUNDS, WATER = 4, 10, 12
CHECK = "/healthz"
Clicks = Sequence[tuple[Click, ...]]


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--shots", type=int, default=1000, help="of each kind")
    only = "only the functions of the game that a shot into water calls, and how often"
    parser.add_argument("--calls", action="store_true", help=only)


def run(options: Namespace) -> None:
    if options.calls:
        _print_calls()
        return
    shots = max(ROUNDS, options.shots)
    bonn, total = clicks("bonn"), 2 * shots + ROUNDS
    # Two of Bonn at a time, as half of its clicks are moves.
    threes = islice(zip(bonn, bonn, clicks("milton"), strict=False), total)
    played = list(track(threes, "playing matches", total))
    warm, measured, crowd = played[:ROUNDS], played[ROUNDS:-shots], played[-shots:]
    with tempfile.TemporaryDirectory() as home, served(Path(home) / "log") as server:
        with server.browser() as browser:
            for click in chain.from_iterable(warm):
                _send(browser, click)
            _print_costs(server, browser, measured)
        _print_latencies(server, crowd)


def _print_calls() -> None:
    """Prints which functions Bonn's twelfth shot into water calls, in a match like one before."""
    preset = PRESETS["bonn"]
    setup, calls = Setup(preset.ruleset, (None, QUICK), preset), Counter[str]()
    matches = [played(begun(setup, number), "patient") for number in (1, 2)]
    for saved in chain(*(islice(match, WATER) for match in matches)):
        action = patiently(saved.match, Chance(saved.match.seed, "patient", saved.match.ply))
        where = f"/en/play/{seal_match(saved)}/"
        browser = Browser({"Battleship-Page": mark_of(Browser().send(where))})
        fields = {"cell": saved.seen.board.name(action.cell)}
        seal_match(saved)  # the process has it in its cache, as after the answer before
        calls = game_calls(partial(browser.send, where, fields, htmx=True))
    named = [function for function in calls if not function.endswith(">")]
    within = len(calls) - len(named)
    say(f"a shot into water: {len(named)} functions and {within} comprehensions and lambdas,")
    say(f"{calls.total()} calls")
    for function, count in calls.most_common(20):
        say(f"{count:6} {function}")


def _print_costs(server: Server, browser: Browser, clicks: Clicks) -> None:
    """Prints CPU and bytes of one client's clicks, with as many health checks between them."""
    spent: dict[str, list[float]] = defaultdict(list)
    sizes: dict[str, list[float]] = defaultdict(list)
    for at in track(range(ROUNDS), "one client"):
        some = clicks[at * len(clicks) // ROUNDS : (at + 1) * len(clicks) // ROUNDS]
        before = server.cpu_seconds()
        for _ in some:
            browser.send(CHECK)
        spent[CHECK].append(1000 * (server.cpu_seconds() - before) / len(some))
        for click in chain.from_iterable(some):
            before = server.cpu_seconds()
            sizes[click.kind].append(_send(browser, click))
            spent[click.kind].append(1000 * (server.cpu_seconds() - before))
    check = fmean(spent[CHECK])
    say(f"{len(clicks)} health checks: {check:.2f} ms of CPU each")
    say("clicks: CPU in ms and in checks, bytes of the answer as sent")
    table = Table(
        "kind:16, clicks:>7, ms:>8.2f, checks:>8.2f, median:>8.0f, 95%:>7.0f, worst:>7.0f"
    )
    for kind in sorted(sizes):
        size, each = Sample(tuple(sizes[kind])), fmean(spent[kind])
        quantiles = size.median, size.percentile(95), size.worst
        table.say(kind, len(size.numbers), each, each / check, *quantiles)


def _print_latencies(server: Server, clicks: Clicks) -> None:
    """Prints the waiting times of several clients that send without a pause."""
    parts = [list(chain.from_iterable(clicks[at::CLIENTS])) for at in range(CLIENTS)]
    waited: dict[str, list[float]] = defaultdict(list)

    def wait(part: Sequence[Click]) -> None:
        with server.browser() as browser:
            for click in part:
                before = perf_counter()
                _send(browser, click)
                waited[click.kind].append(1000 * (perf_counter() - before))

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(track(pool.map(wait, parts), "clients at once", CLIENTS))
    say(f"{CLIENTS} clients at once: milliseconds of an answer")
    table = Table("kind:16, median:>8.1f, 99%:>8.1f, 99%/median:>11.1f")
    for kind, times in sorted(waited.items()):
        sample = Sample(tuple(times))
        late = sample.percentile(99)
        table.say(kind, sample.median, late, late / sample.median)


def _send(browser: Browser, click: Click) -> int:
    """Returns the bytes of the answer's body as sent; raises RuntimeError for a refusal."""
    answer = browser.send(click.path, click.fields, htmx=True)
    if answer.status != 200:
        raise RuntimeError(f"a {click.kind} was refused: {answer.status}")
    return len(answer.body)

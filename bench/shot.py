"""`manage.py shot_bench`: what a shot costs a real server, as a ratio to a bare hello.

The hello is /healthz, which no view answers. Matches are played one after another, each from its
first click to its last as a person would. So no page is asked for twice, but the process knows from
its last answer where the match stands, as the only one of a site does.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, count, islice
from pathlib import Path
from statistics import fmean, median, quantiles
from time import perf_counter
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandParser

from bench.served import Caller, Server, served
from game.engine.actions import Phase, Steer
from game.engine.chance import SEED_BYTES, Chance
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches import referee
from game.matches.saved import SavedMatch, begin
from game.matches.setup import Setup
from game.matches.tokens import seal_match
from game.players.minds import MINDS

MIND = "bonn-easy"
"""A quick one: what is measured is the site, not what a mind thinks."""
CLIENTS, ROUNDS = 4, 10
HELLO = "hello"


class Click(NamedTuple):
    """A person's action as a browser sends it."""

    kind: str
    """`bonn shot`, `bonn move` or `milton shot`."""
    path: str
    fields: dict[str, str]


class Command(BaseCommand):
    """Prints a line for each kind of click."""

    help = "Measures CPU, bytes and latency of distinct shots through one process of gunicorn."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--shots", type=int, default=1000, help="of each kind")

    def handle(self, *args: Any, **options: Any) -> None:
        """Plays matches, sends their clicks to a server and prints what they cost."""
        number = max(ROUNDS, options["shots"])
        bonn = _clicks("bonn")  # two at a time, as half of them are moves
        clicks = list(islice(zip(bonn, bonn, _clicks("milton"), strict=False), 2 * number + ROUNDS))
        warm, measured, crowd = clicks[:ROUNDS], clicks[ROUNDS:-number], clicks[-number:]
        with tempfile.TemporaryDirectory() as home, served(Path(home) / "log") as server:
            with Caller(server.port) as caller:
                for click in chain.from_iterable(warm):
                    _send(caller, click)
                self._print_costs(server, caller, measured)
            self._print_latencies(server, crowd)

    def _print_costs(
        self, server: Server, caller: Caller, clicks: Sequence[tuple[Click, ...]]
    ) -> None:
        """CPU and bytes of one client's clicks, with as many hellos between them."""
        spent: dict[str, list[float]] = defaultdict(list)
        sizes: dict[str, list[int]] = defaultdict(list)
        for at in range(ROUNDS):
            some = clicks[at * len(clicks) // ROUNDS : (at + 1) * len(clicks) // ROUNDS]
            before = server.cpu_seconds()
            for _ in some:
                caller.send("GET", "/healthz")
            spent[HELLO].append((server.cpu_seconds() - before) / len(some))
            for click in chain.from_iterable(some):
                before = server.cpu_seconds()
                sizes[click.kind].append(_send(caller, click))
                spent[click.kind].append(server.cpu_seconds() - before)
        hello = fmean(spent[HELLO])
        self.stdout.write(
            f"{len(clicks)} hellos: CPU, times a hello, bytes of the answer as sent\n"
            f"{'clicks      ms     ratio    median   p95   max':>58}\n"
            f"{'hello (/healthz)':18}{1000 * hello:>17.2f}"
        )
        for kind in sorted(sizes):
            size, each = sizes[kind], fmean(spent[kind])
            self.stdout.write(
                f"{kind:18}{len(size):>7}{1000 * each:>10.2f}{each / hello:>8.2f} ×"
                f"{median(size):>9.0f}{_percentile(size, 95):>7.0f}{max(size):>6}"
            )

    def _print_latencies(self, server: Server, clicks: Sequence[tuple[Click, ...]]) -> None:
        """Seconds that each of several clients waits, who all send without a pause."""

        def wait(mine: Sequence[tuple[Click, ...]]) -> list[tuple[str, float]]:
            with Caller(server.port) as caller:
                return [
                    (click.kind, _seconds(caller, click)) for click in chain.from_iterable(mine)
                ]

        with ThreadPoolExecutor(CLIENTS) as pool:
            size = -(-len(clicks) // CLIENTS)
            parts = pool.map(wait, [clicks[at : at + size] for at in range(0, len(clicks), size)])
        waited = [each for part in parts for each in part]
        self.stdout.write(f"{CLIENTS} clients at once: latency, {'median   p99   p99/median':>34}")
        for kind in sorted({kind for kind, _ in waited}):
            times = [1000 * seconds for each, seconds in waited if each == kind]
            middle, late = median(times), _percentile(times, 99)
            self.stdout.write(f"{kind:18}{middle:>30.1f}{late:>8.1f}{late / middle:>8.1f} ×")


def _percentile(values: Sequence[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def _send(caller: Caller, click: Click) -> int:
    """The bytes of the answer's body as it was sent; raises RuntimeError for a refusal."""
    answer = caller.send("POST", click.path, click.fields)
    if answer.status != 200:
        raise RuntimeError(f"a {click.kind} was refused: {answer.status}")
    return len(answer.body)


def _seconds(caller: Caller, click: Click) -> float:
    before = perf_counter()
    _send(caller, click)
    return perf_counter() - before


def _clicks(preset: str) -> Iterator[Click]:
    """The clicks of match after match, of a person who acts at random."""
    for number in count():
        saved = _opening(preset, number)
        while saved.match.outcome is None:
            fields, acted = _action(saved.match)
            kind = "shot" if "cell" in fields else "move"
            yield Click(f"{preset} {kind}", f"/en/play/{seal_match(saved)}/", fields)
            saved = replace(saved, match=acted).with_minds_played()


def _opening(preset: str, number: int) -> SavedMatch:
    seed, rules = number.to_bytes(SEED_BYTES, "big"), PRESETS[preset].ruleset
    setup = Setup(rules, (None, MIND), preset=PRESETS[preset])
    fleet = referee.deploy(MINDS["random"], rules, Side.FIRST, seed)
    return begin(setup, seed, first=fleet, hour=number).with_minds_played()


def _action(match: Match) -> tuple[dict[str, str], Match]:
    """What a person does, as a form's fields, and the match after it."""
    seen, chance = observe(match, Side.FIRST), Chance(match.seed, "person", match.ply)
    random_player = MINDS["random"]
    if match.phase is not Phase.MOVING:
        cell = random_player.aim(seen, chance)
        return {"cell": match.ruleset.board.name(cell)}, match.fire(cell)
    move = random_player.steer(seen, chance)
    value = f"{move.ship}-{move.course.value}" if isinstance(move, Steer) else "stay"
    return {"steer": value}, match.act(move)

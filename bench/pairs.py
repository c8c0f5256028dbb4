"""A shot into water in an older copy of the site and in this one, in turn.

The older copy is a folder with its own environment:

    git worktree add ../old ed1348aa && make -C ../old setup static
    python -m bench pairs ../old

Each shot is one of another match than the last, so that the page is computed as in another process.
Before a shot its page is opened, as in a browser, which is not measured.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from django.conf import settings

from bench.client import FIREFOX, Browser, Server, mark_of, served
from bench.report import NotAMeasure, Table, say, track

PRESETS, MATCHES, SHOTS = ("bonn", "short", "milton"), 12, 20
_SHOTS = """
import json, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "battleships_site.settings"
import django
django.setup()
from itertools import islice
from bench.matches import QUICK, begun, patiently, played
from game.engine.chance import Chance
from game.engine.presets import PRESETS
from game.matches.setup import Setup
from game.matches.tokens import seal_match
name, matches, shots = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
row, found = PRESETS[name], []
for number in range(matches):
    states = played(begun(Setup(row.ruleset, (None, QUICK), preset=row), number), "patient")
    for saved in islice((it for it in states if it.match.outcome is None), shots):
        shot = patiently(saved.match, Chance(saved.match.seed, "patient", saved.match.ply))
        found.append([f"/en/play/{seal_match(saved)}/", row.ruleset.board.name(shot.cell)])
print(json.dumps(found))
"""
"""Prints the shots of matches, sealed as that copy of the site seals them."""


class Cost(NamedTuple):
    milliseconds: float
    size: int
    """The bytes of the answer's body, as sent."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("old", type=Path, help="the folder of the older copy")
    parser.add_argument("--matches", type=int, default=MATCHES, help="of each game")


def run(options: Namespace) -> None:
    if not (options.old / ".venv/bin/python").exists():
        raise NotAMeasure(f"not a copy of the site with its environment: {options.old}")
    folders = options.old.resolve(), Path(settings.BASE_DIR)
    with (
        tempfile.TemporaryDirectory() as home,
        served(Path(home) / "old.log", folder=folders[0]) as old,
        served(Path(home) / "new.log") as new,
    ):
        say("a shot into water, old and new in turn: CPU in ms, bytes of the answer as sent")
        table = Table(
            "game:8, old:>8.2f, new:>8.2f, ratio:>7.2f, old:>8.0f, new:>8.0f, ratio:>7.2f"
        )
        for preset in PRESETS:
            shots = [_shots(folder, preset, options.matches) for folder in folders]
            costs = _in_turn((old, new), shots, preset)
            means = [[fmean(each) for each in zip(*cost, strict=True)] for cost in costs]
            (old_time, old_size), (new_time, new_size) = means
            ratios = new_time / old_time, new_size / old_size
            table.say(preset, old_time, new_time, ratios[0], old_size, new_size, ratios[1])
        say(f"memory of the process, in MB: {old.memory:.1f} and {new.memory:.1f}")


def _shots(folder: Path, preset: str, matches: int) -> list[tuple[str, str]]:
    """Returns paths and cells, in an order that mixes the matches."""
    python = folder / ".venv/bin/python"
    words = [python if folder != Path(settings.BASE_DIR) else sys.executable, "-c", _SHOTS]
    environment = {"BATTLESHIP_SECRETS_FILE": str(settings.SECRETS_FILE), "PATH": "/usr/bin:/bin"}
    said = subprocess.run(  # noqa: S603 (our own site)
        [*words, preset, str(matches), str(SHOTS)], cwd=folder, env=environment, text=True,
        check=True, stdout=subprocess.PIPE,
    ).stdout  # fmt: skip
    shots = [(path, cell) for path, cell in json.loads(said)]
    shots.sort(key=lambda shot: shot[1])  # by cells, which mixes the matches
    return shots


def _in_turn(
    servers: Sequence[Server], shots: Sequence[Sequence[tuple[str, str]]], what: str
) -> tuple[list[Cost], ...]:
    costs: tuple[list[Cost], ...] = ([], [])
    for pair in track(list(zip(*shots, strict=False)), what):
        for server, shot, found in zip(servers, pair, costs, strict=True):
            found.append(_cost(server, *shot))
    warm = len(costs[0]) // 10
    return tuple(found[warm:] for found in costs)


def _cost(server: Server, path: str, cell: str) -> Cost:
    plain = {name: value for name, value in FIREFOX.items() if name != "Accept-Encoding"}
    with Browser(plain, server.port) as browser:
        known = {"Battleship-Page": mark_of(browser.send(path))}
    with Browser({**FIREFOX, **known}, server.port) as browser:
        browser.send("/healthz")  # opens the connection
        before = server.cpu_seconds()
        answer = browser.send(path, {"cell": cell}, htmx=True)
        spent = 1000 * (server.cpu_seconds() - before)
    if answer.status != 200:
        raise RuntimeError(f"a shot was refused: {answer.status}")
    return Cost(spent, len(answer.body))

"""`manage.py bench`: measures strengths, tokens, the time of a move and the bytes of a page.

Times depend on the machine and its load: read them as ratios to the health check, which is measured
in the same run.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time_ns
from typing import Any
from urllib.parse import urlencode

import brotli
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.test import Client

from bench import ladder
from bench.selfplay import Solo, solo
from game.engine.actions import Phase
from game.engine.chance import SEED_BYTES, Chance
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Side
from game.matches import referee
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.matches.tokens import seal_match, unseal_match
from game.players.minds import MINDS

MEASURED = ("admiral", "bonn-hard", "bonn-medium", "bonn-easy", "random")
SOLO = {name: preset for name, preset in PRESETS.items() if name not in ("own", "milton", "salvo")}
"""The presets whose board and fleet differ: classic and salvo have those of Camlship."""
REPEATS = 200
HTMX = {"hx-request": "true"}


class Command(BaseCommand):
    """Prints a table for each of these."""

    help = "Prints strengths of the minds, lengths of tokens, time and bytes of a move."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--games", type=int, default=300)
        parser.add_argument(
            "--matches", type=int, default=ladder.GAMES, help="whole matches of each pair"
        )
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--ladder",
            nargs="*",
            choices=list(ladder.SEAS),
            metavar="PRESET",
            help="print the ladder alone, of these presets or of all",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["ladder"] is not None:
            self._ladder(options["matches"], options["seed"], options["ladder"])
            return
        self._strengths(options["games"], options["seed"])
        self._ladder(options["matches"], options["seed"])
        self._tokens()
        self._moves()
        self._bytes()

    def _strengths(self, games: int, seed: int) -> None:
        self.stdout.write(f"Shots to sink a uniform fleet, one shot a turn, {games} games each")
        self.stdout.write(f"{'mean  (error)  median  worst  ms/aim':>72}")
        for name, preset in SOLO.items():
            for mind in MINDS.values():
                result = solo(mind, preset.ruleset, games=games, seed=seed)
                self.stdout.write(f"{name:20} {mind.name:16}{shots_text(result)}")

    def _ladder(self, games: int, seed: int, seas: Sequence[str] = ()) -> None:
        names = [player.name for player in ladder.PLAYERS]
        for sea in seas or ladder.SEAS:
            self.stdout.write(f"\nWhole matches in {sea}, {games} of each pair")
            self.stdout.write(f"{'points  (error)  by limit':>58}")
            results = []
            for result in ladder.matches(ladder.SEAS[sea], games=games, seed=seed):
                one, other = result.players
                points = result.points
                self.stdout.write(
                    f"{one:>14} against {other:12}{points.mean:>7.3f}  ({points.error:.3f})"
                    f"{result.limited:>10}"
                )
                results.append(result)
            found = ladder.ratings(names, results)
            self.stdout.write(f"{'Elo  (error)':>32}")
            for name in sorted(names, key=lambda name: found[name].elo):
                self.stdout.write(f"{name:>14}{found[name].elo:>10.0f}  ({found[name].error:.0f})")

    def _tokens(self) -> None:
        self.stdout.write("\nTokens: characters at the first and at the last ply, for any match")
        for name, preset in PRESETS.items():
            first, last = opening(preset.ruleset), ended(preset.ruleset)
            token = seal_match(last)
            self.stdout.write(
                f"{name:8}{len(seal_match(first)):>6}{len(token):>6} characters, "
                f"{last.match.ply} plies; opened and checked in "
                f"{microseconds(lambda t=token: unseal_match(t)):.0f} µs, "  # type: ignore[misc]
                f"sealed in {microseconds(lambda s=last: seal_match(s)):.0f} µs of CPU"  # type: ignore[misc]
            )

    def _moves(self) -> None:
        self.stdout.write(
            "\nOne move through the whole application: CPU, and times the health check"
        )
        client = Visitor(headers={"host": "localhost"})
        null = microseconds(lambda: client.get("/healthz"))
        self.stdout.write(f"{'health check':28}{null:>8.0f} µs")
        for mind in MEASURED:
            saved = midgame(mind)
            where = f"/en/play/{seal_match(saved)}/"
            cell = saved.match.ruleset.board.name(water(saved.match))
            # Water ends the firing, so the mind's turn is in the response to the move that follows.
            moving = client.post(where, {"cell": cell}, headers=HTMX)["HX-Replace-Url"]
            for what, at, fields in (
                ("a shot", where, {"cell": cell}),
                (f"stay, and {mind} answers", moving, {"steer": "stay"}),
            ):
                spent = microseconds(
                    lambda at=at, fields=fields: client.post(at, fields, headers=HTMX)  # type: ignore[misc]
                )
                self.stdout.write(f"{what:28}{spent:>8.0f} µs{spent / null:>8.1f} ×")

    def _bytes(self) -> None:
        self.stdout.write("\nBytes: plain, gzip, brotli")
        client = Visitor(headers={"host": "localhost"})
        middle, end = midgame("bonn-hard"), ended(PRESETS["bonn"].ruleset)
        where = f"/en/play/{seal_match(middle)}/"
        cell = middle.match.ruleset.board.name(water(middle.match))
        turn = client.post(where, {"cell": cell}, headers=HTMX)
        pages = {
            "home": client.get("/en/").content,
            "placing": client.get("/en/new/bonn/").content,
            "playing": client.get(where).content,
            "answer to a shot": turn.content,
            "the end": client.get(f"/en/play/{seal_match(end)}/").content,
            "review": client.get(f"/en/review/{seal_match(end)}/").content,
            "recap": client.get(f"/en/replay/{seal_match(end)}/").content,
        }
        root = Path(settings.STATIC_ROOT)
        names = ("site", "boards", "placing", "replay", "fair")
        scripts = (f"game/{name}.js" for name in names)
        for name in ("game/site.css", *scripts, "django_htmx/htmx-2.min.js"):
            if (root / name).exists():
                pages[name] = (root / name).read_bytes()
        for name, content in pages.items():
            self.stdout.write(
                f"{name:28}{len(content):>8}{len(gzip.compress(content, 6)):>8}"
                f"{len(brotli.compress(content)):>8}"
            )


def shots_text(result: Solo) -> str:
    """The mean, standard error, median and worst of the shots, and the time of an aim."""
    shots = result.shots
    return (
        f"{shots.mean:>8.2f} ({shots.error:>6.2f}) "
        f"{shots.median:>7.1f}{shots.worst:>7.0f}{result.milliseconds:>8.2f}"
    )


class Visitor(Client):
    """Sends forms as browsers do: Django's client would send multipart."""

    def post(self, path: str, data: Any = None, *args: Any, **more: Any) -> Any:  # type: ignore[override]
        """The response to a form."""
        form = urlencode(data or {}, doseq=True)
        return super().post(path, form, "application/x-www-form-urlencoded", *args, **more)


def microseconds(act: Callable[[], object]) -> float:
    """The median CPU time of REPEATS calls, in microseconds."""
    spent = []
    for _ in range(REPEATS):
        before = process_time_ns()
        act()
        spent.append(process_time_ns() - before)
    return median(spent) / 1000


def opening(rules: Ruleset, mind: str = "random") -> SavedMatch:
    """A match before its first shot."""
    seed = bytes(SEED_BYTES)
    first, second = (referee.deploy(MINDS["random"], rules, side, seed) for side in Side)
    return SavedMatch(Setup(rules, (None, mind)), Match(rules, (first, second), seed))


def acted(saved: SavedMatch, number: int) -> SavedMatch:
    """The saved match after a random action of its person and the mind's reply."""
    match, chance = saved.match, Chance(bytes(SEED_BYTES), "person", number)
    seen, random_player = observe(match, Side.FIRST), MINDS["random"]
    if match.phase is Phase.MOVING:
        match = match.act(random_player.steer(seen, chance))
    else:
        match = match.fire(random_player.aim(seen, chance))
    return replace(saved, match=match).with_minds_played()


def ended(rules: Ruleset) -> SavedMatch:
    """A match played to its end."""
    saved, number = opening(rules), 0
    while saved.match.outcome is None:
        saved, number = acted(saved, number), number + 1
    return saved


def midgame(mind: str) -> SavedMatch:
    """A Bonn match after thirty turns of both sides, with the person to fire."""
    saved, number = opening(PRESETS["bonn"].ruleset), 0
    while saved.match.turn < 30:
        saved, number = acted(saved, number), number + 1
    return replace(saved, setup=replace(saved.setup, minds=(None, mind)))


def water(match: Match) -> Any:
    """A cell where a shot hits water."""
    ships = {cell for ship in match.placements(Side.SECOND) for cell in ship.cells}
    return next(
        cell
        for cell in match.ruleset.board.cells
        if cell not in ships and cell not in match.spent(Side.SECOND)
    )

"""The length of tokens, the CPU of a move in this process, and the bytes of pages.

Times depend on the machine and its load: read them as ratios to the health check, which is measured
in the same run.
"""

from __future__ import annotations

import gzip
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path

import brotli
from django.conf import settings

from bench.client import Browser
from bench.clock import cpu_microseconds
from bench.matches import begun, played, water
from bench.progress import say, track
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.matches.tokens import seal_match, unseal_match

MINDS = ("admiral", "bonn-hard", "bonn-medium", "bonn-easy", "random")
SCRIPTS = ("site", "boards", "placing", "replay", "fair")


def add_options(parser: ArgumentParser) -> None:
    """There are none."""


def run(options: Namespace) -> None:
    _print_tokens()
    _print_moves()
    _print_bytes()


def ended(rules: Ruleset) -> SavedMatch:
    """A match played to its end."""
    *_, last = played(begun(Setup(rules, (None, "random"))))
    return last


def midgame(mind: str) -> SavedMatch:
    """A Bonn match after thirty turns of both sides, with the person to fire."""
    course = played(begun(Setup(BONN, (None, "random"))))
    saved = next(one for one in course if one.match.turn >= 30)
    return replace(saved, setup=replace(saved.setup, minds=(None, mind)))


def _print_tokens() -> None:
    say("Tokens: characters at the first and at the last ply, for any match")
    for name, preset in track(PRESETS.items(), "tokens"):
        first, last = begun(Setup(preset.ruleset, (None, "random"))), ended(preset.ruleset)
        token = seal_match(last)
        say(
            f"{name:8}{len(seal_match(first)):>6}{len(token):>6} characters, "
            f"{last.match.ply} plies; opened and checked in "
            f"{cpu_microseconds(partial(unseal_match, token)):.0f} µs, "
            f"sealed in {cpu_microseconds(partial(seal_match, last)):.0f} µs of CPU"
        )


def _print_moves() -> None:
    say("\nOne move through the whole application: CPU, and times the health check")
    browser = Browser()
    check = cpu_microseconds(lambda: browser.send("/healthz"))
    say(f"{'health check':28}{check:>8.0f} µs")
    for mind in track(MINDS, "minds"):
        where, fields = _shot(midgame(mind))
        # Water ends the firing, so the mind's turn is in the answer to the move that follows.
        moving = browser.send(where, fields, htmx=True).leads_to
        for what, path, form in (
            ("a shot", where, fields),
            (f"stay, and {mind} answers", moving, {"steer": "stay"}),
        ):
            spent = cpu_microseconds(partial(browser.send, path, form, htmx=True))
            say(f"{what:28}{spent:>8.0f} µs{spent / check:>8.1f} ×")


def _shot(saved: SavedMatch) -> tuple[str, dict[str, str]]:
    """A match's address, and the fields of a shot at water there."""
    cell = saved.match.ruleset.board.name(water(saved.match)[0])
    return f"/en/play/{seal_match(saved)}/", {"cell": cell}


def _print_bytes() -> None:
    say("\nBytes: plain, gzip, brotli")
    browser = Browser()
    where, fields = _shot(midgame("bonn-hard"))
    end = seal_match(ended(BONN))
    review = browser.send(f"/en/review/{end}/")
    while review.leads_to:
        review = browser.send(review.leads_to)
    pages = {
        "home": browser.send("/en/"),
        "placing": browser.send("/en/new/bonn/"),
        "playing": browser.send(where),
        "answer to a shot": browser.send(where, fields, htmx=True),
        "the end": browser.send(f"/en/play/{end}/"),
        "review": review,
        "recap": browser.send(f"/en/replay/{end}/"),
    }
    contents = {name: answer.body for name, answer in pages.items()}
    scripts = (f"game/{name}.js" for name in SCRIPTS)
    for name in ("game/site.css", *scripts, "django_htmx/htmx-2.min.js"):
        path = Path(settings.STATIC_ROOT) / name
        if path.exists():
            contents[name] = path.read_bytes()
    for name, content in contents.items():
        packed = len(gzip.compress(content, 6)), len(brotli.compress(content))
        say(f"{name:28}{len(content):>8}{packed[0]:>8}{packed[1]:>8}")

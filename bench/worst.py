"""The cost of the most expensive click, for every preset and mind.

A token can't be forged, but an expensive one can be sent again and again. So counts in the rules
and minds limit the work of a click, and this command measures its maximum. Two kinds of person
play: one at random, and one who fires at water while there is any, which makes the match as long as
possible. The number of calls is the same in each run, while CPU time depends on the machine.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from time import process_time_ns

from bench.clock import calls_of
from bench.matches import PERSONS, begun
from bench.progress import say, track
from bench.samples import NotAMeasure
from game.engine.chance import Chance
from game.engine.fleets import IllegalFleet
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset, Side
from game.matches.setup import Setup
from game.players.minds import MINDS

_LARGE = replace(BONN, columns=15, rows=15, touching=True, turns=None, begins=Side.SECOND)
EXTREMES = {
    "own: 225 ones": replace(_LARGE, fleet=(1,) * 225, moving=False),
    "own: 60 ones move": replace(_LARGE, fleet=(1,) * 60),
    "own: 12 eights": replace(_LARGE, fleet=(8,) * 12),
    "own: 15 apart": replace(_LARGE, fleet=(5, 5, 4, 4, 4, *[3] * 5, *[2] * 5), touching=False),
    "own: salvo of 30": replace(_LARGE, fleet=(2,) * 30, salvo=True, moving=False),
}
"""Rulesets that somebody could compose to make minds work hard."""


@dataclass(frozen=True)
class Cost:
    """The cost of one click."""

    calls: int
    milliseconds: float
    """CPU time."""
    actions: int
    """The number of the mind's actions."""
    where: str


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--games", type=int, default=1)
    extremes = f"separated by commas; also {', '.join(EXTREMES)}"
    add("--only", default=",".join(PRESETS), help=extremes)
    add("--minds", default=",".join(MINDS), help="separated by commas")
    add("--clicks", type=int, default=400, help="the most of one match")


def run(options: Namespace) -> None:
    rulesets = {name: preset.ruleset for name, preset in PRESETS.items()} | EXTREMES
    names, minds = options.only.split(","), options.minds.split(",")
    if unknown := (set(names) - set(rulesets)) | (set(minds) - set(MINDS)):
        raise NotAMeasure(f"unknown: {', '.join(sorted(unknown))}")
    say(
        f"{'':18} {'':14}{'clicks':>7} | worst by calls: {'calls':>10} {'actions':>8} | "
        f"worst by CPU: {'ms':>8} {'actions':>8} {'ms/action':>10}   where"
    )
    for name, mind in track(list(product(names, minds)), "presets and minds"):
        matches = product(range(options.games), PERSONS)
        costs = [
            cost
            for game, person in matches
            for cost in costs_of(rulesets[name], mind, person, game, options.clicks)
        ]
        if not costs:
            say(f"{name:18} {mind:14} no match begins")
            continue
        calls = max(costs, key=lambda cost: cost.calls)
        slow = max(costs, key=lambda cost: cost.milliseconds)
        each = slow.milliseconds / max(1, slow.actions)
        say(
            f"{name:18} {mind:14}{len(costs):>7} | {'':15} {calls.calls:>10} {calls.actions:>8} | "
            f"{'':13} {slow.milliseconds:>8.1f} {slow.actions:>8} {each:>10.1f}   {slow.where}"
        )


def costs_of(rules: Ruleset, mind: str, person: str, game: int, clicks: int) -> Iterator[Cost]:
    """The cost of each click of a match, including the mind's reply."""
    try:
        saved = begun(Setup(rules, (None, mind)), game)
    except IllegalFleet:
        return
    for number in track(range(clicks), f"{mind}, {person}"):
        before = process_time_ns()
        after = saved.with_minds_played()
        spent = (process_time_ns() - before) / 1e6
        actions = after.match.ply - saved.match.ply
        where = f"{person}, match {game}, ply {saved.match.ply}"
        yield Cost(calls_of(saved.with_minds_played), spent, actions, where)
        if after.match.outcome is not None:
            return
        action = PERSONS[person](after.match, Chance(after.match.seed, person, number))
        saved = replace(after, match=after.match.act(action))

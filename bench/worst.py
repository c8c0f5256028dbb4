"""`manage.py worst`: the cost of the most expensive click, for every preset and mind.

A token can't be forged, but an expensive one can be sent again and again. So counts in the rules
and minds bound the work of a click, never a clock, and this command looks for its maximum. Two
kinds of person play: one at random, and one who fires at water while there is any, which makes the
match as long as possible. Calls to Python, NumPy and built-in functions are counted, since their
number is the same in each run, while CPU time depends on the machine.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import process_time_ns
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.engine.actions import Phase
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import IllegalFleet
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset, Side
from game.matches import referee
from game.matches.saved import SavedMatch
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
RANDOM = MINDS["random"]


@dataclass(frozen=True)
class Cost:
    """The cost of one click."""

    calls: int
    milliseconds: float
    """CPU time."""
    actions: int
    """The number of the mind's actions."""
    where: str


class Command(BaseCommand):
    """Prints a line for each preset and mind."""

    help = "Plays positions that make minds work, and prints what the costliest click costs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--games", type=int, default=1)
        parser.add_argument(
            "--only", default="", help=f"parted by commas; also {', '.join(EXTREMES)}"
        )
        parser.add_argument("--minds", default=",".join(MINDS), help="parted by commas")
        parser.add_argument("--clicks", type=int, default=400, help="the most of one match")

    def handle(self, *args: Any, **options: Any) -> None:
        presets = {name: preset.ruleset for name, preset in PRESETS.items()}
        rulesets = presets | EXTREMES
        names = [name for name in options["only"].split(",") if name] or list(presets)
        minds = options["minds"].split(",")
        if unknown := (set(names) - set(rulesets)) | (set(minds) - set(MINDS)):
            raise CommandError(f"unknown: {', '.join(sorted(unknown))}")
        self.stdout.write(
            f"{'':18} {'':14}{'clicks':>7} | worst by calls: {'calls':>10} {'actions':>8} | "
            f"worst by CPU: {'ms':>8} {'actions':>8} {'ms/action':>10}   where"
        )
        for name in names:
            for mind in minds:
                self._measure(name, rulesets[name], mind, options)

    def _measure(self, name: str, rules: Ruleset, mind: str, options: dict[str, Any]) -> None:
        costs = [
            cost
            for game in range(options["games"])
            for person in PERSONS
            for cost in costs_of(rules, mind, person, game, options["clicks"])
        ]
        if not costs:
            self.stdout.write(f"{name:18} {mind:14} no match begins")
            return
        calls = max(costs, key=lambda cost: cost.calls)
        slow = max(costs, key=lambda cost: cost.milliseconds)
        each = slow.milliseconds / max(1, slow.actions)
        self.stdout.write(
            f"{name:18} {mind:14}{len(costs):>7} | {'':15} {calls.calls:>10} {calls.actions:>8} | "
            f"{'':13} {slow.milliseconds:>8.1f} {slow.actions:>8} {each:>10.1f}   {slow.where}"
        )
        self.stdout.flush()


# --- persons who make minds work hard ---


def _random(match: Match, chance: Chance) -> Match:
    seen = observe(match, Side.FIRST)
    if match.phase is Phase.MOVING:
        return match.act(RANDOM.steer(seen, chance))
    return match.fire(RANDOM.aim(seen, chance))


def _patient(match: Match, chance: Chance) -> Match:
    if match.phase is Phase.MOVING:
        return match.stay()
    ships = {cell for ship in match.placements(Side.SECOND) for cell in ship.cells}
    targets = sorted(set(match.ruleset.board.cells) - match.spent(Side.SECOND))
    water = [cell for cell in targets if cell not in ships]
    return match.fire(chance.choice(water or targets))


PERSONS: dict[str, Callable[[Match, Chance], Match]] = {"random": _random, "patient": _patient}


def costs_of(rules: Ruleset, mind: str, person: str, game: int, clicks: int) -> Iterator[Cost]:
    """The cost of each click of a match, including the mind's reply."""
    seed = game.to_bytes(SEED_BYTES, "big")
    try:
        first = referee.deploy(RANDOM, rules, Side.FIRST, seed)
        second = referee.deploy(MINDS[mind], rules, Side.SECOND, seed)
    except IllegalFleet:
        return
    saved = SavedMatch(Setup(rules, (None, mind)), Match(rules, (first, second), seed))
    for number in range(clicks):
        before = process_time_ns()
        after = saved.with_minds_played()
        spent = (process_time_ns() - before) / 1e6
        actions = after.match.ply - saved.match.ply
        where = f"{person}, match {game}, ply {saved.match.ply}"
        yield Cost(calls_of(saved.with_minds_played), spent, actions, where)
        if after.match.outcome is not None:
            return
        acted = PERSONS[person](after.match, Chance(seed, person, number))
        saved = replace(after, match=acted)


def calls_of(act: Callable[[], object]) -> int:
    """The number of function calls that `act` makes."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    # The garbage collector calls its listeners at times that have nothing to do with `act`.
    gc.disable()
    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls

"""`manage.py calibrate`: whether the review's chances are true, and what its two numbers come to.

Minds of all strengths fire at each other in whole matches, and each is reviewed. Of the shots that
were given a chance near p, a part near p should have hit; luck should come to nothing in the long
run. The fleets lie and move at random, as the belief takes them to: any legal fleet is as likely as
any other. Whoever hides better than that, as the admiral does, brings bad luck to those who fire at
it, and that is no error of the review's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from math import sqrt
from statistics import fmean
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from game.bench.selfplay import Sample
from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation
from game.engine.presets import BONN
from game.engine.rules import (
    Pair,
    Ruleset,
    Side,
)
from game.engine.uniform_fleets import uniform_fleet
from game.matches import referee
from game.matches.review import Account, Judged, review
from game.players.mind import Mind
from game.players.originals.drifter import Drifter
from game.players.registry import MINDS

FIVE = Ruleset(fleet=(5, 4, 3, 3, 2), again=False, moving=False, turns=None)
SEAS = {
    "bonn, moving": BONN,
    "bonn, still": replace(BONN, moving=False),
    "5-4-3-3-2, apart": FIVE,
    "5-4-3-3-2, touching": replace(FIVE, touching=True),
    "5-4-3-3-2, salvo": replace(FIVE, salvo=True),
}
PAIRS = (("admiral", "drifter"), ("captain", "bonn-hard"), ("admiral", "recruit"),
         ("sailor", "lieutenant"), ("bonn-medium", "admiral"))  # fmt: skip
"""Who fires at whom: shots of every quality."""
SHUFFLES = 40
"""How often each ship of a fleet is put anew before it is as good as independent of the first."""


class Gunner(Drifter):
    """A mind that fires as another does, and leaves its own fleet to chance."""

    def __init__(self, mind: Mind) -> None:
        """Takes over that mind's aim alone."""
        self._mind = mind

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """What the other mind fires at."""
        return self._mind.aim(seen, chance)


class Command(BaseCommand):
    """Plays, reviews, and prints how the chances compare with what came of them."""

    help = "Prints whether the review's chances are true, and the skill and luck of the minds."

    def add_arguments(self, parser: CommandParser) -> None:
        """How many matches, and from which seed."""
        parser.add_argument("--matches", type=int, default=500, help="each has two sides to review")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        """Measures and prints, table by table."""
        seas: dict[str, list[Account]] = {}
        minds: dict[tuple[str, str], list[float]] = {}
        for number in range(options["matches"]):
            name = list(SEAS)[number % len(SEAS)]
            pair = PAIRS[number // len(SEAS) % len(PAIRS)]
            match = _played(SEAS[name], pair, _seed(options["seed"], number))
            for mind, account in zip(pair, review(match).accounts, strict=True):
                seas.setdefault(name, []).append(account)
                if account.skill is not None:
                    minds.setdefault((mind, name), []).append(account.skill)
        accounts = [account for each in seas.values() for account in each]
        self._tenths(accounts)
        self._luck({**seas, "all": accounts})
        self._skill(minds)

    def _tenths(self, accounts: list[Account]) -> None:
        shots = [shot for account in accounts for shot in account.shots]
        self.stdout.write(f"{len(shots)} shots by the chance that the review gives them")
        self.stdout.write("tenth        shots   given     hit   difference (error), in percent")
        for low, part in _parts(shots):
            given = 100 * fmean(shot.chance for shot in part)
            hit = 100 * fmean(shot.is_hit for shot in part)
            error = sqrt(max(given * (100 - given), 1) / len(part))
            self.stdout.write(
                f"{10 * low:3} to {10 * low + 10:3}%{len(part):>8}{given:>8.2f}{hit:>8.2f}"
                f"{hit - given:>+9.2f} ({error:.2f})"
            )

    def _luck(self, seas: dict[str, list[Account]]) -> None:
        self.stdout.write("\nLuck a side and match: hits beyond what was to be expected")
        for name, accounts in seas.items():
            luck = Sample(tuple(account.luck for account in accounts))
            self.stdout.write(
                f"{name:22}{luck.mean:>+7.3f} ± {luck.error:.3f} over {len(accounts)}"
            )

    def _skill(self, minds: dict[tuple[str, str], list[float]]) -> None:
        self.stdout.write("\nSkill of the minds: mean over their matches")
        for (mind, name), skills in sorted(minds.items()):
            self.stdout.write(f"{mind:14}{name:22}{fmean(skills):>7.2f} over {len(skills)}")


def _parts(shots: list[Judged]) -> Iterator[tuple[int, list[Judged]]]:
    for low in range(10):
        part = [shot for shot in shots if min(int(10 * shot.chance), 9) == low]
        if part:
            yield low, part


def _seed(seed: int, number: int) -> bytes:
    return blake2b(f"calibrate/{seed}/{number}".encode(), digest_size=SEED_BYTES).digest()


def _played(rules: Ruleset, names: Pair[str], seed: bytes) -> Match:
    minds = (Gunner(MINDS[names[0]]), Gunner(MINDS[names[1]]))
    first, second = (
        uniform_fleet(rules, Chance(seed, f"{side.name}/calibrate", 0)) for side in Side
    )
    return referee.play_minds(Match(rules, (first, second), seed), minds)

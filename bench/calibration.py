"""Calibration of the belief and the review: of the cells with chance p, do p have ships?

python -m bench calibration --seas bonn-moving --shots 20000
python -m bench calibration --of review --matches 500
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count
from math import sqrt
from statistics import fmean
from typing import NamedTuple

from bench.progress import say, track
from bench.samples import Sample
from bench.seas import REVIEWED, SEAS
from bench.selfplay import game_seed, play_solo
from bench.uniform_fleets import uniform_fleet
from game.engine.actions import Result
from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation
from game.engine.rules import Pair, Ruleset, Side
from game.matches import referee
from game.matches.review import Account, review
from game.players.belief.belief import believe
from game.players.belief.tables import knowledge_of
from game.players.mind import Mind
from game.players.minds import MINDS
from game.players.originals.random_player import RandomPlayer

TENTHS = 10


@dataclass
class Tenth:
    """The shots at cells whose chance was in one tenth of the range from 0 to 1."""

    shots: int = 0
    believed: float = 0.0
    """The sum of the chances."""
    variance: float = 0.0
    """The variance of the number of hits if the chances are right."""
    hits: int = 0

    def add(self, chance: float, *, is_hit: bool) -> None:
        """Counts one more shot."""
        self.shots += 1
        self.believed += chance
        self.variance += chance * (1 - chance)
        self.hits += is_hit

    @property
    def points(self) -> float:
        """How many percentage points more of the shots hit than predicted."""
        return 100 * (self.hits - self.believed) / max(1, self.shots)

    @property
    def error(self) -> float:
        """The standard error of `points` if the chances are right."""
        return 100 * sqrt(self.variance) / max(1, self.shots)


def tenths_of(rated: Iterable[tuple[float, bool]]) -> list[Tenth]:
    """Shots, each a chance and whether it hit, counted by the tenth that the chance is in."""
    tenths = [Tenth() for _ in range(TENTHS)]
    for chance, is_hit in rated:
        tenths[_tenth(chance)].add(chance, is_hit=is_hit)
    return tenths


def _tenth(chance: float) -> int:
    return min(int(chance * TENTHS), TENTHS - 1)


# --- the belief ---


def calibrate(rules: Ruleset, *, shots: int, seed: int) -> list[Tenth]:
    """At least that many shots at uniform fleets, by tenths.

    Where ships move they make a random legal move in half of the turns, as the belief assumes.
    Each shot is chosen by what is known before it, so the hits of a tenth vary no more than
    independent trials would.
    """
    return tenths_of(track(_rated(rules, shots, seed), "shots", shots))


def _rated(rules: Ruleset, shots: int, seed: int) -> Iterator[tuple[float, bool]]:
    """The shots of whole games until there are enough."""
    rater = _Rater()
    for game in count():
        if sum(rater.fired) >= shots:
            return
        rater.chances.clear()
        match = play_solo(rater, rules, game_seed(seed, game))
        hits = [shot.result is not Result.WATER for shot in match.shots if shot.side is Side.FIRST]
        yield from zip(rater.chances, hits, strict=True)


class _Rater(RandomPlayer):
    """Fires at cells of all tenths, and stores the chance of each."""

    name = "rater"

    def __init__(self) -> None:
        self.chances: list[float] = []
        self.fired = [0] * TENTHS

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """Chooses mostly a target in the tenth with the fewest shots, else any or the likeliest."""
        cells = believe(knowledge_of(seen), chance).cells.tolist()
        targets = list(seen.targets)
        chance.shuffle(targets)
        match chance.below(8):
            case 0:
                cell = targets[0]
            case 1:
                cell = max(targets, key=lambda cell: cells[cell])
            case _:
                cell = min(targets, key=lambda cell: self.fired[_tenth(cells[cell])])
        self.chances.append(cells[cell])
        self.fired[_tenth(cells[cell])] += 1
        return cell


# --- reviews ---

PAIRS = (("admiral", "random"), ("captain", "bonn-hard"), ("admiral", "recruit"),
         ("sailor", "lieutenant"), ("bonn-medium", "admiral"))  # fmt: skip
"""Pairs of minds of different strengths, so that the chances of their shots vary."""


class _RandomFleet(RandomPlayer):
    """A mind that fires as another does, but places and moves its fleet at random."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """The cell that the other mind fires at."""
        return self._mind.aim(seen, chance)


class Reviewed(NamedTuple):
    """One side of a reviewed match."""

    sea: str
    mind: str
    account: Account


def reviewed(*, matches: int, seed: int) -> Iterator[Reviewed]:
    """The reviews of both sides of matches between minds of all strengths.

    The fleets are placed and moved at random, as the belief assumes: a fleet that hides better
    gives its enemy bad luck, which would look like an error of the review.
    """
    for number in track(range(matches), "matches"):
        sea = list(REVIEWED)[number % len(REVIEWED)]
        pair = PAIRS[number // len(REVIEWED) % len(PAIRS)]
        game = blake2b(f"calibrate/{seed}/{number}".encode(), digest_size=SEED_BYTES).digest()
        match = _played(REVIEWED[sea], pair, game)
        for mind, account in zip(pair, review(match).accounts, strict=True):
            yield Reviewed(sea, mind, account)


def _played(rules: Ruleset, names: Pair[str], seed: bytes) -> Match:
    minds = (_RandomFleet(MINDS[names[0]]), _RandomFleet(MINDS[names[1]]))
    first, second = (
        uniform_fleet(rules, Chance(seed, f"{side.name}/calibrate", 0)) for side in Side
    )
    return referee.play_minds(Match(rules, (first, second), seed), minds)


# --- the command ---


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--of", choices=("belief", "review"), default="belief")
    add("--seas", nargs="+", choices=list(SEAS), default=list(SEAS), help="of the belief")
    add("--shots", type=int, default=20_000, help="of the belief, in each sea")
    add("--matches", type=int, default=500, help="of the review: each has two sides")
    add("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    if options.of == "review":
        _print_reviews(list(reviewed(matches=options.matches, seed=options.seed)))
        return
    for name in track(options.seas, "seas"):
        _print_tenths(name, calibrate(SEAS[name], shots=options.shots, seed=options.seed))


def _print_tenths(name: str, tenths: list[Tenth]) -> None:
    say(f"{name}, {sum(tenth.shots for tenth in tenths)} shots")
    say("chance       shots  believed    hits   points  (error)")
    for at, tenth in enumerate(tenths):
        line = f"{at / TENTHS:.1f} to {(at + 1) / TENTHS:.1f}{tenth.shots:>8}"
        if tenth.shots:
            line += f"{100 * tenth.believed / tenth.shots:>9.1f} %"
            line += f"{100 * tenth.hits / tenth.shots:>6.1f} %"
            line += f"{tenth.points:>+9.2f} ({tenth.error:>6.2f})"
        say(line)


def _print_reviews(sides: list[Reviewed]) -> None:
    shots = (shot for side in sides for shot in side.account.shots)
    _print_tenths("all reviews", tenths_of((shot.chance, shot.is_hit) for shot in shots))
    luck: defaultdict[str, list[float]] = defaultdict(list)
    skills: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for side in sides:
        luck[side.sea].append(side.account.luck)
        if side.account.skill is not None:
            skills[side.mind, side.sea].append(side.account.skill)
    luck["all"] = [side.account.luck for side in sides]
    say("\nLuck a side and match: hits beyond what was to be expected")
    for name, each in luck.items():
        found = Sample(tuple(each))
        say(f"{name:22}{found.mean:>+7.3f} ± {found.error:.3f} over {len(each)}")
    say("\nSkill of the minds: mean over their matches")
    for (mind, name), each in sorted(skills.items()):
        say(f"{mind:14}{name:22}{fmean(each):>7.2f} over {len(each)}")

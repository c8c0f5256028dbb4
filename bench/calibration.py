"""Calibration of the belief and the review: of the cells with chance p, do p have ships?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from math import sqrt
from typing import NamedTuple

from bench.seas import REVIEWED
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


@dataclass(frozen=True)
class Tenth:
    """The shots at cells whose chance was in one tenth of the range from 0 to 1."""

    shots: int = 0
    believed: float = 0.0
    """The sum of the chances."""
    variance: float = 0.0
    """The variance of the number of hits if the chances are right."""
    hits: int = 0

    @property
    def points(self) -> float:
        """How many percentage points more of the shots hit than predicted."""
        return 100 * (self.hits - self.believed) / max(1, self.shots)

    @property
    def error(self) -> float:
        """The standard error of `points` if the chances are right."""
        return 100 * sqrt(self.variance) / max(1, self.shots)

    def with_shot(self, chance: float, *, is_hit: bool) -> Tenth:
        """The tenth with one more shot."""
        return Tenth(
            self.shots + 1,
            self.believed + chance,
            self.variance + chance * (1 - chance),
            self.hits + is_hit,
        )


def calibrate(rules: Ruleset, *, shots: int, seed: int) -> list[Tenth]:
    """The result of at least that many shots, for each tenth of the chances, the lowest first.

    The fleets are uniform, and where ships move they make a random legal move in half of the
    turns, as the belief assumes. Each shot is chosen by what is known before it, so the hits of a
    tenth vary no more than independent trials would.
    """
    tenths = [Tenth() for _ in range(TENTHS)]
    rater = _Rater()
    game = 0
    while sum(tenth.shots for tenth in tenths) < shots:
        rater.chances.clear()
        match = play_solo(rater, rules, game_seed(seed, game))
        results = [shot.result for shot in match.shots if shot.side is Side.FIRST]
        for chance, result in zip(rater.chances, results, strict=True):
            which = _tenth(chance)
            tenths[which] = tenths[which].with_shot(chance, is_hit=result is not Result.WATER)
        game += 1
    return tenths


def _tenth(chance: float) -> int:
    return min(int(chance * TENTHS), TENTHS - 1)


class _Rater(RandomPlayer):
    """Fires well and badly in turn, so that all tenths have shots, and stores every chance."""

    name = "rater"

    def __init__(self) -> None:
        self.chances: list[float] = []
        self.fired = [0] * TENTHS

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """Mostly a target in the tenth with the fewest shots, else any or the likeliest."""
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
"""Pairs of minds whose shots are of every quality."""


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
    for number in range(matches):
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


def review_tenths(accounts: Iterable[Account]) -> list[Tenth]:
    """The shots of these sides, by the chance that the review gives them."""
    tenths = [Tenth() for _ in range(TENTHS)]
    for account in accounts:
        for shot in account.shots:
            which = _tenth(shot.chance)
            tenths[which] = tenths[which].with_shot(shot.chance, is_hit=shot.is_hit)
    return tenths

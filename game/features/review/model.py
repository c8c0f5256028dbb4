"""The review of a match: the chance of each shot, the best chance there was, and two sums.

Skill = 100 × the mean of (chance chosen / best chance)
Luck  = hits − the sum of the chances chosen
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from operator import attrgetter
from time import thread_time
from typing import NamedTuple

from game.engine.match import Match
from game.engine.observation import observe
from game.engine.rules import Pair, Side
from game.matches.cell_chances import JudgedShot, cell_chances, judge

NAMED = 3
"""The number of turning points in a review."""


@dataclass(frozen=True, slots=True)
class Account:
    """The shots of one side, and their sums."""

    shots: tuple[JudgedShot, ...]

    @property
    def hits(self) -> int:
        return sum(shot.is_hit for shot in self.shots)

    @property
    def expected(self) -> float:
        """The expected number of hits: the sum of the chances."""
        return sum(shot.chance for shot in self.shots)

    @property
    def luck(self) -> float:
        """The hits above the expected number."""
        return self.hits - self.expected

    @property
    def skill(self) -> float | None:
        """100 times the mean share; None without a shot."""
        if not self.shots:
            return None
        return 100 * sum(shot.share for shot in self.shots) / len(self.shots)


class Swing(NamedTuple):
    """The shots of a turn, compared with the expected hits."""

    turn: int
    side: Side
    ply: int
    """The ply of the first shot."""
    account: Account
    luck_so_far: float
    """The luck of that side up to the end of the turn."""


@dataclass(frozen=True, slots=True)
class Review:
    """All shots of a match with their chances."""

    accounts: Pair[Account]
    swings: tuple[Swing, ...]
    """Every turn with a shot in it, in order."""

    @property
    def turning_points(self) -> tuple[Swing, ...]:
        """The turns whose hits differ most from the expected number, in order."""
        furthest = sorted(self.swings, key=lambda swing: -abs(swing.account.luck))[:NAMED]
        return tuple(sorted(furthest, key=lambda swing: swing.turn))

    def judged(self, ply: int) -> JudgedShot | None:
        """Returns the shot of that ply; None if the action was no shot."""
        shots = (shot for account in self.accounts for shot in account.shots)
        return next((shot for shot in shots if shot.ply == ply), None)


def review(match: Match) -> Review:
    return review_of(judge_shots(match))


def review_of(judged: Sequence[JudgedShot]) -> Review:
    first, second = (Account(tuple(one for one in judged if one.side is side)) for side in Side)
    swings, luck = list[Swing](), dict.fromkeys(Side, 0.0)
    in_order = sorted(judged, key=attrgetter("ply"))
    for (turn, side), shots in groupby(in_order, key=attrgetter("turn", "side")):
        account = Account(tuple(shots))
        luck[side] += account.luck
        swings.append(Swing(turn, side, account.shots[0].ply, account, luck[side]))
    return Review((first, second), tuple(swings))


def judge_shots(match: Match, first: int = 0, seconds: float = inf) -> tuple[JudgedShot, ...]:
    """Judges the shots from the one with number `first` on, at least one.

    All shots of the first side come first, since the belief follows one side at a time. It stops
    after the shot at which the thread has computed for so many seconds.
    """
    shots = sorted(match.shots, key=attrgetter("side", "ply"))[first:]
    stage, judged, end = match, list[JudgedShot](), thread_time() + seconds
    for shot in shots:
        if stage.ply > shot.ply:
            stage = match.at(shot.ply)
        while stage.ply < shot.ply:
            stage = stage.act(match.actions[stage.ply])
        seen = observe(stage, shot.side)
        judged.append(judge(seen, shot, cell_chances(seen)))
        if thread_time() >= end:
            break
    return tuple(judged)

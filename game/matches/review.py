"""The review of a match: what chance each shot had, what chance it could have had, and the sums.

    Skill = 100 × the mean of (chance chosen / best chance)
    Luck  = hits − the sum of the chances chosen

A chance is that of the strongest mind's belief, asked for nothing but what the side that fired
could know then. The coach is the same outlook, before the shot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice
from threading import Lock
from typing import NamedTuple

import numpy as np

from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import Cell
from game.engine.match import Fire, Match, Result
from game.engine.observation import Observation, Shot, observe
from game.engine.rules import Pair, Side
from game.players.belief.tables import Floats, Knowledge, knowledge_of
from game.players.belief.tracker import START, Wake, before, proceed

NAMED = 3
"""So many cells the coach names, and so many turning points a review has."""
_PUBLIC_SEED = bytes(SEED_BYTES)
"""The draws of an outlook come from here: a match's own seed is secret while it goes on."""
_MOST_KEPT = 512
"""So many questions are kept with their answers: about 20 kB each."""


@dataclass(frozen=True, eq=False, slots=True)
class Outlook:
    """The chances of a shot, as far as the side that fires can know them."""

    chances: Floats
    """For each cell, from 0 to 1: that an enemy ship afloat lies there now."""
    finds: Floats
    """For each cell the part of that which is a ship never hit so far."""

    def ranked(self, targets: Sequence[Cell], count: int = NAMED) -> list[tuple[Cell, float]]:
        """The targets with the best chances, the best first, each with its chance."""
        ranked = sorted(targets, key=lambda cell: -self.chances[cell])
        return [(cell, float(self.chances[cell])) for cell in ranked[:count]]


def outlook(seen: Observation) -> Outlook:
    """What may be expected of each cell by what the observer knows; the same for the same.

    The belief goes along the whole match. What came of earlier questions is kept for a while, but
    only to be quick: each follows from its question alone.
    """
    questions: list[Knowledge] = []
    question: Knowledge | None = knowledge_of(seen)
    answer = None
    while question is not None and (answer := _kept.get(question)) is None:
        questions.append(question)
        question = before(question)
    wake, view = answer or (START, _NOTHING)
    for question in reversed(questions):
        chance = Chance(_PUBLIC_SEED, "outlook", len(question.shots))
        wake, expected = proceed(wake, question, chance)
        # What is drawn is not certain to more places, and the last ones differ between machines.
        view = Outlook(_settled(expected.cells), _settled(expected.unhit))
        _keep(question, wake, view)
    return view


def _settled(chances: Floats) -> Floats:
    """The chances as they are kept, for many pages: nobody can change them any more."""
    rounded: Floats = np.round(chances, 4)
    rounded.setflags(write=False)
    return rounded


_NOTHING = Outlook(np.zeros(0), np.zeros(0))
_kept: dict[Knowledge, tuple[Wake, Outlook]] = {}
_keeping = Lock()


def _keep(question: Knowledge, wake: Wake, view: Outlook) -> None:
    with _keeping:
        _kept[question] = wake, view
        for oldest in list(islice(_kept, max(0, len(_kept) - _MOST_KEPT))):
            del _kept[oldest]


class Judged(NamedTuple):
    """A shot, its chance, and the best there was."""

    ply: int
    turn: int
    cell: Cell
    result: Result
    chance: float
    best: Cell
    best_chance: float
    search: tuple[Cell, float] | None
    """Where the shot looked for another ship while one that was hit could wait: the best cell for
    that, and its chance of a ship never hit. The shot is then measured against this."""
    share: float
    """The chance chosen over the best chance, from 0 to 1."""

    @property
    def is_hit(self) -> bool:
        """Whether it met a ship."""
        return self.result is not Result.WATER

    @property
    def difference(self) -> float:
        """By how much the chance that it is measured against was better, from 0."""
        best = self.best_chance if self.search is None else self.search[1]
        return max(0.0, best - self.chance)


@dataclass(frozen=True, slots=True)
class Account:
    """The shots of one side, and what they come to."""

    shots: tuple[Judged, ...]

    @property
    def hits(self) -> int:
        """How many met a ship."""
        return sum(shot.is_hit for shot in self.shots)

    @property
    def expected(self) -> float:
        """How many hits were to be expected: the sum of the chances."""
        return sum(shot.chance for shot in self.shots)

    @property
    def luck(self) -> float:
        """Hits beyond what was to be expected."""
        return self.hits - self.expected

    @property
    def skill(self) -> float | None:
        """100 times the mean share; None without a shot."""
        if not self.shots:
            return None
        return 100 * sum(shot.share for shot in self.shots) / len(self.shots)


class Swing(NamedTuple):
    """The shots of a turn together, against what was to be expected of them."""

    turn: int
    side: Side
    ply: int
    """Of the first shot."""
    account: Account

    @property
    def size(self) -> float:
        """Hits beyond what was to be expected, for the side that fired."""
        return self.account.luck


@dataclass(frozen=True, slots=True)
class Review:
    """A match as it is looked back on."""

    accounts: Pair[Account]
    swings: tuple[Swing, ...]
    """Every turn with a shot in it, in order."""
    outlooks: dict[int, Outlook]
    """Of the side that fired, before each shot, by ply."""

    @property
    def turning_points(self) -> tuple[Swing, ...]:
        """The turns that went furthest from what was to be expected, in their order."""
        furthest = sorted(self.swings, key=lambda swing: -abs(swing.size))[:NAMED]
        return tuple(sorted(furthest, key=lambda swing: swing.turn))

    def judged(self, ply: int) -> Judged | None:
        """The shot of that ply, or None where it was none."""
        shots = (shot for account in self.accounts for shot in account.shots)
        return next((shot for shot in shots if shot.ply == ply), None)


@lru_cache(maxsize=32)
def review(match: Match) -> Review:
    """The review of all shots told so far. Kept for a while: a page asks for each of its steps."""
    shots = {shot.ply: shot for shot in match.shots}
    outlooks: dict[int, Outlook] = {}
    judged: list[tuple[Shot, Judged]] = []
    for ply, (stage, action) in enumerate(zip(match.stages(), match.actions, strict=False)):
        if isinstance(action, Fire) and ply in shots:
            # All shots of a salvo are aimed before any result, and so by the same outlook.
            seen = observe(stage, stage.side)
            outlooks[ply] = outlook(seen)
            judged.append((shots[ply], _judge(seen, shots[ply], outlooks[ply])))
    first, second = (
        Account(tuple(judgement for shot, judgement in judged if shot.side is side))
        for side in Side
    )
    swings = (
        Swing(turn, side, part[0].ply, Account(tuple(part)))
        for (turn, side), pairs in groupby(judged, key=lambda pair: (pair[0].turn, pair[0].side))
        for part in [[judgement for _, judgement in pairs]]
    )
    return Review((first, second), tuple(swings), outlooks)


def _judge(seen: Observation, shot: Shot, view: Outlook) -> Judged:
    """A shot by what was known when it was aimed.

    Where ships move, one that was hit can't flee, and it may well wait while another is looked
    for. So a shot that finds is measured against the best chance to find, where that is kinder.
    """
    best, share = _measured(view.chances, seen.targets, shot.cell)
    search = None
    if seen.ruleset.moving and view.finds.any():
        find, found = _measured(view.finds, seen.targets, shot.cell)
        if found > share:
            search, share = (find, float(view.finds[find])), found
    return Judged(
        shot.ply, shot.turn, shot.cell, shot.result, float(view.chances[shot.cell]),
        best, float(view.chances[best]), search, share,
    )  # fmt: skip


def _measured(chances: Floats, targets: Sequence[Cell], cell: Cell) -> tuple[Cell, float]:
    """The best target, and what part of its chance a cell has."""
    best = targets[int(np.argmax(chances[list(targets)]))]
    return best, float(chances[cell] / chances[best]) if chances[best] > 0 else 1.0

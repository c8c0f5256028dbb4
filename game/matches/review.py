"""The review of a match: the chance of each shot, the best chance there was, and two sums.

    Skill = 100 × the mean of (chance chosen / best chance)
    Luck  = hits − the sum of the chances chosen

The chances are those of the strongest mind's belief, given only what the side that fired could
know then of this match: what earlier rounds taught the computer is left out. The coach shows the
same chances before the shot.
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
from game.players.belief.tables import CellChances, Floats, Knowledge, knowledge_of
from game.players.belief.tracker import START, ParticleState, previous_question, proceed

NAMED = 3
"""How many turning points a review has."""
_PUBLIC_SEED = bytes(SEED_BYTES)
"""Seeds the draws of an outlook: the match's own seed is secret while it goes on."""
_MOST_KEPT = 512
"""How many answers are kept, of about 20 kB each."""


def outlook(seen: Observation) -> CellChances:
    """What the observer may expect of each cell, by what it knows; the same for the same.

    The belief follows the whole match. Answers to earlier questions are kept for a while, but only
    to save time: each answer follows from its question alone.
    """
    questions: list[Knowledge] = []
    question: Knowledge | None = knowledge_of(seen)
    answer = None
    while question is not None and (answer := _answers.get(question)) is None:
        questions.append(question)
        question = previous_question(question)
    state, view = answer or (START, CellChances(np.zeros(0), np.zeros(0)))
    for question in reversed(questions):
        chance = Chance(_PUBLIC_SEED, "outlook", len(question.shots))
        state, chances = proceed(state, question, chance)
        view = CellChances(_rounded(chances.cells), _rounded(chances.unhit))
        _keep(question, state, view)
    return view


def _rounded(chances: Floats) -> Floats:
    """The chances to four places, since further ones differ between machines.

    Read-only, because many pages share the array.
    """
    rounded: Floats = np.round(chances, 4)
    rounded.setflags(write=False)
    return rounded


_answers: dict[Knowledge, tuple[ParticleState, CellChances]] = {}
"""By question, the oldest first."""
_lock = Lock()


def _keep(question: Knowledge, state: ParticleState, view: CellChances) -> None:
    with _lock:  # another thread may be dropping the same oldest answer
        _answers[question] = state, view
        for oldest in list(islice(_answers, max(0, len(_answers) - _MOST_KEPT))):
            del _answers[oldest]


def clear_cache() -> None:
    """Forgets all reviews and outlooks that are kept."""
    review.cache_clear()
    with _lock:
        _answers.clear()


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
    such a search, and its chance of a ship never hit. The shot is then measured against this."""
    share: float
    """The chance chosen over the chance it is measured against, from 0 to 1."""

    @property
    def is_hit(self) -> bool:
        """Whether it hit a ship."""
        return self.result is not Result.WATER

    @property
    def difference(self) -> float:
        """By how much the chance that it is measured against was better, from 0."""
        best = self.best_chance if self.search is None else self.search[1]
        return max(0.0, best - self.chance)


@dataclass(frozen=True, slots=True)
class Account:
    """The shots of one side, and their sums."""

    shots: tuple[Judged, ...]

    @property
    def hits(self) -> int:
        """How many hit a ship."""
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
    """All shots of a match with their chances."""

    accounts: Pair[Account]
    swings: tuple[Swing, ...]
    """Every turn with a shot in it, in order."""
    outlooks: dict[int, CellChances]
    """By ply: what the side that fired could know before that shot."""

    @property
    def turning_points(self) -> tuple[Swing, ...]:
        """The turns whose hits differ most from what was to be expected, in order."""
        furthest = sorted(self.swings, key=lambda swing: -abs(swing.size))[:NAMED]
        return tuple(sorted(furthest, key=lambda swing: swing.turn))

    def judged(self, ply: int) -> Judged | None:
        """The shot of that ply; None where the action was no shot."""
        shots = (shot for account in self.accounts for shot in account.shots)
        return next((shot for shot in shots if shot.ply == ply), None)


@lru_cache(maxsize=32)
def review(match: Match) -> Review:
    """The review of all shots whose results are known.

    Kept for a while, since the page of each step of a match asks for it again.
    """
    shots = {shot.ply: shot for shot in match.shots}
    outlooks: dict[int, CellChances] = {}
    judged: list[tuple[Shot, Judged]] = []
    for ply, (stage, action) in enumerate(zip(match.stages(), match.actions, strict=False)):
        if isinstance(action, Fire) and ply in shots:
            # All shots of a salvo are aimed before any result, so they share one outlook.
            seen = observe(stage, stage.side)
            outlooks[ply] = outlook(seen)
            judged.append((shots[ply], judge(seen, shots[ply], outlooks[ply])))
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


def judge(seen: Observation, shot: Shot, view: CellChances) -> Judged:
    """A shot by what was known when it was aimed.

    Where ships move, one that was hit can't flee, so it may wait while others are searched for. A
    shot is then measured against the best search, if that gives it the greater share.
    """
    best, share = _measured(view.cells, seen.targets, shot.cell)
    search = None
    if seen.ruleset.moving and view.unhit.any():
        find, found = _measured(view.unhit, seen.targets, shot.cell)
        if found > share:
            search, share = (find, float(view.unhit[find])), found
    return Judged(
        shot.ply, shot.turn, shot.cell, shot.result, float(view.cells[shot.cell]),
        best, float(view.cells[best]), search, share,
    )  # fmt: skip


def _measured(chances: Floats, targets: Sequence[Cell], cell: Cell) -> tuple[Cell, float]:
    """The best target, and a cell's chance as a share of the best target's."""
    best = targets[int(np.argmax(chances[list(targets)]))]
    return best, float(chances[cell] / chances[best]) if chances[best] > 0 else 1.0

"""What the strongest mind expects of each cell, given what a side knew of a match, and its shots.

What earlier rounds taught the computer is left out. The coach shows these chances before a shot,
and each shot can be judged by the best of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from game.engine.actions import Result, Shot
from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.rules import Side

if TYPE_CHECKING:  # the belief loads NumPy, which takes longer than a page
    from game.players.belief.tables import CellChances, Floats, Knowledge
    from game.players.belief.tracker import ParticleState

    Answer: TypeAlias = tuple[ParticleState, CellChances]
_PUBLIC_SEED = bytes(SEED_BYTES)
"""The seed of the draws, as the match's own seed is secret until the end."""
BLOCK = 10
"""After so many questions the belief starts again, which bounds the time of an answer."""


def cell_chances(seen: Observation) -> CellChances:
    """Returns what the observer may expect of each cell; equal observations get equal answers."""
    from game.players.belief.tables import knowledge_of

    return _answer(knowledge_of(seen))[1]


@lru_cache(maxsize=48)  # up to 40 kB each
def _answer(question: Knowledge) -> Answer:
    """Returns the belief after a question, and what it says of each cell.

    Belief states form a fixed chain that starts again every BLOCK questions, so answers don't
    depend on the order of requests.
    """
    from game.players.belief.tables import CellChances
    from game.players.belief.tracker import START, previous_question, proceed

    shots = question.shots
    # A salvo is one question.
    count = len({shot.turn for shot in shots}) if question.rules.salvo else len(shots)
    before = previous_question(question) if count % BLOCK else None
    state = START if before is None else _answer(before)[0]
    state, chances = proceed(state, question, Chance(_PUBLIC_SEED, "outlook", len(shots)))
    return state, CellChances(_rounded(chances.cells), _rounded(chances.unhit))


clear_cache = _answer.cache_clear


def _rounded(chances: Floats) -> Floats:
    """Returns the chances to four places, since further ones differ between machines.

    The array is read-only, because many pages share it.
    """
    rounded: Floats = chances.round(4)
    rounded.setflags(write=False)
    return rounded


class Search(NamedTuple):
    """The best search for a ship never hit, if a shot passed over a ship that was hit."""

    cell: Cell
    chance: float
    """The chance of a ship never hit in the best cell."""
    chosen: float
    """The same chance where the shot was fired."""


class JudgedShot(NamedTuple):
    """A shot, its chance, and the best there was."""

    ply: int
    turn: int
    side: Side
    cell: Cell
    result: Result
    chance: float
    best: Cell
    best_chance: float
    search: Search | None
    """Set if the shot is measured against the best search."""

    @property
    def share(self) -> float:
        """The chance chosen over the chance it is measured against, from 0 to 1."""
        chosen, best = self.chance, self.best_chance
        if self.search is not None:
            chosen, best = self.search.chosen, self.search.chance
        return chosen / best if best > 0 else 1.0

    @property
    def is_hit(self) -> bool:
        return self.result is not Result.WATER

    @property
    def difference(self) -> float:
        """How much better the chance was that it is measured against, from 0."""
        best = self.best_chance if self.search is None else self.search.chance
        return max(0.0, best - self.chance)


def judge(seen: Observation, shot: Shot, view: CellChances) -> JudgedShot:
    """Judges a shot by what was known when it was aimed.

    Where ships move, one that was hit can't flee, so it may wait while others are searched for. A
    shot is then measured against the best search, if that gives it the greater share.
    """
    best = _best(view.cells, seen.targets)
    judged = JudgedShot(
        shot.ply, shot.turn, shot.side, shot.cell, shot.result, float(view.cells[shot.cell]),
        best, float(view.cells[best]), None,
    )  # fmt: skip
    if not (seen.ruleset.moving and view.unhit.any()):
        return judged
    find = _best(view.unhit, seen.targets)
    search = Search(find, float(view.unhit[find]), float(view.unhit[shot.cell]))
    searched = judged._replace(search=search)
    return searched if searched.share > judged.share else judged


def _best(chances: Floats, targets: Sequence[Cell]) -> Cell:
    return targets[int(chances[list(targets)].argmax())]

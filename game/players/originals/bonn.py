"""The Bonn scorer: every cell gets a score, and the best one is fired at.

After section 5 of "Web Development with Haskell" by Grewing, Heidemann, Thorand and Zaiser
(University of Bonn, https://github.com/zrho/afp). A score weighs the ships that may lie through
a cell, each by itself and never as a whole fleet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, repeat
from operator import mul
from typing import NamedTuple

from game.engine.chance import Chance
from game.engine.fleets import Fleet, all_placements, complete
from game.engine.geometry import Board, Cell, mask_of
from game.engine.observation import STAY, Manoeuvre, Observation, Result
from game.engine.rules import MOST_ACTIONS

PER_HIT = 20
LAST_CELL = 50
OTHER_COLOUR = 0.9
COUNTDOWN = 20
"""Half-turns before the limit from which on it sinks what it has found."""

# Products and not powers, which may differ in the last bit from one C library to another: the
# same match must get the same answers on every machine.
_FADED = tuple(accumulate(repeat(0.98, MOST_ACTIONS), mul, initial=1.0))
"""How far the result of a shot still holds where ships move, by the number of shots since."""


@dataclass(frozen=True, slots=True)
class Bonn:
    """The Bonn scorer in one strength: `overlooks` is the chance that it overlooks a cell.

    Factors near 1 alone hardly weaken it, since what is near a hit scores so much higher.
    """

    name: str
    overlooks: float

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """A random legal fleet."""
        return complete(seen.ruleset, (), chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """The target with the highest score, after chance has changed each score a little."""
        scores = _scores(seen, chance.for_whole_match("parity").below(2))
        draws = [chance.uniform() for _ in scores]
        # Where nothing scores, the draw decides, and for what was overlooked rather than for what
        # was found to be empty.
        return max(
            seen.targets, key=lambda cell: (scores[cell] * self._factor(draws[cell]), -draws[cell])
        )

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """Half of the time nothing, else any legal move."""
        if seen.steers and chance.below(2):
            return chance.choice(seen.steers)
        return STAY

    def _factor(self, draw: float) -> float:
        """From one uniform number: 0 for what is overlooked, else uniform from 0.95 to 1.05."""
        if draw < self.overlooks:
            return 0.0
        return 0.95 + 0.1 * (draw - self.overlooks) / (1 - self.overlooks)


EASY = Bonn("bonn-easy", 0.885)
MEDIUM = Bonn("bonn-medium", 0.75)
HARD = Bonn("bonn-hard", 0.0)


class _Chart(NamedTuple):
    """What the shots have told of the enemy's waters, as of the newest one."""

    hits: int
    """The mask of cells where a ship afloat was hit."""
    against: dict[Cell, int]
    """The newest shot, by its number from 0, that speaks against a ship in a cell."""


def _scores(seen: Observation, parity: int) -> list[float]:
    """For each cell how much is to be said for firing there, from 0."""
    chart = _chart(seen)
    if not seen.ruleset.moving:
        scores = _weigh(seen, chart, is_searching=False)
        return _levelled(seen, scores, parity, OTHER_COLOUR)
    if _is_searching(seen, chart.hits):
        scores = _weigh(seen, chart, is_searching=True)
        return _rested(seen, _levelled(seen, scores, parity, 0.0))
    return _rested(seen, _weigh(seen, chart, is_searching=False))


def _is_searching(seen: Observation, hits: int) -> bool:
    """Whether ships are to be found and not sunk, since a wreck gives the others room to move.

    A ship of n cells has n // 2 of each colour of the checkerboard, or one more.
    """
    if seen.turns_left is not None and seen.turns_left <= COUNTDOWN:
        return False
    return hits.bit_count() < sum(length // 2 for length in seen.enemy_left)


def _chart(seen: Observation) -> _Chart:
    touching = seen.ruleset.touching
    hits, against = 0, dict[Cell, int]()
    for number, shot in enumerate(seen.shots):
        if shot.wreck is not None:
            area = shot.wreck.mask if touching else shot.wreck.halo
            hits &= ~area
            against.update(dict.fromkeys(_cells(seen.board, area), number))
        elif shot.result is Result.HIT:
            hits |= 1 << shot.cell
            against.pop(shot.cell, None)
        else:
            against[shot.cell] = number
    if not touching:
        for cell in _cells(seen.board, hits):
            against.update(dict.fromkeys(_corners(seen.board, cell), len(seen.shots) - 1))
    return _Chart(hits, against)


def _cells(board: Board, mask: int) -> list[Cell]:
    return [cell for cell in board.cells if mask >> cell & 1]


def _corners(board: Board, cell: Cell) -> set[Cell]:
    return set(board.neighbours(cell)).difference(board.sides(cell))


def _free(seen: Observation, chart: _Chart) -> list[float]:
    """For each cell how far nothing speaks against a ship there: 1 less how far it is blocked."""
    free = [1.0] * seen.board.size
    newest = len(seen.shots) - 1
    for cell, number in chart.against.items():
        free[cell] = 1.0 - _FADED[newest - number] if seen.ruleset.moving else 0.0
    return free


def _weigh(seen: Observation, chart: _Chart, *, is_searching: bool) -> list[float]:
    """For each cell the worth of all places of the enemy's ships through it.

    A place is worth as much as nothing speaks against it, times a bonus for the hits in it.
    """
    free = _free(seen, chart)
    barred = mask_of(cell for cell in seen.board.cells if free[cell] == 0.0)
    doubtful = mask_of(cell for cell in seen.board.cells if 0.0 < free[cell] < 1.0)
    scores = [0.0] * seen.board.size
    for length, count in Counter(seen.enemy_left).items():
        worths = _worths(length, count, is_searching=is_searching)
        for ship in all_placements(seen.board, length):
            if ship.mask & barred:
                continue
            worth = worths[(ship.mask & chart.hits).bit_count()]
            if ship.mask & doubtful:
                for cell in ship.cells:
                    worth *= free[cell]
            for cell in ship.cells:
                scores[cell] += worth
    return scores


def _worths(length: int, count: int, *, is_searching: bool) -> list[float]:
    """What a place is worth to `count` ships of that length, by the number of hits in it."""
    if is_searching:
        return [float(count)] + [0.0] * length
    worths = [float(count * (1 + PER_HIT * hits)) for hits in range(length + 1)]
    worths[length - 1] += count * LAST_CELL
    return worths


def _levelled(
    seen: Observation, scores: Sequence[float], parity: int, other_colour: float
) -> list[float]:
    """The scores as parts of the opening's, the checkerboard's other colour reduced by a factor.

    Near an edge there is room for fewer ships from the start, and that alone tells nothing.
    """
    board = seen.board
    colours = (1.0, other_colour) if parity == 0 else (other_colour, 1.0)
    openings = _openings(board, seen.ruleset.fleet)
    return [
        scores[cell] / openings[cell] * colours[(board.column(cell) + board.row(cell)) % 2]
        for cell in board.cells
    ]


@lru_cache(maxsize=64)
def _openings(board: Board, fleet: tuple[int, ...]) -> tuple[int, ...]:
    """For each cell the places of the fleet's ships through it: for every ship one at least."""
    counts = [0] * board.size
    for length in fleet:
        for ship in all_placements(board, length):
            for cell in ship.cells:
                counts[cell] += 1
    return tuple(counts)


def _rested(seen: Observation, scores: Sequence[float]) -> list[float]:
    """The scores where ships move: low where a shot is not long past, since little has changed."""
    rested = list(scores)
    newest = len(seen.shots) - 1
    for cell, number in {shot.cell: number for number, shot in enumerate(seen.shots)}.items():
        rested[cell] *= 1.0 - _FADED[newest - number]
    return rested

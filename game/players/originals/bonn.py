"""The Bonn scorer: gives every cell a score, and fires at the best one.

After section 5 of "Web Development with Haskell" by Grewing, Heidemann, Thorand and Zaiser
(University of Bonn, https://github.com/zrho/afp). The score of a cell is a sum over the placements
of single ships that cover it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import accumulate, repeat
from operator import and_, mul, or_
from typing import cast

import numpy as np

from game.engine.actions import Result
from game.engine.chance import Chance
from game.engine.fleets import all_placements, reach
from game.engine.geometry import Board, Cell, cells_of
from game.engine.observation import Observation
from game.engine.rules import MOST_ACTIONS, Pair
from game.players.belief.tables import placement_cells
from game.players.originals.random_player import RandomFleet
from game.players.sinkings import readings

PER_HIT = 20
LAST_CELL = 50
OTHER_COLOUR = 0.9

# Products, because powers may differ in the last bit between C libraries, and the decisions must be
# the same on every machine.
_VALIDITY = tuple(accumulate(repeat(0.98, MOST_ACTIONS), mul, initial=1.0))
"""The weight of a result if ships move, by the number of shots since."""


@dataclass(frozen=True, slots=True)
class Bonn(RandomFleet):
    name: str
    noise: Pair[float] = (0.0, 0.0)
    """What makes the mind weaker where ships lie still, and where they move: each score is raised
    by a random number from 0 to so many times the best one."""

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """The target with the highest score, after a random change of the scores of all cells."""
        scores = _scores(seen, chance.for_whole_match("parity").below(2))
        draws = chance.uniforms(len(scores))
        raised = self.noise[seen.ruleset.moving] * max(scores)
        if not raised:  # among scores of 0 the lowest draw wins
            keys = [
                (score * (0.95 + 0.1 * draw), -draw)
                for score, draw in zip(scores, draws, strict=True)
            ]
            return max(seen.targets, key=keys.__getitem__)
        noisy = [score + raised * draw for score, draw in zip(scores, draws, strict=True)]
        chosen = max(seen.board.cells, key=noisy.__getitem__)
        if chosen not in seen.spent:
            return chosen
        # The original fires there again. The rules forbid it, so the shot is lost elsewhere, if
        # possible at a cell that can't hold a ship.
        return min(seen.targets, key=lambda cell: (scores[cell], draws[cell]))


EASY = Bonn("bonn-easy", (3.5, 3.5))
MEDIUM = Bonn("bonn-medium", (2.0, 2.9))
HARD = Bonn("bonn-hard")


def _scores(seen: Observation, parity: int) -> list[float]:
    """The score of each cell, at least 0; 0 where the rules allow no shot."""
    hits, against = _chart(seen)
    is_moving = seen.ruleset.moving
    is_searching = is_moving and _is_searching(seen, hits)
    scores = _weights(seen, hits, against, is_searching=is_searching)
    if is_searching or not is_moving:
        scores = _relative(seen, scores, parity, 0.0 if is_moving else OTHER_COLOUR)
    if is_moving:
        scores = _lowered(seen, scores)
    return [0.0 if cell in seen.spent else score for cell, score in enumerate(scores)]


def _is_searching(seen: Observation, hits: int) -> bool:
    """Whether to look for further ships rather than sink those found.

    A wreck gives the others room to move, so it searches until half of the cells are hit, rounded
    down for each ship. In the countdown it sinks ships.
    """
    if seen.is_countdown:
        return False
    return hits.bit_count() < sum(length // 2 for length in seen.enemy_left)


def _chart(seen: Observation) -> tuple[int, dict[Cell, int]]:
    """The mask of the hits on ships afloat, and the evidence against a ship on other cells.

    The evidence is the index of the newest shot that tells against a ship there.
    """
    hits, against = 0, dict[Cell, int]()
    ambiguous = readings(seen.ruleset, seen.shots)
    for number, shot in enumerate(seen.shots):
        if shot.wreck is not None:
            area = reach(seen.ruleset, shot.wreck)
            hits &= ~area
            against.update(dict.fromkeys(cells_of(area), number))
        elif shot.result is Result.HIT:
            hits |= 1 << shot.cell
            against.pop(shot.cell, None)
        elif ambiguous.get(number):
            # Hits that may be on the wreck are ignored, but another ship may still cover them.
            masks = [ship.mask for ship in ambiguous[number]]
            hits &= ~reduce(or_, masks)
            against.update(dict.fromkeys(cells_of(reduce(and_, masks)), number))
        else:
            against[shot.cell] = number
    if not seen.ruleset.touching:
        for cell in cells_of(hits):
            against.update(dict.fromkeys(seen.board.diagonals(cell), len(seen.shots) - 1))
    return hits, against


def _weights(
    seen: Observation, hits: int, against: dict[Cell, int], *, is_searching: bool
) -> list[float]:
    """For each cell the total weight of the placements that cover it.

    The weight of a placement decreases with evidence against it and increases with its hits.
    """
    # A factor from 0 to 1: the weaker the evidence against a ship, the greater.
    free, newest = np.ones(seen.board.size), len(seen.shots) - 1
    for cell, number in against.items():
        free[cell] = 1.0 - _VALIDITY[newest - number] if seen.ruleset.moving else 0.0
    hit = np.zeros(seen.board.size, np.intp)
    hit[cells_of(hits)] = 1
    cells, weights = [np.empty(0, np.intp)], [np.empty(0)]
    for length, count in Counter(seen.enemy_left).items():
        lies = placement_cells(seen.board, length)
        by_hits = np.array(_placement_weights(length, count, is_searching=is_searching))
        each = by_hits[hit[lies].sum(axis=1)]
        # A fixed order of factors, because another order may change the last bit.
        for factors in free[lies.T]:
            each *= factors
        cells.append(lies.ravel())
        weights.append(each.repeat(length))
    # bincount adds in the given order, for the same reason.
    added = np.bincount(np.concatenate(cells), np.concatenate(weights), minlength=seen.board.size)
    return cast("list[float]", added.tolist())


def _placement_weights(length: int, count: int, *, is_searching: bool) -> list[float]:
    """The weight of a placement of that length, by the number of hits that it covers."""
    if is_searching:
        return [float(count)] + [0.0] * length
    weights = [float(count * (1 + PER_HIT * hits)) for hits in range(length + 1)]
    weights[length - 1] += count * LAST_CELL
    return weights


def _relative(
    seen: Observation, scores: Sequence[float], parity: int, other_colour: float
) -> list[float]:
    """The scores relative to those of an empty board, with one colour of the checkerboard reduced.

    The division corrects for cells near an edge, which fewer placements cover.
    """
    colours = (1.0, other_colour) if parity == 0 else (other_colour, 1.0)
    openings = _openings(seen.board, seen.ruleset.fleet)
    return [
        score / count * colours[colour]
        for score, (count, colour) in zip(scores, openings, strict=True)
    ]


@lru_cache(maxsize=64)  # rulesets in play; 1 kB each
def _openings(board: Board, fleet: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """For each cell the number of placements that cover it, and its colour."""
    counts = [0] * board.size
    for length in fleet:
        for ship in all_placements(board, length):
            for cell in ship.cells:
                counts[cell] += 1
    return tuple((counts[cell], (board.column(cell) + board.row(cell)) % 2) for cell in board.cells)


def _lowered(seen: Observation, scores: Sequence[float]) -> list[float]:
    """The scores if ships move: lower at recent shots, where little can have changed."""
    lowered = list(scores)
    newest = len(seen.shots) - 1
    for cell, number in {shot.cell: number for number, shot in enumerate(seen.shots)}.items():
        lowered[cell] *= 1.0 - _VALIDITY[newest - number]
    return lowered

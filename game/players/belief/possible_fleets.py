"""How the fleets of a belief answer questions, and which question tells most; see docs/belief.md.

fleets = possible_fleets(knowledge_of(seen), belief)
fleets.share(Ask(board.parse("A1"), board.parse("D4")))
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from game.engine.actions import Ask, Result
from game.engine.geometry import Board, Cell, cells_of
from game.players.belief.belief import Belief
from game.players.belief.tables import Flags, Indices, Knowledge

NEAREST = 40
"""The number of questions, those nearest to an even answer, that are compared."""
MOST_ANSWERS = 1 << 22
"""The most answers that are worked out, as rectangles times fleets; further fleets are left out."""
_GRAIN = 4096
"""The weight of the likeliest fleet: sums of such whole numbers are exact in single precision, in
any order, up to 2 ** 24."""


@dataclass(frozen=True, eq=False)
class PossibleFleets:
    """Fleets that agree with what is known."""

    board: Board
    lies: Flags
    """Shape (cells, fleets): whether a ship lies there, hit or not."""
    weights: npt.NDArray[np.float32]
    """Shape (fleets,): whole numbers."""
    cells_left: int
    """The number of ship cells that haven't been hit."""

    def share(self, ask: Ask) -> float:
        """The share of the fleets that answer yes, from 0 to 1."""
        inside = cells_of(self.board.rectangle(ask.first, ask.last))
        yes = self.weights[self.lies[inside].any(axis=0)]
        return float(yes.sum(dtype=float) / self.weights.sum(dtype=float))

    def best(self, targets: Collection[Cell], asked: Collection[Ask]) -> Ask | None:
        """The best of the NEAREST questions; None if the answer to each is known.

        It is the one after whose answer the likeliest cells, as many as are left to hit, are
        expected to have the greatest sum of chances.
        """
        lies, weights, asks = self.lies, self.weights, rectangles(self.board)
        if len(asks) * len(weights) > MOST_ANSWERS:
            taken = np.linspace(0, len(weights) - 1, MOST_ANSWERS // len(asks)).astype(np.intp)
            lies, weights = lies[:, taken], weights[taken]
        answers = answers_of(self.board, lies)
        total = weights.sum()
        yes = answers.astype(np.float32) @ weights
        unevenness = np.where((yes > 0) & (yes < total), np.abs(2 * yes - total), np.inf)
        nearest = [
            at
            for at in np.argsort(unevenness, kind="stable")[: NEAREST + len(asked)].tolist()
            if unevenness[at] < np.inf
            and asks[at] not in asked
            and (asks[at].first != asks[at].last or asks[at].first in targets)
        ]
        if not nearest:
            return None
        open_cells = lies[sorted(targets)].astype(np.float32)
        with_yes = (answers[nearest] * weights) @ open_cells.T
        with_no = open_cells @ weights - with_yes
        hits = sum(
            np.sort(part, axis=1)[:, -self.cells_left :].sum(axis=1) for part in (with_yes, with_no)
        )
        best: int = nearest[int(np.argmax(hits))]
        return asks[best]


def possible_fleets(knowledge: Knowledge, belief: Belief) -> PossibleFleets:
    """The fleets of a belief, with the ships that were hit."""
    lies = np.array(belief.tables.covers[belief.fleets].any(axis=0).T, order="C")
    met = [shot.cell for shot in knowledge.shots if shot.result is not Result.WATER]
    lies[met] = True
    weights = np.ceil(belief.weights * (_GRAIN / belief.weights.max())).astype(np.float32)
    left = max(1, sum(knowledge.rules.fleet) - len(met))
    return PossibleFleets(knowledge.rules.board, lies, weights, left)


@lru_cache(maxsize=4)
def rectangles(board: Board) -> tuple[Ask, ...]:
    """All rectangles of a board as questions."""
    return tuple(
        Ask(board.cell(left, top), board.cell(right, bottom))
        for left, right, top, bottom in bounds(board).T.tolist()
    )


@lru_cache(maxsize=4)
def bounds(board: Board) -> Indices:
    """The first and last column, and the first and last row, of each: shape (4, rectangles)."""
    across, down = _intervals(board.columns), _intervals(board.rows)
    return np.array([(*columns, *rows) for rows in down for columns in across]).T


def _intervals(size: int) -> list[tuple[int, int]]:
    return [(first, last) for first in range(size) for last in range(first, size)]


def answers_of(board: Board, lies: Flags) -> Flags:
    """Shape (rectangles, fleets): whether the fleet answers yes, in the order of `rectangles`."""
    sea = lies.reshape(board.rows, board.columns, -1)
    across = _anywhere(sea.swapaxes(0, 1)).swapaxes(0, 1)
    return _anywhere(across).reshape(-1, lies.shape[1])


def _anywhere(lines: Flags) -> Flags:
    """Shape (lines, …) to (intervals, …): whether any of the interval's lines is true."""
    intervals = _intervals(len(lines))
    anywhere = np.empty((len(intervals), *lines.shape[1:]), bool)
    for at, (first, last) in enumerate(intervals):
        if first == last:
            anywhere[at] = lines[last]
        else:
            np.logical_or(anywhere[at - 1], lines[last], out=anywhere[at])
    return anywhere

"""Which question tells most, by the fleets of a belief; see docs/belief.md."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from game.engine.actions import Ask
from game.engine.geometry import Board, Cell
from game.players.belief.belief import Belief
from game.players.belief.tables import Flags, Floats, Indices

NEAREST = 40
"""The number of questions nearest to an even answer that are compared."""
_WORK = 1 << 22
"""The most pairs of a rectangle and a fleet for which the answer is worked out."""
_GRAIN = 4096
"""The weight of the likeliest fleet. Sums of such weights stay below 2 ** 24, and so are exact in
single precision in any order."""


@lru_cache(maxsize=4)
def rectangles(board: Board) -> tuple[Ask, ...]:
    """All rectangles of a board, in the order of `_Fleets.answers`."""
    across, down = _intervals(board.columns), _intervals(board.rows)
    return tuple(
        Ask(board.cell(left, top), board.cell(right, bottom))
        for left, right in across
        for top, bottom in down
    )


def _intervals(size: int) -> list[tuple[int, int]]:
    return [(first, last) for first in range(size) for last in range(first, size)]


class Possible(NamedTuple):
    """Fleets that agree with all that is known, with their weights."""

    board: Board
    lies: Flags
    """Shape (cells, fleets): whether the fleet has a ship there, hit or not."""
    weights: Floats
    """Shape (fleets,), whole numbers."""

    def answers(self) -> Flags:
        """Shape (rectangles, fleets): whether the fleet answers yes."""
        columns, rows = self.board.columns, self.board.rows
        sea = self.lies.reshape(rows, columns, -1)
        across = _reached(sea.transpose(1, 0, 2))
        return _reached(across.transpose(1, 0, 2)).transpose(1, 0, 2).reshape(-1, sea.shape[2])

    def shares(self, answers: Flags) -> Floats:
        """Shape (rectangles,): the share of the fleets that answer yes."""
        return (answers.astype(np.float32) @ self.weights).astype(float) / float(self.weights.sum())


def _reached(lines: Flags) -> Flags:
    """Shape (lines, …) to (intervals, …): whether any line of the interval is true."""
    found = np.empty((len(lines) * (len(lines) + 1) // 2, *lines.shape[1:]), bool)
    for at, (first, last) in enumerate(_intervals(len(lines))):
        if first == last:
            found[at] = lines[last]
        else:
            np.logical_or(found[at - 1], lines[last], out=found[at])
    return found

"""The last fleets: how many more shots each target would take, counted out over all of them.

    Endgame(belief, seen.spent).shots_after(board.parse("B7"))

Where few fleets are left, each play to the end is followed: after the target in question the
shooter fires where most fleets have a ship, and what each shot tells parts the fleets. To fire at
the target for which the mean is least is one step of policy improvement (Howard, 1960), known from
games as a rollout (Tesauro and Galperin, 1996), but exact: nothing is drawn by chance.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

import numpy as np

from game.engine.geometry import Cell, mask_of
from game.players.belief.belief import Belief
from game.players.belief.tables import Flags

Fleets: TypeAlias = int
"""A set of fleets: bit n stands for the n-th."""


class Endgame:
    """All fleets there can be, for rules in which every shot is told at once and no ship moves."""

    def __init__(self, belief: Belief, spent: Collection[Cell]) -> None:
        """`belief` lists its fleets; `spent` has the cells that may not be fired at."""
        waters, fleets = belief.sea, belief.fleets
        self.spent = mask_of(spent)
        self.all: Fleets = (1 << fleets.shape[1]) - 1
        lies = np.zeros((fleets.shape[1], waters.covers.shape[1]), bool)
        for ships in fleets:
            lies |= waters.covers[ships]
        self.on: list[Fleets] = _rows_as_bits(lies.T)
        """For each cell the fleets that lie on it."""
        self.cells_of: list[int] = _rows_as_bits(lies)
        """For each fleet its cells, as a mask."""
        self._known: dict[tuple[Fleets, int], float] = {}
        """Of each end that was followed what came of it: other shots may lead to the same."""
        self.through: dict[int, list[tuple[int, Fleets]]] = {}
        """For each cell the places through it: each a mask, and the fleets that have it."""
        for place in np.unique(fleets):
            if place < waters.none:
                (having,) = _rows_as_bits((fleets == place).any(axis=0)[None])
                for cell in waters.placements[place].cells:
                    self.through.setdefault(cell, []).append(
                        (waters.placements[place].mask, having)
                    )

    def shots_after(self, target: Cell) -> float:
        """The mean number of shots until all is sunk, the one at the target included."""
        open_ = [cell for cell, on in enumerate(self.on) if on and not self.spent >> cell & 1]
        return self._fired(self.all, self.spent, target, open_)

    def _fired(self, fleets: Fleets, spent: int, target: int, cells: Sequence[int]) -> float:
        after, rest = spent | 1 << target, [cell for cell in cells if cell != target]
        shots = 0.0
        for part in self._parts(fleets, after, target):
            shots += part.bit_count() * self._shots(part, after, rest)
        return 1 + shots / fleets.bit_count()

    def _parts(self, fleets: Fleets, spent: int, target: int) -> list[Fleets]:
        """The fleets, parted by what a shot at the target tells: water, which wreck, or a hit."""
        hit = fleets & self.on[target]
        parts = [fleets & ~hit]
        if hit:
            for place, having in self.through[target]:
                if not place & ~spent:
                    parts.append(hit & having)
                    hit &= ~having
            parts.append(hit)
        return [part for part in parts if part]

    def _shots(self, fleets: Fleets, spent: int, cells: Sequence[int]) -> float:
        """The mean number of shots that are left, fired where most fleets have a ship."""
        count = fleets.bit_count()
        last = self.cells_of[fleets.bit_length() - 1] & ~spent
        if count == 1:
            return last.bit_count()
        if count == 2:
            other = self.cells_of[(fleets & -fleets).bit_length() - 1] & ~spent
            if not last & other:  # the first shot tells which it is, in half of the cases by water
                return (last.bit_count() + other.bit_count() + 1) / 2
        known = self._known.get((fleets, spent))
        if known is not None:
            return known
        counted = [(lie, cell) for cell in cells if (lie := (fleets & self.on[cell]).bit_count())]
        if not counted:
            return 0
        shots = self._fired(fleets, spent, max(counted)[1], [cell for _lie, cell in counted])
        self._known[fleets, spent] = shots
        return shots


def _rows_as_bits(rows: Flags) -> list[int]:
    packed = np.packbits(rows, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]

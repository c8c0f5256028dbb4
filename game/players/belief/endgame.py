"""The end of a search: how many more shots each target would take, exactly, over all fleets.

    Endgame(belief, seen.spent).shots_after(board.parse("B7"))

Where few fleets are left, every way to the end is followed: after the target in question the
shooter fires where most fleets have a ship, and the result of each shot splits the fleets. To fire
at the target with the least mean is one step of policy improvement (Howard, 1960), known from games
as a rollout (Tesauro and Galperin, 1996); but this one is exact, with nothing drawn by chance.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

import numpy as np

from game.engine.geometry import Cell, mask_of
from game.players.belief.belief import Belief
from game.players.belief.tables import Flags

Fleets: TypeAlias = int
"""A set of fleets as one whole number: bit n stands for the n-th. So to count those on a cell is
one operation, for any number of fleets."""


class Endgame:
    """All possible fleets, where no ship moves and the result of each shot is told at once."""

    def __init__(
        self,
        belief: Belief,
        spent: Collection[Cell],
        *,
        is_named: bool = False,
        has_wrecks: bool = True,
    ) -> None:
        """`belief` is listed; `spent` has the cells that may not be fired at.

        `is_named` says whether a hit tells which ship it was on, `has_wrecks` whether a sinking
        tells where the ship lay.
        """
        tables, fleets = belief.tables, belief.fleets
        self.is_named, self.has_wrecks = is_named, has_wrecks
        self.spent = mask_of(spent)
        self.all: Fleets = (1 << fleets.shape[1]) - 1
        covers = np.zeros((fleets.shape[1], tables.covers.shape[1]), bool)  # (fleets, cells)
        for ships in fleets:
            covers |= tables.covers[ships]
        self.fleets_on: list[Fleets] = _rows_as_bits(covers.T)
        """For each cell the fleets that lie on it."""
        self.cells_of: list[int] = _rows_as_bits(covers)
        """For each fleet its cells, as a mask."""
        self._followed: dict[tuple[Fleets, int], float] = {}
        """The mean shots by fleets and spent cells: different shots may lead to the same."""
        self.placements_at: dict[int, list[tuple[int, Fleets]]] = {}
        """For each cell the placements on it: the mask of each, and the fleets that have it."""
        for at in np.unique(fleets):
            if at < tables.no_ship:
                placement = tables.placements[at]
                (having,) = _rows_as_bits((fleets == at).any(axis=0)[None])
                for cell in placement.cells:
                    self.placements_at.setdefault(cell, []).append((placement.mask, having))

    def shots_after(self, target: Cell) -> float:
        """The mean number of shots until all is sunk, the one at the target included."""
        cells = [c for c, on in enumerate(self.fleets_on) if on and not self.spent >> c & 1]
        return self._after_firing(self.all, self.spent, target, cells)

    def _after_firing(self, fleets: Fleets, spent: int, target: int, cells: Sequence[int]) -> float:
        after, rest = spent | 1 << target, [cell for cell in cells if cell != target]
        shots = 0.0
        for part in self._parts(fleets, after, target):
            shots += part.bit_count() * self._shots(part, after, rest)
        return 1 + shots / fleets.bit_count()

    def _parts(self, fleets: Fleets, spent: int, target: int) -> list[Fleets]:
        """The fleets, split by the result of a shot at the target: water, which wreck, or a hit."""
        hit = fleets & self.fleets_on[target]
        parts = [fleets & ~hit]
        if hit:
            sunk: list[Fleets] = []
            for mask, having in self.placements_at[target]:
                if not mask & ~spent:  # all its cells are spent: this shot sinks it
                    sunk.append(hit & having)
                    hit &= ~having
            # No two placements on the target are in one fleet, so the sum is their union.
            parts += sunk if self.has_wrecks else [sum(sunk)]
            parts += self._named_parts(hit, spent, target) if self.is_named else [hit]
        return [part for part in parts if part]

    def _named_parts(self, hit: Fleets, spent: int, target: int) -> list[Fleets]:
        """The fleets with a hit at the target, split by the name told with it.

        A ship hit before is known by those hits. Of ships never hit a name tells the length: those
        of one length could bear each other's names.
        """
        parts: dict[tuple[int, int], Fleets] = {}
        before = spent & ~(1 << target)
        for mask, having in self.placements_at[target]:
            name = mask.bit_count(), mask & before
            parts[name] = parts.get(name, 0) | hit & having
        return list(parts.values())

    def _shots(self, fleets: Fleets, spent: int, cells: Sequence[int]) -> float:
        """The mean number of shots left, if each is fired where most fleets have a ship."""
        count = fleets.bit_count()
        last = self.cells_of[fleets.bit_length() - 1] & ~spent
        if count == 1:
            return last.bit_count()
        if count == 2:
            other = self.cells_of[(fleets & -fleets).bit_length() - 1] & ~spent
            if last == other:
                return last.bit_count()
            # Without a common cell the first shot tells which of the two it is, and it is water
            # in half of the cases. Most ways end here, so a formula saves most of the work.
            if not last & other:
                return (last.bit_count() + other.bit_count() + 1) / 2
        followed = self._followed.get((fleets, spent))
        if followed is not None:
            return followed
        counts = [(on, c) for c in cells if (on := (fleets & self.fleets_on[c]).bit_count())]
        if not counts:
            return 0
        # Cells on which no fleet lies any more drop out for the rest of this way.
        left = [cell for _on, cell in counts]
        shots = self._after_firing(fleets, spent, max(counts)[1], left)
        self._followed[fleets, spent] = shots
        return shots


def _rows_as_bits(rows: Flags) -> list[int]:
    packed = np.packbits(rows, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]

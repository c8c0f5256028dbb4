"""The chances of a position, and the number of its fleets; see docs/belief.md.

The work has limits that are counted, so that equal positions have equal answers on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, lgamma
from typing import NamedTuple

import numpy as np

from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import Cell
from game.engine.position import Position
from game.players.belief.exact import count_fleets, list_fleets
from game.players.belief.sampler import draw
from game.players.belief.tables import Flags, Floats, Indices, PlacementTables, tables_for

_COUNTING = 130_000_000
"""The work of counting all fleets, in steps of about a nanosecond; see `_Evidence.counted`."""
PARTICLES, _FEWEST = 16_384, 512
"""The most and the fewest fleets that are sampled if they can't all be counted."""
_ROOM = 5_000_000
"""The most fleets times the bytes of a row, as each thread keeps its memory."""
_SWEEPS = 4
_WORK = 80_000_000
"""The work of a sample: its fleets, times ships and hits, times the bytes of a row."""
_ROW = 280
"""The work of a row besides that of its bytes."""
_SMALL = 64
"""The cells of a board up to which all of that work may be done; on larger ones it is dearer."""


class Contradiction(NamedTuple):
    """Why no fleet agrees with a position."""

    reason: str
    """twice, apart, gone, hit, sunk, room, many, together, or none if that isn't known."""
    cell: Cell | None = None
    length: int = 0


@dataclass(frozen=True, eq=False)
class Outlook:
    """What may be expected of a position."""

    cells: Floats
    """The probability of a ship afloat, 0 for marked cells: shape (cells,), read-only."""
    fleets: int
    """The number of possible fleets: fleets that look alike count once."""
    is_exact: bool


@dataclass(frozen=True, eq=False)
class _Evidence:
    """A position as `sampler.Evidence`; the ships that sank without a place count as afloat."""

    tables: PlacementTables
    counts: Sequence[int]
    hits: Sequence[Cell]
    placement_weights: Floats
    is_sunk: Flags
    """Shape (placements,): whether a ship there would have sunk."""

    @property
    def rectangles(self) -> Flags:
        return np.zeros((self.tables.no_ship + 1, 0), bool)

    @property
    def on_hits(self) -> Flags:
        """Shape (placements + 1, hits): whether the placement covers the hit."""
        return np.asarray(self.tables.covers[:, list(self.hits)])

    def listed(self, most: int) -> Indices | None:
        """All fleets, or None if there are more than `most`; see `list_fleets`."""
        return list_fleets(
            self.tables, self.placement_weights, self.counts, self.on_hits, most=most
        )

    def counted(self, work: int) -> tuple[int, Floats] | None:
        """The number of all fleets, and of those with each placement; see `count_fleets`.

        None if that takes more than so much work.
        """
        row = 20 + self.tables.compatible.shape[1] // 4 + 2 * sum(self.counts) + 16 * len(self.hits)
        return count_fleets(
            self.tables, self.placement_weights, self.counts, self.on_hits, work // row
        )

    def without_hit(self, hit: Cell) -> _Evidence:
        others = [cell for cell in self.hits if cell != hit]
        return _Evidence(self.tables, self.counts, others, self.placement_weights, self.is_sunk)


@lru_cache(maxsize=64)  # positions that are being looked at; 2 kB each
def look(position: Position) -> Outlook | Contradiction:
    """The chances of each cell, or why there are none."""
    if found := _misfit(position):
        return found
    evidence = _evidence(position)
    if found := _without_room(position, evidence):
        return found
    if not any(evidence.counts):
        return _outlook(np.zeros(position.rules.board.size), 1, is_exact=True)
    tables = evidence.tables
    share = _SMALL / max(_SMALL, tables.board.size)
    counted = evidence.counted(int(_COUNTING * share))
    if counted is not None:
        fleets, by_placement = counted
        if not fleets:
            return _named(position, evidence, int(_COUNTING * share))
        return _outlook(_chances(evidence, by_placement, fleets), fleets, is_exact=True)
    row = _ROW + tables.compatible.shape[1]
    steps = sum(evidence.counts) + len(evidence.hits)
    # The tables have all pairs of placements.
    work = max(0, int(_WORK * share) - tables.no_ship**2) // (row * steps)
    work = min(work, _ROOM // row)
    particles = max(_FEWEST, min(PARTICLES, work))
    chance = Chance(bytes(SEED_BYTES), "position", 0)
    drawn = draw(evidence, chance, particles, sweeps=_SWEEPS)
    if not _is_possible(evidence, drawn.fleets[:, 0]):
        return Contradiction("none")
    alike = sum(lgamma(count + 1) for count in evidence.counts)
    cells = _chances(evidence, drawn.weights, particles)
    return _outlook(cells, _rounded(drawn.log_partition - alike), is_exact=False)


def possible_fleets(position: Position, most: int) -> tuple[PlacementTables, Indices] | None:
    """All fleets that agree with a position: shape (fleets, ships), placements in the tables.

    Fleets that look alike are one. Returns None if there are none, or more than `most`.
    """
    if _misfit(position):
        return None
    evidence = _evidence(position)
    fleets = evidence.listed(most) if not _without_room(position, evidence) else None
    return (evidence.tables, fleets) if fleets is not None and len(fleets) else None


def _outlook(cells: Floats, fleets: int, *, is_exact: bool) -> Outlook:
    cells = np.round(cells, 4)  # further places differ between machines
    cells.setflags(write=False)
    return Outlook(cells, fleets, is_exact)


def _rounded(log_number: float) -> int:
    """A number of two significant digits."""
    number = int(exp(min(log_number, 700)))
    unit = 10 ** max(0, len(str(number)) - 2)
    rounded: int = (number + unit // 2) // unit * unit
    return max(1, rounded)


def _chances(evidence: _Evidence, by_placement: Floats, total: int) -> Floats:
    afloat = np.where(evidence.is_sunk, 0.0, by_placement[:-1])
    chances: Floats = np.minimum(evidence.tables.by_cell(afloat) / total, 1.0)
    chances[list(evidence.hits)] = 0.0
    return chances


def _is_possible(evidence: _Evidence, fleet: Indices) -> bool:
    """Whether a drawn fleet is whole and covers all hits, as no other is drawn if any is."""
    covers = evidence.tables.covers[fleet]
    return bool((fleet < evidence.tables.no_ship).all() and covers[:, evidence.hits].any(0).all())


def _evidence(position: Position) -> _Evidence:
    rules = position.rules
    tables = tables_for(rules)
    covers = tables.covers[:-1]
    told = (*position.hits, *position.sinkings)
    hits = sorted(cell for cell, _length in told)
    wrecks = [tables.index_of[one] for one in position.wrecks]
    possible = ~covers[:, list(position.water)].any(axis=1) & ~tables.conflicts[wrecks].any(axis=0)
    for cell, length in told:
        if length:
            possible &= ~covers[:, cell] | (tables.length == length)
    inside = covers[:, hits].sum(axis=1)
    last = covers[:, [cell for cell, _length in position.sinkings]].sum(axis=1)
    is_sunk = last > 0
    # A ship sinks with its last hit, and each sinking is of one ship.
    fits = np.where(inside == tables.length, last == 1, last == 0)
    for cell, _length in position.sinkings:
        if not (possible & fits & covers[:, cell]).any():  # its other hits weren't marked
            fits |= covers[:, cell] & (last == 1)
    possible &= fits
    # A hit beside a ship would be on another one that touches it.
    possible &= inside >= tables.blocks[:, hits].sum(axis=1)
    left = list(rules.fleet)
    for one in position.wrecks:
        left.remove(one.length)
    counts = [left.count(length) for length in tables.lengths]
    possible &= np.array(counts)[tables.kind] > 0
    return _Evidence(tables, counts, hits, possible.astype(float), is_sunk)


# --- contradictions, in the order in which they are named ---


def _misfit(position: Position) -> Contradiction | None:
    """A mark that contradicts another one by itself."""
    rules, seen = position.rules, set[Cell]()
    told = [cell for cell, _length in (*position.hits, *position.sinkings)]
    for cell in (*position.water, *told):
        if cell in seen:
            return Contradiction("twice", cell)
        seen.add(cell)
    barred = 0
    for wreck in position.wrecks:
        if wreck.mask & barred:
            return Contradiction("apart", wreck.bow)
        barred |= wreck.mask if rules.touching else wreck.halo
        for cell in wreck.cells:
            if cell in seen:
                return Contradiction("twice", cell)
            seen.add(cell)
    sunk = [*(one.length for one in position.wrecks), *(one for _, one in position.sinkings)]
    for length in sorted(set(sunk), reverse=True):
        if sunk.count(length) > rules.fleet.count(length):
            return Contradiction("gone", length=length)
    return None


def _without_room(position: Position, evidence: _Evidence) -> Contradiction | None:
    """A hit that is on no ship, or a ship that has no room."""
    tables, possible = evidence.tables, evidence.placement_weights > 0
    for cell, length in position.sinkings:
        if not possible[tables.placements_at[cell]].any():
            return Contradiction("sunk", cell, length)
    for cell, length in position.hits:
        if not possible[tables.placements_at[cell]].any():
            return Contradiction("hit", cell, length)
    if len(evidence.hits) > sum(
        length * count for length, count in zip(tables.lengths, evidence.counts, strict=True)
    ):
        return Contradiction("many")
    for kind, count in enumerate(evidence.counts):
        if int((possible & (tables.kind == kind)).sum()) < count:
            return Contradiction("room", length=tables.lengths[kind])
    return None


_MOST_TRIED = 12
"""The most hits that are left out one by one to find the one that doesn't fit."""


def _named(position: Position, evidence: _Evidence, work: int) -> Contradiction:
    """The first hit without which there would be a fleet, if one is found."""
    for cell, _length in position.hits[:_MOST_TRIED]:
        counted = evidence.without_hit(cell).counted(work // _MOST_TRIED)
        if counted is None or counted[0]:
            return Contradiction("together", cell)
    return Contradiction("none")

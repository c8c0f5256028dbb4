"""The chances of a position, and the number of its fleets; see docs/belief.md.

The work has limits that are counted, so that equal positions have equal answers on every machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, lgamma, log
from typing import NamedTuple

import numpy as np

from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import reach
from game.engine.geometry import Cell
from game.engine.position import Position
from game.players.belief.exact import FleetCounts, count_fleets, list_fleets
from game.players.belief.sampler import draw
from game.players.belief.tables import Flags, Floats, Indices, PlacementTables, tables_for

_COUNTING = 50_000_000
"""The work of counting all fleets, in steps of about a nanosecond."""
_EXACT = 1 << 53
"""The numbers below it are exact as floats."""
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
    """twice, apart, gone, hit, sunk, room, many, full, together, alone; none if not known."""
    cell: Cell | None = None
    length: int = 0


@dataclass(frozen=True, eq=False)
class PositionChances:
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
    hits: list[Cell]
    placement_weights: Floats
    is_sunk: Flags
    """Shape (placements,): whether a ship there would have sunk."""

    @property
    def rectangles(self) -> Flags:
        return np.zeros((self.tables.no_ship + 1, 0), bool)

    @property
    def on_hits(self) -> Flags:
        """Shape (placements + 1, hits): whether the placement covers the hit."""
        return np.asarray(self.tables.covers[:, self.hits])

    def counted(self, work: int) -> FleetCounts | None:
        """All fleets counted, or None if that takes too much work."""
        row = 20 + self.tables.compatible.shape[1] // 4 + 2 * sum(self.counts) + 16 * len(self.hits)
        most = int(work * self.part_of_work) // row
        return count_fleets(self.tables, self.placement_weights, self.counts, self.on_hits, most)

    @property
    def part_of_work(self) -> float:
        """What part of the work may be done on a board of this size."""
        return _SMALL / max(_SMALL, self.tables.board.size)


@lru_cache(maxsize=64)  # positions that are being looked at; 2 kB each
def look(position: Position) -> PositionChances | Contradiction:
    """The chances of each cell, or why there are none."""
    if fault := _misfit(position):
        return fault
    evidence = _evidence(position)
    if fault := _without_room(position, evidence):
        return fault
    if not any(evidence.counts):
        return _position_chances(
            evidence, np.zeros(evidence.tables.no_ship + 1), 1.0, 1, is_exact=True
        )
    counted = evidence.counted(_COUNTING)
    if counted is not None and counted.fleets:
        is_exact = counted.fleets < _EXACT
        fleets = int(counted.fleets) if is_exact else _rounded(log(counted.fleets))
        return _position_chances(
            evidence, counted.by_placement, counted.fleets, fleets, is_exact=is_exact
        )
    if counted is not None:
        return _named(position)
    tables = evidence.tables
    row = _ROW + tables.compatible.shape[1]
    steps = sum(evidence.counts) + len(evidence.hits)
    # The tables have all pairs of placements.
    work = max(0, int(_WORK * evidence.part_of_work) - tables.no_ship**2) // (row * steps)
    work = min(work, _ROOM // row)
    particles = max(_FEWEST, min(PARTICLES, work))
    chance = Chance(bytes(SEED_BYTES), "position", 0)
    drawn = draw(evidence, chance, particles, sweeps=_SWEEPS)
    # If any fleet is whole and covers all hits, so is every one that is drawn.
    fleet = drawn.fleets[:, 0]
    if (fleet == tables.no_ship).any() or not tables.covers[fleet][:, evidence.hits].any(0).all():
        return Contradiction("none")
    alike = sum(lgamma(count + 1) for count in evidence.counts)
    fleets = _rounded(drawn.log_partition - alike)
    return _position_chances(evidence, drawn.weights, particles, fleets, is_exact=False)


def possible_fleets(position: Position, most: int) -> tuple[PlacementTables, Indices] | None:
    """All fleets that agree with a position: shape (fleets, ships), placements in the tables.

    Fleets that look alike are one. Returns None if there are none, or more than `most`, or more
    than there is room for.
    """
    if _misfit(position):
        return None
    evidence = _evidence(position)
    if _without_room(position, evidence):
        return None
    tables, weights = evidence.tables, evidence.placement_weights
    most = min(most, _ROOM // tables.compatible.shape[1])
    fleets = list_fleets(tables, weights, evidence.counts, evidence.on_hits, most=most)
    return (tables, fleets) if fleets is not None and len(fleets) else None


def _position_chances(
    evidence: _Evidence, by_placement: Floats, total: float, fleets: int, *, is_exact: bool
) -> PositionChances:
    """`by_placement` is the part of `total` that has each placement: shape (placements + 1,)."""
    afloat = np.where(evidence.is_sunk, 0.0, by_placement[:-1])
    cells: Floats = np.minimum(evidence.tables.by_cell(afloat) / total, 1.0)
    cells[evidence.hits] = 0.0
    cells = np.round(cells, 4)  # further places differ between machines
    cells.setflags(write=False)
    return PositionChances(cells, fleets, is_exact)


def _rounded(log_number: float) -> int:
    """A number of two significant digits."""
    number = int(exp(min(log_number, 700)))
    unit = 10 ** max(0, len(str(number)) - 2)
    rounded: int = (number + unit // 2) // unit * unit
    return max(1, rounded)


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
    inside = tables.inside(hits)
    last = tables.inside(cell for cell, _length in position.sinkings)
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
    for wreck in position.wrecks:
        left.remove(wreck.length)
    counts = tables.counts(left)
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
        barred |= reach(rules, wreck)
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
    for reason, told in (("sunk", position.sinkings), ("hit", position.hits)):
        for cell, length in told:
            if not possible[tables.placements_at[cell]].any():
                return Contradiction(reason, cell, length)
    if len(evidence.hits) > sum(
        length * count for length, count in zip(tables.lengths, evidence.counts, strict=True)
    ):
        return Contradiction("many")
    if sum(position.left) > tables.board.size - len(position.marked) + len(position.hits):
        return Contradiction("full")
    for kind, count in enumerate(evidence.counts):
        if int((possible & (tables.kind == kind)).sum()) < count:
            return Contradiction("room", length=tables.lengths[kind])
    return None


_MOST_TRIED = 12
"""The most hits that are left out one by one to find the one that doesn't fit."""


def _named(position: Position) -> Contradiction:
    """The first hit without which there would be a fleet, if one is found."""
    for hit in position.hits[:_MOST_TRIED]:
        others = tuple(one for one in position.hits if one != hit)
        if _has_fleets(replace(position, hits=others)):
            with_it = _has_fleets(replace(position, hits=(hit,)))
            if with_it is not None:
                return Contradiction("together" if with_it else "alone", hit[0])
    return Contradiction("none")


def _has_fleets(position: Position) -> bool | None:
    """Whether a fleet agrees with a position; None if that isn't found in a part of the work."""
    counted = _evidence(position).counted(_COUNTING // _MOST_TRIED)
    return None if counted is None else bool(counted.fleets)

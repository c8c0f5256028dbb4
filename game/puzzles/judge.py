"""Judges an answer to a puzzle by counting all fleets that are possible.

The kind of a puzzle is the first of these that applies. A ship's place is possible if some fleet
has it.

- certain: all fleets have a ship on the best cell.
- last: one ship is afloat.
- touching: in at least a tenth of the fleets, two hits side by side are on two ships.
- finish: if a ship lies on the best cell, it was hit in more than half of the fleets.
- counting: if a ship lies on the best cell, it has the same length in at least two thirds of the
  fleets, and ships of that length have at most 12 possible places.
- hunting: all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from game.engine.geometry import Cell
from game.engine.position import Position
from game.players.belief.exact import weights_by_placement
from game.players.belief.position import Outlook, possible_fleets
from game.players.belief.tables import Indices, PlacementTables

MOST_FLEETS = 20_000
"""The most possible fleets of a puzzle."""
GOOD = 0.9
"""The least share of the best chance that is a good answer."""
_APART, _SAME_LENGTH, _MOST_PLACES = 1 / 10, 2 / 3, 12


class NotAPuzzle(ValueError):
    """The position has no possible fleet, or too many to be counted."""


@dataclass(frozen=True, eq=False)
class Counted:
    """All fleets of a position, counted; fleets that look alike count once."""

    position: Position
    tables: PlacementTables
    listed: Indices
    """Shape (fleets, ships): the placement of each ship afloat."""
    cells: tuple[int, ...]
    """For each cell the number of fleets with a ship afloat there; 0 for marked cells."""

    @property
    def fleets(self) -> int:
        return len(self.listed)

    @property
    def best(self) -> tuple[Cell, ...]:
        """The cells with a ship in the most fleets, ascending."""
        most = max(self.cells)
        return tuple(cell for cell in self.position.rules.board.cells if self.cells[cell] == most)

    @property
    def outlook(self) -> Outlook:
        """The chances, as the hit calculator shows them."""
        return Outlook(np.array(self.cells) / self.fleets, self.fleets, is_exact=True)


class Posed(Protocol):
    """A puzzle of the pool, or of a player's own position."""

    @property
    def position(self) -> Position: ...


class Verdict(NamedTuple):
    """How good an answer is."""

    puzzle: Posed
    cell: Cell
    counted: Counted

    @property
    def verdict(self) -> str:
        """`right` for a best cell, `good` for at least 90 % of its chance, or `wrong`."""
        if self.in_fleets == self.best_in_fleets:
            return "right"
        return "good" if self.in_fleets >= GOOD * self.best_in_fleets else "wrong"

    @property
    def fleets(self) -> int:
        """The number of possible fleets."""
        return self.counted.fleets

    @property
    def in_fleets(self) -> int:
        """The number of fleets with a ship on the chosen cell."""
        return self.counted.cells[self.cell]

    @property
    def best_in_fleets(self) -> int:
        return max(self.counted.cells)

    @property
    def best(self) -> tuple[Cell, ...]:
        return self.counted.best

    @property
    def per_mille(self) -> int:
        return round(1000 * self.in_fleets / self.fleets)

    @property
    def best_per_mille(self) -> int:
        return round(1000 * self.best_in_fleets / self.fleets)

    @property
    def outlook(self) -> Outlook:
        return self.counted.outlook


def judge(puzzle: Posed, cell: Cell) -> Verdict:
    """How good a shot at a cell is; raises ValueError for a cell that was fired at."""
    if cell in puzzle.position.marked:
        raise ValueError(f"not a target: {puzzle.position.rules.board.name(cell)}")
    return Verdict(puzzle, cell, count(puzzle.position))


@lru_cache(maxsize=16)  # a day's puzzles and some more; up to 0.5 MB each
def count(position: Position) -> Counted:
    """Counts all fleets of a position; raises NotAPuzzle."""
    found = possible_fleets(position, MOST_FLEETS)
    if found is None:
        raise NotAPuzzle("no fleets, or too many")
    tables, listed = found
    by_placement = weights_by_placement(tables, listed, np.ones(len(listed)))
    # The sums are whole numbers far below 2 ** 53, so they are exact.
    cells = tables.by_cell(by_placement[:-1]).astype(int)
    cells[[cell for cell, _length in position.hits]] = 0
    return Counted(position, tables, listed, tuple(map(int, cells)))


# --- the reason ---


class Apart(NamedTuple):
    """Two hits side by side, and the number of fleets in which they are on two ships."""

    one: Cell
    other: Cell
    fleets: int


class Places(NamedTuple):
    """Possible places of a ship, and how many of them cover the best cell."""

    places: int
    covering: int
    length: int = 0
    """The ship's length, or 0 for a ship that is named by its hit."""
    hit: Cell | None = None


class Reason(NamedTuple):
    """What explains the best cell, in counts."""

    kind: str
    cell: Cell
    """The first of the best cells."""
    apart: Apart | None = None
    places: Places | None = None
    lengths: tuple[tuple[int, int], ...] = ()
    """Lengths of ships, and the number of fleets in which such a ship is on the best cell; the
    most frequent first."""


def reason(found: Counted) -> Reason:
    """The kind of a position, and what explains its best cell."""
    best, listed, tables = found.best[0], found.listed, found.tables
    hits = [cell for cell, _length in found.position.hits]
    on_best = tables.covers[listed, best]
    there = listed[on_best]
    lengths = tuple(
        sorted(
            ((length, int((tables.length[there] == length).sum())) for length in tables.lengths),
            key=lambda each: -each[1],
        )
    )
    lengths = tuple(each for each in lengths if each[1])
    length, most = lengths[0]
    apart = _apart(found, hits)
    hit_there = int(tables.covers[there][:, hits].any(axis=1).sum())
    if hit_there * 2 > len(there):
        places = _through_hit(found, best, there, hits)
    else:
        places = _places(found, best, np.unique(listed[tables.length[listed] == length]))
        places = places._replace(length=length)
    if len(there) == found.fleets:
        kind = "certain"
    elif listed.shape[1] == 1:
        kind = "last"
    elif apart is not None and apart.fleets >= _APART * found.fleets:
        kind = "touching"
    elif hit_there * 2 > len(there):
        kind = "finish"
    elif most >= _SAME_LENGTH * len(there) and places.places <= _MOST_PLACES:
        kind = "counting"
    else:
        kind = "hunting"
    return Reason(kind, best, apart, places, lengths)


def _apart(found: Counted, hits: list[Cell]) -> Apart | None:
    """The two hits side by side that are on two ships in the most fleets."""
    board, tables, pairs = found.position.rules.board, found.tables, []
    for one in hits:
        for other in set(board.sides(one)).intersection(hits):
            if one < other:
                on_both = tables.covers[:, one] & tables.covers[:, other]
                fleets = int((~on_both[found.listed].any(axis=1)).sum())
                pairs.append(Apart(one, other, fleets))
    return max(pairs, key=lambda pair: pair.fleets, default=None)


def _through_hit(found: Counted, best: Cell, there: Indices, hits: list[Cell]) -> Places:
    """The places of the ship on the hit that lies on most of the ships on the best cell."""
    on_hits = found.tables.covers[there][:, hits].sum(axis=0)
    hit = hits[int(np.argmax(on_hits))]
    ships = found.listed[found.tables.covers[found.listed, hit]]
    return _places(found, best, np.unique(ships))._replace(hit=hit)


def _places(found: Counted, best: Cell, placements: Indices) -> Places:
    covering = int(found.tables.covers[placements, best].sum())
    return Places(len(placements), covering)

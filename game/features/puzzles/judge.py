"""Judges an answer to a puzzle by counting all possible fleets.

The kind of a puzzle is the first of these that applies. A place of a ship is possible if some
possible fleet has it.

- certain: all fleets have a ship on the best cell.
- last: one ship is afloat.
- touching: as finish, and in at least a tenth of all fleets the hit that most of these ships cover
  and one beside it are on two ships.
- finish: in most fleets with a ship on the best cell, that ship was hit.
- counting: in at least two thirds of the fleets with a ship on the best cell, that ship is the only
  one of its length that is afloat, for which at most 12 places are possible.
- hunting: all others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from game.engine.actions import CellSpent
from game.engine.geometry import Cell
from game.engine.position import Position
from game.players.belief.exact import weights_by_placement
from game.players.belief.position_chances import PositionChances, possible_fleets
from game.players.belief.tables import Indices, PlacementTables

MOST_FLEETS = 20_000
"""The most possible fleets of a puzzle."""
GOOD = 0.9
"""The least share of the best chance that is a good answer."""
LEAST_MARGIN = 0.05
"""The least by which the best cells of a puzzle are likelier than the others."""
_APART, _MOSTLY, _MOST_PLACES = 1 / 10, 2 / 3, 12


class NotAPuzzle(ValueError):
    """The position has no possible fleet, or too many to be counted, or no ship afloat."""


class Apart(NamedTuple):
    """Two hits side by side, and the number of fleets in which they are on two ships."""

    one: Cell
    other: Cell
    fleets: int


class Places(NamedTuple):
    """The number of possible places of a ship, and how many of them cover the best cell."""

    possible: int
    covering: int
    elsewhere: int
    """The most of them that cover any other unknown cell."""


class Reason(NamedTuple):
    """What explains the best cell, in counts."""

    kind: str
    length: int
    """The most frequent length of the ships on the best cell."""
    of_length: int
    """The number of fleets with a ship of that length on the best cell."""
    hit: Cell | None
    """A hit on the ship on the best cell; None if it wasn't hit in most of the fleets."""
    places: Places
    """Those of the ship on that hit or, without one, of all ships of that length."""
    apart: Apart | None
    """That hit and the one beside it that are on two ships in the most fleets."""


@dataclass(frozen=True, eq=False)
class Counted:
    """The possible fleets of a position, counted; fleets that look alike count once."""

    position: Position
    fleets: int
    cells: tuple[int, ...]
    """For each cell the number of fleets with a ship afloat there; 0 for marked cells."""
    reason: Reason

    @property
    def most(self) -> int:
        """The number of fleets with a ship on a best cell."""
        return max(self.cells)

    @property
    def best(self) -> tuple[Cell, ...]:
        """The cells with a ship in the most fleets, ascending."""
        most = self.most
        return tuple(Cell(cell) for cell, fleets in enumerate(self.cells) if fleets == most)

    @property
    def second(self) -> int:
        """The most fleets with a ship on a cell that isn't best."""
        most = self.most
        return max((fleets for fleets in self.cells if fleets < most), default=0)

    @property
    def is_clear(self) -> bool:
        """Whether the best cells are clearly likelier than the others."""
        return self.most - self.second >= LEAST_MARGIN * self.fleets

    @property
    def chances(self) -> PositionChances:
        """The chances, as the hit calculator shows them."""
        return PositionChances(np.array(self.cells) / self.fleets, self.fleets, is_exact=True)

    def per_mille(self, fleets: int) -> int:
        """The share of these fleets among all, in thousandths."""
        return round(1000 * fleets / self.fleets)


class Verdict(NamedTuple):
    """How good an answer is."""

    cell: Cell
    counted: Counted

    @property
    def verdict(self) -> str:
        """`right` for a best cell, `good` for at least 90 % of its chance, or `wrong`."""
        if self.in_fleets == self.counted.most:
            return "right"
        return "good" if self.in_fleets >= GOOD * self.counted.most else "wrong"

    @property
    def in_fleets(self) -> int:
        """The number of fleets with a ship on the chosen cell."""
        return self.counted.cells[self.cell]


def judge(position: Position, cell: Cell) -> Verdict:
    """How good a shot at a cell is; raises CellSpent for a known cell, or NotAPuzzle."""
    if cell in position.marked:
        raise CellSpent(f"known already: {position.rules.board.name(cell)}")
    return Verdict(cell, count(position))


@lru_cache(maxsize=64)  # 2 kB each
def count(position: Position) -> Counted:
    """Counts the possible fleets of a position; raises NotAPuzzle."""
    possible = possible_fleets(position, MOST_FLEETS) if position.left else None
    if possible is None:
        raise NotAPuzzle("no fleets, or too many, or all ships are sunk")
    tables, fleets = possible
    by_placement = weights_by_placement(tables, fleets, np.ones(len(fleets)))
    # The sums are whole numbers far below 2 ** 53, so they are exact.
    sums = tables.by_cell(by_placement[:-1]).astype(int)
    sums[[cell for cell, _length in position.hits]] = 0
    reason = _reason(position, tables, fleets, Cell(int(sums.argmax())))
    return Counted(position, len(fleets), tuple(map(int, sums)), reason)


def _reason(position: Position, tables: PlacementTables, fleets: Indices, best: Cell) -> Reason:
    ships = fleets[tables.covers[fleets, best]]
    lengths = [int((tables.length[ships] == length).sum()) for length in tables.lengths]
    of_length = max(lengths)
    length = tables.lengths[lengths.index(of_length)]
    hits = [cell for cell, _length in position.hits]
    hit = apart = None
    if 2 * tables.covers[ships][:, hits].any(axis=1).sum() > len(ships):
        hit = hits[int(np.argmax(tables.covers[ships][:, hits].sum(axis=0)))]
        beside = set(position.rules.board.sides(hit)).intersection(hits)
        apart = _apart(tables, fleets, hit, sorted(beside))
        placements = np.unique(fleets[tables.covers[fleets, hit]])
    else:
        placements = np.unique(fleets[tables.length[fleets] == length])
    covering = tables.covers[placements].sum(axis=0)
    others = np.delete(covering, [best, *position.marked])
    places = Places(len(placements), int(covering[best]), int(others.max(initial=0)))
    reason = Reason("", length, of_length, hit, places, apart)
    return reason._replace(kind=_kind(position, reason, best=len(ships), fleets=len(fleets)))


def _kind(position: Position, reason: Reason, *, best: int, fleets: int) -> str:
    """The first kind that applies; `best` is the number of fleets with a ship on the best cell."""
    if best == fleets:
        return "certain"
    if len(position.left) == 1:
        return "last"
    if reason.apart is not None and reason.apart.fleets >= _APART * fleets:
        return "touching"
    if reason.hit is not None:
        return "finish"
    is_one = position.left.count(reason.length) == 1 and reason.of_length >= _MOSTLY * best
    return "counting" if is_one and reason.places.possible <= _MOST_PLACES else "hunting"


def _apart(
    tables: PlacementTables, fleets: Indices, hit: Cell, beside: Sequence[Cell]
) -> Apart | None:
    parted = list[Apart]()
    for other in beside:
        on_both = tables.covers[:, hit] & tables.covers[:, other]
        apart = int((~on_both[fleets].any(axis=1)).sum())
        parted.append(Apart(min(hit, other), max(hit, other), apart))
    return max(parted, key=lambda each: each.fleets, default=None)

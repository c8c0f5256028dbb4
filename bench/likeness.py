"""Which positions are alike by symmetry or shift.

Only the possible fleets matter for the chances of a position. So its form is the lengths of the
ships afloat, the open hits, and the possible places of ships, wherever they lie. Marks that rule
out nothing don't count, nor does the edge of the board, except where it leaves no room. Two
positions are alike if one of the eight symmetries of the square and a shift turn the form of one
into that of the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from game.engine.geometry import Cell
from game.puzzles.judge import Counted

Spot: TypeAlias = tuple[int, int]
Ship: TypeAlias = tuple[Spot, Spot]
"""The two ends of a ship."""
Form: TypeAlias = tuple[object, ...]

_TURNS = tuple((a, b, swap) for a in (1, -1) for b in (1, -1) for swap in (False, True))


def form(counted: Counted) -> Form:
    """The least form of all symmetries and shifts: equal for positions that are alike."""
    return min(_forms(counted))[0]


def alike_cells(counted: Counted, cell: Cell) -> frozenset[Cell]:
    """The cells that symmetries and shifts of the position turn into this one."""
    forms = _forms(counted)
    board = counted.position.rules.board
    own, spot_of = forms[0]
    spot = spot_of[cell]
    return frozenset(
        each for one, turned in forms if one == own for each in board.cells if turned[each] == spot
    )


def _forms(counted: Counted) -> list[tuple[Form, list[Spot]]]:
    """The form in each symmetry, and where it puts each cell of the board; unturned first."""
    board = counted.position.rules.board
    tables, placements = counted.tables, np.unique(counted.listed)
    ships = [tables.placements[at].cells for at in placements]
    hits = counted.position.hits
    left = tuple(sorted(tables.length[counted.listed[0]].tolist()))
    found = list[tuple[Form, list[Spot]]]()
    for across, down, swap in _TURNS:
        spots = [
            _turned(board.column(cell), board.row(cell), across, down, swap=swap)
            for cell in board.cells
        ]
        held = {cell for ship in ships for cell in ship}
        x0, y0 = min(spots[cell][0] for cell in held), min(spots[cell][1] for cell in held)
        spots = [(x - x0, y - y0) for x, y in spots]
        ends = sorted(_ends(spots, ship) for ship in ships)
        marks = sorted((spots[cell], length) for cell, length in hits)
        rules = counted.position.rules.touching
        found.append(((rules, left, tuple(marks), tuple(ends)), spots))
    return found


def _turned(x: int, y: int, across: int, down: int, *, swap: bool) -> Spot:
    x, y = across * x, down * y
    return (y, x) if swap else (x, y)


def _ends(spots: list[Spot], ship: Iterable[Cell]) -> Ship:
    turned = sorted(spots[cell] for cell in ship)
    return turned[0], turned[-1]

"""Which positions are alike by symmetry or shift.

Only the possible fleets matter for the chances of a position. So its form consists of the lengths
of the ships afloat, the open hits, the possible places of ships, and whether several ships may
touch. Marks that rule out nothing don't belong to it, and the edge of the board does only where it
leaves no room. Two positions are alike if one of the eight symmetries of the square and a shift
turn one form into the other.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from game.engine.geometry import Cell
from game.engine.position import Position
from game.features.puzzles.judge import MOST_FLEETS, NotAPuzzle
from game.players.belief.position_chances import possible_fleets

Spot: TypeAlias = tuple[int, int]
Ship: TypeAlias = tuple[Spot, Spot]
"""The two ends of a ship."""
Form: TypeAlias = tuple[bool, tuple[int, ...], tuple[Spot, ...], tuple[Ship, ...]]
"""Whether ships may touch, the lengths afloat, the open hits, the places."""

_SYMMETRIES = tuple((x, y, swap) for x in (1, -1) for y in (1, -1) for swap in (False, True))


def form(position: Position) -> Form:
    """The least form of all symmetries: equal for positions that are alike."""
    return min(_forms(position))[0]


def cells_alike(position: Position, cell: Cell) -> frozenset[Cell]:
    """The cells that a symmetry with a shift exchanges with this one, while the form stays."""
    forms, board = _forms(position), position.rules.board
    own, spots = forms[0]
    return frozenset(
        each
        for turned, at in forms
        if turned == own
        for each in board.cells
        if at[each] == spots[cell]
    )


def _forms(position: Position) -> list[tuple[Form, list[Spot]]]:
    """The form in each symmetry, with the spot of each cell; the first is not turned."""
    found = possible_fleets(position, MOST_FLEETS)
    if found is None:
        raise NotAPuzzle("no fleets, or too many")
    tables, fleets = found
    ships = [tables.placements[at].cells for at in np.unique(fleets)]
    held = {cell for ship in ships for cell in ship}
    board, forms = position.rules.board, list[tuple[Form, list[Spot]]]()
    may_touch = bool(position.rules.touching) and len(position.left) > 1
    for x, y, swap in _SYMMETRIES:
        spots = [(x * board.column(cell), y * board.row(cell)) for cell in board.cells]
        spots = [(down, across) for across, down in spots] if swap else spots
        left, top = (min(spots[cell][axis] for cell in held) for axis in (0, 1))
        spots = [(across - left, down - top) for across, down in spots]
        hits = tuple(sorted(spots[cell] for cell, _length in position.hits))
        turned = ([spots[cell] for cell in ship] for ship in ships)
        places = tuple(sorted((min(each), max(each)) for each in turned))
        forms.append(((may_touch, position.left, hits, places), spots))
    return forms

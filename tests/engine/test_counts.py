"""How many legal layouts there are: counted through the engine's placements and without them.

Ships of one length are taken as different ships throughout.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import product
from math import factorial, prod

import pytest

from game.engine.fleets import IllegalFleet, all_placements, make_fleet
from game.engine.geometry import Board
from game.engine.rules import Ruleset
from tests.support.boards import PLAIN
from tests.support.naive import layouts

SMALL = [
    # columns, rows, fleet, layouts where ships may touch, and where they may not
    (4, 4, (1,), 16, 16),
    (4, 4, (4,), 8, 8),
    (4, 4, (1, 1), 240, 156),
    (4, 4, (2, 2), 448, 196),
    (4, 4, (2, 1, 2), 5376, 600),
    (4, 4, (3, 2), 264, 104),
    (4, 4, (4, 4), 24, 12),
    (5, 4, (3, 2, 1), 7650, 988),
    (4, 6, (2, 2, 2), 33396, 6432),
    (5, 5, (4, 3, 2), 9024, 752),
    (6, 5, (5, 3), 400, 210),
    (8, 4, (8, 2, 1), 2904, 468),
]

CLASSIC = (5, 4, 3, 3, 2)
LARGE = [(True, 30_093_975_536), (False, 3_851_502_784)]
"""Layouts of the classic fleet on ten by ten cells: where ships may touch, and where not."""


def count_through_the_engine(
    columns: int, rows: int, lengths: tuple[int, ...], *, touching: bool
) -> int:
    """Layouts, from the masks of the engine's placements alone.

    For each place of a ship, the places of each later ship that may lie beside it are the bits of
    one number, so that the last ship is counted at once.
    """
    sizes = sorted(lengths, reverse=True)
    places = [all_placements(Board(columns, rows), size) for size in sizes]

    def beside(ship: int, at: int, later: int) -> int:
        one = places[ship][at]
        # of two ships of one length the earlier lies in the earlier place; see the factor below
        first = at + 1 if sizes[ship] == sizes[later] else 0
        return sum(
            1 << index
            for index, other in enumerate(places[later][first:], first)
            if not (one.mask if touching else one.halo) & other.mask
        )

    table = [
        [[beside(ship, at, later) for later in range(ship + 1, len(sizes))]
         for at in range(len(places[ship]))] for ship in range(len(sizes))
    ]  # fmt: skip

    def count(ship: int, here: int, *later: int) -> int:
        if not later:
            return here.bit_count()
        total = 0
        while here:
            row = table[ship][here.bit_length() - 1]
            here ^= 1 << here.bit_length() - 1
            if len(later) == 1:
                total += (later[0] & row[0]).bit_count()
            else:
                total += count(ship + 1, *map(int.__and__, later, row))
        return total

    everywhere = [(1 << len(each)) - 1 for each in places]
    return count(0, *everywhere) * orders(lengths)


def orders(lengths: tuple[int, ...]) -> int:
    """In how many ways ships of one length may change places in a layout."""
    return prod(map(factorial, Counter(lengths).values()))


# --- small boards ---


@pytest.mark.parametrize(("columns", "rows", "fleet", "touching", "apart"), SMALL)
def test_small_boards_have_as_many_layouts_by_trying_them_all(
    columns: int, rows: int, fleet: tuple[int, ...], touching: int, apart: int
) -> None:
    for may_touch, expected in ((True, touching), (False, apart)):
        chosen_cells = layouts(columns, rows, fleet, touching=may_touch)
        assert sum(1 for _ in chosen_cells) == expected
        assert count_through_the_engine(columns, rows, fleet, touching=may_touch) == expected


@pytest.mark.parametrize("may_touch", [True, False])
@pytest.mark.parametrize(("columns", "rows", "fleet", "touching", "apart"), SMALL[:7])
def test_as_many_layouts_are_taken_as_fleets(
    columns: int, rows: int, fleet: tuple[int, ...], touching: int, apart: int, may_touch: bool
) -> None:
    rules = Ruleset(columns=columns, rows=rows, fleet=fleet, **{**PLAIN, "touching": may_touch})
    taken = 0
    for ships in product(*(all_placements(rules.board, length) for length in fleet)):
        with suppress(IllegalFleet):
            assert make_fleet(rules, ships) == ships
            taken += 1
    assert taken == (touching if may_touch else apart)


# --- the classic fleet ---


@pytest.mark.long
@pytest.mark.parametrize(("touching", "expected"), LARGE)
def test_the_classic_fleet_has_as_many_layouts_as_are_known(touching: bool, expected: int) -> None:
    assert count_through_the_engine(10, 10, CLASSIC, touching=touching) == expected

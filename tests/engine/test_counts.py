"""How many legal layouts there are: counted through the engine's placements and without them.

Ships of one length are taken as different ships throughout.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from math import factorial, prod

import pytest

from game.engine.geometry import Board
from game.engine.rules import (
    IllegalFleet,
    Ruleset,
    all_placements,
    blocked_by,
    make_fleet,
    parse_placement,
)
from tests.engine.naive import layouts
from tests.engine.pictures import PLAIN

SMALL = [
    # columns, rows, fleet, layouts where ships may touch, and where they may not
    (4, 4, (1,), 16, 16),
    (4, 4, (4,), 8, 8),
    (4, 4, (1, 1), 240, 156),
    (4, 4, (2, 2), 0, 0),
    (4, 4, (3, 2), 0, 0),
    (4, 4, (4, 4), 0, 0),
    (5, 4, (3, 2, 1), 0, 0),
    (4, 6, (2, 2, 2), 0, 0),
    (5, 5, (4, 3, 2), 0, 0),
    (6, 5, (5, 3), 0, 0),
    (8, 4, (8, 2, 1), 0, 0),
]


def count_through_the_engine(columns: int, rows: int, lengths: tuple[int, ...], *, touching: bool) -> int:
    """Layouts, from the masks of the engine's placements alone.

    For each place of a ship, the places of every later ship that may lie beside it are one number,
    so that the last ship is counted by its bits.
    """
    board = Board(columns, rows)
    places = [all_placements(board, length) for length in sorted(lengths)[::-1]]
    beside = [
        [
            [
                sum(1 << at for at, other in enumerate(later) if not one.mask & other.mask
                    and (touching or not one.halo & other.mask))
                for later in places[ship + 1 :]
            ]
            for one in places[ship]
        ]
        for ship in range(len(places))
    ]  # fmt: skip

    def count(ship: int, free: list[int]) -> int:
        here, *later = free
        if not later:
            return here.bit_count()
        total = 0
        for at in range(len(places[ship])):
            if here >> at & 1:
                total += count(ship + 1, [a & b for a, b in zip(later, beside[ship][at], strict=True)])
        return total

    return count(0, [(1 << len(each)) - 1 for each in places])


def count_cell_by_cell(columns: int, rows: int, lengths: tuple[int, ...], *, touching: bool) -> int:
    """Layouts, from no list of placements: a walk over the cells that remembers one row's width.

    The broken profile of Klarner and Pollack (1980): a state is, for each column, how many cells a
    ship that lies down still wants below, how many one that lies across wants to the right, which
    of the last cells are taken, and which ships are left.
    """
    sizes = sorted(set(lengths))
    multiple = Counter(lengths)
    seen = (1 << (columns + 1)) - 1
    top = 3 * (columns - 1)
    states: dict[tuple[int, int, int, tuple[int, ...]], int] = {
        (0, 0, 0, tuple(multiple[size] for size in sizes)): 1
    }
    for row in range(rows):
        for column in range(columns):
            left = 0 if column == 0 else 1 | 1 << columns
            above = 1 << (columns - 1) | (0 if column == columns - 1 else 1 << (columns - 2))
            after: dict[tuple[int, int, int, tuple[int, ...]], int] = defaultdict(int)
            for (down, across, taken, ships), ways in states.items():
                wants, rest = down & 7, down >> 3
                now_free, now_taken = taken << 1 & seen, (taken << 1 | 1) & seen
                if wants:
                    if not across and (touching or not taken & left):
                        after[rest | wants - 1 << top, 0, now_taken, ships] += ways
                elif across:
                    if touching or not taken & above:
                        after[rest, across - 1, now_taken, ships] += ways
                else:
                    after[rest, 0, now_free, ships] += ways
                    if not touching and taken & (left | above):
                        continue
                    for at, size in enumerate(sizes):
                        if not ships[at]:
                            continue
                        fewer = (*ships[:at], ships[at] - 1, *ships[at + 1 :])
                        if column + size <= columns:
                            after[rest, size - 1, now_taken, fewer] += ways
                        if size > 1 and row + size <= rows:
                            after[rest | size - 1 << top, 0, now_taken, fewer] += ways
            states = after
    done = sum(ways for (_, _, _, ships), ways in states.items() if not any(ships))
    return done * prod(map(factorial, multiple.values()))

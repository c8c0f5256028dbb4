"""Perfect play on small seas: the published values are those of an independent enumeration."""

from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from bench.programs.perfect import Sea, informative, likeliest
from game.features.programs.seas import SMALL_SEAS, all_fleets

Ship = frozenset[tuple[int, int]]


def ships(columns: int, rows: int, length: int) -> list[Ship]:
    """Every set of cells in a line, found among all sets of so many cells."""
    cells = [(x, y) for y in range(rows) for x in range(columns)]
    return [
        frozenset(chosen)
        for chosen in combinations(cells, length)
        if any(len({cell[axis] for cell in chosen}) == 1 for axis in (0, 1))
        and max(max(c[a] for c in chosen) - min(c[a] for c in chosen) for a in (0, 1)) == length - 1
    ]


def fleets(columns: int, rows: int, lengths: tuple[int, ...], apart: bool) -> list[list[Ship]]:
    found: set[frozenset[Ship]] = {frozenset()}
    for length in lengths:
        found = {
            fleet | {ship}
            for fleet in found
            for ship in ships(columns, rows, length)
            if all(
                max(abs(a - x), abs(b - y)) > apart
                for other in fleet for a, b in other for x, y in ship
            )
        }  # fmt: skip
    return [sorted(fleet, key=sorted) for fleet in found]


def shots_of_perfect_play(there: list[list[Ship]], *, told: bool) -> int:
    """The least sum of shots, by trying every cell after every result.

    It counts shots in place of misses, and knows nothing of sets, symmetries and bounds.
    """
    cells = {cell for fleet in there for ship in fleet for cell in ship}

    def result(fleet: list[Ship], fired: frozenset[tuple[int, int]], cell: tuple[int, int]) -> str:
        hit = [ship for ship in fleet if cell in ship]
        if not hit:
            return "water"
        return "sunk" if told and hit[0] <= fired | {cell} else "hit"

    @cache
    def least(left: tuple[int, ...], fired: frozenset[tuple[int, int]]) -> int:
        if all(set().union(*there[at]) <= fired for at in left):
            return 0
        totals = []
        for cell in cells - fired:
            groups: dict[str, list[int]] = {}
            for at in left:
                groups.setdefault(result(there[at], fired, cell), []).append(at)
            if len(groups) > 1 or "water" not in groups:
                rest = sum(least(tuple(group), fired | {cell}) for group in groups.values())
                totals.append(len(left) + rest)
        return min(totals)

    return least(tuple(range(len(there))), frozenset())


@pytest.mark.parametrize(
    ("columns", "rows", "lengths", "apart", "told", "total"),
    [
        (3, 3, (2,), True, False, 54),
        (3, 3, (3,), True, False, None),
        (3, 3, (2, 2), False, True, None),
        (3, 3, (3, 2), False, True, None),
        (3, 3, (3, 1), False, False, None),
        (4, 3, (3,), True, False, None),
    ],
)
def test_the_least_number_of_shots_is_that_of_an_enumeration(
    columns: int, rows: int, lengths: tuple[int, ...], apart: bool, told: bool, total: int | None
) -> None:
    there = fleets(columns, rows, lengths, apart)
    enumerated = shots_of_perfect_play(there, told=told)
    masks = [tuple(sum(1 << y * columns + x for x, y in ship) for ship in fleet) for fleet in there]
    sea = Sea(columns, rows, masks, is_told=told)
    assert sea.perfect() + sum(lengths) * len(there) == enumerated
    assert total in (None, enumerated)
    for rule in (likeliest, informative):
        assert sea.misses(rule) >= sea.perfect()


@pytest.mark.parametrize("name", SMALL_SEAS)
def test_a_small_sea_has_as_many_fleets_as_it_says(name: str) -> None:
    sea = SMALL_SEAS[name]
    assert len(all_fleets(sea.rules)) == sea.fleets
    if sea.columns * sea.rows <= 36:  # the sets of cells of larger ones are too many
        assert len(fleets(sea.columns, sea.rows, sea.fleet, sea.is_apart)) == sea.fleets


@pytest.mark.parametrize(
    ("name", "greedy"),
    [("4x4-2", "6.083"), ("4x4-3", "5.750"), ("4x4-3-2-apart-told", "8.194"), ("5x5-3", "7.108")],
)
def test_published_optima_are_computed(name: str, greedy: str) -> None:
    small = SMALL_SEAS[name]
    masks = [tuple(ship.mask for ship in fleet) for fleet in all_fleets(small.rules)]
    sea = Sea(small.columns, small.rows, masks, is_told=small.is_told)
    cells = sum(small.fleet)
    assert Fraction(sea.perfect(), small.fleets) + cells == small.optimum
    assert f"{float(sea.misses(likeliest) / small.fleets + cells):.3f}" == greedy

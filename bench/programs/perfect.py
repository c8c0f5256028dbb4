"""Dynamic programming over the sets of fleets that agree with all results of a small sea.

Sets of fleets and of cells are bit masks. A cell that all fleets of a set cover costs no miss, so
it is fired at first. Before the first hit, sets that are rotations or reflections of one another
have the same value. Choices are cut off by a lower bound of the misses (branch and bound): so many
shots hit at most as many fleets as their cells cover in all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

Key: TypeAlias = tuple[int, ...]
Rule: TypeAlias = Callable[[list[list[int]]], list[int]]
"""Returns which cells a player may choose, by the sizes of the sets that each leaves."""


def likeliest(sizes: list[list[int]]) -> list[int]:
    """Fires at the cell that the fewest fleets leave as water."""
    least = min(water for water, *_others in sizes)
    return [at for at, (water, *_others) in enumerate(sizes) if water == least]


def informative(sizes: list[list[int]]) -> list[int]:
    """Fires where the entropy of the result is greatest, which is compared in whole numbers."""
    products = []
    for of_cell in sizes:
        product = 1
        for size in of_cell:
            product *= size**size
        products.append(product)
    return [at for at, product in enumerate(products) if product == min(products)]


class Sea:
    """The fleets of a sea, all equally likely; each is the masks of its ships."""

    def __init__(
        self, columns: int, rows: int, fleets: Sequence[tuple[int, ...]], *, is_told: bool
    ) -> None:
        self._cells, self._is_told = range(columns * rows), is_told
        self._all = (1 << len(fleets)) - 1
        masks = [sum(fleet) for fleet in fleets]
        self._cover = [
            sum(1 << at for at, it in enumerate(masks) if it >> n & 1) for n in self._cells
        ]
        self._sinking: list[dict[int, int]] = [defaultdict(int) for _ in self._cells]
        """By cell, the fleets that lose a ship there once its other cells are hit."""
        for at, fleet in enumerate(fleets):
            for ship in fleet:
                for cell in self._cells:
                    if ship >> cell & 1:
                        self._sinking[cell][ship & ~(1 << cell)] |= 1 << at
        self._are_distinct = len(set(masks)) == len(masks) and not is_told
        self._turned = _symmetries(columns, rows)
        self._known: dict[Key, tuple[int, bool]] = {}

    def perfect(self) -> int:
        """Returns the least sum of misses over all fleets."""
        return self._least(self._all, 0, 1 << 60)

    def misses(self, rule: Rule) -> Fraction:
        """Returns the mean sum of misses of a player who chooses by a rule."""
        return self._by_rule(self._all, 0, rule, {})

    def _results(self, left: int, hits: int, cell: int) -> list[int]:
        """Returns the sets that a shot leaves: for water, for a sinking if told, and for a hit."""
        hit, sunk = left & self._cover[cell], 0
        if self._is_told:
            for others, fleets in self._sinking[cell].items():
                if not others & ~hits:
                    sunk |= fleets & hit
        return [left & ~hit, sunk, hit & ~sunk]

    def _choices(self, left: int, hits: int) -> tuple[int, list[tuple[int, int]]]:
        """Returns the mask of cells that all fleets cover, and the others with their fleets."""
        sure, unsure, size = 0, [], left.bit_count()
        for cell in self._cells:
            count = (left & self._cover[cell]).bit_count()
            if hits >> cell & 1 or not count:
                continue
            if count == size:
                sure |= 1 << cell
            else:
                unsure.append((count, cell))
        return sure, sorted(unsure, reverse=True)

    def _after_sure(self, left: int, hits: int, sure: int) -> list[tuple[int, int]]:
        """Returns the sets after shots at cells that all fleets cover, each with the hits."""
        sets = [left]
        for cell in self._cells:
            if sure >> cell & 1:
                sets = [it for old in sets for it in self._results(old, hits, cell)[1:] if it]
                hits |= 1 << cell
        return [(it, hits) for it in sets]

    def _key(self, left: int, hits: int) -> Key:
        if hits:
            return left, hits if self._is_told else -1
        covered = [bool(left & fleets) for fleets in self._cover]
        return min(turned(covered) for turned in self._turned)

    def _bound(self, size: int, unsure: list[tuple[int, int]]) -> int:
        """Returns a number of misses that no player can go below."""
        misses, rest, shots = 0, size, 0
        for count, _cell in unsure:
            rest, shots = rest - count, shots + 1
            if rest <= 0:
                break
            misses += rest
        # Fleets that one shot hits have to be told from one another, each by a miss.
        return misses + (size - shots if self._are_distinct else 0)

    def _least(self, left: int, hits: int, most: int) -> int:
        """Returns the least sum of misses, or some number from `most` on if it isn't below."""
        size = left.bit_count()
        if size == 1:
            return 0
        key = self._key(left, hits)
        known, is_exact = self._known.get(key, (0, False))
        if is_exact or known >= most:
            return known
        sure, unsure = self._choices(left, hits)
        if sure and self._is_told:
            return sum(self._least(*after, 1 << 60) for after in self._after_sure(left, hits, sure))
        if not unsure:
            return 0
        if (bound := self._bound(size, unsure)) >= most:
            return bound
        best, top = most, unsure[0][0]
        for count, cell in unsure:
            missed = size - count
            shots = (missed - 1) // top  # at least so many more until a hit, each of which misses
            later = shots * missed - top * shots * (shots + 1) // 2
            if missed + later >= best:
                break
            water, *others = self._results(left, hits, cell)
            sum_of = missed + sum(self._least(it, hits | 1 << cell, 1 << 60) for it in others if it)
            if sum_of + later < best:
                best = min(best, sum_of + self._least(water, hits, best - sum_of))
        self._known[key] = best, best < most
        return best

    def _by_rule(self, left: int, hits: int, rule: Rule, known: dict[Key, Fraction]) -> Fraction:
        if left.bit_count() == 1:
            return Fraction(0)
        key = self._key(left, hits)
        if key in known:
            return known[key]
        sure, unsure = self._choices(left, hits)
        if sure and self._is_told:
            sets = self._after_sure(left, hits, sure)
            return sum((self._by_rule(*after, rule, known) for after in sets), Fraction(0))
        value = Fraction(0)
        if unsure:
            results = [self._results(left, hits, cell) for _count, cell in unsure]
            chosen = rule([[it.bit_count() for it in of_cell] for of_cell in results])
            for at in chosen:
                water, *others = results[at]
                value += water.bit_count() + self._by_rule(water, hits, rule, known)
                after = hits | 1 << unsure[at][1]
                value += sum(self._by_rule(it, after, rule, known) for it in others if it)
            value /= len(chosen)
        known[key] = value
        return value


def _symmetries(columns: int, rows: int) -> list[Callable[[Sequence[bool]], tuple[bool, ...]]]:
    """Returns what rotates and reflects the cells of a board, row by row."""
    turned: list[Callable[[Sequence[bool]], tuple[bool, ...]]] = []
    grid = [list(range(row * columns, (row + 1) * columns)) for row in range(rows)]
    for _quarter in range(4):
        grid = [list(column) for column in zip(*grid[::-1], strict=True)]
        if len(grid) == rows:
            turned += [itemgetter(*chain(*grid)), itemgetter(*chain(*grid[::-1]))]
    return turned

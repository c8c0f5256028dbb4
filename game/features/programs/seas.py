"""The seas of the benchmark, and small ones whose optimum is known.

The name of a small sea says its board, its ships, and what is told: `4x4-3-2-apart-told`. Programs
play them as presets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from game.engine.fleets import Fleet, Placement, all_placements, reach
from game.engine.presets import FIVE_APART, FIVE_TOUCHING, PRESETS
from game.engine.rules import Ruleset, Touching

_TEN = PRESETS["bonn-still"].ruleset.fleet
SEAS: dict[str, Ruleset] = {
    "classic": FIVE_TOUCHING,
    "apart": FIVE_APART,
    "ten": replace(FIVE_APART, fleet=_TEN),
    "pencil": replace(FIVE_APART, fleet=PRESETS["pencil"].ruleset.fleet),
    "threes": replace(FIVE_TOUCHING, fleet=(3,) * 5),
    "small": replace(FIVE_APART, columns=8, rows=8, fleet=(4, 3, 3, 2, 2)),
}
"""The seas of the benchmark: still ships, one shot a turn, and sinkings are told."""


class SmallSea(NamedTuple):
    columns: int
    rows: int
    fleet: tuple[int, ...]
    is_apart: bool
    """Whether ships may not touch."""
    is_told: bool
    """Whether the last hit of a ship says that it sank."""
    fleets: int
    total: int
    """The shots of perfect play, summed over all fleets; see bench/programs."""

    @property
    def name(self) -> str:
        ships = "-".join(map(str, self.fleet))
        how = "" if len(self.fleet) == 1 else "-apart" if self.is_apart else "-touching"
        return f"{self.columns}x{self.rows}-{ships}{how}{'-told' * self.is_told}"

    @property
    def optimum(self) -> Fraction:
        """The mean number of shots of perfect play, all fleets being equally likely."""
        return Fraction(self.total, self.fleets)

    @property
    def rules(self) -> Ruleset:
        return Ruleset(
            columns=self.columns, rows=self.rows, fleet=self.fleet, again=False, moving=False,
            turns=None, touching=Touching.NOWHERE if self.is_apart else Touching.ANYWHERE,
            silent=not self.is_told and len(self.fleet) > 1,
        )  # fmt: skip


_SMALL = (
    SmallSea(4, 4, (2,), True, False, 24, 146),
    SmallSea(4, 4, (3,), True, False, 16, 90),
    SmallSea(4, 4, (3, 2), True, False, 104, 878),
    SmallSea(4, 4, (3, 2), True, True, 104, 848),
    SmallSea(4, 4, (3, 2), False, False, 264, 2468),
    SmallSea(4, 4, (3, 2), False, True, 264, 2332),
    SmallSea(5, 5, (3,), True, False, 30, 207),
    SmallSea(6, 6, (2,), True, False, 60, 648),
    SmallSea(6, 6, (3,), True, False, 48, 412),
    SmallSea(7, 7, (3,), True, False, 70, 739),
    SmallSea(4, 8, (3,), True, False, 40, 322),
    SmallSea(8, 8, (5,), True, False, 64, 682),
)
SMALL_SEAS = {sea.name: sea for sea in _SMALL}


def all_fleets(rules: Ruleset) -> list[Fleet]:
    """Returns every legal fleet, those that differ only in the order of equal ships once."""
    return list(_fleets(rules, rules.fleet, (), 0))


def _fleets(
    rules: Ruleset, lengths: Sequence[int], placed: tuple[Placement, ...], blocked: int
) -> Iterator[Fleet]:
    if not lengths:
        yield placed
        return
    least = -1
    if placed and placed[-1].length == lengths[0]:
        least = placed[-1].number
    for ship in all_placements(rules.board, lengths[0]):
        if not ship.mask & blocked and ship.number > least:
            mask = blocked | reach(rules, ship)
            yield from _fleets(rules, lengths[1:], (*placed, ship), mask)

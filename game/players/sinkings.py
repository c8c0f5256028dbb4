"""What a sinking can mean where the wreck isn't told: the ships that it may have been.

    C3 hit, D3 hit, E3 sunk   ->  C3h3, or D3h2 and a hit at C3 on a ship that touches it

Where ships may touch, hits side by side are on one ship or on several. Every reading is kept until
only one is left, which is then as good as told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from game.engine.actions import Result, Shot
from game.engine.fleets import Placement, all_placements
from game.engine.geometry import Cell, mask_of
from game.engine.rules import Ruleset

Readings: TypeAlias = dict[int, tuple[Placement, ...]]
"""By the index of a sinking in the shots: the ships that it may have sunk."""


def readings(rules: Ruleset, shots: Sequence[Shot]) -> Readings:
    """The readings of each sinking without a wreck.

    Each lies on hits alone, the last of which sank it, and where ships may not touch on all hits
    that touch one another. No hit is on a ship that is known to have been sunk by another shot,
    and hits with a name are those of the ship that the sinking names. A sinking has no reading at
    all where the shots contradict one another.
    """
    if all(shot.wreck or shot.result is not Result.SUNK for shot in shots):
        return {}
    sinkings = _sinkings(shots)
    known = {at: shots[at].wreck for at in sinkings}
    claimed = {
        hits[cell]
        for at, hits in sinkings.items()
        if (wreck := known[at]) is not None
        for cell in wreck.cells
        if cell in hits
    }
    found: Readings = {}
    for at, hits in sinkings.items():
        if known[at] is None:
            others = claimed.union(sinkings) - {at}
            ship = shots[at].ship
            free = mask_of(
                cell for cell, hit in hits.items() if hit not in others and shots[hit].ship == ship
            )
            found[at] = tuple(
                one
                for length in _lengths(rules, shots, ship)
                for one in all_placements(rules.board, length)
                if shots[at].cell in one.cells
                and not one.mask & ~free
                and (rules.touching or not one.halo & ~one.mask & free)
            )
    return found


def settled(rules: Ruleset, shots: Sequence[Shot]) -> tuple[Shot, ...]:
    """The shots, with the wreck of each sinking that has only one reading."""
    known = tuple(shots)
    while True:
        options = readings(rules, known)
        sure = next((at for at, ships in options.items() if len(ships) == 1), None)
        if sure is None:
            return known
        # One at a time: what one sinking takes, the next can't have.
        wreck = options[sure][0]
        known = (*known[:sure], known[sure]._replace(wreck=wreck), *known[sure + 1 :])


def lengths_left(rules: Ruleset, shots: Sequence[Shot]) -> tuple[int, ...]:
    """The lengths of the ships afloat, longest first, as many as there are.

    Where a sinking has several readings it counts as the longest of them: where a longer ship may
    lie there is room for the shorter, so nobody who looks for these lengths passes over a cell.
    """
    left = _left(rules, shots)
    for ships in readings(rules, shots).values():
        lengths = sorted({ship.length for ship in ships if left[ship.length] > 0})
        left.subtract(lengths[-1:] or sorted(+left)[-1:])
    return tuple(sorted((+left).elements(), reverse=True))


def afloat_hits(rules: Ruleset, shots: Sequence[Shot]) -> frozenset[Cell]:
    """The cells of the hits on ships that may be afloat: they are not on a wreck in any case."""
    newest, sinkings = _newest(shots), _sinkings(shots)
    options = readings(rules, shots)
    for at, hits in sinkings.items():
        wreck = shots[at].wreck
        ships = (wreck,) if wreck is not None else options[at]
        sure = set.intersection(*(set(ship.cells) for ship in ships)) if ships else set()
        for cell in sure | {shots[at].cell}:
            if newest.get(cell) == hits.get(cell):
                newest.pop(cell, None)
    return frozenset(newest)


def _newest(shots: Sequence[Shot]) -> dict[Cell, int]:
    """By cell the index of the newest shot there, if that was a hit."""
    newest: dict[Cell, int] = {}
    for at, shot in enumerate(shots):
        newest[shot.cell] = at
    return {cell: at for cell, at in newest.items() if shots[at].result is not Result.WATER}


def _sinkings(shots: Sequence[Shot]) -> dict[int, dict[Cell, int]]:
    """By the index of each sinking: the hits that were known then, by cell."""
    return {
        at: _newest(shots[: at + 1]) for at, shot in enumerate(shots) if shot.result is Result.SUNK
    }


def _left(rules: Ruleset, shots: Sequence[Shot]) -> Counter[int]:
    """How many ships of each length are not known to have sunk."""
    left = Counter(rules.fleet)
    left.subtract(shot.wreck.length for shot in shots if shot.wreck is not None)
    return left


def _lengths(rules: Ruleset, shots: Sequence[Shot], ship: int | None) -> list[int]:
    """The lengths that a sinking may have sunk, the longest first."""
    if ship is not None:
        return [rules.fleet[ship]]
    return sorted(+_left(rules, shots), reverse=True)

"""The possible readings of a sinking whose wreck isn't told.

    C3 hit, D3 hit, E3 sunk   ->  C3h3, or D3h2 and a hit at C3 on a ship that touches it

If ships may touch, adjacent hits may be on one ship or on several. A sinking is ambiguous while it
has several readings.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from game.engine.actions import Result, Shot
from game.engine.fleets import Placement, all_placements, reach
from game.engine.geometry import Board, Cell, mask_of
from game.engine.rules import Ruleset

Readings: TypeAlias = dict[int, tuple[Placement, ...]]
"""The ships that may have sunk, by the index of the sinking shot."""


def readings(rules: Ruleset, shots: Sequence[Shot]) -> Readings:
    """The readings of each sinking without a wreck; none if the shots are contradictory.

    A reading covers only hits, and its last hit is the sinking. If ships may not touch, it covers
    all hits around it. It uses no hit of another wreck or sinking, and only hits that name the same
    ship.
    """
    if not [shot for shot in shots if shot.result is Result.SUNK and not shot.wreck]:
        return {}
    sinkings = _sinkings(shots)
    claimed = set(sinkings)
    for at, hits in sinkings.items():
        if (wreck := shots[at].wreck) is not None:
            claimed.update(hits[cell] for cell in wreck.cells if cell in hits)
    left = sorted(+_left(rules, shots), reverse=True)
    read: Readings = {}
    for at, hits in sinkings.items():
        if shots[at].wreck is not None:
            continue
        others, ship = claimed - {at}, shots[at].ship
        free = mask_of(
            cell for cell, hit in hits.items() if hit not in others and shots[hit].ship == ship
        )
        read[at] = tuple(
            placement
            for length in (left if ship is None else [rules.fleet[ship]])
            for placement in _covering(rules.board, length)[shots[at].cell]
            if not placement.mask & ~free and not reach(rules, placement) & ~placement.mask & free
        )
    return read


@lru_cache(maxsize=32)
def _covering(board: Board, length: int) -> tuple[tuple[Placement, ...], ...]:
    """For each cell the placements of a ship of that length that cover it."""
    covering: list[list[Placement]] = [[] for _ in board.cells]
    for placement in all_placements(board, length):
        for cell in placement.cells:
            covering[cell].append(placement)
    return tuple(map(tuple, covering))


def settled(rules: Ruleset, shots: Sequence[Shot]) -> tuple[Shot, ...]:
    """The shots, with a wreck for each sinking that has only one reading."""
    known = tuple(shots)
    while True:
        options = readings(rules, known)
        sure = next((at for at, ships in options.items() if len(ships) == 1), None)
        if sure is None:
            return known
        # One at a time, because each wreck changes the other readings.
        wreck = options[sure][0]
        known = (*known[:sure], known[sure]._replace(wreck=wreck), *known[sure + 1 :])


def lengths_left(rules: Ruleset, shots: Sequence[Shot]) -> tuple[int, ...]:
    """The lengths of the ships afloat, longest first.

    An ambiguous sinking counts as its longest reading: a cell that a longer ship can cover can also
    be covered by a shorter one, so a search for the remaining lengths misses no cell.
    """
    left = _left(rules, shots)
    for ships in readings(rules, shots).values():
        lengths = sorted({ship.length for ship in ships if left[ship.length] > 0})
        left.subtract(lengths[-1:] or sorted(+left)[-1:])
    return tuple(sorted((+left).elements(), reverse=True))


def afloat_hits(rules: Ruleset, shots: Sequence[Shot]) -> frozenset[Cell]:
    """The cells of hits that are not on the wreck in every reading."""
    newest, options = _newest(shots), readings(rules, shots)
    for at, hits in _sinkings(shots).items():
        wreck = shots[at].wreck
        ships = (wreck,) if wreck is not None else options[at]
        sure = set.intersection(*(set(ship.cells) for ship in ships)) if ships else set()
        for cell in sure | {shots[at].cell}:
            if newest.get(cell) == hits.get(cell):
                newest.pop(cell, None)
    return frozenset(newest)


def _newest(shots: Sequence[Shot]) -> dict[Cell, int]:
    """The index of the newest shot at each cell, if it was a hit."""
    newest: dict[Cell, int] = {}
    for at, shot in enumerate(shots):
        newest[shot.cell] = at
    return {cell: at for cell, at in newest.items() if shots[at].result is not Result.WATER}


def _sinkings(shots: Sequence[Shot]) -> dict[int, dict[Cell, int]]:
    """For each sinking the hits up to it, by cell."""
    return {
        at: _newest(shots[: at + 1]) for at, shot in enumerate(shots) if shot.result is Result.SUNK
    }


def _left(rules: Ruleset, shots: Sequence[Shot]) -> Counter[int]:
    """The number of ships of each length without a known wreck."""
    left = Counter(rules.fleet)
    left.subtract(shot.wreck.length for shot in shots if shot.wreck is not None)
    return left

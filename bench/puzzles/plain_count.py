"""Lists the possible fleets of a position by backtracking, without anything of the belief.

A ship is a bit mask of its cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from game.engine.fleets import all_placements, blocked_by
from game.engine.position import Position


def plain_fleets(position: Position) -> Iterator[tuple[int, ...]]:
    """Yields the masks of the ships afloat of each fleet; fleets that look alike once."""
    rules = position.rules
    lengths = dict(position.hits)
    hits = sum(1 << cell for cell in lengths)
    barred = sum(1 << cell for cell in position.water)
    barred |= blocked_by(rules, position.wrecks)
    left = Counter(rules.fleet)
    left.subtract(wreck.length for wreck in position.wrecks)
    ships = [
        (ship.mask, blocked_by(rules, [ship]))
        for length in sorted(+left, reverse=True)
        for ship in sorted(all_placements(rules.board, length), key=lambda ship: ship.mask)
        if not ship.mask & barred
        and ship.mask & ~hits  # a ship that was hit everywhere has sunk
        and all(told in (0, length) for cell, told in lengths.items() if cell in ship.cells)
    ]
    yield from _fill(ships, left, hits, ())


def _fill(
    ships: list[tuple[int, int]], left: Counter[int], hits: int, placed: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """Places a ship on the first hit that has none or, without one, the next ship of the list."""
    if not +left:
        if not hits:
            yield placed
        return
    first = hits & -hits
    longest = max(+left)
    for at, (ship, reach) in enumerate(ships):
        length = ship.bit_count()
        # Without a hit the longest ships come first, each after the last one in the list.
        if (ship & first) if first else length == longest:
            left[length] -= 1
            rest = ships if first else ships[at + 1 :]
            rest = [one for one in rest if left[one[0].bit_count()] and not one[0] & reach]
            yield from _fill(rest, left, hits & ~ship, (*placed, ship))
            left[length] += 1

"""Lists the possible fleets of a position by backtracking, without anything of the belief.

A ship is a bit mask of its cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from game.engine.position import Position


def plain_fleets(position: Position) -> Iterator[tuple[int, ...]]:
    """The masks of the ships afloat of each fleet; fleets that look alike once."""
    rules = position.rules
    lengths = dict(position.hits)
    hits = sum(1 << cell for cell in lengths)
    sunk = [sum(1 << cell for cell in wreck.cells) for wreck in position.wrecks]
    barred = sum(1 << cell for cell in position.water)
    for wreck in sunk:
        barred |= _reach(position, wreck)
    left = Counter(rules.fleet)
    left.subtract(wreck.bit_count() for wreck in sunk)
    ships = [
        (ship, _reach(position, ship))
        for length in sorted(+left, reverse=True)
        for ship in sorted(_ships(position, length))
        if not ship & barred
        and ship & ~hits  # a ship that was hit everywhere has sunk
        and all(told in (0, length) for cell, told in lengths.items() if ship >> cell & 1)
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


def _ships(position: Position, length: int) -> set[int]:
    """All ships of a length on the board."""
    columns, rows = position.rules.columns, position.rules.rows
    across = [
        sum(1 << row * columns + column + step for step in range(length))
        for row in range(rows)
        for column in range(columns - length + 1)
    ]
    down = [
        sum(1 << (row + step) * columns + column for step in range(length))
        for row in range(rows - length + 1)
        for column in range(columns)
    ]
    return {*across, *down}


def _reach(position: Position, ship: int) -> int:
    """The cells that no other ship may cover."""
    if position.rules.touching:
        return ship
    columns = position.rules.columns
    first = sum(1 << row * columns for row in range(position.rules.rows))
    last = first << columns - 1
    wide = ship | (ship & ~first) >> 1 | (ship & ~last) << 1
    return wide | wide >> columns | wide << columns

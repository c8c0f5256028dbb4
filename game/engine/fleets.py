"""Placements of ships, and the rules for a legal fleet.

The text of a placement is its bow cell, direction and length: `C4h3` covers C4, D4 and E4.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import CELL_PATTERN, Board, Cell, Direction, mask_of
from game.engine.rules import NoRoom, Pair, Ruleset, TooTight, Touching

_PLACEMENT_TEXT = re.compile(f"({CELL_PATTERN})([hv])([1-8])")
_DEAD_ENDS = 1000
_TRIES, _TIGHT_TRIES, _TIGHT_ENOUGH = 4, 24, 6


class IllegalFleet(ValueError):
    """A fleet that breaks the rules."""


class NotAPlacement(IllegalFleet):
    """The text isn't a placement on the board."""


class OffBoard(IllegalFleet):
    """A ship would extend past the edge."""


class ShipsOverlap(IllegalFleet):
    """Two ships would cover the same cell."""


class ShipsTouch(IllegalFleet):
    """Two ships would be adjacent where the rules forbid it."""


class ShipsSideBySide(ShipsTouch):
    """Two ships would share an edge where they may touch at corners alone."""


class WrongShips(IllegalFleet):
    """The ships are not those of the ruleset."""


class DoesNotFit(IllegalFleet):
    """No placements were found for the missing ships."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A ship's length, bow cell and direction. The instances of a board are cached.

    `mask` has a bit for each cell of the ship, `beside` also for the cells that share an edge with
    it, and `halo` also for those at its corners.
    """

    bow: Cell
    direction: Direction
    length: int
    number: int = field(compare=False, repr=False)
    """Twice the bow, plus one for direction down: unique among placements of one length."""
    text: str = field(compare=False)
    cells: tuple[Cell, ...] = field(compare=False, repr=False)
    mask: int = field(compare=False, repr=False)
    beside: int = field(compare=False, repr=False)
    halo: int = field(compare=False, repr=False)

    def __str__(self) -> str:
        return self.text


Fleet: TypeAlias = tuple[Placement, ...]
"""One side's placements in the order of the ruleset's fleet; a ship's id is its index."""


def _made(board: Board, bow: Cell, direction: Direction, length: int) -> Placement | None:
    across = direction is Direction.ACROSS
    end = (board.column(bow) if across else board.row(bow)) + length
    if end > (board.columns if across else board.rows):
        return None
    step = 1 if across else board.columns
    cells = tuple(Cell(bow + step * i) for i in range(length))
    sides = {near for cell in cells for near in board.sides(cell)}
    around = {near for cell in cells for near in board.neighbours(cell)}
    return Placement(
        bow=bow,
        direction=direction,
        length=length,
        number=_number(bow, direction),
        text=f"{board.name(bow)}{direction.value}{length}",
        cells=cells,
        mask=mask_of(cells),
        beside=mask_of(sides.union(cells)),
        halo=mask_of(around.union(cells)),
    )


def _number(bow: Cell, direction: Direction) -> int:
    return 2 * bow + (direction is Direction.DOWN)


def place(board: Board, bow: Cell, direction: Direction, length: int) -> Placement:
    """The placement from `bow` to the right or down; raises OffBoard."""
    if length == 1:
        direction = Direction.ACROSS  # the canonical spelling, since both cover the same cell
    placement = tables(board, length).numbered[_number(bow, direction)]
    if placement is None:
        raise OffBoard(f"off the board: {board.name(bow)}{direction.value}{length}")
    return placement


def parse_placement(board: Board, text: str) -> Placement:
    """The placement that `C4h3` names, the inverse of str; raises NotAPlacement or OffBoard."""
    match = _PLACEMENT_TEXT.fullmatch(text)
    if match is None:
        raise NotAPlacement(f"not a placement: {text[:12]!r}")
    try:
        bow = board.parse(match[1])
    except ValueError as error:
        raise NotAPlacement(f"not a placement: {text!r}") from error
    return place(board, bow, Direction(match[2]), int(match[3]))


def all_placements(board: Board, length: int) -> tuple[Placement, ...]:
    """All placements of `length` cells: first those across, then those down, row by row."""
    return tables(board, length).placements


class Course(Enum):
    """The direction of a move: fore is towards A or 1, aft is the opposite."""

    FORE = "fore"
    AFT = "aft"


def steered(board: Board, placement: Placement, course: Course) -> Placement | None:
    """The placement one cell along the ship's axis, or None off the board."""
    fore, aft = tables(board, placement.length).steering
    return (fore if course is Course.FORE else aft)[placement.number]


class Tables(NamedTuple):
    """The placements of a length on a board."""

    placements: tuple[Placement, ...]
    """First those across, then those down, row by row."""
    numbered: tuple[Placement | None, ...]
    """The same, indexed by `number`; None for those off the board."""
    steering: Pair[tuple[Placement | None, ...]]
    """Where a move leads, fore and aft, indexed by `number`; None off the board."""


# The presets need five entries and own rules up to eight, of 50 to 200 kB.
@lru_cache(maxsize=32)
def tables(board: Board, length: int) -> Tables:
    directions = (Direction.ACROSS,) if length == 1 else tuple(Direction)
    made = [_made(board, bow, direction, length) for direction in directions for bow in board.cells]
    placements = tuple(placement for placement in made if placement is not None)
    table: list[Placement | None] = [None] * (2 * board.size)
    for placement in placements:
        table[placement.number] = placement
    fore, aft = list(table), list(table)
    for placement in placements:
        column, row = board.column(placement.bow), board.row(placement.bow)
        for step, targets in ((-1, fore), (1, aft)):
            across = step if placement.direction is Direction.ACROSS else 0
            at = column + across, row + step - across
            number = _number(board.cell(*at), placement.direction) if board.has(*at) else None
            targets[placement.number] = None if number is None else table[number]
    return Tables(placements, tuple(table), (tuple(fore), tuple(aft)))


def free_placements(board: Board, length: int, blocked: int) -> list[Placement]:
    """The placements of `length` cells that cover no cell of the mask `blocked`."""
    return [one for one in all_placements(board, length) if not one.mask & blocked]


def reach(rules: Ruleset, placement: Placement) -> int:
    """The mask of the cells that no other ship may cover: its own, and those too near."""
    if rules.touching is Touching.NOWHERE:
        return placement.halo
    return placement.beside if rules.touching is Touching.CORNERS else placement.mask


def blocked_by(rules: Ruleset, placements: Iterable[Placement]) -> int:
    """The mask of the cells that no further ship may cover."""
    mask = 0
    for placement in placements:
        mask |= reach(rules, placement)
    return mask


def check_beside(rules: Ruleset, placement: Placement, others: Iterable[Placement]) -> None:
    """Raises ShipsOverlap or ShipsTouch if a placement is illegal beside the others."""
    for other in others:
        if placement.mask & other.mask:
            raise ShipsOverlap(f"on the same cell: {placement} and {other}")
        if placement.mask & reach(rules, other):
            wrong = ShipsSideBySide if rules.touching else ShipsTouch
            raise wrong(f"touching: {placement} and {other}")


def missing(rules: Ruleset, placements: Iterable[Placement]) -> tuple[int, ...]:
    """The lengths not placed yet, in the fleet's order; raises WrongShips for surplus ships."""
    left = list(reversed(rules.fleet))  # so that the last ship of a length is removed first
    for placement in placements:
        if placement.length not in left:
            raise WrongShips(f"one too many of length {placement.length}: {placement}")
        left.remove(placement.length)
    return tuple(reversed(left))


def check_part(rules: Ruleset, placements: Sequence[Placement]) -> None:
    """Raises an IllegalFleet if these placements aren't part of a legal fleet."""
    missing(rules, placements)
    blocked = 0
    for index, placement in enumerate(placements):
        table = tables(rules.board, placement.length).numbered
        # The placement may have been made for a board of another size.
        mine = table[placement.number] if 0 <= placement.number < len(table) else None
        if mine is None or mine.cells != placement.cells:
            raise NotAPlacement(f"not a place on this board: {placement}")
        if placement.mask & blocked:
            check_beside(rules, placement, placements[:index])  # raises the right error
        blocked |= reach(rules, placement)


def make_fleet(rules: Ruleset, placements: Sequence[Placement]) -> Fleet:
    """The placements in the ruleset's order; raises an IllegalFleet."""
    check_part(rules, placements)
    if tuple([placement.length for placement in placements]) == rules.fleet:
        return tuple(placements)
    lacking = missing(rules, placements)
    if lacking:
        raise WrongShips(f"missing ships of length: {', '.join(map(str, lacking))}")
    left = {length: [one for one in placements if one.length == length] for length in rules.fleet}
    return tuple(left[length].pop(0) for length in rules.fleet)


def complete(rules: Ruleset, placed: Sequence[Placement], chance: Chance) -> Fleet:
    """Completes a fleet at random; raises an IllegalFleet, DoesNotFit among them.

    Backtracking places the ships one by one, longest first, each uniformly among the free
    placements. If that fails, ships are packed greedily. The number of attempts is bounded.
    """
    check_part(rules, placed)
    lengths = sorted(missing(rules, placed), reverse=True)
    for _ in range(_TRIES):
        fleet = _fill(rules, lengths, list(placed), chance)
        if fleet is not None:
            return make_fleet(rules, fleet)
    for _ in range(_TIGHT_TRIES):
        fleet = _pack(rules, lengths, placed, chance)
        if len(fleet) == len(rules.fleet):
            return make_fleet(rules, fleet)
    raise DoesNotFit(f"no place found for ships of length: {', '.join(map(str, lengths))}")


def check_room(rules: Ruleset) -> None:
    """Raises NoRoom or TooTight for a fleet that `complete` may fail to place.

    `Ruleset` only refuses fleets that have too many cells for the board.
    """
    lengths = sorted(rules.fleet, reverse=True)
    # The seed is fixed, so that the result is the same for every request.
    tries = [Chance(bytes(SEED_BYTES), "room", index) for index in range(_TIGHT_TRIES)]
    whole, most, successes = sum(lengths), 0, 0
    for trial in tries:
        packed = sum(ship.length for ship in _pack(rules, lengths, (), trial))
        most, successes = max(most, packed), successes + (packed == whole)
        # Several packings must succeed, because a match has another seed and as many attempts.
        if successes == _TIGHT_ENOUGH:
            return
    if all(_fill(rules, lengths, [], one) is not None for one in tries[:_TRIES]):
        return
    lacking = whole - most
    raise NoRoom(lacking) if lacking else TooTight("hardly any arrangement of the fleet fits")


def _pack(
    rules: Ruleset, lengths: Sequence[int], placed: Sequence[Placement], chance: Chance
) -> list[Placement]:
    """Places each ship where it blocks the fewest further cells, and skips ships without room."""
    packed = list(placed)
    blocked = blocked_by(rules, packed)
    for length in lengths:
        free = free_placements(rules.board, length, blocked)
        if not free:
            continue
        chance.shuffle(free)  # because `min` returns the first minimum
        reaches = [reach(rules, one) for one in free]
        best = min(range(len(free)), key=lambda i: (reaches[i] & ~blocked).bit_count())
        packed.append(free[best])
        blocked |= reaches[best]
    return packed


def _fill(
    rules: Ruleset, lengths: Sequence[int], placed: list[Placement], chance: Chance
) -> list[Placement] | None:
    base = len(placed)
    options: list[list[Placement]] = []  # the placements not tried yet, by depth
    dead_ends = 0
    while len(placed) - base < len(lengths):
        depth = len(placed) - base
        if depth == len(options):
            free = free_placements(rules.board, lengths[depth], blocked_by(rules, placed))
            chance.shuffle(free)
            options.append(free)
        if options[depth]:
            placed.append(options[depth].pop())
            continue
        dead_ends += 1
        options.pop()
        # The subtree of a bad first placement can be huge, so a restart is cheaper.
        if depth == 0 or dead_ends > _DEAD_ENDS:
            return None
        placed.pop()
    return placed

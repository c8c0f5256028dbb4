"""What a belief is made of: a side's knowledge, and all places of ships as tables of numbers."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from game.engine.chance import Chance
from game.engine.fleets import Course, Placement, all_placements, steered
from game.engine.geometry import Board, Cell
from game.engine.observation import Observation, Result, Shot
from game.engine.rules import Ruleset

Floats: TypeAlias = npt.NDArray[np.float64]
Singles: TypeAlias = npt.NDArray[np.float32]
Indices: TypeAlias = npt.NDArray[np.intp]
Flags: TypeAlias = npt.NDArray[np.bool_]
Bytes: TypeAlias = npt.NDArray[np.uint8]


def generator(chance: Chance) -> np.random.Generator:
    """NumPy's source of chance, decided by this one."""
    return np.random.Generator(np.random.Philox(key=chance.bits(128)))


class Knowledge(NamedTuple):
    """What one side knows of the other's waters."""

    rules: Ruleset
    shots: tuple[Shot, ...]
    left: tuple[int, ...]
    """The lengths of the ships afloat."""
    turn: int
    """The half-turn for which is asked."""
    offset: int
    """0 for the side that begins, and 1 for the other."""

    def moves(self, turn: int) -> int:
        """How often the ships could be steered before a half-turn of the one who fires."""
        return (turn + self.offset) // 2 if self.rules.moving else 0


def knowledge_of(seen: Observation) -> Knowledge:
    """What the observer knows of the enemy."""
    offset = int(seen.side is not seen.ruleset.begins)
    return Knowledge(seen.ruleset, seen.shots, seen.enemy_left, seen.turn, offset)


def knowledge_about(seen: Observation) -> Knowledge:
    """What the enemy will know of the observer's fleet in its next half-turn."""
    offset = int(seen.side is seen.ruleset.begins)
    left = tuple(ship.placement.length for ship in seen.ships if ship.is_afloat)
    return Knowledge(seen.ruleset, seen.incoming, left, seen.turn + 1, offset)


class Sea(NamedTuple):
    """All places of the ships of a fleet on a board, numbered from 0, longest first."""

    lengths: tuple[int, ...]
    """The lengths that occur, longest first."""
    name: tuple[Board, tuple[int, ...], bool]
    """Board, lengths, touching: the same for the same tables."""
    placements: tuple[Placement, ...]
    number: dict[Placement, int]
    kind: Indices
    """For each place the index of its length in `lengths`."""
    length: Indices
    covers: Flags
    """Place by cell: whether the ship lies on it; one row more, for no ship."""
    through: tuple[Indices, ...]
    """For each cell the places through it."""
    clash: Flags
    """Place by place: whether two ships may not lie so at the same time."""
    near: Flags
    """Place by cell: where no other ship may lie."""
    step: Indices
    """Fore and aft by place: where the move leads, or the number of places past the edge."""
    begins: tuple[int, ...]
    """For each length, and behind the last, the first byte of its places in a row of bits."""
    place: Indices
    """For each bit its place, or the number of places where the bit is there to fill a byte."""
    open: Bytes
    """For each place, and for none, the places beside which ships may lie, as a row of bits."""

    @property
    def none(self) -> int:
        """The number of places, which stands for none of them."""
        return len(self.placements)


@lru_cache(maxsize=8)
def sea_of(board: Board, lengths: tuple[int, ...], touching: bool) -> Sea:
    """The places of ships of these different lengths."""
    placements = tuple(one for length in lengths for one in all_placements(board, length))
    number = {one: at for at, one in enumerate(placements)}
    count = len(placements)
    covers = np.zeros((count + 1, board.size), bool)
    for at, one in enumerate(placements):
        covers[at, list(one.cells)] = True
    space = np.eye(board.size, dtype=np.float32)
    if not touching:
        for cell in board.cells:
            space[cell, list(board.neighbours(cell))] = 1
    # Small whole numbers: the products are exact in whatever order they are summed up.
    ones = covers[:-1].astype(np.float32)
    near = ones @ space > 0
    clash = near.astype(np.float32) @ ones.T > 0
    step = np.full((2, count), count)
    for at, one in enumerate(placements):
        for course, side in enumerate(Course):
            target = steered(board, one, side)
            if target is not None:
                step[course, at] = number[target]
    kind = np.array([lengths.index(one.length) for one in placements])
    rows, begins = [], [0]
    for each in range(len(lengths)):
        own = np.flatnonzero(kind == each)
        rows.append(np.append(own, np.full(-len(own) % 8, count)))
        begins.append(begins[-1] + len(rows[-1]) // 8)
    place = np.concatenate(rows)
    open_ = np.packbits(~clash[:, np.minimum(place, count - 1)], axis=1)
    return Sea(
        lengths=lengths,
        name=(board, lengths, touching),
        placements=placements,
        number=number,
        kind=kind,
        length=np.array([one.length for one in placements]),
        covers=covers,
        through=tuple(np.flatnonzero(covers[:-1, cell]) for cell in board.cells),
        clash=clash,
        near=near,
        step=step,
        begins=tuple(begins),
        place=place,
        open=np.append(open_, np.full((1, begins[-1]), 255, np.uint8), axis=0),
    )


def sea(rules: Ruleset) -> Sea:
    """The places of a ruleset's ships."""
    return sea_of(rules.board, tuple(sorted(set(rules.fleet), reverse=True)), rules.touching)


class Told(NamedTuple):
    """The shots in the light of the wrecks: which hits are open, and when what was in the way."""

    hits: tuple[int, ...]
    """The shots, by number, that hit ships still afloat."""
    wrecks: tuple[tuple[int, int, int], ...]
    """Place, number of the first shot that hit it, and of the one that sank it."""

    def open_cells(self, knowledge: Knowledge) -> tuple[Cell, ...]:
        """Where the open hits are."""
        return tuple(knowledge.shots[at].cell for at in self.hits)


def tell(knowledge: Knowledge, waters: Sea) -> Told:
    """Which hits belong to which wreck, and which are open."""
    newest: dict[Cell, int] = {}
    wrecks = []
    for at, shot in enumerate(knowledge.shots):
        if shot.result is Result.WATER:
            newest.pop(shot.cell, None)
            continue
        newest[shot.cell] = at
        if shot.result is Result.SUNK:
            wreck = wreck_of(knowledge, shot, newest)
            first = min(newest.pop(cell, at) for cell in wreck.cells)
            if wreck in waters.number:
                wrecks.append((waters.number[wreck], first, at))
    return Told(tuple(sorted(newest.values())), tuple(wrecks))


def wreck_of(knowledge: Knowledge, shot: Shot, hits: Container[Cell]) -> Placement:
    """The ship that a shot sank; where that isn't told, the longest that all lies on open hits."""
    if shot.wreck is not None:
        return shot.wreck
    lengths = sorted({1, *knowledge.rules.fleet}, reverse=True)
    return next(
        one
        for length in lengths
        for one in all_placements(knowledge.rules.board, length)
        if shot.cell in one.cells and all(c == shot.cell or c in hits for c in one.cells)
    )

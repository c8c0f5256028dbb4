"""The inputs of the belief: one side's knowledge, and arrays over all placements.

A placement is represented by its index in `PlacementTables.placements`; the index after the last,
`no_ship`, represents a ship without a placement. A kind is the index of a ship's length in
`PlacementTables.lengths`.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from game.engine.actions import Question, Result, Shot, without_ships
from game.engine.chance import Chance
from game.engine.fleets import Course, Placement, all_placements, steered
from game.engine.geometry import Board, Cell
from game.engine.observation import Observation
from game.engine.rules import Ruleset, Touching
from game.players.sinkings import Readings, readings, settled

Floats: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.intp]
Flags: TypeAlias = npt.NDArray[np.bool_]
Bytes: TypeAlias = npt.NDArray[np.uint8]


def generator(chance: Chance) -> np.random.Generator:
    """A NumPy generator seeded with 128 bits of `chance`."""
    return np.random.Generator(np.random.Philox(key=chance.bits(128)))


class Knowledge(NamedTuple):
    """What one side knows about the other side's fleet."""

    rules: Ruleset
    shots: tuple[Shot, ...]
    """All shots at that fleet with known results, in order."""
    left: tuple[int, ...]
    """The lengths of the ships afloat."""
    turn: int
    """The turn of the belief, counting both sides' turns from 0."""
    offset: int
    """0 if the firing side begins the match, else 1."""
    learnt: tuple[int, ...] = ()
    """See `Observation.learnt`."""
    asked: tuple[Question, ...] = ()
    """All questions about that fleet with their answers, in order; only where ships stay."""

    def moves(self, turn: int) -> int:
        """The number of turns before `turn` in which the other side may have moved a ship."""
        return (turn + self.offset) // 2 if self.rules.moving else 0


def knowledge_of(seen: Observation) -> Knowledge:
    offset = int(seen.side is not seen.ruleset.begins)
    return Knowledge(
        seen.ruleset, seen.shots, seen.enemy_left, seen.turn, offset, learnt=seen.learnt,
        asked=seen.asked,
    )  # fmt: skip


def knowledge_about(seen: Observation) -> Knowledge:
    """What the enemy will know about the observer's fleet in its next turn."""
    offset = int(seen.side is seen.ruleset.begins)
    left = tuple(ship.placement.length for ship in seen.ships if ship.is_afloat)
    asked = seen.asked_by_enemy
    return Knowledge(seen.ruleset, seen.incoming, left, seen.turn + 1, offset, asked=asked)


@lru_cache(maxsize=32)  # the presets need eight and own rules any, of 1 to 30 kB
def placement_cells(board: Board, length: int) -> Indices:
    """The cells of all placements of one length: shape (placements, length)."""
    return np.array([one.cells for one in all_placements(board, length)]).reshape(-1, length)


@dataclass(frozen=True, eq=False)
class PlacementTables:
    """All placements of a fleet's ships on a board, longest ships first, and their relations.

    Sets of placements are rows of bits. Each kind begins at a new byte, so its bytes are a slice.
    """

    board: Board
    lengths: tuple[int, ...]
    """The distinct lengths of the fleet, longest first."""
    placements: tuple[Placement, ...]
    index_of: dict[Placement, int]
    kind: Indices
    """Shape (placements,)."""
    length: Indices
    """Shape (placements,), in cells."""
    covers: Flags
    """Shape (placements + 1, cells): whether the placement covers the cell."""
    cells: Indices
    """Shape (longest, placements): the cells of each, padded with the number of cells."""
    placements_at: tuple[Indices, ...]
    """For each cell the indices of the placements that cover it."""
    conflicts: Flags
    """Shape (placements, placements): whether two ships can't be placed so together."""
    blocks: Flags
    """Shape (placements, cells): whether no other ship may cover the cell."""
    moved: Indices
    """Shape (2, placements), fore and aft: the placement after the move, `no_ship` off the edge."""
    byte_starts: tuple[int, ...]
    """Shape (kinds + 1,): the first byte of each kind, and the number of bytes."""
    bit_placements: Indices
    """Shape (bytes * 8,): the placement of each bit, `no_ship` for padding bits."""
    bit_of: Indices
    """Shape (placements + 1,): the bit of each placement; for `no_ship` the number of bits."""
    compatible: Bytes
    """Shape (bytes * 8 + 1, bytes): for each bit the set of placements without a conflict; the last
    row is for `no_ship`, which conflicts with none."""

    @property
    def no_ship(self) -> int:
        """The index that represents a ship without a placement."""
        return len(self.placements)

    def inside(self, cells: Iterable[Cell]) -> Indices:
        """How many of these cells each placement covers: shape (placements,)."""
        counts: Indices = self.covers[:-1][:, list(cells)].sum(axis=1)
        return counts

    def by_cell(self, weights: Floats) -> Floats:
        """The sum over the placements that cover each cell: shape (placements,) to (cells,)."""
        # A matrix product would add in an order that depends on the machine's BLAS.
        each = np.tile(weights, len(self.cells))
        return np.bincount(self.cells.ravel(), each)[: self.board.size].astype(float)

    def counts(self, ships: Sequence[int]) -> list[int]:
        """For each kind the number of these ships, which are lengths."""
        return [ships.count(length) for length in self.lengths]

    def work(self, ships: Iterable[int]) -> int:
        """The number of candidate placements, summed over ships of these lengths."""
        return sum(int((self.length == length).sum()) for length in ships)


def _made(board: Board, lengths: tuple[int, ...], touching: Touching) -> PlacementTables:
    placements = tuple(one for length in lengths for one in all_placements(board, length))
    index_of = {one: at for at, one in enumerate(placements)}
    count = len(placements)
    covers = np.zeros((count + 1, board.size), bool)
    for at, placement in enumerate(placements):
        covers[at, list(placement.cells)] = True
    reach = np.eye(board.size, dtype=np.float32)
    if touching is not Touching.ANYWHERE:
        for cell in board.cells:
            near = board.sides(cell) if touching is Touching.CORNERS else board.neighbours(cell)
            reach[cell, list(near)] = 1
    # Only float products use BLAS. The sums are small integers, exact in float32 in any order.
    ones = covers[:-1].astype(np.float32)
    blocks = ones @ reach > 0
    conflicts = blocks.astype(np.float32) @ ones.T > 0
    moved = np.full((2, count), count)
    for at, placement in enumerate(placements):
        for row, course in enumerate(Course):
            target = steered(board, placement, course)
            if target is not None:
                moved[row, at] = index_of[target]
    kind = np.array([lengths.index(one.length) for one in placements])
    rows, byte_starts = [], [0]
    for each in range(len(lengths)):
        own = np.flatnonzero(kind == each)
        rows.append(np.append(own, np.full(-len(own) % 8, count)))
        byte_starts.append(byte_starts[-1] + len(rows[-1]) // 8)
    # The row is padded to a multiple of 16 bytes, which are intersected at once.
    rows.append(np.full(-byte_starts[-1] % 16 * 8, count))
    bit_placements = np.concatenate(rows)
    bit_of = np.full(count + 1, len(bit_placements))
    bit_of[bit_placements] = np.arange(len(bit_placements))
    bit_of[-1] = len(bit_placements)
    # Padding bits may have any value here, because their weight is 0.
    inside = np.minimum(bit_placements, count - 1)
    compatible = np.packbits(~conflicts[inside[:, None], inside], axis=1)
    everything = np.full((1, compatible.shape[1]), 255, np.uint8)
    return PlacementTables(
        board=board,
        lengths=lengths,
        placements=placements,
        index_of=index_of,
        kind=kind,
        length=np.array([one.length for one in placements]),
        covers=covers,
        cells=np.array(
            [[*one.cells, *[board.size] * (lengths[0] - one.length)] for one in placements]
        ).T.copy(),
        placements_at=tuple(np.flatnonzero(covers[:-1, cell]) for cell in board.cells),
        conflicts=conflicts,
        blocks=blocks,
        moved=moved,
        byte_starts=tuple(byte_starts),
        bit_placements=bit_placements,
        bit_of=bit_of,
        compatible=np.append(compatible, everything, axis=0),
    )


_SMALL = 100
"""The number of cells of the presets' boards."""
small_tables = lru_cache(maxsize=6)(_made)  # the presets need four, of up to 0.7 MB
large_tables = lru_cache(maxsize=2)(_made)  # only own rules need them; up to 9 MB each


def tables_for(rules: Ruleset) -> PlacementTables:
    """The tables for a ruleset's fleet, from a cache."""
    lengths = tuple(sorted(set(rules.fleet), reverse=True))
    cached = small_tables if rules.board.size <= _SMALL else large_tables
    return cached(rules.board, lengths, Touching(rules.touching))


def read_sinkings(knowledge: Knowledge) -> tuple[Knowledge, Readings]:
    """The knowledge with every wreck that can be inferred, and the readings of ambiguous sinkings.

    The readings are keyed by the index of the sinking shot.
    """
    if all(shot.wreck or shot.result is not Result.SUNK for shot in knowledge.shots):
        return knowledge, {}
    known = knowledge._replace(shots=settled(knowledge.rules, knowledge.shots))
    options = readings(known.rules, known.shots)
    return known, {at: ships for at, ships in options.items() if ships}


class Wreck(NamedTuple):
    """A sunk ship: its placement, and the indices of its first hit and of its sinking shot."""

    placement: int
    first_hit: int
    sunk: int


def read_shots(
    knowledge: Knowledge, tables: PlacementTables, ambiguous_sinkings: Container[int]
) -> tuple[list[int], list[Wreck]]:
    """The indices of the open hits, ascending, and the known wrecks, in the order of sinking.

    Open hits are on ships that are still afloat. All hits that an ambiguous sinking, given by its
    index, may have sunk count as open.
    """
    newest: dict[Cell, int] = {}
    wrecks = []
    for at, shot in enumerate(knowledge.shots):
        if shot.result is Result.WATER:
            newest.pop(shot.cell, None)
            continue
        newest[shot.cell] = at
        if shot.result is Result.SUNK and at not in ambiguous_sinkings:
            wreck = wreck_of(knowledge, shot, newest)
            first = min(newest.pop(cell, at) for cell in wreck.cells)
            if wreck in tables.index_of:
                wrecks.append(Wreck(tables.index_of[wreck], first, at))
    return sorted(newest.values()), wrecks


def wreck_of(knowledge: Knowledge, shot: Shot, hits: Container[Cell]) -> Placement:
    """The ship that a shot sank: the known wreck, else the longest ship that fits the open hits."""
    if shot.wreck is not None:
        return shot.wreck
    # Length 1 always fits, so that even contradictory knowledge has an answer.
    lengths = sorted({1, *knowledge.rules.fleet}, reverse=True)
    return next(
        placement
        for length in lengths
        for placement in all_placements(knowledge.rules.board, length)
        if shot.cell in placement.cells
        and all(c == shot.cell or c in hits for c in placement.cells)
    )


class Answers(NamedTuple):
    """What the answers to questions add to the shots, as masks of cells."""

    water: int
    """All rectangles without a ship."""
    ship_in: tuple[int, ...]
    """Sets of cells not fired at, in each of which a ship lies; none of them contains another. The
    smallest comes first."""


def read_answers(board: Board, shots: tuple[Shot, ...], questions: tuple[Question, ...]) -> Answers:
    """What the answers add to the shots. Ships must not move."""
    hit, fired, empty = 0, 0, without_ships(board, questions)
    for shot in shots:
        fired |= 1 << shot.cell
        hit |= (shot.result is not Result.WATER) << shot.cell
    boxes = [board.rectangle(one.ask.first, one.ask.last) for one in questions]
    # A rectangle with a hit has its ship.
    held = {
        box & ~(fired | empty)
        for box, question in zip(boxes, questions, strict=True)
        if question.is_yes and not box & hit
    }
    ordered = sorted(held, key=lambda one: (one.bit_count(), one))
    return Answers(empty, tuple(
        mask for at, mask in enumerate(ordered) if not any(o & ~mask == 0 for o in ordered[:at])
    ))  # fmt: skip


@dataclass(frozen=True, eq=False)
class CellChances:
    """Probabilities for each cell: arrays of shape (cells,)."""

    cells: Floats
    """The probability that an enemy ship afloat covers the cell now."""
    unhit: Floats
    """The probability that it is a ship without a hit."""

    @property
    def hit(self) -> Floats:
        """The probability that it is a ship with a hit, which can't move any more."""
        return np.maximum(self.cells - self.unhit, 0.0)

    def ranked(self, targets: Sequence[Cell]) -> list[tuple[Cell, float]]:
        """The three targets of the highest probability, each with its probability."""
        ranked = sorted(targets, key=lambda cell: -self.cells[cell])
        return [(cell, float(self.cells[cell])) for cell in ranked[:3]]

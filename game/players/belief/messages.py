"""For each placement its weight: how well a ship there, by itself, explains what was seen.

The weights are the forward messages of a hidden Markov model (Rabiner, *A tutorial on hidden
Markov models*, 1989), one chain for each ship; see docs/belief.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np

from game.engine.geometry import Board, Cell
from game.players.belief import compiled
from game.players.belief.tables import (
    CellChances,
    Flags,
    Floats,
    Knowledge,
    read_shots,
    read_sinkings,
    tables_for,
)

STEER_PROBABILITY = 0.5
"""How often an enemy that may steer is taken to do so."""

FLEE_PROBABILITY = 0.2
"""How probable it is that an enemy which steers prefers what is safe."""
FLEE_INVERSE_TEMPERATURE = 12.0
"""How strongly an enemy that flees prefers safe moves: the exponent for each hit to be expected."""
FLEE_TURNS = 12
"""In how many turns before the question the enemy may flee: what it fled before has changed."""


class Evidence:
    """What one side knows, prepared for the algorithms."""

    def __init__(
        self,
        knowledge: Knowledge,
        expected: Callable[[Evidence], Floats] | None = None,
        *,
        uniform: Floats | None = None,
    ) -> None:
        """The placement weights are worked out when they are first asked for.

        `expected` tells from the evidence how many times as likely as by chance a ship lies in each
        placement, by habits of placing: shape (placements,). With `uniform`, an enemy that
        steers may flee: it is how likely a ship of that length lies in each placement before any
        shot, shape (placements,). Else any move is as likely.
        """
        self._expected, self.uniform = expected, uniform
        self.knowledge, ambiguous = read_sinkings(knowledge)
        self.tables = tables_for(knowledge.rules)
        # Where ships move, `believe` has chosen a reading for each sinking that is ambiguous.
        self.shots = read_shots(
            self.knowledge, self.tables, () if knowledge.rules.moving else tuple(ambiguous)
        )
        self.hits = tuple(knowledge.shots[at].cell for at in self.shots.open_hits)
        """The cells of the open hits."""
        left = Counter(knowledge.left)
        if self.shots.ambiguous_sinkings:
            left = Counter(knowledge.rules.fleet)
            left.subtract(int(self.tables.length[wreck.placement]) for wreck in self.shots.wrecks)
        self.counts = [max(left[length], 0) for length in self.tables.lengths]
        """For each kind how many ships are afloat, or may be."""

    @cached_property
    def messages(self) -> Floats:
        """For each placement in how many ways a ship there explains what was seen, without habits.

        Shape (placements,): the sum over those ways of their probability.
        """
        return _forward_messages(self)

    @cached_property
    def habits(self) -> Floats | None:
        """How many times as likely as by chance a ship lies in each placement; None for as likely.

        Shape (placements,).
        """
        return self._expected and self._expected(self)

    @cached_property
    def placement_weights(self) -> Floats:
        """For each placement how well a ship there, by itself, explains what was seen.

        Shape (placements,), the greatest 1; all 0 where nothing explains it.
        """
        weights = self.messages if self.habits is None else self.messages * self.habits
        top = weights.max()
        return weights / top if top > 0 else weights

    def chances(self, weights: Floats, total: float) -> CellChances:
        """The chances of the cells.

        `weights` has shape (placements + 1,): for each placement the weight of the fleets with a
        ship there; `total` is the weight of all fleets.
        """
        tables, hits = self.tables, list(self.hits)
        if self.shots.ambiguous_sinkings:
            # A ship that lies on hits alone has sunk.
            inside = tables.covers[:-1][:, hits].sum(axis=1)
            weights = weights * np.append(inside < tables.length, False)
        is_unhit = ~tables.covers[:, hits].any(axis=1)
        cells, unhit = (
            np.minimum(tables.by_cell(part[:-1]) / total, 1.0)
            for part in (weights, weights * is_unhit)
        )
        if not self.shots.ambiguous_sinkings:
            cells[hits] = 1.0
        return CellChances(cells, unhit)


def _forward_messages(evidence: Evidence) -> Floats:
    """The sum of two messages, each of shape (placements,).

    `unhit` is that of ships never hit, which may have moved, and `hit` that of ships that were hit.
    """
    knowledge, tables, wrecks = evidence.knowledge, evidence.tables, evidence.shots.wrecks
    rules, uniform, open_hits = knowledge.rules, evidence.uniform, evidence.shots.open_hits
    longest, count = tables.cells.shape
    first_hits = {wreck.first_hit for wreck in wrecks}
    # So many ships may move before the first hit, and after each.
    movable = [_movable(evidence, at) for at in (-1, *sorted(first_hits.union(open_hits)))]
    sizes = [
        count, len(tables.lengths), rules.board.size, longest, len(knowledge.shots), len(open_hits),
        len(wrecks), knowledge.moves(knowledge.turn), rules.moving, uniform is not None, FLEE_TURNS,
    ]  # fmt: skip
    chances = np.array([STEER_PROBABILITY, FLEE_PROBABILITY, FLEE_INVERSE_TEMPERATURE])
    answer = compiled.run("forward", [
        np.append(chances.view(np.int32), np.array([*sizes, 0, 0, 0], np.int32)),
        tables.kind.astype(np.int32),
        *tables.moved.astype(np.int32),
        tables.cells.T.astype(np.uint8),
        np.array(_shots(evidence), np.int32),
        tables.blocks[:, list(evidence.hits)].T,
        tables.conflicts[[wreck.placement for wreck in wrecks]],
        np.zeros(count) if uniform is None else uniform,
        np.array([[them.count(one) for one in tables.lengths] for them in movable], np.int32),
    ])  # fmt: skip
    unhit, hit = answer.view(np.float64).reshape(2, count)
    open_cells = list(evidence.hits)
    if open_cells:
        is_hit = np.zeros(rules.board.size, bool)
        is_hit[open_cells] = True
        inside = (tables.covers[:-1] & is_hit).sum(axis=1)
        beside = (tables.blocks & is_hit).sum(axis=1)
        # A hit beside a ship would be on another one.
        hit[_is_refuted(evidence, inside == tables.length) | (inside < beside)] = 0.0
        if rules.named:
            hit[_misnamed(evidence)] = 0.0
    return unhit + hit


def _shots(evidence: Evidence) -> list[tuple[int, int, int, int, int]]:
    """For each shot the moves before it, its cell, and what it was.

    That is the number of the open hit, of the wreck whose first hit it was, and of the wreck that
    it sank, each -1 if it was none.
    """
    wrecks = evidence.shots.wrecks
    open_hits = {at: number for number, at in enumerate(evidence.shots.open_hits)}
    first_hits = {wreck.first_hit: number for number, wreck in enumerate(wrecks)}
    sinkings = {wreck.sunk: number for number, wreck in enumerate(wrecks)}
    return [
        (
            evidence.knowledge.moves(shot.turn),
            shot.cell,
            open_hits.get(at, -1),
            first_hits.get(at, -1),
            sinkings.get(at, -1),
        )
        for at, shot in enumerate(evidence.knowledge.shots)
    ]


def _is_refuted(evidence: Evidence, is_whole: Flags) -> Flags:
    """Shape (placements,): whether a ship there would have sunk, and hasn't, or the other way.

    `is_whole` says which placements lie all on open hits. A ship there would have sunk with the
    last of them. That is only so where this shot is one of the ambiguous sinkings, and no other is.
    """
    summary, tables = evidence.shots, evidence.tables
    if not summary.ambiguous_sinkings:
        return is_whole
    sinkings = np.zeros(len(tables.kind), np.intp)
    is_last = np.zeros(len(tables.kind), bool)
    for at, cell in zip(summary.open_hits, evidence.hits, strict=True):
        covering = tables.placements_at[cell]
        sinkings[covering] += at in summary.ambiguous_sinkings
        is_last[covering] = at in summary.ambiguous_sinkings
    return np.where(is_whole, ~is_last | (sinkings > 1), sinkings > 0)


def _misnamed(evidence: Evidence) -> Flags:
    """Shape (placements,): whether a ship there would contradict the names told with open hits.

    A ship lies on all hits that name it, on none that name another, and is as long as that one.
    """
    tables, knowledge = evidence.tables, evidence.knowledge
    is_wrong = np.zeros(len(tables.kind), bool)
    names = np.zeros(len(tables.kind), np.intp)
    named: dict[int, list[Cell]] = {}
    for at, cell in zip(evidence.shots.open_hits, evidence.hits, strict=True):
        if (ship := knowledge.shots[at].ship) is not None:
            named.setdefault(ship, []).append(cell)
    for ship, cells in named.items():
        inside = tables.covers[:-1][:, cells].sum(axis=1)
        is_partial = (inside < len(cells)) | (tables.length != knowledge.rules.fleet[ship])
        is_wrong |= (inside > 0) & is_partial
        names += inside > 0
    return is_wrong | (names > 1)


def _movable(evidence: Evidence, upto: int) -> tuple[int, ...]:
    """The lengths of the ships not hit up to a shot.

    Where hits don't name their ships, a guess as to those hit and still afloat.
    """
    board, left = evidence.tables.board, list(evidence.knowledge.rules.fleet)
    if evidence.knowledge.rules.named:
        hit = {shot.ship for shot in evidence.knowledge.shots[: upto + 1]}
        return tuple(length for ship, length in enumerate(left) if ship not in hit)
    for placement, first_hit, _ in evidence.shots.wrecks:
        length = int(evidence.tables.length[placement])
        if first_hit <= upto and length in left:
            left.remove(length)
    groups = grouped(
        board,
        [
            cell
            for at, cell in zip(evidence.shots.open_hits, evidence.hits, strict=True)
            if at <= upto
        ],
    )
    # The length of a ship that was hit is unknown: the middle one errs least.
    for _ in groups[: len(left) - 1]:
        left.pop(len(left) // 2)
    return tuple(left)


def grouped(board: Board, hits: Iterable[Cell]) -> list[set[Cell]]:
    """The hits, those near one another in a line together: they are taken to be on one ship."""
    groups: list[set[Cell]] = []
    for cell in hits:
        joined = [group for group in groups if any(_is_near(board, cell, c) for c in group)]
        groups = [group for group in groups if group not in joined]
        groups.append({cell}.union(*joined))
    return groups


def _is_near(board: Board, one: Cell, other: Cell) -> bool:
    same = board.column(one) == board.column(other) or board.row(one) == board.row(other)
    return same and board.distance(one, other) <= 2

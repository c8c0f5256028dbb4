"""The likelihood of each placement of a single ship, given the shots.

It is the forward message of a hidden Markov model (Rabiner, *A tutorial on hidden Markov models*,
1989) with one chain for each ship; see docs/belief.md.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from game.engine.geometry import Board, Cell, cells_of
from game.players.belief import compiled
from game.players.belief.tables import (
    CellChances,
    Flags,
    Floats,
    Knowledge,
    read_answers,
    read_shots,
    read_sinkings,
    tables_for,
)

STEER_PROBABILITY = 0.5
"""The assumed probability that an enemy moves a ship when it can."""
STAYS = {0.0: 0.15, 0.5: 0.2}
"""The prior probabilities that a ship has lain still since that share of the enemy's turns."""

FLEE_PROBABILITY = 0.2
"""The assumed probability that an enemy which moves a ship prefers safe moves."""
FLEE_INVERSE_TEMPERATURE = 12.0
"""The inverse temperature of that preference, per expected hit."""
FLEE_TURNS = 12
"""The number of recent turns in which such a preference is considered."""


class Evidence:
    """One side's knowledge, prepared for the algorithms."""

    def __init__(
        self,
        knowledge: Knowledge,
        expected: Callable[[Evidence], Floats] | None = None,
        *,
        uniform: Floats | None = None,
    ) -> None:
        """`expected` returns the prior weight of each placement by habits: shape (placements,),
        relative to uniform fleets. `uniform` is the probability of each placement before any shot
        under uniform fleets, shape (placements,); given it, the enemy may flee, otherwise all its
        moves are equally likely.
        """
        self._expected, self.uniform = expected, uniform
        self.knowledge, ambiguous = read_sinkings(knowledge)
        self.tables = tables_for(knowledge.rules)
        # If ships move, the longest ship that may have sunk counts as the one that did.
        self.ambiguous_sinkings = frozenset(() if knowledge.rules.moving else ambiguous)
        """Indices of shots; they are among the open hits."""
        self.may_have_sunk = knowledge.rules.silent or bool(self.ambiguous_sinkings)
        """Whether ships of which all cells were hit count as placements."""
        self.open_hits, self.wrecks = read_shots(
            self.knowledge, self.tables, self.ambiguous_sinkings
        )
        self.hits = [knowledge.shots[at].cell for at in self.open_hits]
        """The cells of the open hits."""
        self.answers = read_answers(knowledge.rules.board, knowledge.shots, knowledge.asked)
        left = Counter(knowledge.left)
        if self.ambiguous_sinkings:
            left = Counter(knowledge.rules.fleet)
            left.subtract(int(self.tables.length[wreck.placement]) for wreck in self.wrecks)
        self.counts = [max(left[length], 0) for length in self.tables.lengths]
        """For each kind the number of ships that are, or may be, afloat."""

    @cached_property
    def messages(self) -> Floats:
        """The likelihood of each placement without habits: shape (placements,)."""
        messages = _forward_messages(self)
        if self.answers.water:
            messages[self._reaching([self.answers.water])[:-1, 0]] = 0.0
        return messages

    @cached_property
    def rectangles(self) -> Flags:
        """Shape (placements + 1, rectangles): whether the placement reaches into each of the sets
        of cells that hold a ship, by the answers.
        """
        return self._reaching(self.answers.ship_in)

    def _reaching(self, masks: Sequence[int]) -> Flags:
        """Shape (placements + 1, masks)."""
        flags = np.zeros((self.tables.no_ship + 1, len(masks)), bool)
        for at, mask in enumerate(masks):
            flags[:, at] = self.tables.covers[:, cells_of(mask)].any(axis=1)
        return flags

    @cached_property
    def habits(self) -> Floats | None:
        """The prior weight of each placement by habits, shape (placements,); None for uniform."""
        return self._expected and self._expected(self)

    @cached_property
    def placement_weights(self) -> Floats:
        """The likelihood times the habits' weight, scaled to a maximum of 1: shape (placements,).

        All 0 if the knowledge is contradictory.
        """
        weights = self.messages if self.habits is None else self.messages * self.habits
        top = weights.max()
        return weights / top if top > 0 else weights

    def chances(self, weights: Floats, total: float) -> CellChances:
        """The probabilities of the cells.

        `weights` has shape (placements + 1,): for each placement the total weight of the fleets
        that contain it; `total` is the weight of all fleets.
        """
        tables, weights = self.tables, weights[:-1]
        if self.may_have_sunk:
            # A ship whose cells are all hits has sunk.
            weights = weights * (tables.inside(self.hits) < tables.length)
        is_unhit = tables.inside(self.hits) == 0
        cells, unhit = (
            np.minimum(tables.by_cell(part) / total, 1.0) for part in (weights, weights * is_unhit)
        )
        if not self.may_have_sunk:
            cells[self.hits] = 1.0
        return CellChances(cells, unhit)


def _forward_messages(evidence: Evidence) -> Floats:
    """The sum of the messages of ships without and with a hit: shape (placements,).

    It is their mean over the numbers of turns after which the ship may have stopped moving.
    """
    knowledge, tables, wrecks = evidence.knowledge, evidence.tables, evidence.wrecks
    rules, uniform, open_hits = knowledge.rules, evidence.uniform, evidence.open_hits
    longest, count = tables.cells.shape
    movable = _movable(evidence) if rules.moving else [()]
    sizes = [
        count, len(tables.lengths), rules.board.size, longest, len(knowledge.shots), len(open_hits),
        len(wrecks), rules.moving, uniform is not None, FLEE_TURNS,
    ]  # fmt: skip
    chances = np.array([STEER_PROBABILITY, FLEE_PROBABILITY, FLEE_INVERSE_TEMPERATURE])
    shots = np.array(_shots(evidence), np.int32).reshape(-1, 5)
    arrays = [
        tables.kind.astype(np.int32),
        *tables.moved.astype(np.int32),
        tables.cells.T.astype(np.uint8),
        shots,
        tables.blocks[:, evidence.hits].T,
        tables.conflicts[[wreck.placement for wreck in wrecks]],
        np.zeros(count) if uniform is None else uniform,
        np.array([tables.counts(them) for them in movable], np.int32),
    ]
    moves_before, messages = shots[:, 0].copy(), np.zeros((2, count))
    for limit, probability in move_limits(evidence):
        shots[:, 0] = np.minimum(moves_before, limit)
        numbers = np.array([*sizes[:7], limit, *sizes[7:], 0, 0, 0], np.int32)
        answer = compiled.run("forward", [np.append(chances.view(np.int32), numbers), *arrays])
        messages += probability * answer.view(np.float64).reshape(2, count)
    unhit, hit = messages
    if evidence.hits:
        inside = tables.inside(evidence.hits)
        beside = tables.blocks[:, evidence.hits].sum(axis=1)
        # A hit beside the ship would be on another ship that touches it.
        hit[_is_refuted(evidence, inside == tables.length) | (inside < beside)] = 0.0
        if rules.named:
            hit[_misnamed(evidence)] = 0.0
    return unhit + hit


def move_limits(evidence: Evidence) -> list[tuple[int, float]]:
    """The numbers of the enemy's turns in which a ship may have moved, with their probabilities."""
    turns = evidence.knowledge.moves(evidence.knowledge.turn)
    if not evidence.knowledge.rules.moving:
        return [(turns, 1.0)]
    limits = {turns: 1 - sum(STAYS.values())}
    for share, probability in STAYS.items():
        limit = int(share * turns)
        limits[limit] = limits.get(limit, 0.0) + probability
    return list(limits.items())


def _shots(evidence: Evidence) -> list[tuple[int, ...]]:
    """For each shot: the enemy's moves before it, its cell, and three numbers, or -1.

    These are the number of the open hit, of the wreck whose first hit it was, and of the wreck that
    it sank.
    """
    wrecks, known = evidence.wrecks, evidence.knowledge
    numbers = [
        {at: number for number, at in enumerate(evidence.open_hits)},
        {wreck.first_hit: number for number, wreck in enumerate(wrecks)},
        {wreck.sunk: number for number, wreck in enumerate(wrecks)},
    ]
    return [
        (known.moves(shot.turn), shot.cell, *(one.get(at, -1) for one in numbers))
        for at, shot in enumerate(known.shots)
    ]


def _is_refuted(evidence: Evidence, is_whole: Flags) -> Flags:
    """Shape (placements,): whether the sinkings rule out a ship afloat there.

    `is_whole` says which placements consist of open hits. Such a ship would have sunk with the last
    of them, so that shot must be an ambiguous sinking, and no other of its hits may be one.
    """
    tables, ambiguous = evidence.tables, evidence.ambiguous_sinkings
    if evidence.knowledge.rules.silent:
        return np.zeros_like(is_whole)
    if not ambiguous:
        return is_whole
    sinkings = np.zeros(len(tables.kind), np.intp)
    is_last = np.zeros(len(tables.kind), bool)
    for at, cell in zip(evidence.open_hits, evidence.hits, strict=True):
        covering = tables.placements_at[cell]
        sinkings[covering] += at in ambiguous
        is_last[covering] = at in ambiguous
    return np.where(is_whole, ~is_last | (sinkings > 1), sinkings > 0)


def _misnamed(evidence: Evidence) -> Flags:
    """Shape (placements,): whether a ship there contradicts the ships named by open hits.

    It must cover all hits that name it and none that names another ship, and have its length.
    """
    tables, knowledge = evidence.tables, evidence.knowledge
    is_wrong = np.zeros(len(tables.kind), bool)
    names = np.zeros(len(tables.kind), np.intp)
    named: dict[int, list[Cell]] = {}
    for at, cell in zip(evidence.open_hits, evidence.hits, strict=True):
        if (ship := knowledge.shots[at].ship) is not None:
            named.setdefault(ship, []).append(cell)
    for ship, cells in named.items():
        inside = tables.inside(cells)
        is_partial = (inside < len(cells)) | (tables.length != knowledge.rules.fleet[ship])
        is_wrong |= (inside > 0) & is_partial
        names += inside > 0
    return is_wrong | (names > 1)


def _movable(evidence: Evidence) -> list[tuple[int, ...]]:
    """The lengths of the ships without a hit, at first and after each new ship or open hit.

    Where hits don't name ships they are estimated.
    """
    known, wrecks, open_hits = evidence.knowledge, evidence.wrecks, evidence.open_hits
    steps = (-1, *sorted({wreck.first_hit for wreck in wrecks}.union(open_hits)))
    if known.rules.named:
        hit = [{shot.ship for shot in known.shots[: step + 1]} for step in steps]
        fleet = tuple(enumerate(known.rules.fleet))
        return [tuple(length for ship, length in fleet if ship not in them) for them in hit]
    lengths = [(wreck.first_hit, int(evidence.tables.length[wreck.placement])) for wreck in wrecks]
    groups = [len(groups) for groups in _groupings(evidence.tables.board, evidence.hits)]
    movable = []
    for step in steps:
        left = list(known.rules.fleet)
        for first_hit, length in lengths:
            if first_hit <= step and length in left:
                left.remove(length)
        # The length of a ship with a hit is unknown: the median has the least error.
        for _ in range(min(groups[bisect_right(open_hits, step)], len(left) - 1)):
            left.pop(len(left) // 2)
        movable.append(tuple(left))
    return movable


def grouped(board: Board, hits: Iterable[Cell]) -> list[set[Cell]]:
    """Groups hits that are at most two cells apart in a line, as if they were on one ship."""
    return list(_groupings(board, hits))[-1]


def _groupings(board: Board, hits: Iterable[Cell]) -> Iterator[list[set[Cell]]]:
    """The groups of no hits, of the first hit, and so on."""
    groups: list[set[Cell]] = []
    yield groups
    for cell in hits:
        column, steps = board.column(cell), range(-2, 3)
        near = {cell + step for step in steps if 0 <= column + step < board.columns}
        # The numbers above and below the board are no cells, so no group has them.
        near |= {cell + step * board.columns for step in steps}
        joined = [group for group in groups if not near.isdisjoint(group)]
        groups = [group for group in groups if group not in joined]
        groups.append({cell}.union(*joined))
        yield groups

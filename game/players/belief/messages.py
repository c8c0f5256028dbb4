"""For each placement its weight: how well a ship there, by itself, explains what was seen.

The weights are the forward messages of a hidden Markov model (Rabiner, *A tutorial on hidden
Markov models*, 1989), one chain for each ship; see docs/belief.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from game.engine.geometry import Board, Cell
from game.players.belief.tables import (
    CellChances,
    Flags,
    Floats,
    Indices,
    Knowledge,
    PlacementTables,
    cell_chances,
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

Rates: TypeAlias = Floats
"""Shape (2, placements): how likely a ship that lies so moves fore or aft in a turn of its side."""


class Evidence:
    """What one side knows, prepared for the algorithms."""

    def __init__(
        self,
        knowledge: Knowledge,
        expected: Callable[[Evidence], Floats] | None = None,
        *,
        even: Floats | None = None,
    ) -> None:
        """The placement weights are worked out when they are first asked for.

        `expected` tells from the evidence how many times as likely as by chance a ship lies in each
        placement, by habits of placing: shape (placements,). Where `even` is given, an enemy that
        steers may flee: it is how likely a ship of that length lies in each placement before any
        shot, shape (placements,). Else any move is as likely.
        """
        self._expected, self.even = expected, even
        self.knowledge, doubts = read_sinkings(knowledge)
        self.tables = tables_for(knowledge.rules)
        # Where ships move, `believe` has chosen a reading for each sinking that is in doubt.
        self.shots = read_shots(
            self.knowledge, self.tables, () if knowledge.rules.moving else tuple(doubts)
        )
        self.hits = self.shots.open_cells(knowledge)
        """The cells of the open hits."""
        left = Counter(knowledge.left)
        if self.shots.doubts:
            left = Counter(knowledge.rules.fleet)
            left.subtract(int(self.tables.length[wreck.placement]) for wreck in self.shots.wrecks)
        self.counts = [left[length] for length in self.tables.lengths]
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
        """The chances of the cells, from how much weight the fleets on each placement have."""
        doubts = bool(self.shots.doubts)
        return cell_chances(self.tables, self.hits, weights, total, has_doubts=doubts)


def _forward_messages(evidence: Evidence) -> Floats:
    """The sum of two messages, each of shape (placements,).

    `unhit` is that of ships never hit, which may have moved, and `hit` that of ships that were hit.
    """
    knowledge, tables, summary = evidence.knowledge, evidence.tables, evidence.shots
    rules = knowledge.rules
    unhit, hit = np.ones(len(tables.kind)), np.zeros(len(tables.kind))
    open_hits = set(summary.open_hits)
    first_hits = {wreck.first_hit: wreck.placement for wreck in summary.wrecks}
    sinkings = {wreck.sunk: wreck.placement for wreck in summary.wrecks}
    wounded: list[int] = []  # the later wrecks that are hit, but not sunk as of this shot
    open_cells: list[Cell] = []
    blocked = np.zeros(len(tables.kind), bool)
    moves, last = 0, knowledge.moves(knowledge.turn)
    last_hit = -1
    motion: _Motion | None = None
    for at, shot in enumerate((*knowledge.shots, None)):
        while moves < (last if shot is None else knowledge.moves(shot.turn)):
            # Made only now, since most turns with a hit have several.
            motion = motion or _Motion(evidence, unhit, blocked, _movable(evidence, last_hit))
            unhit = motion.after_turn(unhit, flees=moves >= last - FLEE_TURNS)
            moves += 1
        if shot is None:
            break
        covering = tables.placements_at[shot.cell]
        if at in open_hits:
            # Whoever lay there passes from one message to the other: it can't move any more.
            hit[covering] += unhit[covering]
            open_cells.append(shot.cell)
        else:
            # Water, or a hit on a ship that has sunk since: no ship afloat was hit there.
            hit[covering] = 0.0
        unhit[covering] = 0.0
        if at in first_hits:
            wounded.append(first_hits[at])
        if at in first_hits or at in open_hits:
            blocked = _blocked(tables, wounded, open_cells)
            unhit[blocked] = 0.0
            last_hit, motion = at, None
        for placement in wounded:
            hit[tables.conflicts[placement]] = 0.0
        if at in sinkings and rules.moving:
            # From here on ships may cross where it lay. Where ships stay, its surroundings were
            # free from the start, and so they stay blocked.
            wounded.remove(sinkings[at])
            blocked, motion = _blocked(tables, wounded, open_cells), None
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


def _is_refuted(evidence: Evidence, is_whole: Flags) -> Flags:
    """Shape (placements,): whether a ship there would have sunk, and hasn't, or the other way.

    `is_whole` says which placements lie all on open hits. A ship there would have sunk with the
    last of them. That is only so where this shot is one of the sinkings in doubt, and no other is.
    """
    summary, tables = evidence.shots, evidence.tables
    if not summary.doubts:
        return is_whole
    sinkings = np.zeros(len(tables.kind), np.intp)
    is_last = np.zeros(len(tables.kind), bool)
    for at, cell in zip(summary.open_hits, evidence.hits, strict=True):
        covering = tables.placements_at[cell]
        sinkings[covering] += at in summary.doubts
        is_last[covering] = at in summary.doubts
    return np.where(is_whole, ~is_last | (sinkings > 1), sinkings > 0)


def _misnamed(evidence: Evidence) -> Flags:
    """Shape (placements,): whether a ship there would contradict the names told with open hits.

    A ship lies on all hits that name it, on none that name another, and is as long as that one.
    """
    tables, knowledge = evidence.tables, evidence.knowledge
    is_wrong = np.zeros(len(tables.kind), bool)
    names = np.zeros(len(tables.kind), np.intp)
    for ship, cells in evidence.shots.open_cells_by_ship(knowledge).items():
        inside = tables.covers[:-1][:, cells].sum(axis=1)
        is_partial = (inside < len(cells)) | (tables.length != knowledge.rules.fleet[ship])
        is_wrong |= (inside > 0) & is_partial
        names += inside > 0
    return is_wrong | (names > 1)


def _blocked(tables: PlacementTables, wounded: Sequence[int], open_cells: Sequence[Cell]) -> Flags:
    """Shape (placements,): whether ships known to lie still keep an unhit ship from lying there."""
    blocked: Flags = np.asarray(tables.blocks[:, open_cells].any(axis=1))
    for placement in wounded:
        blocked |= tables.conflicts[placement]
    return blocked


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


class _Motion:
    """How the message of unhit ships changes in the enemy's turns, until there is a new hit.

    Of all legal moves the enemy makes one, or none with 1 - STEER_PROBABILITY. How many moves the
    other ships have isn't known, so their mean under `unhit` stands for it.
    """

    def __init__(
        self, evidence: Evidence, unhit: Floats, blocked: Flags, movable: Sequence[int]
    ) -> None:
        tables = self.tables = evidence.tables
        self.blocked, self.even = blocked, evidence.even
        closed = np.append(blocked, True)  # the last one is off the board
        self.may_move = ~closed[tables.moved]
        exits = self.may_move.sum(axis=0)  # shape (placements,): 0, 1 or 2
        self.counts = np.array([movable.count(length) for length in tables.lengths])
        """For each kind how many ships may move."""
        mass = self._mass(unhit)
        others = self._of_the_others(unhit, mass, exits)
        self.rate = STEER_PROBABILITY / np.maximum(others + exits, 1.0)
        """Shape (placements,): how likely a ship makes each of its open moves, if at random."""
        self.stay = 1.0 - self.rate * exits
        self.leaving = np.zeros(len(unhit) + 1)  # the last one stays 0: it is off the board

    def after_turn(self, unhit: Floats, *, flees: bool) -> Floats:
        """The message after a turn before which it was `unhit`, in which the enemy may flee."""
        fore, aft = self.tables.moved
        # A move fore is undone by one aft, so the same table also tells where ships come from.
        if flees and self.even is not None:
            rates = self._rates(unhit, self.even)
            leaving = np.zeros((2, len(unhit) + 1))  # the last one stays 0: it is off the board
            np.multiply(unhit, rates, out=leaving[:, :-1])
            after: Floats = unhit * (1.0 - rates[0] - rates[1])
            after += leaving[0][aft]
            after += leaving[1][fore]
        else:
            np.multiply(unhit, self.rate, out=self.leaving[:-1])
            after = unhit * self.stay
            after += self.leaving[fore]
            after += self.leaving[aft]
        after[self.blocked] = 0.0
        return after

    def _rates(self, unhit: Floats, even: Floats) -> Rates:
        """The rates in a turn before which the message was `unhit`, of an enemy that may flee."""
        tables = self.tables
        mass = self._mass(unhit)
        # Whoever flees leaves the cells where the enemy expects it, which are just these; but in a
        # fleet, where ships take each other's room, they are expected elsewhere than alone.
        ships = unhit * even
        found = np.maximum(np.bincount(tables.kind, ships, len(self.counts)), 1e-300)
        expected = self._expected_hits(ships * (self.counts / found)[tables.kind])
        change = expected[tables.moved] - expected[:-1]
        wishes = np.exp(-FLEE_INVERSE_TEMPERATURE * change) * self.may_move
        own = wishes.sum(axis=0)
        rate = FLEE_PROBABILITY / (1.0 + self._of_the_others(unhit, mass, own) + own)
        rates: Rates = (1 - FLEE_PROBABILITY) * self.rate * self.may_move + rate * wishes
        return rates

    def _mass(self, unhit: Floats) -> Floats:
        """Shape (kinds,): the sum of the message for each kind."""
        # The floor keeps 0 / 0 from becoming NaN for a length of which no ship can be unhit.
        return np.maximum(np.bincount(self.tables.kind, unhit, len(self.counts)), 1e-300)

    def _of_the_others(self, unhit: Floats, mass: Floats, values: Floats | Indices) -> Floats:
        """Shape (placements,): the sum over the other movable ships of their mean values.

        `mass` is the sum of `unhit` for each kind.
        """
        kind = self.tables.kind
        mean = np.bincount(kind, weights=unhit * values, minlength=len(mass)) / mass
        others: Floats = np.maximum((self.counts * mean).sum() - mean, 0.0)[kind]
        return others

    def _expected_hits(self, ships: Floats) -> Floats:
        """Shape (placements + 1,): the movable ships expected on the cells of each placement.

        `ships` has shape (placements,): those expected in each.
        """
        cells, size = self.tables.cells, self.tables.board.size
        chances = np.bincount(cells.ravel(), np.tile(ships, len(cells)), size + 1)
        chances[size] = 0.0
        expected: Floats = chances[cells].sum(axis=0)
        return np.append(expected, 0.0)

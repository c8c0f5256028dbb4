"""The messages: for each place how well a ship there, by itself, explains what was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from game.engine.geometry import Board, Cell
from game.players.belief.tables import Flags, Floats, Knowledge, Sea, Told

STIRS = 0.5
"""How often an enemy that may steer does."""

Kernel: TypeAlias = Callable[[Floats], Floats]


def odds(knowledge: Knowledge, sea: Sea, told: Told) -> Floats:
    """For each place how well a ship there, seen by itself, explains what was seen.

    The forward messages of docs/belief.md: `adrift` for ships never hit, which may have moved, and
    `pinned` for those that a shot has hit.
    """
    rules = knowledge.rules
    adrift, pinned = np.ones(len(sea.kind)), np.zeros(len(sea.kind))
    is_open = set(told.hits)
    first_of = {first: place for place, first, _ in told.wrecks}
    last_of = {last: place for place, _, last in told.wrecks}
    standing: list[int] = []
    open_cells: list[Cell] = []
    barred = np.zeros(len(sea.kind), bool)
    moves = 0
    movable: Sequence[int] = rules.fleet
    kernel = _kernel(sea, adrift, barred, movable)
    for at, shot in enumerate(knowledge.shots):
        while moves < knowledge.moves(shot.turn):
            adrift = kernel(adrift)
            moves += 1
        through = sea.through[shot.cell]
        if at in is_open:
            pinned[through] += adrift[through]
            open_cells.append(shot.cell)
        else:
            pinned[through] = 0.0
        adrift[through] = 0.0
        if at in first_of:
            standing.append(first_of[at])
        if at in first_of or at in is_open:
            barred = _barred(sea, standing, open_cells)
            adrift[barred] = 0.0
            movable = _movable(knowledge, told, at, sea)
            kernel = _kernel(sea, adrift, barred, movable)
        for place in standing:
            pinned[sea.clash[place]] = 0.0
        if at in last_of and rules.moving:
            standing.remove(last_of[at])
            barred = _barred(sea, standing, open_cells)
            kernel = _kernel(sea, adrift, barred, movable)
    while moves < knowledge.moves(knowledge.turn):
        adrift = kernel(adrift)
        moves += 1
    if open_cells:
        hits = np.zeros(rules.board.size, bool)
        hits[open_cells] = True
        inside = (sea.covers[:-1] & hits).sum(axis=1)
        beside = (sea.near & hits).sum(axis=1)
        pinned[(inside == sea.length) | (inside < beside)] = 0.0
    worth = adrift + pinned
    top = worth.max()
    return worth / top if top > 0 else worth


def _barred(sea: Sea, standing: Sequence[int], open_cells: Sequence[Cell]) -> Flags:
    barred: Flags = np.asarray(sea.near[:, open_cells].any(axis=1))
    for place in standing:
        barred |= sea.clash[place]
    return barred


def _movable(knowledge: Knowledge, told: Told, upto: int, sea: Sea) -> tuple[int, ...]:
    """The lengths of the ships not hit up to a shot; which ones were is guessed at."""
    left = list(knowledge.rules.fleet)
    for place, first, _ in told.wrecks:
        if first <= upto and int(sea.length[place]) in left:
            left.remove(int(sea.length[place]))
    board = knowledge.rules.board
    groups: list[set[Cell]] = []
    for at in told.hits:
        cell = knowledge.shots[at].cell
        if at <= upto:
            joined = [group for group in groups if any(_is_near(board, cell, c) for c in group)]
            groups = [group for group in groups if group not in joined]
            groups.append({cell}.union(*joined))
    for _ in groups[: len(left) - 1]:
        left.pop(len(left) // 2)
    return tuple(left)


def _is_near(board: Board, one: Cell, other: Cell) -> bool:
    same = board.column(one) == board.column(other) or board.row(one) == board.row(other)
    return same and board.distance(one, other) <= 2


def _kernel(sea: Sea, adrift: Floats, barred: Flags, movable: Sequence[int]) -> Kernel:
    """How ships that are adrift pass one of the enemy's turns among those known to stand still."""
    count = len(sea.kind)
    closed = np.append(barred, True)
    courses = (~closed[sea.step]).sum(axis=0)
    kinds = len(sea.lengths)
    mass = np.bincount(sea.kind, weights=adrift, minlength=kinds)
    mean = np.bincount(sea.kind, weights=adrift * courses, minlength=kinds) / np.maximum(
        mass, 1e-300
    )
    all_ways = sum(mean[sea.lengths.index(length)] for length in movable)
    rate = STIRS / np.maximum(np.maximum(all_ways - mean[sea.kind], 0.0) + courses, 1.0)
    stay = 1.0 - rate * courses
    going = np.zeros(count + 1)

    def kernel(adrift: Floats) -> Floats:
        np.multiply(adrift, rate, out=going[:count])
        # A step fore is undone by one aft, so what comes in is found by the same table.
        after: Floats = adrift * stay + going[sea.step[0]] + going[sea.step[1]]
        after[barred] = 0.0
        return after

    return kernel

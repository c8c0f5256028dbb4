"""Measures placings: how many shots a shooter needs who knows how a fleet was placed.

    knowing = Shooter(rules, drawn)        # of the fleets it knows, those that agree count
    knowing.shots(hidden)                  # for each hidden fleet the shots until all is sunk
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np

from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import Cell
from game.engine.observation import Observation, Result, Shot
from game.engine.rules import Ruleset, Side
from game.players.belief.belief import believe
from game.players.belief.tables import (
    Flags,
    Floats,
    Indices,
    Knowledge,
    PlacementTables,
    knowledge_of,
    tables_for,
)

FEW = 24
"""With fewer known fleets left than this, a shooter takes every fleet for equally likely."""
EVEN_FLEETS = 100_000
"""How many even fleets stand for all of them, for each set of ships afloat."""
DRAWN_AT_ONCE = 4096
PARTICLES = 256
"""How many fleets the belief draws where too few of those agree as well."""


LogWeights: TypeAlias = Callable[[Indices], Floats]


class Node(NamedTuple):
    """A position that some games have come to, and the fleets that the shooter counts in it."""

    games: Indices
    """Shape (games,): the games that have come here."""
    shots: tuple[Shot, ...]
    left: tuple[int, ...]
    """The lengths of the ships afloat."""
    known: Indices
    """Shape (fleets, ships afloat): the fleets that agree with the shots."""
    weights: Floats
    """Shape (fleets,): how likely each of them is."""
    is_whole: bool
    """Whether `known` has all fleets that agree, and not only some."""


class Shooter:
    """Fires where most of the fleets that it knows, and that agree with the shots, have a ship.

    Where ships stay and each sinking tells its wreck. So it is the greedy best answer to a placing
    from which the fleets come. With few of them left it goes on with even fleets, as one who
    knows nothing does from the start.
    """

    def __init__(self, rules: Ruleset, log_weights: LogWeights | None = None) -> None:
        """`known` has shape (fleets, ships): placements, see `tables_for`; None for even ones."""
        self.rules = replace(
            rules, moving=False, salvo=False, named=False, again=False, turns=None
        )
        self.tables = tables_for(self.rules)
        self.log_weights = log_weights
        self.covers = self.tables.covers.astype(np.float64)
        self.known = even_fleets(self.rules)

    def shots(self, hidden: Indices) -> Indices:
        """For each hidden fleet, shape (fleets, ships), the shots until it is sunk."""
        counts = np.zeros(len(hidden), np.intp)
        nodes = [Node(np.arange(len(hidden)), (), self.rules.fleet, self.known, self._weights(self.known), False)]
        while nodes:
            node = self._refilled(nodes.pop())
            for after in self._fire(node, hidden):
                if after.left:
                    nodes.append(after)
                else:
                    counts[after.games] = len(after.shots)
        return counts

    def _fire(self, node: Node, hidden: Indices) -> Iterator[Node]:
        tables = self.tables
        target = self._target(node)
        spent = np.zeros(tables.board.size, bool)
        spent[[shot.cell for shot in node.shots]] = True
        spent[target] = True
        on = tables.covers[:, target]
        lies = on[hidden[node.games]]
        on_target = np.where(
            lies.any(axis=1),
            hidden[node.games, lies.argmax(axis=1)],
            tables.no_ship,
        )
        covering = tables.placements_at[target]
        is_sunk = np.zeros(tables.no_ship + 1, bool)
        is_sunk[covering] = ~(tables.covers[covering] & ~spent).any(axis=1)
        covered = on[node.known]
        met = covered.any(axis=1)
        # Of the fleets hit, those go on whose ship there goes on floating.
        lost = (covered & is_sunk[node.known]).any(axis=1)

        def after(
            games: Flags, result: Result, agree: Flags, wreck: int | None = None
        ) -> Node:
            ship = None if wreck is None else tables.placements[wreck]
            at = len(node.shots)
            shot = Shot(at, at, Side.FIRST, target, result, ship)
            left, known = list(node.left), node.known[agree]
            if ship is not None:
                left.remove(ship.length)
                known = known[known != wreck].reshape(len(known), len(left))
            return Node(
                node.games[games], (*node.shots, shot), tuple(left), known, node.weights[agree], node.is_whole
            )

        water = on_target == tables.no_ship
        if water.any():
            yield after(water, Result.WATER, ~met)
        hit = ~water & ~is_sunk[on_target]
        if hit.any():
            yield after(hit, Result.HIT, met & ~lost)
        for wreck in np.unique(on_target[is_sunk[on_target]]):
            having = (node.known == wreck).any(axis=1)
            yield after(on_target == wreck, Result.SUNK, having, int(wreck))

    def _target(self, node: Node) -> Cell:
        cells = np.bincount(node.known.ravel(), np.repeat(node.weights, len(node.left)), len(self.covers)) @ self.covers
        cells[[shot.cell for shot in node.shots]] = -1
        return Cell(int(cells.argmax()))

    def _refilled(self, node: Node) -> Node:
        """The node with even fleets, where too few of the known ones are left."""
        if size(node.weights) >= FEW or (node.is_whole and len(node.known)):
            return node
        pool = even_fleets(replace(self.rules, fleet=node.left))
        tables = _tables(replace(self.rules, fleet=node.left))
        known = renumbered(tables, self.tables)[agreeing(tables, pool, node.shots)]
        node = self._weighed(node, known, False)
        if size(node.weights) >= FEW:
            return node
        knowledge = Knowledge(self.rules, node.shots, node.left, len(node.shots), 0)
        belief = believe(knowledge, Chance(bytes(SEED_BYTES), "bench", len(node.shots)), PARTICLES)
        fleets = belief.fleets.T
        fleets = fleets[(fleets < self.tables.no_ship).sum(axis=1) == len(node.left)]
        rows = fleets[fleets < self.tables.no_ship].reshape(-1, len(node.left))
        return self._weighed(node, rows, belief.is_listed)

    def _weighed(self, node: Node, known: Indices, is_whole: bool) -> Node:
        sunk = [self.tables.index_of[shot.wreck] for shot in node.shots if shot.wreck]
        whole = np.column_stack([known, np.tile(sunk, (len(known), 1))]).astype(int)
        return node._replace(known=known, weights=self._weights(whole), is_whole=is_whole)

    def _weights(self, fleets: Indices) -> Floats:
        if self.log_weights is None or not len(fleets):
            return np.ones(len(fleets))
        logs = self.log_weights(fleets)
        return np.exp(logs - logs.max())


def size(weights: Floats) -> float:
    """The effective sample size (Kish, 1965): of how many equal weights these are worth."""
    total = float(weights.sum())
    return total and total**2 / float((weights**2).sum())


def agreeing(tables: PlacementTables, fleets: Indices, shots: Sequence[Shot]) -> Indices:
    """Those of the fleets afloat, shape (fleets, ships), that agree with all shots."""
    wrecks = [shot.wreck for shot in shots if shot.wreck is not None]
    sunk = {cell for wreck in wrecks for cell in wreck.cells}
    spent = [shot.cell for shot in shots]
    hits = [shot.cell for shot in shots if shot.result is not Result.WATER]
    hits = [cell for cell in hits if cell not in sunk]
    water = [cell for cell in spent if cell not in hits]
    covers = tables.covers
    is_wrong = covers[:, water].any(axis=1)
    is_wrong |= np.append(~(covers[:-1] & ~_flags(spent, tables)).any(axis=1), False)
    closed = np.zeros(tables.board.size, bool)
    for wreck in wrecks:
        around = wreck.mask if tables_touch(tables) else wreck.halo
        closed |= np.array([bool(around >> cell & 1) for cell in tables.board.cells])
    is_wrong |= (covers & closed).any(axis=1)
    fleets = fleets[~is_wrong[fleets].any(axis=1)]
    for hit in hits:
        fleets = fleets[covers[fleets, hit].any(axis=1)]
    return fleets


def _flags(cells: Sequence[Cell], tables: PlacementTables) -> Flags:
    flags = np.zeros(tables.board.size, bool)
    flags[list(cells)] = True
    return flags


def tables_touch(tables: PlacementTables) -> bool:
    return bool((tables.blocks.sum(axis=1) == tables.length).all())


@cache
def _tables(rules: Ruleset) -> PlacementTables:
    return tables_for(rules)


@cache
def _renumber(small: PlacementTables, large: PlacementTables) -> Indices:
    return np.array([large.index_of[one] for one in small.placements] + [large.no_ship])


def renumbered(small: PlacementTables, large: PlacementTables) -> Indices:
    return _renumber(small, large)


@cache
def even_fleets(rules: Ruleset, count: int = EVEN_FLEETS, seed: int = 0) -> Indices:
    """About so many fleets, all equally likely; shape (fleets, ships)."""
    knowledge = knowledge_of(Observation.opening(rules, Side.FIRST))
    tables = tables_for(rules)
    parts: list[Indices] = []
    total = 0
    while total < count:
        chance = Chance(bytes(SEED_BYTES), f"even fleets/{seed}", len(parts))
        belief = believe(knowledge, chance, DRAWN_AT_ONCE)
        fleets = belief.fleets.T
        fleets = fleets[(fleets < tables.no_ship).all(axis=1)]
        parts.append(fleets)
        total += len(fleets)
        if belief.is_listed:
            break
    return np.concatenate(parts).astype(np.int16)

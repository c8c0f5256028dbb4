"""Exact inference: all fleets are listed and, if ships move, filtered through time."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from game.engine.actions import Result, Shot
from game.engine.geometry import Cell
from game.players.belief import compiled
from game.players.belief.evidence import STEER_PROBABILITY, Evidence, move_limits
from game.players.belief.tables import Flags, Floats, Indices, PlacementTables, wreck_of

MOST_LISTED = 2048
"""The most fleets that are listed; if there are more, fleets are sampled."""
_MOST_KEYS = float(1 << 62)
"""The keys of fleets must fit into signed 64-bit integers."""


def exact_posterior(evidence: Evidence) -> tuple[Indices, Floats] | None:
    """All fleets that agree with the evidence, shape (fleets, ships), and their weights, (fleets,).

    At least one weight is positive. Returns None if there are no such fleets or too many.
    """
    tables = evidence.tables
    if not any(evidence.counts):
        return np.full((1, 1), tables.no_ship), np.ones(1)
    filtered = filter_fleets(evidence) if evidence.knowledge.rules.moving else None
    if filtered is not None:
        if evidence.habits is None:
            return filtered
        return filtered[0], filtered[1] * fleet_weights(evidence.habits, filtered[0])
    placement_weights = evidence.placement_weights
    reaching = np.append(tables.covers[:, evidence.hits], evidence.rectangles, axis=1)
    fleets = list_fleets(tables, placement_weights, evidence.counts, reaching)
    if fleets is None:
        return None
    weights = fleet_weights(placement_weights, fleets)
    return (fleets, weights) if weights.any() else None


def fleet_weights(placement_weights: Floats, fleets: Indices) -> Floats:
    """The product of the weights of each fleet's placements: shape (fleets,)."""
    weights: Floats = np.append(placement_weights, 1.0)[fleets].prod(axis=1)
    return weights


def weights_by_placement(tables: PlacementTables, fleets: Indices, weights: Floats) -> Floats:
    """The total weight of the fleets that contain each placement: shape (placements + 1,)."""
    each = np.repeat(weights, fleets.shape[1])
    return np.bincount(fleets.ravel(), each, tables.no_ship + 1).astype(float)


def list_fleets(
    tables: PlacementTables,
    placement_weights: Floats,
    counts: Sequence[int],
    reaching: Flags | None = None,
    *,
    is_whole: bool = True,
    most: int | None = None,
) -> Indices | None:
    """All fleets of placements with a positive weight that reach into certain sets of cells.

    `counts` is the number of ships of each kind. `reaching` has shape (placements + 1, sets), and
    a hit is a set of one cell. Without `is_whole`, only ships that reach are placed and the others
    are `no_ship`. Returns shape (fleets, ships), ordered by kind, each fleet once;
    None if there are more than `most`, which is MOST_LISTED if it is None.
    """
    limit = MOST_LISTED if most is None else most
    answer = compiled.run(
        "list", _listing(tables, placement_weights, counts, reaching, limit, is_whole=is_whole)
    )
    count, ships = int(answer[:4].view(np.int32)[0]), sum(counts)
    if count < 0:
        return None
    fleets = answer[16 : 16 + 2 * count * ships].view(np.uint16).reshape(count, ships)
    return np.append(tables.bit_placements, tables.no_ship)[fleets]


class FleetCounts(NamedTuple):
    """How many fleets agree with a position."""

    fleets: float
    by_placement: Floats
    """The number of fleets with each placement: shape (placements + 1,)."""


def count_fleets(
    tables: PlacementTables,
    placement_weights: Floats,
    counts: Sequence[int],
    reaching: Flags,
    most: int,
) -> FleetCounts | None:
    """Counts the fleets that `list_fleets` would list.

    Returns None if that takes more than `most` rows of placements: one for each part of a fleet but
    the last ship.
    """
    arrays = _listing(tables, placement_weights, counts, reaching, most)
    total, *containing = compiled.run("count", arrays).view(np.int64).tolist()
    if total < 0:
        return None
    by_placement = np.bincount(tables.bit_placements, containing, tables.no_ship + 1)
    return FleetCounts(total, by_placement.astype(float))


def _listing(
    tables: PlacementTables,
    placement_weights: Floats,
    counts: Sequence[int],
    reaching: Flags | None,
    most: int,
    *,
    is_whole: bool = True,
) -> list[npt.NDArray[Any]]:
    """The input of `list` and `count`."""
    possible = np.append(placement_weights > 0, False)[tables.bit_placements]
    if reaching is None:
        reaching = np.zeros((tables.no_ship + 1, 0), bool)
    first_ship = np.cumsum([0, *counts])
    stride, ships = len(tables.bit_placements) // 8, first_ship[-1]
    numbers = [stride, len(counts), ships, reaching.shape[1], is_whole, most, 0, 0]
    return [
        np.array(numbers, np.int32),
        tables.compatible,
        np.packbits(possible),
        np.array(tables.byte_starts, np.int32),
        first_ship.astype(np.int32),
        np.packbits(reaching[tables.bit_placements].T, axis=1),
    ]


class FleetGraph(NamedTuple):
    """All fleets of some ships as nodes, and their moves as edges."""

    fleets: Indices
    """Shape (fleets, ships): placements, ascending within a fleet."""
    keys: Indices
    """Shape (fleets,): a unique integer for each fleet, ascending, for binary search."""
    successors: Indices
    """Shape (fleets, 2 * ships), fore and aft for each ship: the index of the fleet after the
    move, -1 if the move is illegal."""


@lru_cache(maxsize=4)  # each sinking of an endgame needs another graph; up to 1 MB each
def fleet_graph(tables: PlacementTables, counts: tuple[int, ...]) -> FleetGraph | None:
    """The graph for `counts` ships of each kind; None if there are too many fleets."""
    fleets = list_fleets(tables, np.ones(tables.no_ship), counts)
    if fleets is None or float(tables.no_ship) ** fleets.shape[1] > _MOST_KEYS:
        return None
    keys = _keys(tables, fleets)
    order = np.argsort(keys)
    fleets, keys = fleets[order], keys[order]
    successors = np.full((len(fleets), 2 * fleets.shape[1]), -1)
    for ship in range(fleets.shape[1]):
        others = np.delete(fleets, ship, axis=1)
        for row in range(2):  # fore and aft
            target = tables.moved[row][fleets[:, ship]]
            is_legal = target < tables.no_ship
            conflicts = tables.conflicts[target[is_legal][:, None], others[is_legal]]
            is_legal[is_legal] = ~conflicts.any(axis=1)
            after = np.sort(np.column_stack([others[is_legal], target[is_legal]]), axis=1)
            successors[is_legal, 2 * ship + row] = np.searchsorted(keys, _keys(tables, after))
    return FleetGraph(fleets, keys, successors)


def _keys(tables: PlacementTables, fleets: Indices) -> Indices:
    """The placements of each fleet as digits of an integer: shape (fleets,)."""
    keys = np.zeros(len(fleets), np.intp)
    for ship in fleets.T:
        keys = keys * tables.no_ship + ship
    return keys


def filter_fleets(evidence: Evidence) -> tuple[Indices, Floats] | None:
    """All possible fleets of ships that move, shape (fleets, ships), and their probabilities.

    A Bayes filter over all fleets (Särkkä, *Bayesian Filtering and Smoothing*, 2013, ch. 4), for
    each number of turns after which the enemy may have stopped moving its ships. Returns None if
    there are too many fleets, or if none agrees with the knowledge.
    """
    knowledge, tables = evidence.knowledge, evidence.tables
    counts = tables.counts(knowledge.rules.fleet)
    graph = fleet_graph(tables, tuple(counts))
    if graph is None:
        return None
    limits, priors = zip(*move_limits(evidence), strict=True)
    chances = [np.full(len(graph.fleets), prior) for prior in priors]
    hits: set[Cell] = set()
    named: dict[int | None, set[Cell]] = {}
    moves = 0
    for shot in (*knowledge.shots, None):
        turn = knowledge.turn if shot is None else shot.turn
        while moves < knowledge.moves(turn):
            chances = [
                _predict(tables, graph, row, hits) if moves < limit else row
                for limit, row in zip(limits, chances, strict=True)
            ]
            moves += 1
        if shot is None:
            break
        if shot.result is Result.SUNK:
            placement = tables.index_of.get(wreck_of(knowledge, shot, hits))
            if placement is None:
                return None
            counts[tables.kind[placement]] -= 1
            hits -= set(tables.placements[placement].cells)
            after = fleet_graph(tables, tuple(counts))
            if after is None:
                return None
            chances = [_without_ship(tables, graph, after, row, placement) for row in chances]
            graph = after
        else:
            if shot.result is Result.HIT:
                hits.add(shot.cell)
                named.setdefault(shot.ship, set()).add(shot.cell)
            likely = _likelihood(tables, graph, shot, hits)
            if shot.ship is not None:
                length = knowledge.rules.fleet[shot.ship]
                likely &= _is_named(tables, graph, length, named[shot.ship], hits)
            chances = [row * likely for row in chances]
        total = sum(float(row.sum()) for row in chances)
        if total <= 0:
            return None
        # Normalized after each shot, because long products would underflow.
        chances = [row / total for row in chances]
    weights = np.sum(chances, axis=0)
    if not weights.any():
        return None
    return graph.fleets[weights > 0], weights[weights > 0]


def _likelihood(tables: PlacementTables, graph: FleetGraph, shot: Shot, hits: set[Cell]) -> Flags:
    """Shape (fleets,): whether a shot that sank nothing agrees; `hits` includes its own hit."""
    is_met: Flags = np.asarray(tables.covers[graph.fleets, shot.cell].any(axis=1))
    if shot.result is Result.WATER:
        return ~is_met
    is_sunk = (tables.inside(hits) == tables.length)[graph.fleets].any(axis=1)
    return np.asarray(is_met & ~is_sunk)


def _is_named(
    tables: PlacementTables, graph: FleetGraph, length: int, same: set[Cell], hits: set[Cell]
) -> Flags:
    """Shape (fleets,): whether a ship of that length covers the open hits `same`, and no others."""
    is_it = (tables.inside(same) == len(same)) & (tables.length == length)
    is_it &= tables.inside(hits - same) == 0
    return np.asarray(is_it[graph.fleets].any(axis=1))


def _without_ship(
    tables: PlacementTables, before: FleetGraph, after: FleetGraph, chances: Floats, placement: int
) -> Floats:
    """The probabilities of the fleets in `after`, without the ship in a placement."""
    having = np.flatnonzero((before.fleets == placement).any(axis=1) & (chances > 0))
    rest = before.fleets[having]
    rest = rest[rest != placement].reshape(len(having), before.fleets.shape[1] - 1)
    target = np.searchsorted(after.keys, _keys(tables, rest))
    return np.bincount(target, chances[having], len(after.fleets)).astype(float)


def _predict(
    tables: PlacementTables, graph: FleetGraph, chances: Floats, hits: set[Cell]
) -> Floats:
    """The probabilities after an enemy turn, in which it makes one of its legal moves or none."""
    is_hit = tables.inside(hits) > 0
    may = (graph.successors >= 0) & ~np.repeat(is_hit[graph.fleets], 2, axis=1)
    exits = may.sum(axis=1)
    leaving = np.where(exits > 0, STEER_PROBABILITY * chances, 0.0)
    share = np.repeat((leaving / np.maximum(exits, 1))[:, None], may.shape[1], axis=1)
    arriving = np.bincount(graph.successors[may], weights=share[may], minlength=len(chances))
    return chances - leaving + arriving

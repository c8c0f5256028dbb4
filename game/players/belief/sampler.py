"""Random fleets, for when there are too many to list.

This module lays out the input; compiled.c draws the fleets, and docs/belief.md explains how.
"""

from collections.abc import Sequence
from math import log
from typing import NamedTuple, Protocol

import numpy as np

from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.players.belief import compiled
from game.players.belief.exact import fleet_weights, list_fleets
from game.players.belief.tables import Bytes, Flags, Floats, Indices, PlacementTables

_MASK_BITS = 62
"""The number of hits in a signed 64-bit mask. Further hits share bits, which is rare."""
_MOST_WEIGHT = float(1 << 20)
"""The greatest integer weight of a placement: the sum over the largest board fits into 32 bits."""


class Evidence(Protocol):
    """What a sample is drawn from; see `evidence.Evidence`."""

    @property
    def tables(self) -> PlacementTables: ...
    @property
    def counts(self) -> Sequence[int]: ...
    @property
    def hits(self) -> list[Cell]: ...
    @property
    def placement_weights(self) -> Floats: ...
    @property
    def rectangles(self) -> Flags: ...


def affordable(particles: int, work: int, *, full_work: int, fewest: int) -> int:
    """The number of particles within the budget `particles * full_work`, but at least `fewest`."""
    return max(min(fewest, particles), particles * full_work // max(work, full_work))


class Drawn(NamedTuple):
    fleets: Indices
    """Shape (ships, particles): placements, or `no_ship` if none was found; ordered by kind."""
    weights: Floats
    """Shape (placements + 1,): the expected number of particles that contain each placement."""
    log_partition: float
    """An estimate of the log partition function: the logarithm of the sum over all fleets of the
    products of their weights, with ships of one length distinguished. Valid without `start`."""


class Start(NamedTuple):
    """Weighted partial fleets to start from."""

    fleets: Indices
    """Shape (fleets, ships), ordered by kind; `no_ship` for a ship to be drawn."""
    weights: Floats
    """Shape (fleets,)."""


def draw(
    evidence: Evidence,
    chance: Chance,
    particles: int,
    *,
    sweeps: int,
    start: Start | None = None,
    swaps: Sequence[tuple[int, int]] = (),
) -> Drawn:
    """Draws fleets with a probability proportional to the product of their placements' weights.

    The particles are completed from `start`, by default from all ways to cover the open hits. Then
    hits are swapped between ships of the given pairs of kinds, and Gibbs sampling redraws each
    ship `sweeps` times.
    """
    tables, counts = evidence.tables, evidence.counts
    # The unit in which the weights of each kind become integers.
    unit = np.zeros(len(counts))
    np.maximum.at(unit, tables.kind, evidence.placement_weights)
    unit = np.where(unit > 0, unit, 1.0) / _MOST_WEIGHT
    weights = np.ceil(evidence.placement_weights / unit[tables.kind])
    start = start or _start_on_hits(evidence, weights)
    bit_weights = np.append(weights, 0.0)[tables.bit_placements]
    possible = np.packbits(bit_weights > 0)
    groups, group_of = _groups(evidence)
    key = np.frombuffer(chance.bits(128).to_bytes(16, "little"), np.int32)
    uncovered = _uncovered(evidence, start, bit_weights > 0) & possible
    first_ship = np.cumsum([0, *counts])
    sizes = [len(possible), len(counts), first_ship[-1], len(groups), particles]
    reaching = evidence.rectangles[np.append(tables.bit_placements, tables.no_ship)]
    rectangles = reaching.shape[1]
    sizes += [len(start.fleets), len(uncovered), len(swaps), sweeps, rectangles, 0, 0]
    answer = compiled.run("draw", [
        np.append(key, np.array(sizes, np.int32)),
        tables.compatible,
        bit_weights.astype(np.uint32),
        group_of.astype(np.int32),
        groups & possible,
        possible,
        np.array(tables.byte_starts, np.int32),
        first_ship.astype(np.int32),
        start.weights,
        tables.bit_of[start.fleets].astype(np.uint16),
        uncovered,
        np.array(swaps, np.int32),
        np.packbits(reaching[:-1].T, axis=1),
        (reaching @ (1 << np.arange(rectangles))).astype(np.uint16),
    ])  # fmt: skip
    bits = len(bit_weights)
    numbers, ships = answer[: 8 * bits + 16].view(np.float64), answer[8 * bits + 16 :]
    expected = np.zeros(tables.no_ship + 1)
    expected[tables.bit_placements] = numbers[:bits] / max(sweeps, 1)
    expected[-1] = 0.0  # padding bits
    fleets = np.append(tables.bit_placements, tables.no_ship)[ships.view(np.uint16)]
    # The C code takes the mean over the starts, not their sum.
    log_partition = float(numbers[bits] + counts @ np.log(unit)) + log(len(start.fleets))
    return Drawn(fleets.reshape(particles, -1).T, expected, log_partition)


def _start_on_hits(evidence: Evidence, weights: Floats) -> Start:
    """All ways to cover the open hits; an empty fleet if there are none or too many."""
    tables, counts = evidence.tables, evidence.counts
    listed = None
    if evidence.hits:
        on_hits = tables.covers[:, evidence.hits]
        listed = list_fleets(tables, weights, counts, on_hits, is_whole=False)
    if listed is None or not len(listed):
        return Start(np.full((1, sum(counts)), tables.no_ship), np.ones(1))
    ways = fleet_weights(weights, listed)
    for kind, count in enumerate(counts):
        # Ships of one length are interchangeable, but are drawn in order: count the orders.
        orders = np.append(1, np.arange(count, 0, -1)).cumprod()
        ways *= orders[(np.append(tables.kind, -1)[listed] == kind).sum(axis=1)]
    return Start(listed, ways)


def _uncovered(evidence: Evidence, start: Start, possible: Flags) -> Bytes:
    """Shape (hits, bytes): the placements on each hit that `start` doesn't cover.

    `possible` has shape (bits,). The hit with the fewest choices comes first.
    """
    tables, hits = evidence.tables, evidence.hits
    if (start.fleets < tables.no_ship).any():
        hits = []
    on_hits = tables.covers[:, hits][tables.bit_placements]
    choices = (on_hits & possible[:, None]).sum(axis=0)
    return np.packbits(on_hits.T[np.argsort(choices, kind="stable")], axis=1)


def _groups(evidence: Evidence) -> tuple[Bytes, Indices]:
    """Groups the placements by the open hits that they cover.

    Returns the placements of each group, shape (groups, bytes), and the group of each bit and of
    `no_ship`, shape (bits + 1,).
    """
    tables, hits = evidence.tables, evidence.hits
    bits = 1 << np.arange(len(hits)) % _MASK_BITS
    masks = tables.covers[np.append(tables.bit_placements, tables.no_ship)][:, hits] @ bits
    distinct, group_of = np.unique(masks, return_inverse=True)
    return np.packbits(distinct[:, None] == masks[:-1], axis=1), group_of

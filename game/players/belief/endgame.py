"""The expected number of shots until the end of a search, for each of some targets.

    shots_left(belief, seen.spent, [board.parse("B7")])

After the target in question the policy fires where most fleets have a ship, and the result of each
shot partitions the fleets. Choosing the target of the least expectation is one step of policy
improvement (Howard, 1960), known from games as a rollout (Tesauro and Galperin, 1996). Here the
expectation is exact, over all fleets.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from game.engine.geometry import Cell
from game.players.belief import compiled
from game.players.belief.belief import Belief
from game.players.belief.exact import MOST_LISTED
from game.players.belief.tables import Floats, Indices

_COPIES = 4
"""The mean number of times that a fleet is counted, so that weights differ enough."""


def shots_left(
    belief: Belief,
    spent: Collection[Cell],
    targets: Sequence[Cell],
    *,
    is_named: bool = False,
    has_wrecks: bool = True,
) -> Floats:
    """The mean number of shots until all ships are sunk, the target's included: shape (targets,).

    Ships must not move, and there must be no salvo. `belief` must be listed, and `spent` must not
    contain a target. `is_named` says whether a hit names its ship, `has_wrecks` whether a sinking
    reveals the placement.
    """
    tables, fleets = belief.tables, _weighted(belief)
    is_open = np.ones(tables.board.size, bool)
    is_open[list(spent)] = False
    # Open cells get the lowest numbers, so that a fleet's row needs no others.
    number = np.append(np.argsort(np.argsort(~is_open, kind="stable")), len(is_open))
    longest, placements = tables.cells.shape
    sizes = [placements, fleets.shape[1], fleets.shape[0], len(is_open), is_open.sum(), longest]
    answer = compiled.run("follow", [
        np.array([*sizes, len(targets), is_named, has_wrecks, 0, 0, 0], np.int32),
        number[tables.cells.T].astype(np.uint8),
        fleets.T.astype(np.uint16),
        number[list(targets)].astype(np.uint8),
    ])  # fmt: skip
    shots: Floats = answer.view(np.uint32) / fleets.shape[1]
    return shots


def _weighted(belief: Belief) -> Indices:
    """The fleets, each as often as its weight says, in whole numbers: shape (ships, fleets).

    This is systematic resampling without chance; see docs/belief.md.
    """
    weights, count = belief.weights, len(belief.weights)
    if (weights == weights[0]).all():
        return belief.fleets
    count = min(MOST_LISTED, _COPIES * count)
    ends = weights.cumsum()
    at = np.searchsorted(ends, (np.arange(count) + 0.5) * (ends[-1] / count))
    return belief.fleets[:, at]

"""The end of a search: how many more shots each target would take, exactly, over all fleets.

    shots_left(belief, seen.spent, [board.parse("B7")])

Where few fleets are left, every way to the end is followed: after the target in question the
shooter fires where most fleets have a ship, and the result of each shot splits the fleets. To fire
at the target with the least mean is one step of policy improvement (Howard, 1960), known from games
as a rollout (Tesauro and Galperin, 1996); but this one is exact, with nothing drawn by chance.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from game.engine.geometry import Cell
from game.players.belief import compiled
from game.players.belief.belief import Belief
from game.players.belief.tables import Floats


def shots_left(
    belief: Belief,
    spent: Collection[Cell],
    targets: Sequence[Cell],
    *,
    is_named: bool = False,
    has_wrecks: bool = True,
) -> Floats:
    """For each target the mean number of shots until all is sunk, the one at it included.

    For ships that don't move, where the result of each shot is told at once. `belief` is listed;
    `spent` has the cells that may not be fired at, and no target. `is_named` says whether a hit
    tells which ship it was on, `has_wrecks` whether a sinking tells where the ship lay.
    """
    tables, fleets = belief.tables, belief.fleets
    is_open = np.ones(tables.board.size, bool)
    is_open[list(spent)] = False
    # The open cells first: a row for each fleet then has no others.
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

"""The last shots as data for effects and sounds: `enemy:H5:hit own:F2:water own:F3:sunk`."""

from __future__ import annotations

from collections.abc import Sequence

from game.display.boards import last_volley
from game.engine.actions import Result, Shot
from game.engine.geometry import Board
from game.engine.match import Match
from game.engine.rules import Side

_GRAVITY = (Result.WATER, Result.HIT, Result.SUNK)


def new_shots(match: Match, side: Side) -> tuple[Sequence[Shot], Sequence[Shot]]:
    """Returns the shots that a side's last action revealed, and the enemy's reply."""
    acted, shots = match.last_ply(side), match.shots
    mine = [shot for shot in shots if shot.side is side]
    theirs = [shot for shot in shots if shot.ply > acted and shot.side is not side]
    if not mine or mine[-1].ply < acted:
        return (), theirs
    return last_volley(match.ruleset, tuple(mine)), theirs


def shots_told(board: Board, mine: Sequence[Shot], theirs: Sequence[Shot]) -> str:
    """Returns the shots in order, each as the board it fell on, its cell and its result."""
    return " ".join(
        f"{kind}:{board.name(shot.cell)}:{shot.result.value}"
        for kind, shots in (("enemy", mine), ("own", theirs))
        for shot in shots
    )


def shot_effects(mine: Sequence[Shot], theirs: Sequence[Shot]) -> dict[str, str]:
    """Returns the most serious result for `you` and for `foe`, if they have any."""
    sides = zip(("you", "foe"), (mine, theirs), strict=True)
    return {
        who: max((shot.result for shot in shots), key=_GRAVITY.index).value
        for who, shots in sides
        if shots
    }

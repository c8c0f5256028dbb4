"""Which effects to show and play for the last shots: `{"you": "hit", "foe": "water"}`."""

from __future__ import annotations

from collections.abc import Sequence

from game.display.boards import last_turn
from game.engine.match import Match, Result, Shot
from game.engine.rules import Side

_GRAVITY = (Result.WATER, Result.HIT, Result.SUNK)


def new_shots(match: Match, side: Side) -> tuple[Sequence[Shot], Sequence[Shot]]:
    """The shots whose results a side's last action revealed, and those the enemy answered with."""
    acted = max((ply for ply, who in enumerate(match.sides) if who is side), default=-1)
    mine = [shot for shot in match.shots if shot.side is side]
    theirs = [shot for shot in match.shots if shot.side is not side and shot.ply > acted]
    if not mine or mine[-1].ply < acted:
        return (), theirs
    return (last_turn(tuple(mine)) if match.ruleset.salvo else mine[-1:]), theirs


def shot_effects(mine: Sequence[Shot], theirs: Sequence[Shot]) -> dict[str, str]:
    """The most serious result for each of the two, if it has any."""
    sides = zip(("you", "foe"), (mine, theirs), strict=True)
    return {
        who: max((shot.result for shot in shots), key=_GRAVITY.index).value
        for who, shots in sides
        if shots
    }

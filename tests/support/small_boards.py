"""Boards so small that all fleets and their moves can be counted, and matches on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from game.engine.chance import Chance
from game.engine.fleets import complete
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.rules import Ruleset, Side
from game.players.originals.random_player import RandomPlayer

_STILL = Ruleset(columns=5, rows=4, fleet=(3, 2), again=False, moving=False, turns=None)
_MOVING = replace(_STILL, moving=True)

SMALL: dict[str, Ruleset] = {
    "apart": replace(_STILL, rows=5),
    "touching": replace(_STILL, touching=True),
    "crowded": replace(_STILL, columns=4, fleet=(3, 2, 2), touching=True),
    "single cells": replace(_STILL, columns=4, fleet=(1, 1, 2)),
    "moving": _MOVING,
    "moving twins": replace(_MOVING, columns=4, fleet=(2, 2)),
    "moving, touching": replace(_MOVING, columns=4, fleet=(3, 1, 1), touching=True),
    "moving, again": replace(_MOVING, fleet=(2, 2), again=True),
    "moving salvo": replace(_MOVING, salvo=True),
    "named": replace(_STILL, columns=4, fleet=(3, 3, 1), touching=True, named=True),
    "named, moving": replace(_MOVING, columns=4, touching=True, named=True),
    "named, moving twins": replace(_MOVING, columns=4, fleet=(3, 3), touching=True, named=True),
}


def chance(number: int, label: str = "test") -> Chance:
    return Chance(bytes(16), label, number)


def game(rules: Ruleset, number: int) -> Iterator[Observation]:
    """What the first side knows before each of its shots, at a fleet that moves at random."""
    seed = number.to_bytes(16, "big")
    fleets = complete(rules, (), Chance(seed, "a", 0)), complete(rules, (), Chance(seed, "b", 0))
    match = Match(rules, fleets, seed)
    luck = Chance(seed, "shots", 0)
    while match.outcome is None:
        seen = observe(match, match.side)
        if match.is_move_due:
            match = match.act(RandomPlayer().steer(seen, luck))
        elif match.side is Side.SECOND:
            mine = {cell for ship in match.placements(Side.FIRST) for cell in ship.cells}
            targets = [cell for cell in seen.targets if cell not in mine] or seen.targets
            match = match.fire(targets[0])
        else:
            yield seen
            match = match.fire(luck.choice(seen.targets))

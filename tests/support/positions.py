"""Rulesets of all sorts, and what is seen after a few shots at a fleet that is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from game.engine.chance import SEED_BYTES
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from tests.support.boards import fleet, rules

STILL: dict[str, Any] = {"moving": False, "again": False, "turns": None}
MOVING: dict[str, Any] = {"moving": True, "again": False, "turns": None}

ALL_SORTS = {
    "bonn": BONN,
    "bonn still": replace(BONN, moving=False),
    "bonn salvo": replace(BONN, salvo=True, again=False, turns=75),
    "one turn": replace(BONN, turns=1),
    "no limit": replace(BONN, turns=None),
    "smallest": Ruleset(columns=4, rows=4, fleet=(1,), turns=None),
    "single cells": Ruleset(columns=5, rows=4, fleet=(1, 1, 1, 1), moving=False, turns=None),
    "full": Ruleset(columns=4, rows=4, fleet=(4, 4, 4, 4), touching=True, turns=None),
    "full salvo": Ruleset(
        columns=4, rows=4, fleet=(4, 4, 4, 4), touching=True, salvo=True, moving=False, turns=None
    ),
    "tall": Ruleset(columns=4, rows=15, fleet=(8, 8, 3), turns=40),
    "wide": Ruleset(columns=15, rows=4, fleet=(8, 1, 1), touching=True, salvo=True, turns=40),
    "largest": Ruleset(columns=15, rows=15, fleet=(8, 5, 5, 4, 1), moving=False, turns=None),
}
ODD_PAIR = """
    aaa...
    ......
    ....b.
    ....b.
    .cc...
    """


def after(sea: str, shots: str, **switches: Any) -> Match:
    """The match after the first side's shots at a fleet that stays where it is drawn."""
    ruleset = rules(sea, **switches)
    match = Match(ruleset, (fleet(sea), fleet(sea)), bytes(SEED_BYTES))
    for name in shots.split():
        match = pass_on(match.fire(ruleset.board.parse(name)))
    return match


def pass_on(match: Match) -> Match:
    """The match at the first side's next shot, with nothing moved and nothing of it hit."""
    ships = {cell for ship in match.placements(Side.FIRST) for cell in ship.cells}
    while match.side is Side.SECOND:
        barred = ships | match.spent(Side.FIRST)
        match = match.fire(next(c for c in match.ruleset.board.cells if c not in barred))
    return match


def seen_after(sea: str, shots: str, **switches: Any) -> Observation:
    return observe(after(sea, shots, **switches), Side.FIRST)


def cells(seen: Observation, names: str) -> set[Cell]:
    return {seen.board.parse(name) for name in names.split()}

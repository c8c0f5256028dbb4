"""A short match between two minds, always the same, for the home page and for the site's card."""

from __future__ import annotations

from functools import cache

from game.display.boards import BoardView, enemy_board, full_boards
from game.display.thinking_page import without_buttons
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.rules import Ruleset, Side
from game.matches.saved import begin
from game.matches.setup import Setup

_RULES = Ruleset(columns=10, rows=7, fleet=(5, 4, 3, 3, 2), turns=80)
_MINDS = ("camlship", "random")
_SEED = (209).to_bytes(SEED_BYTES, "big")
_SHOWN = 73
"""The ply of the chart: a ship is sunk, another hit, and water of every age lies around them."""


@cache
def match() -> Match:
    return begin(Setup(_RULES, _MINDS), _SEED).with_minds_played().match


@cache
def chart() -> BoardView:
    """The second side's board in mid-match: what the first side knows, and the hulls it has hit."""
    stage = match().at(_SHOWN)
    known = enemy_board(observe(stage, Side.FIRST), hints=False)
    hulls = full_boards(stage, Side.FIRST)[0].hulls
    found = tuple(hull for hull in hulls if hull.look != "afloat")
    return without_buttons(known)._replace(kind="chart", hulls=found)

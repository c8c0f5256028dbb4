"""A short match between two minds, always the same, for the home page and for the site's card."""

from functools import cache

from game.display.boards import BoardView, enemy_board
from game.display.thinking_page import without_buttons
from game.display.words import cached_by_language
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches.cell_names import lettered
from game.matches.saved import begin
from game.matches.setup import Setup

_SHOWN = 101
"""The ply of the chart: two ships are sunk, one is hit in D5 to F5, and water of every age lies
around them. The aim is at G5, which was water twenty turns ago."""


@cache
def match() -> Match:
    preset = PRESETS["short"]
    setup = Setup(preset.ruleset, ("camlship", "bonn-hard"), preset)
    return begin(setup, (117).to_bytes(SEED_BYTES, "big")).with_minds_played().match


@cached_by_language(maxsize=64)
def chart() -> BoardView:
    """The second side's board in mid-match, as the first side sees it."""
    seen = observe(match().at(_SHOWN), Side.FIRST)
    known = enemy_board(seen, lettered(seen.board))
    return without_buttons(known)._replace(kind="chart")

"""The rank that suits a player, from the results in the player's logbook."""

from __future__ import annotations

import math
from collections.abc import Sequence

from game.engine.presets import PRESETS
from game.matches.logbook import Cell, Logbook
from game.players.registry import CODES, RANK_NAMES

_STRENGTHS = {True: (0.0, 2.0, 3.1, 3.9, 5.0, 6.6), False: (0.0, 1.3, 1.8, 1.9, 2.0, 2.3)}
"""How strong the ranks are, in log odds of a match between two, where ships move and where not:
from the matches in docs/strength.md."""


def proposed_rank(book: Logbook, preset: str) -> str | None:
    """The rank that this player beats in about half of the matches, or None before the first.

    It is the likeliest strength of a logistic model (Bradley and Terry, 1952) if one more match had
    been won, and one lost, against the mean of the ranks played; at most a rank beyond those.
    """
    strengths = _STRENGTHS[PRESETS[preset].ruleset.moving]
    counts = book.counts
    cells = [Cell(PRESETS[preset].code, CODES[name]) for name in RANK_NAMES]
    played = [(at, counts[cell]) for at, cell in enumerate(cells) if cell in counts]
    if not played:
        return None
    games = sum(count.games for _, count in played)
    mean = sum(count.games * strengths[at] for at, count in played) / games
    points = 1 + sum(count.wins + count.draws / 2 for _, count in played)
    faced = [(2, mean), *((count.games, strengths[at]) for at, count in played)]
    strength = _likeliest(points, faced)
    reach = range(max(played[0][0] - 1, 0), min(played[-1][0] + 2, len(RANK_NAMES)))
    return RANK_NAMES[min(reach, key=lambda at: abs(strengths[at] - strength))]


def _likeliest(points: float, faced: Sequence[tuple[int, float]]) -> float:
    """The strength whose expected points are those, by bisection."""
    low, high = -20.0, 20.0
    for _ in range(40):
        middle = (low + high) / 2
        expected = sum(games / (1 + math.exp(it - middle)) for games, it in faced)
        low, high = (middle, high) if expected < points else (low, middle)
    return low

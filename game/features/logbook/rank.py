"""The rank that suits a player, from the results in the player's logbook."""

import math
from collections.abc import Sequence

from game.engine.presets import PRESETS
from game.features.logbook.model import Cell, Logbook
from game.players.registry import CODES, RANK_NAMES, Proposed, offered_ranks

_STRENGTHS = {True: (0.0, 2.0, 3.1, 3.9, 5.0, 6.6), False: (0.0, 1.3, 1.8, 1.9, 2.0, 2.3)}
"""How strong the ranks are, in log odds of a match between two, where ships move and where not:
from the matches in docs/strength.md."""
_LARGEST_ERROR = 1.2
"""The largest standard error of a strength that a rank is called even by, in log odds. Two matches
won or lost against the recruit are enough, or two wins of four against the sailor where ships move.
"""
_TOO_STRONG = 3
"""So many matches lost, and none won, say that a weaker rank is worth a try."""


def proposed_rank(book: Logbook, preset: str) -> Proposed | None:
    """The rank that this player beats in about half of the matches; None if that is not yet known.

    It is the nearest to the likeliest strength in a logistic model (Bradley and Terry, 1952), where
    one more match has been won, and one lost, against the recruit. So players are taken for
    beginners until their results say more. It is at most a rank beyond those played.
    """
    moving, counts = PRESETS[preset].ruleset.moving, book.counts
    strengths = _STRENGTHS[moving]
    cells = [Cell(PRESETS[preset].code, CODES[name]) for name in RANK_NAMES]
    played = [(at, counts[cell]) for at, cell in enumerate(cells) if cell in counts]
    games = sum(count.games for _, count in played)
    if games < 2:
        return None
    points = 1 + sum(count.wins + count.draws / 2 for _, count in played)
    faced = [(2, strengths[0]), *((count.games, strengths[at]) for at, count in played)]
    strength = _likeliest(points, faced)
    offered = [RANK_NAMES.index(name) for name in offered_ranks(moving=moving)]
    lowest = max((at for at in offered if at < played[0][0]), default=0)
    if _error(strength, faced) > _LARGEST_ERROR:
        is_beaten = points == 1 and games >= _TOO_STRONG
        return Proposed(RANK_NAMES[lowest], is_even=False) if is_beaten else None
    highest = min((at for at in offered if at > played[-1][0]), default=offered[-1])
    reach = [at for at in offered if lowest <= at <= highest]
    nearest = min(reach, key=lambda at: abs(strengths[at] - strength))
    return Proposed(RANK_NAMES[nearest], is_even=True)


def _chance(strength: float, other: float) -> float:
    return 1 / (1 + math.exp(other - strength))


def _error(strength: float, faced: Sequence[tuple[int, float]]) -> float:
    """The standard error of a strength, from its Fisher information."""
    chances = ((games, _chance(strength, it)) for games, it in faced)
    return 1 / math.sqrt(sum(games * chance * (1 - chance) for games, chance in chances))


def _likeliest(points: float, faced: Sequence[tuple[int, float]]) -> float:
    """The strength whose expected points are those, by bisection."""
    low, high = -20.0, 20.0
    for _ in range(40):
        middle = (low + high) / 2
        expected = sum(games * _chance(middle, it) for games, it in faced)
        low, high = (middle, high) if expected < points else (low, middle)
    return low

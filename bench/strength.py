"""The ladder: beginners and ranks in whole matches, as shares of points and as Elo ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from bench.beginners import BEGINNERS, CASUAL, PLAIN, SENSIBLE
from bench.selfplay import Duel, duel
from game.engine.presets import PRESETS
from game.engine.rules import Pair, Ruleset
from game.players.mind import Mind
from game.players.originals.bonn import HARD
from game.players.ranks import RANKS

SEAS = {
    name: PRESETS[name].ruleset
    for name in ("bonn", "bonn-still", "uppsala", "camlship", "milton", "salvo")
}
"""Where the ranks are spaced."""
PLAYERS: tuple[Mind, ...] = (*RANKS, *BEGINNERS, HARD)
"""All who play, the weakest rank first."""
PAIRS: tuple[Pair[Mind], ...] = (
    (PLAIN, RANKS[0]),
    (SENSIBLE, RANKS[0]),
    (SENSIBLE, RANKS[1]),
    (CASUAL, RANKS[0]),
    (CASUAL, RANKS[1]),
    *((stronger, weaker) for weaker, stronger in pairwise(RANKS)),
    (RANKS[-2], HARD),
    (RANKS[-1], HARD),
)
"""Who meets whom."""
GAMES = 200
"""Matches of a pair."""
_ELO = 400 / log(10)
"""Elo points for each unit of the logarithm of the odds."""
_STEPS = 1000


class Rating(NamedTuple):
    """How strong a player is, in Elo points above the first player, and the standard error."""

    elo: float
    error: float


def matches(rules: Ruleset, *, games: int, seed: int) -> Iterator[Duel]:
    """The results of all PAIRS, each of an even number of games from 2."""
    for pair in PAIRS:
        yield duel(pair, rules, games=games, seed=seed)


def ratings(players: Sequence[str], results: Sequence[Duel]) -> Mapping[str, Rating]:
    """The likeliest ratings of the players, of whom the first has 0.

    The model is that of Bradley and Terry (*Rank analysis of incomplete block designs*, 1952), and
    its likeliest parameters are found as in Hunter (*MM algorithms for generalized Bradley-Terry
    models*, 2004). A draw counts as half a win. Each pair is taken to have drawn one match more, so
    that a player who lost every match has a rating too. Errors come from Fisher's information.
    """
    at = {name: index for index, name in enumerate(players)}
    wins = np.zeros((len(at), len(at)))
    for result in results:
        one, other = (at[name] for name in result.players)
        points = sum(result.points.numbers)
        wins[one, other] += points + 0.5
        wins[other, one] += result.games - points + 0.5
    games = wins + wins.T
    strengths = np.ones(len(at))
    for _ in range(_STEPS):
        strengths = wins.sum(axis=1) / (games / (strengths[:, None] + strengths)).sum(axis=1)
        strengths /= strengths[0]
    chances = strengths[:, None] / (strengths[:, None] + strengths)
    information = games * chances * chances.T
    information = np.diag(information.sum(axis=1)) - information
    spread = np.zeros_like(information)
    spread[1:, 1:] = np.linalg.inv(information[1:, 1:])
    return {
        name: Rating(_ELO * log(strengths[index]), _ELO * sqrt(spread[index, index]))
        for name, index in at.items()
    }

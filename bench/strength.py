"""How strong the minds are: alone, and on a ladder of beginners and ranks with Elo ratings.

python -m bench strength --games 300
python -m bench strength --ladder uppsala
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from bench.beginners import BEGINNERS
from bench.report import Table, say, track
from bench.selfplay import Duel, Solo, duel, solo
from game.engine.presets import PRESETS
from game.engine.rules import Pair
from game.players.mind import Mind
from game.players.minds import MINDS, RANKS
from game.players.originals.bonn import HARD

SEAS = ("bonn", "bonn-still", "uppsala", "camlship", "milton", "salvo")
"""The presets of the ladder."""
ALONE = [name for name in PRESETS if name not in ("own", "salvo")]
"""The presets that differ with one shot a turn: salvo's is then Camlship's."""
PLAYERS: tuple[Mind, ...] = (*RANKS, *BEGINNERS, HARD)
"""The ranks, the weakest first, and those that they are measured against."""
PAIRS: tuple[Pair[Mind], ...] = (
    *((beginner, RANKS[0]) for beginner in BEGINNERS),
    *((beginner, RANKS[1]) for beginner in BEGINNERS if beginner.is_sensible),
    *((stronger, weaker) for weaker, stronger in pairwise(RANKS)),
    (RANKS[-2], HARD),
    (RANKS[-1], HARD),
)
_ELO = 400 / log(10)
"""Elo points for each unit of the logarithm of the odds."""
_STEPS = 1000


class Rating(NamedTuple):
    """Elo points above the first player, and their standard error."""

    elo: float
    error: float


def ratings(players: Sequence[str], results: Sequence[Duel]) -> Mapping[str, Rating]:
    """The most likely ratings of the players; the first has 0.

    The model is that of Bradley and Terry (*Rank analysis of incomplete block designs*, 1952), and
    its parameters are estimated as in Hunter (*MM algorithms for generalized Bradley-Terry
    models*, 2004). A draw counts as half a win. One draw is added for each pair, so that a player
    who lost every match has a rating too. Errors come from the Fisher information.
    """
    at = {name: index for index, name in enumerate(players)}
    wins = np.zeros((len(at), len(at)))
    for result in results:
        one, other = (at[name] for name in result.players)
        points = result.points.numbers
        wins[one, other] += sum(points) + 0.5
        wins[other, one] += len(points) - sum(points) + 0.5
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


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--games", type=int, default=300, help="of each mind alone")
    add("--matches", type=int, default=200, help="whole matches of each pair")
    add("--seed", type=int, default=1, help="decides all chance")
    ladder = "print the ladder alone, of these presets or of all"
    add("--ladder", nargs="*", choices=SEAS, metavar="PRESET", help=ladder)


def run(options: Namespace) -> None:
    if options.ladder is None:
        _print_alone(options.games, options.seed)
    for sea in track(options.ladder or SEAS, "ladder"):
        _print_ladder(sea, options.matches, options.seed)


def _print_alone(games: int, seed: int) -> None:
    say("Shots to sink a uniform fleet, one shot a turn")
    table = Table(f"preset:12, {Solo.COLUMNS}")
    for name, mind in track(list(product(ALONE, MINDS.values())), "minds alone"):
        table.say(name, *solo(mind, PRESETS[name].ruleset, games=games, seed=seed).row())


def _print_ladder(sea: str, games: int, seed: int) -> None:
    say(f"\nWhole matches in {sea}")
    table, results = Table(Duel.COLUMNS), []
    for pair in track(PAIRS, sea):
        results.append(duel(pair, PRESETS[sea].ruleset, games=games, seed=seed))
        table.say(*results[-1].row())
    found = ratings([player.name for player in PLAYERS], results)
    rated = Table("mind:12, Elo:>7.0f, error:>7.0f")
    for name, rating in sorted(found.items(), key=lambda item: item[1].elo):
        rated.say(name, *rating)

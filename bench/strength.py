"""How strong the minds are: alone, and on a ladder of beginners and ranks with Elo ratings.

python -m bench strength --games 300
python -m bench strength --ladder uppsala
python -m bench strength --games 100 --picture docs/strength.svg

With --picture only the ranks are measured alone, and their shots are drawn into that file.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import log, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.beginners import BEGINNERS, CASUAL, PLAIN, SENSIBLE
from bench.picture import picture
from bench.progress import say, track
from bench.samples import Sample
from bench.selfplay import Duel, duel, solo
from game.engine.presets import PRESETS
from game.engine.rules import Pair
from game.players.mind import Mind
from game.players.minds import MINDS
from game.players.originals.bonn import HARD
from game.players.ranks import RANKS

SEAS = {
    name: PRESETS[name].ruleset
    for name in ("bonn", "bonn-still", "uppsala", "camlship", "milton", "salvo")
}
"""The rulesets of the ladder."""
ALONE = {name: preset for name, preset in PRESETS.items() if name not in ("own", "salvo")}
"""The presets that differ with one shot a turn: salvo's is then Camlship's."""
PLAYERS: tuple[Mind, ...] = (*RANKS, *BEGINNERS, HARD)
"""The ranks, the weakest first, and those that they are measured against."""
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


# --- the command ---


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--games", type=int, default=300, help="of each mind alone")
    add("--matches", type=int, default=200, help="whole matches of each pair")
    add("--seed", type=int, default=1, help="decides all chance")
    ladder = "print the ladder alone, of these presets or of all"
    add("--ladder", nargs="*", choices=list(SEAS), metavar="PRESET", help=ladder)
    add("--picture", type=Path, metavar="FILE", help="print the ranks alone, and draw them")


def run(options: Namespace) -> None:
    if options.picture is not None:
        alone = _print_alone(RANKS, options.games, options.seed)
        options.picture.write_text(picture(alone))
        return
    if options.ladder is None:
        _print_alone(MINDS.values(), options.games, options.seed)
    for sea in track(options.ladder or SEAS, "ladder"):
        _print_ladder(sea, options.matches, options.seed)


def _print_alone(
    minds: Iterable[Mind], games: int, seed: int
) -> dict[str, list[tuple[str, Sample]]]:
    """Prints and returns the shots of each mind in each sea."""
    say(f"Shots to sink a uniform fleet, one shot a turn, {games} games each")
    say(f"{'mean  (error)  median    10%    90%    99%  ms/aim':>78}")
    rows = [(name, preset, mind) for name, preset in ALONE.items() for mind in minds]
    found: dict[str, list[tuple[str, Sample]]] = {name: [] for name in ALONE}
    for name, preset, mind in track(rows, "minds alone"):
        result = solo(mind, preset.ruleset, games=games, seed=seed)
        shots = result.shots
        found[name].append((mind.name, shots))
        say(
            f"{name:12} {mind.name:16}{shots.mean:>8.2f} ({shots.error:>6.2f}) "
            f"{shots.median:>7.1f}"
            + "".join(f"{shots.percentile(percent):>7.0f}" for percent in (10, 90, 99))
            + f"{result.milliseconds:>8.2f}"
        )
    return found


def _print_ladder(sea: str, games: int, seed: int) -> None:
    say(f"\nWhole matches in {sea}, {games} of each pair\n{'points  (error)  by limit':>58}")
    results = []
    for pair in track(PAIRS, sea):
        result = duel(pair, SEAS[sea], games=games, seed=seed)
        results.append(result)
        one, other = result.players
        say(
            f"{one:>14} against {other:12}{result.points.mean:>7.3f}  ({result.points.error:.3f})"
            f"{result.limited:>10}"
        )
    say(f"{'Elo  (error)':>32}")
    found = ratings([player.name for player in PLAYERS], results)
    for name, rating in sorted(found.items(), key=lambda item: item[1].elo):
        say(f"{name:>14}{rating.elo:>10.0f}  ({rating.error:.0f})")

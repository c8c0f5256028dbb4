"""How strong the minds are: the shots that each needs alone, in every preset.

python -m bench strength --games 300
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from itertools import product

from bench.report import Table, say, track
from bench.selfplay import Solo, solo
from game.engine.presets import PRESETS
from game.players.minds import MINDS

ALONE = [name for name in PRESETS if name not in ("own", "salvo")]
"""The presets that differ with one shot a turn: salvo's is then Camlship's."""


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--games", type=int, default=300, help="of each mind alone")
    add("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    say("Shots to sink a uniform fleet, one shot a turn")
    table = Table(f"preset:12, {Solo.COLUMNS}")
    for name, mind in track(list(product(ALONE, MINDS.values())), "minds alone"):
        rules = PRESETS[name].ruleset
        table.say(name, *solo(mind, rules, games=options.games, seed=options.seed).row())

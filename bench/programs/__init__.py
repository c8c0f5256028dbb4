"""Perfect play on small seas, by dynamic programming, beside two simple rules.

python -m bench programs --seas 4x4-2 4x4-3-2-apart-told

The shots of a game are the ship cells and the misses, so the optimum is the least sum of misses
over all fleets. It is computed from the sets of fleets that agree with what was told. `likeliest`
fires at the cell that most of those fleets cover, `informative` where the result is least certain
(the greatest entropy); both take all equal choices with equal probability.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from time import process_time

from bench.programs.perfect import Sea, informative, likeliest
from bench.report import NotAMeasure, Table, track
from game.features.programs.seas import SMALL_SEAS, all_fleets


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--seas", nargs="*", default=list(SMALL_SEAS), metavar="NAME")


def run(options: Namespace) -> None:
    if unknown := set(options.seas) - SMALL_SEAS.keys():
        raise NotAMeasure(f"no small sea: {', '.join(sorted(unknown))}")
    table = Table(
        "sea:26, fleets:>7, perfect:>16, :>8.3f, likeliest:>11.3f, informative:>13.3f, s:>8.1f"
    )
    for name in track(options.seas, "seas"):
        began = process_time()
        small = SMALL_SEAS[name]
        board, fleets = small.rules.board, all_fleets(small.rules)
        masks = [tuple(ship.mask for ship in fleet) for fleet in fleets]
        sea = Sea(board.columns, board.rows, masks, is_told=small.is_told)
        total, count = sea.perfect() + sum(small.fleet) * len(fleets), len(fleets)
        rules = (sea.misses(rule) / count + sum(small.fleet) for rule in (likeliest, informative))
        table.say(
            name, count, f"{total}/{count}", total / count, *map(float, rules),
            process_time() - began,
        )  # fmt: skip

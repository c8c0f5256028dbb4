"""What it is worth to expect habits of placing, and to learn them from round to round.

python -m bench habits --seas five-touching --games 100

The same fleets are searched for three times from the same seeds: by an admiral that takes all
fleets for equally likely, by the admiral as it is, and by the admiral after rounds against fleets
of the same family. So the differences vary less than the shots. Where ships move, they move at
random.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace

from bench.families import FAMILIES, family_fleet
from bench.progress import say, track
from bench.samples import Sample, check_games
from bench.seas import SEAS
from bench.selfplay import game_seed, play_solo, shots_of
from game.engine.chance import Chance
from game.engine.rules import Ruleset
from game.players.admiral import ADMIRAL, Admiral
from game.players.belief.habits import learn

ROUNDS = 5
"""The number of fleets that the admiral has seen when it has learnt a family."""


def measure(
    mind: Admiral, rules: Ruleset, family: str, *, games: int, seed: int
) -> tuple[Sample, ...]:
    """The shots of the three admirals to sink fleets of one family, with one shot a turn.

    Raises NotAMeasure for fewer than two games, and KeyError for no family.
    """
    check_games(games)
    uniform = replace(mind, expects_habits=False)
    shots: list[tuple[int, ...]] = []
    for game in track(range(games), family):
        start = game_seed(seed, game)
        fleet = family_fleet(family, rules, Chance(start, "habits/fleet", 0))
        learnt: tuple[int, ...] = ()
        for number in range(ROUNDS):
            revealed = family_fleet(family, rules, Chance(start, "habits/round", number))
            learnt = learn(learnt, rules, revealed)
        players = ((uniform, ()), (mind, ()), (mind, learnt))
        ends = (play_solo(one, rules, start, fleets=fleet, learnt=known) for one, known in players)
        shots.append(tuple(map(shots_of, ends)))
    return tuple(Sample(numbers) for numbers in zip(*shots, strict=True))


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--seas", nargs="+", choices=list(SEAS), default=list(SEAS))
    add("--families", nargs="+", choices=list(FAMILIES), default=list(FAMILIES))
    add("--games", type=int, default=100, help="with each family (100)")
    add("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    for sea in options.seas:
        say(
            f"{sea}, {options.games} games each: shots without habits, with them, and after "
            f"{ROUNDS} rounds; saved by habits, and by habits and rounds"
        )
        for family in track(options.families, sea):
            uniform, mixed, taught = measure(
                ADMIRAL, SEAS[sea], family, games=options.games, seed=options.seed
            )
            columns = (uniform, mixed, taught, uniform - mixed, uniform - taught)
            say(f"{family:10}" + "".join(f"{sample!s:>15}" for sample in columns))

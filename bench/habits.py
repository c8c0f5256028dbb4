"""What it is worth to expect habits of placing, and to learn them from round to round.

python -m bench habits --seas five-touching --games 100
python -m bench habits --seas five-apart --given-up --games 60

The same fleets are searched for three times from the same seeds: by an admiral that takes all
fleets for equally likely, by the admiral as it is, and by the admiral after rounds against fleets
of the same family. So the differences vary less than the shots.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import NamedTuple

from bench.families import FAMILIES, family_fleet
from bench.progress import say, track
from bench.samples import NotAMeasure, Sample, check_games
from bench.seas import SEAS
from bench.selfplay import Wrapped, game_seed, play_solo, shots_of
from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.rules import Ruleset
from game.players.admiral import ADMIRAL, Admiral
from game.players.belief.habits import learn

ROUNDS = 5
"""The number of fleets that the admiral has seen when it has learnt a family."""


class Worth(NamedTuple):
    """Shots over the fleets of one family."""

    uniform: Sample
    """Of the admiral that takes all fleets for equally likely."""
    mixed: Sample
    """Of the admiral that expects habits."""
    taught: Sample
    """The same after ROUNDS fleets of the family were revealed."""


def worth_of_habits(mind: Admiral, rules: Ruleset, family: str, *, games: int, seed: int) -> Worth:
    """The shots to sink fleets of a family that don't shoot, with one shot a turn.

    Where ships move, they move at random. Raises NotAMeasure for fewer than two games, and KeyError
    for no family.
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
    return Worth(*(Sample(numbers) for numbers in zip(*shots, strict=True)))


def hits_given_up(mind: Admiral, rules: Ruleset, *, games: int, seed: int) -> Sample:
    """The hits of each game against uniform fleets that a mind loses by expecting habits.

    Before each shot the mind is also asked without habits, from the same seed. If it would fire
    elsewhere, a belief for which all fleets are equally likely tells the chances of both cells.
    Their difference varies far less than the shots of games do. Raises NotAMeasure for fewer than
    two games, and for rules where ships move: there a hit on a ship that was hit before can wait,
    and isn't lost.
    """
    if rules.moving:
        raise NotAMeasure("hits given up are counted only where ships stay")
    check_games(games)
    totals = []
    for game in track(range(games), "hits given up"):
        doubter = _Doubter(mind)
        play_solo(doubter, rules, game_seed(seed, game))
        totals.append(doubter.given_up)
    return Sample(tuple(totals))


class _Doubter(Wrapped):
    """Fires as a mind does, and adds up how much more its shots without habits would promise."""

    def __init__(self, mind: Admiral) -> None:
        super().__init__(mind)
        self.uniform, self.given_up = replace(mind, expects_habits=False), 0.0

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        seed = chance.bits(8 * SEED_BYTES).to_bytes(SEED_BYTES, "big")
        cell, other = (
            mind.aim(seen, Chance(seed, "doubt/aim", 0)) for mind in (self.mind, self.uniform)
        )
        if cell != other:
            promised = self.uniform.believe(seen, Chance(seed, "doubt/promise", 0))
            self.given_up += promised[other] - promised[cell]
        return cell


# --- the command ---


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--seas", nargs="+", choices=list(SEAS), default=list(SEAS))
    add("--families", nargs="+", choices=list(FAMILIES), default=list(FAMILIES))
    add("--games", type=int, default=100, help="with each family (100)")
    add("--seed", type=int, default=1, help="decides all chance")
    given_up = "hits that habits cost against uniform fleets, where ships stay"
    add("--given-up", action="store_true", help=given_up)


def run(options: Namespace) -> None:
    for sea in track(options.seas, "seas"):
        if options.given_up:
            hits = hits_given_up(ADMIRAL, SEAS[sea], games=options.games, seed=options.seed)
            say(f"{sea}, {options.games} games: hits given up {hits}")
        else:
            _print_worth(sea, options)


def _print_worth(sea: str, options: Namespace) -> None:
    say(
        f"{sea}, {options.games} games each: shots without habits, with them, and after {ROUNDS} "
        "rounds; saved by habits, and by habits and rounds"
    )
    for family in track(options.families, sea):
        worth = worth_of_habits(ADMIRAL, SEAS[sea], family, games=options.games, seed=options.seed)
        columns = (*worth, worth.uniform - worth.mixed, worth.uniform - worth.taught)
        say(f"{family:10}" + "".join(f"{sample!s:>15}" for sample in columns))

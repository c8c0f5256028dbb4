"""`manage.py selfplay`: measures how strong the minds are.

python manage.py selfplay --solo --players bonn-hard --still --games 1000
python manage.py selfplay --solo --players admiral --preset five-touching --games 2000
python manage.py selfplay --solo --players bonn-hard --target admiral --fleets own
python manage.py selfplay --solo --players admiral --preset five-touching --told sinkings
python manage.py selfplay --players bonn-hard random --games 200 --json
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bench.seas import SEAS
from bench.selfplay import Duel, Fleets, Sample, Solo, Told, duel, solo
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset
from game.players import minds

RULES = {**{name: preset.ruleset for name, preset in PRESETS.items()}, **SEAS}


class Command(BaseCommand):
    """Plays games between minds and prints the results."""

    help = "Lets minds play, alone (--solo) or against each other, and prints figures."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--players",
            nargs="+",
            required=True,
            metavar="NAME",
            help=f"one mind for --solo, else two: {', '.join(minds.MINDS)}",
        )
        parser.add_argument(
            "--solo", action="store_true", help="count the shots to sink a fleet that doesn't shoot"
        )
        parser.add_argument(
            "--fleets",
            choices=[one.value for one in Fleets],
            default=Fleets.UNIFORM.value,
            help="with --solo: every legal fleet as likely, the target's own, or of one habit",
        )
        parser.add_argument(
            "--target",
            metavar="NAME",
            default="random",
            help="with --solo: the mind that steers the fleet, and with --fleets own places it",
        )
        parser.add_argument(
            "--told",
            choices=[one.value for one in Told],
            help="with --solo: play through the engine protocol, told wrecks or only sinkings",
        )
        parser.add_argument("--preset", choices=sorted(RULES), default="bonn")
        moving = parser.add_mutually_exclusive_group()
        moving.add_argument("--moving", action="store_const", const=True, help="ships move")
        moving.add_argument(
            "--still", action="store_const", const=False, dest="moving", help="ships don't move"
        )
        parser.add_argument("--games", type=int, default=300)
        parser.add_argument("--seed", type=int, default=1, help="decides all chance")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: object, **options: Any) -> None:
        """Plays and prints; raises CommandError for options that can't be measured."""
        try:
            result = _play(options)
        except ValueError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(result.figures()))
        else:
            self.stdout.write(
                _solo_text(result) if isinstance(result, Solo) else _duel_text(result)
            )


def _play(options: dict[str, Any]) -> Solo | Duel:
    players = [minds.mind(name) for name in options["players"]]
    rules = _rules(options["preset"], options["moving"])
    games, seed = options["games"], options["seed"]
    match players, options["solo"]:
        case [one], True:
            target, fleets = minds.mind(options["target"]), Fleets(options["fleets"])
            told = Told(options["told"]) if options["told"] else None
            return solo(one, rules, games=games, seed=seed, target=target, fleets=fleets, told=told)
        case [_, _], False if options["told"]:
            raise ValueError("only solo games are played through the protocol")
        case [one, other], False:
            return duel((one, other), rules, games=games, seed=seed)
    raise ValueError(f"not one player with --solo or two without: {' '.join(options['players'])}")


def _rules(preset: str, moving: bool | None) -> Ruleset:
    rules = RULES[preset]
    return rules if moving is None else replace(rules, moving=moving)


def _solo_text(result: Solo) -> str:
    return "\n".join(
        (
            f"{result.player}, {result.games} games",
            f"shots       {_sample_text(result.shots)}",
            f"unfinished  {result.unfinished}",
            f"an aim      {result.milliseconds:.2f} ms",
        )
    )


def _duel_text(result: Duel) -> str:
    (one, other), (wins, losses) = result.players, result.wins
    return "\n".join(
        (
            f"{one} against {other}, {result.games} games",
            f"wins        {wins} to {losses}, {result.draws} drawn",
            f"points      mean {result.points.mean:.3f} ± {result.points.error:.3f}",
            f"half-turns  {_sample_text(result.turns)}",
            f"by limit    {result.limited}",
            f"an aim      {result.milliseconds[0]:.2f} ms and {result.milliseconds[1]:.2f} ms",
        )
    )


def _sample_text(sample: Sample) -> str:
    return (
        f"mean {sample.mean:.2f} ± {sample.error:.2f}, "
        f"median {sample.median:g}, worst {sample.worst:g}"
    )

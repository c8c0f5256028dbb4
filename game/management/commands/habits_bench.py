"""`manage.py habits_bench`: what it is worth to reckon with habits of placing, and to learn them.

python manage.py habits_bench --seas five-touching --games 100
python manage.py habits_bench --seas five-apart --given-up --games 60
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bench.families import FAMILIES
from bench.habits import ROUNDS, hits_given_up, worth_of_habits
from bench.seas import SEAS
from bench.selfplay import NotAMeasure, Sample
from game.players.admiral import ADMIRAL


class Command(BaseCommand):
    """Prints the shots that habits save, for each family of fleets."""

    help = "Prints how many shots the admiral saves by reckoning with habits of placing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seas", nargs="+", choices=list(SEAS), default=list(SEAS))
        parser.add_argument("--families", nargs="+", choices=list(FAMILIES), default=list(FAMILIES))
        parser.add_argument("--games", type=int, default=100, help="with each family (100)")
        parser.add_argument("--seed", type=int, default=1, help="decides all chance")
        parser.add_argument(
            "--given-up",
            action="store_true",
            help="hits that habits cost on uniform fleets, where ships stay",
        )

    def handle(self, *_args: object, **options: Any) -> None:
        """Measures each family in each sea; raises CommandError for too few games."""
        try:
            for sea in options["seas"]:
                self._measure(sea, options)
        except NotAMeasure as error:
            raise CommandError(str(error)) from error

    def _measure(self, sea: str, options: dict[str, Any]) -> None:
        games, seed = options["games"], options["seed"]
        if options["given_up"]:
            hits = hits_given_up(ADMIRAL, SEAS[sea], games=games, seed=seed)
            self.stdout.write(f"{sea}, {games} games: hits given up{_text(hits)}")
            return
        self.stdout.write(
            f"{sea}, {games} games each: shots without habits, with them, and after {ROUNDS} "
            "rounds; saved by habits, and by habits and rounds"
        )
        for family in options["families"]:
            found = worth_of_habits(ADMIRAL, SEAS[sea], family, games=games, seed=seed)
            columns = (*found, found.by_habits, found.by_learning)
            self.stdout.write(f"{family:10}" + "".join(map(_text, columns)))
            self.stdout.flush()


def _text(sample: Sample) -> str:
    return f"{sample.mean:8.2f} ± {sample.error:.2f}"

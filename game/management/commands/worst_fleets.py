"""`manage.py worst_fleets`: the fleets that cost a mind the most shots, and how many.

python manage.py worst_fleets --seas five-touching five-apart --minutes 10
"""

from __future__ import annotations

from functools import partial
from time import process_time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bench.seas import SEAS
from bench.worst_fleets import worst_fleet
from game.players import minds


class Command(BaseCommand):
    """Climbs to the worst fleet of each sea and prints it."""

    help = "Looks for the fleets that cost a mind the most shots, by hill climbing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--player", choices=list(minds.MINDS), default="admiral")
        parser.add_argument("--seas", nargs="+", choices=list(SEAS), default=list(SEAS))
        parser.add_argument(
            "--minutes", type=float, default=10, help="of CPU time, for each sea (10)"
        )
        parser.add_argument(
            "--games", type=int, default=100, help="with which the fleet found is measured (100)"
        )
        parser.add_argument("--seed", type=int, default=1, help="decides all chance")

    def handle(self, *_args: object, **options: Any) -> None:
        """Prints a line for each sea; raises CommandError for too few games."""
        if options["games"] < 2:
            raise CommandError(f"not a number of games from 2: {options['games']}")
        mind = minds.mind(options["player"])
        for sea in options["seas"]:
            end = process_time() + 60 * options["minutes"]
            found = worst_fleet(
                mind,
                SEAS[sea],
                goes_on=partial(_is_before, end),
                games=options["games"],
                seed=options["seed"],
            )
            fleet = " ".join(map(str, found.fleet))
            mean, error = found.shots.mean, found.shots.error
            self.stdout.write(
                f"{sea}: mean {mean:.2f} ± {error:.2f}, {options['games']} games, "
                f"{found.tried} fleets tried: {fleet}"
            )


def _is_before(end: float) -> bool:
    return process_time() < end

"""`manage.py calibration`: of the cells that are given a chance p, does p turn out to hold ships?

python manage.py calibration --shots 20000
python manage.py calibration --seas bonn-moving --seed 2
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from game.bench.calibration import TENTHS, Tenth, calibrate
from game.bench.selfplay import SEAS


class Command(BaseCommand):
    """Prints, for each tenth of the chances, what was believed and what was so."""

    help = "Fires at cells of all chances, and prints for each tenth of them how many shots hit."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which seas, how many shots in each, and the seed of all chance."""
        parser.add_argument("--seas", nargs="+", choices=list(SEAS), default=list(SEAS))
        parser.add_argument("--shots", type=int, default=20_000)
        parser.add_argument("--seed", type=int, default=1, help="decides all chance")

    def handle(self, *_args: object, **options: Any) -> None:
        """Measures and prints, sea by sea."""
        for name in options["seas"]:
            tenths = calibrate(SEAS[name], shots=options["shots"], seed=options["seed"])
            self.stdout.write(f"{name}, {sum(tenth.shots for tenth in tenths)} shots")
            self.stdout.write("chance       shots  believed    hits   points  (error)")
            for at, tenth in enumerate(tenths):
                self.stdout.write(_line(at, tenth))


def _line(at: int, tenth: Tenth) -> str:
    span = f"{at / TENTHS:.1f} to {(at + 1) / TENTHS:.1f}"
    if not tenth.shots:
        return f"{span}{0:>8}"
    return (
        f"{span}{tenth.shots:>8}{100 * tenth.believed / tenth.shots:>9.1f} %"
        f"{100 * tenth.hits / tenth.shots:>6.1f} %{tenth.points:>+9.2f} ({tenth.error:>6.2f})"
    )

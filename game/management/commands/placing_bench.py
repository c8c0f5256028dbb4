"""`manage.py placing_bench`: what the admiral's placing costs to a shooter who knows it.

python manage.py placing_bench --games 1000
python manage.py placing_bench --seas five-apart --rounds 6 --games 500
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from bench.placing import fictitious_play, measure
from bench.seas import SEAS
from bench.selfplay import Sample

STILL = [name for name, rules in SEAS.items() if not rules.moving]


class Command(BaseCommand):
    """Prints the shots of shooters who know the placing and who don't."""

    help = "Prints how many shots the admiral's fleets cost; with --rounds how placings are found."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seas", nargs="+", choices=STILL, default=STILL)
        parser.add_argument("--games", type=int, default=1000, help="in each sea, or each round")
        parser.add_argument("--seed", type=int, default=1, help="decides all chance")
        parser.add_argument("--rounds", type=int, default=0, help="rounds of fictitious play")
        parser.add_argument(
            "--rate", type=float, default=0.35, help="weight for each shot that a trait costs"
        )

    def handle(self, *_args: object, **options: Any) -> None:
        """Measures each sea in turn."""
        for name in options["seas"]:
            if options["rounds"]:
                self._play(name, options)
                continue
            found = measure(
                SEAS[name],
                games=options["games"],
                seed=options["seed"],
            )
            self.stdout.write(
                f"{name}, {options['games']} games: "
                f"uniform fleets {_text(found.uniform)}, the admiral's {_text(found.naive)}, "
                f"to one who knows it {_text(found.knowing)}"
            )

    def _play(self, name: str, options: dict[str, Any]) -> None:
        rounds = fictitious_play(
            SEAS[name],
            rounds=options["rounds"],
            games=options["games"],
            seed=options["seed"],
            rate=options["rate"],
        )
        for number, one in enumerate(rounds):
            self.stdout.write(f"{name}, round {number}: shots {_text(one.knowing)}")
            for trait, weight, slope in zip(
                one.weights._fields, one.weights, one.slopes, strict=True
            ):
                self.stdout.write(f"    {trait:9} weight {weight:+.2f}, slope {slope:+.2f} shots")


def _text(sample: Sample) -> str:
    return f"{sample.mean:.2f} ± {sample.error:.2f}"

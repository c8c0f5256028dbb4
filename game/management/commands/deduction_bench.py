"""`manage.py deduction_bench`: how many guesses the deduction game's searchers need.

python manage.py deduction_bench
python manage.py deduction_bench --searcher strong --sea 10x10x3 --most 200
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bench.searchers import measure, some_places
from game.deduction.rules import MELBOURNE, IllegalRules, parse_rules
from game.deduction.searchers import PLAIN
from game.engine.chance import SEED_BYTES


class Command(BaseCommand):
    """Has each searcher find every place, and prints mean, worst and distribution."""

    help = "Prints how many guesses the searchers of the deduction game need."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--searcher", choices=sorted(PLAIN), action="append")
        parser.add_argument("--sea", default=str(MELBOURNE), help="columns, rows, ships: 8x4x3")
        parser.add_argument("--most", type=int, default=4960, help="places searched for")
        parser.add_argument("--seed", type=int, default=1, help="decides all chance")

    def handle(self, *args: Any, **options: Any) -> None:
        """Measures each searcher and prints; raises CommandError for illegal rules."""
        try:
            rules = parse_rules(options["sea"])
        except IllegalRules as error:
            raise CommandError(str(error)) from error
        places = some_places(rules, max(1, options["most"]))
        seed = options["seed"].to_bytes(SEED_BYTES, "big")
        self.stdout.write(f"{rules}: {len(places)} of {rules.places} hiding places")
        for name in options["searcher"] or PLAIN:
            found = measure(PLAIN[name], rules, places, seed)
            spread = "  ".join(f"{guesses}: {count}" for guesses, count in found.counts.items())
            self.stdout.write(
                f"{name:8} mean {found.mean:.4f}  worst {found.worst}  "
                f"slowest answer {found.slowest:.0f} ms of one core\n"
                f"{'':8} {spread}"
            )

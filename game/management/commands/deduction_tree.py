"""`manage.py deduction_tree`: makes the tree of the deduction game's strongest searcher.

python manage.py deduction_tree > game/deduction/tree.txt
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.deduction.rules import MELBOURNE
from game.deduction.tree_builder import Grower


class Command(BaseCommand):
    """Prints the tree on standard output, and its cost on standard error."""

    help = "Grows the strongest searcher's tree of guesses; takes some minutes, and is needed once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--first", default="A1 H1 A3", help="the first guess")
        parser.add_argument("--wide", type=int, default=24, help="followed where many are left")
        parser.add_argument("--narrow", type=int, default=24, help="followed where few are left")
        parser.add_argument("--most", type=int, default=7, help="guesses that must always do")

    def handle(self, *args: Any, **options: Any) -> None:
        """Makes the tree and prints it; raises CommandError if none was found."""
        grower = Grower(MELBOURNE, wide=options["wide"], narrow=options["narrow"])
        places, most = grower.all_places(), options["most"]
        plan = grower.follow(places, grower.index(MELBOURNE.parse(options["first"])), most)
        if plan is None:
            raise CommandError(f"no tree of {most} guesses begins so: {options['first']}")
        for line in grower.lines(places, plan, most):
            self.stdout.write(line)
        mean = plan.cost / MELBOURNE.places
        self.stderr.write(f"{mean:.4f} guesses on average, {plan.worst} at worst")

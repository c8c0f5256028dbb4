"""`manage.py thinking`: plays the match of the page on how the computer thinks.

python manage.py thinking > game/matches/thinking.json
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from game.matches import thinking


class Command(BaseCommand):
    """Prints the match with its moments on standard output."""

    help = "Plays matches until one shows all that the page on the computer's thinking tells."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", type=int, default=17, help="of the first match played")

    def handle(self, *args: Any, **options: Any) -> None:
        """Plays and prints."""
        self.stdout.write(thinking.write(thinking.tell(options["seed"])), ending="")

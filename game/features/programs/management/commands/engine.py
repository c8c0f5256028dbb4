"""`manage.py engine --player NAME`: a mind that speaks the engine protocol on stdin and stdout.

It prints nothing but answers, each at once, and ends with `quit` or with its input.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.features.programs.management.talk import talk
from game.players.registry import TITLES


class Command(BaseCommand):
    help = "Lets a mind be played by any referee that speaks the engine protocol."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--player", required=True, metavar="NAME", help=", ".join(TITLES))

    def handle(self, *args: Any, **options: Any) -> None:
        if (name := options["player"]) not in TITLES:
            raise CommandError(f"no such mind: {name!r}")
        talk(name)

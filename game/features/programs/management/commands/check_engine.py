"""`manage.py check-engine ENGINE`: plays an engine by the rules of every preset.

It prints what is wrong, at which line, and the lines before; nothing is wrong if it exits with 0.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.features.programs.checking import Checked
from game.features.programs.management.options import one_entrant, seconds_of
from game.management import streams


class Command(BaseCommand):
    help = "Plays an engine by the rules of every preset, and says what is wrong at which line."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("engine", metavar="ENGINE", help="a command in quotes, or a file")
        add("--seconds", default="10", metavar="NUMBER", help="the most that an answer may take")

    def handle(self, *args: Any, **options: Any) -> None:
        engine = one_entrant(options["engine"])
        checked = Checked(engine, seconds_of(options))
        with streams.ended_by_signals():  # which no engine outlives
            fault = checked.fault()
        if fault:
            self.stdout.write("\n".join(checked.last_lines()))
            raise CommandError(fault)
        slowest = f"its slowest answer took {1000 * checked.slowest:.0f} ms"
        self.stdout.write(f"{engine.name} plays by the rules: {checked.games} games, {slowest}.")

"""`manage.py deduction`: the deduction game in a terminal, for people and for programs.

python manage.py deduction
python manage.py deduction --way hide --searcher strong --language de
python manage.py deduction --terse --seed 7
"""

from __future__ import annotations

import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from game.deduction.match import Mode
from game.deduction.presets import SEARCHER
from game.deduction.rules import MELBOURNE, IllegalRules, parse_rules
from game.deduction.searchers import SEARCHERS
from game.deduction.terminal import Terminal
from game.engine.chance import SEED_BYTES


class Command(BaseCommand):
    """Answers each line at once, until the game or the input ends."""

    help = "Plays the deduction game line by line. `help` says what can be typed."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--way", choices=[mode.value for mode in Mode], default="search")
        parser.add_argument("--searcher", choices=sorted(SEARCHERS), default=SEARCHER)
        parser.add_argument("--sea", default=str(MELBOURNE), help="columns, rows, ships: 8x4x3")
        parser.add_argument("--language", choices=["en", "de"], default="en")
        parser.add_argument("--seed", type=int, help="decides all chance; drawn if not given")
        parser.add_argument("--terse", action="store_true", help="answers without words")

    def handle(self, *args: Any, **options: Any) -> None:
        """Plays one game; raises CommandError for illegal rules."""
        try:
            rules = parse_rules(options["sea"])
        except IllegalRules as error:
            raise CommandError(str(error)) from error
        seed = options["seed"]
        game = Terminal(
            rules, Mode(options["way"]), SEARCHERS[options["searcher"]],
            os.urandom(SEED_BYTES) if seed is None
            else (seed % 256**SEED_BYTES).to_bytes(SEED_BYTES, "big"),
            terse=options["terse"],
        )  # fmt: skip
        with translation.override(options["language"]):
            self._say(game.greeting())
            for line in sys.stdin:
                self._say(game.answer(line))
                if game.is_over:
                    return

    def _say(self, lines: list[str]) -> None:
        for line in lines:
            self.stdout.write(line)
        self.stdout.flush()

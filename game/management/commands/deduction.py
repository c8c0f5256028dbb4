"""`manage.py deduction`: the deduction game in a terminal, for people and for programs.

python manage.py deduction
python manage.py deduction --way hide --searcher strong --lang de
python manage.py deduction --terse --seed 7
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TextIO, cast

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.deduction import messages
from game.deduction.match import Mode
from game.deduction.presets import SEARCHER
from game.deduction.rules import MELBOURNE, IllegalRules, parse_rules
from game.deduction.searchers import SEARCHERS
from game.deduction.terminal import Line, Terminal
from game.engine.chance import SEED_BYTES
from game.management import streams
from game.management.options import (
    add_language_and_seed,
    look_of,
    refuse_unless,
    seed_of,
    speaking,
)
from game.management.screen import Screen

WAYS = [mode.value for mode in Mode]


class Command(BaseCommand):
    help = "Plays the deduction game line by line. `help` says what can be typed."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--way", default="search", help=", ".join(WAYS))
        parser.add_argument("--searcher", default=SEARCHER, help=", ".join(SEARCHERS))
        parser.add_argument("--sea", default=str(MELBOURNE), help="columns, rows, ships: 8x4x3")
        add_language_and_seed(parser)
        parser.add_argument("--terse", action="store_true", help="answers without words")

    def handle(self, *args: Any, **options: Any) -> None:
        streams.prepare()
        prompt = "> " if sys.stdin.isatty() and not options["terse"] else ""
        self._screen = Screen(sys.stdout, look_of(cast("TextIO", self.stdout), options))
        with speaking(options):
            game = _game(options)
            self._say(game.greeting(), prompt)
            for line in sys.stdin:
                lines = game.answer(streams.typed(line))
                self._say(lines, "" if game.is_over else prompt)
                if game.is_over:
                    return

    def _say(self, lines: Sequence[Line], prompt: str) -> None:
        self.stdout.write(self._screen.text(lines) + prompt, ending="")
        self.stdout.flush()


def _game(options: Mapping[str, Any]) -> Terminal:
    refuse_unless(options["way"], "--way", WAYS)
    refuse_unless(options["searcher"], "--searcher", SEARCHERS)
    try:
        rules = parse_rules(options["sea"])
    except IllegalRules as error:
        raise CommandError(messages.text_refusal()) from error
    return Terminal(
        rules, Mode(options["way"]), SEARCHERS[options["searcher"]],
        seed_of(options) or os.urandom(SEED_BYTES), terse=options["terse"],
    )  # fmt: skip

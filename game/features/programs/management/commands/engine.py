"""`manage.py engine --player NAME`: a mind that speaks the engine protocol on stdin and stdout.

It prints nothing but answers, each at once, and ends with `quit` or with its input.
"""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.features.programs.protocol import Engine
from game.players import minds


class Command(BaseCommand):
    help = "Lets a mind be played by any referee that speaks the engine protocol."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--player", required=True, metavar="NAME", help=", ".join(minds.MINDS))

    def handle(self, *args: Any, **options: Any) -> None:
        if (name := options["player"]) not in minds.MINDS:
            raise CommandError(f"no such mind: {name!r}")
        engine = Engine(minds.MINDS[name])
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        for line in sys.stdin:
            text = line.rstrip("\r\n")
            if text == "quit":
                return
            print(engine.answer(text), flush=True)

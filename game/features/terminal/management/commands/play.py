"""`manage.py play`: the game in the terminal, with the tokens of the browser."""

import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from game.display.refusals import refusal
from game.engine.presets import PRESETS
from game.engine.rules import IllegalRules
from game.features.terminal.app import Terminal
from game.features.terminal.commands import Game, load
from game.management import streams
from game.management.terminal_options import (
    add_language_and_seed,
    look_of,
    refuse_unless,
    seed_of,
    speaking,
)
from game.matches.draft import Draft
from game.players.registry import CODES
from game.web.forms import SOLO, Refused, parse_setup

_INTERRUPTED: Path = settings.DATA / "interrupted"


class Command(BaseCommand):
    help = "Plays the game in the terminal, alone or two at one device."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("game", nargs="?", metavar="TOKEN", help="a saved game, or its address")
        add("--preset", default="bonn", help=", ".join(PRESETS))
        add("--opponent", help=f"by default the preset's: {', '.join(CODES)}")
        add("--alone", action="store_true", help="search alone: nobody fires back")
        add("--two-players", action="store_true", help="two at this terminal")
        add("--names", nargs=2, metavar="NAME", help="the two players' names")
        rules = "rules to change, as in addresses: 'size=12', 'turns=60&touching=anywhere'"
        add("--rules", default="", metavar="FIELDS", help=rules)
        add_language_and_seed(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        streams.prepare()
        with speaking(options), streams.ended_by_signals():
            try:
                game, seed = _game(options), seed_of(options)
            except IllegalRules as error:
                raise CommandError(refusal(error)) from error
            except Refused as error:
                raise CommandError(str(error)) from error
            terminal = Terminal(game, sys.stdin, sys.stdout, look_of(sys.stdout, options), seed)
            if hasattr(signal, "SIGWINCH"):
                signal.signal(signal.SIGWINCH, lambda *_signal: terminal.resize())
            is_by_hand = sys.stdin.isatty()  # what is gone is no terminal any more
            if is_by_hand and not options["game"]:
                terminal.tell_interrupted(_interrupted())
            try:
                terminal.play()
            except (OSError, SystemExit):
                if is_by_hand and terminal.is_in_match:
                    _keep(terminal.address)
                raise


def _keep(address: str) -> None:
    """Writes the address of a match that was cut off, since its terminal may be gone."""
    with suppress(OSError):
        settings.DATA.mkdir(parents=True, exist_ok=True)
        _INTERRUPTED.write_text(address)


def _interrupted() -> str:
    """Returns the address of the match that was cut off last, once; else an empty text."""
    with suppress(OSError):
        address = _INTERRUPTED.read_text()
        _INTERRUPTED.unlink()
        return address
    return ""


def _game(options: Mapping[str, Any]) -> Game:
    refuse_unless(options["preset"], "--preset", PRESETS)
    refuse_unless(options["opponent"], "--opponent", CODES)
    if options["game"]:
        return load(options["game"])
    if options["alone"] and (options["opponent"] or options["two_players"] or options["names"]):
        raise CommandError(_("--alone takes neither an opponent nor a second player."))
    fields = dict(parse_qsl(options["rules"], keep_blank_values=True))
    if options["alone"]:
        fields["opponent"] = SOLO
    if options["opponent"]:
        fields["opponent"] = options["opponent"]
    if options["two_players"] or options["names"]:
        fields["players"] = "2"
        fields["name1"], fields["name2"] = options["names"] or ("", "")
    return Draft(parse_setup(PRESETS[options["preset"]], fields))

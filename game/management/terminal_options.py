"""The options that the games in the terminal share: language, seed, and names to choose from."""

import os
import shutil
from collections.abc import Iterable, Mapping
from typing import Any, TextIO, cast

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _
from rich.console import Console

from game.engine.chance import SEED_BYTES
from game.management.screen import Colours, Look


def add_language_and_seed(parser: CommandParser) -> None:
    codes = list(settings.LANGUAGE_TABLE)
    parser.add_argument("--lang", choices=codes, help="by default the environment's")
    parser.add_argument("--seed", metavar="NUMBER", help="decides all chance; random by default")


def speaking(options: Mapping[str, Any]) -> translation.override:
    """Returns a context that switches to the language of these options."""
    return translation.override(options["lang"] or language_of(os.environ))


def language_of(environment: Mapping[str, str]) -> str:
    """Returns the language that the locale variables (POSIX) ask for, else English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    asked = next(filter(None, map(environment.get, names)), "").lower().replace("_", "-")
    fitting = (code for code in settings.LANGUAGE_TABLE if asked.startswith(code))
    return max(fitting, key=len, default="en")


def refuse_unless(asked: str | None, option: str, names: Iterable[str]) -> None:
    """Raises CommandError, in the language switched on, unless a known name was asked for.

    The parser's own `choices` refuses in English, before the language is known.
    """
    known = tuple(names)
    if asked is not None and asked not in known:
        raise CommandError(
            _("There is no “%(asked)s” for %(option)s. There is: %(names)s.")
            % {"asked": asked, "option": option, "names": ", ".join(known)}
        )


def seed_of(options: Mapping[str, Any]) -> bytes | None:
    """Returns the seed for the number given, or None without the option."""
    if options["seed"] is None:
        return None
    try:
        number = int(options["seed"]) % 256**SEED_BYTES
    except ValueError as error:
        raise CommandError(_("The seed is a whole number.")) from error
    return int.to_bytes(number, SEED_BYTES, "big")


def look_of(
    out: TextIO, options: Mapping[str, Any], environment: Mapping[str, str] = os.environ
) -> Look:
    """Returns what `out` can do; it has no colour if NO_COLOR (no-color.org) is set."""
    is_screen = out.isatty() and environment.get("TERM", "dumb") != "dumb"
    has_colour = is_screen and not environment.get("NO_COLOR") and not options["no_color"]
    colours = Console(file=out, _environ=environment).color_system if has_colour else None
    return Look(cast("Colours | None", colours), is_screen, shutil.get_terminal_size)

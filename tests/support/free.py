"""The next free codes and bits of what tokens hold, and a free language, for docs/adding.md.

    python -m tests.support.free preset

prints the next free code of a preset; `mind`, `rule` and `part` those of a mind, of a rule switch
and of a feature's part. A number that was given once is never given again. `language` prints the
code of a language that the site doesn't have.
"""

import sys
from collections.abc import Callable

from django.conf import settings
from django.conf.locale import LANG_INFO

from game.engine.presets import PRESETS
from game.engine.rules import ROWS
from game.matches.parts import part_formats
from game.players.registry import CODES


def rule() -> int:
    """The bit behind those of all switches."""
    widths: dict[int, int] = {
        row.bit: (len(row.values) - 1).bit_length() for row in ROWS if row.bit is not None
    }
    last = max(widths)
    return last + widths[last]


def language(letters: int = 2) -> str:
    """The first code of so many letters that Django knows and the site doesn't have."""
    return next(
        code
        for code, row in LANG_INFO.items()
        if len(code) == letters and code not in settings.LANGUAGE_TABLE and not row.get("bidi")
    )


FREE: dict[str, Callable[[], int | str]] = {
    "preset": lambda: max(preset.code for preset in PRESETS.values()) + 1,
    "mind": lambda: max(CODES.values()) + 1,
    "rule": rule,
    "part": lambda: max(kind.code for _name, kind in part_formats().values()) + 1,
    "language": language,
}

if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    print(FREE[sys.argv[1]]())

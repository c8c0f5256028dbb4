"""The next free codes and bits of what tokens hold, for docs/adding.md.

    python -m tests.support.free preset

prints the next free code of a preset; `mind`, `rule` and `part` those of a mind, of a rule switch
and of a feature's part. A number that was given once is never given again.
"""

import sys
from collections.abc import Callable

from game.engine.presets import PRESETS
from game.engine.rules import ROWS
from game.matches.parts import BITS, kinds
from game.players.registry import CODES


def rule() -> int:
    """The bit behind those of all switches."""
    widths: dict[int, int] = {
        row.bit: (len(row.values) - 1).bit_length() for row in ROWS if row.bit is not None
    }
    last = max(widths)
    return last + widths[last]


def part() -> int:
    """The highest bit that no feature has."""
    taken = {kind.bit for _name, kind in kinds().values()}
    return max(bit for bit in BITS if bit not in taken)


FREE: dict[str, Callable[[], int]] = {
    "preset": lambda: max(preset.code for preset in PRESETS.values()) + 1,
    "mind": lambda: max(CODES.values()) + 1,
    "rule": rule,
    "part": part,
}

if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    print(FREE[sys.argv[1]]())

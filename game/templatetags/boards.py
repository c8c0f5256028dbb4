"""Template tags that draw boards and ships, and filters for names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from itertools import chain
from typing import Any

from django import template
from django.template.loader import get_template, render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from game.display import names
from game.display.boards import Arrow, BoardOf

register = template.Library()
register.filter(names.picture)
register.filter(names.pictures)


@register.inclusion_tag("game/_board.html")
def board(
    view: BoardOf[Any],
    cells: str,
    role: str = "grid",
    has_radar: bool = False,
    chances: Sequence[int] = (),
) -> dict[str, Any]:
    """A board as a grid or a table; `cells` is the template of a cell.

    `chances` has the chance of each cell, per mille, if the template prints it.
    """
    rows = _rows(view, cells, chances)
    return {"view": view, "rows": rows, "role": role, "has_radar": has_radar}


_NAME, _CHANCE = "\0name\0", "\0chance\0"


def _rows(view: BoardOf[Any], cells: str, chances: Sequence[int]) -> list[SafeString]:
    """The rows of a board, joined from cells: each kind of cell is rendered once per language.

    Only the names and chances are inserted, and a cell with arrows is rendered for itself.
    """
    language, width = get_language() or "en", view.columns
    shown = list(chain.from_iterable(view.rows))
    # Cells are told apart by identity: hashing one takes 0.4 us, and most are the same object.
    kinds = {
        at: _kind(cells, language, cell, bool(chances))
        for at, cell in {id(cell): cell for cell in shown}.items()
    }
    named = _names(view.letters, len(view.rows))
    drawn = [name.join(kinds[id(cell)]) for name, cell in zip(named, shown, strict=True)]
    for cell, arrows in view.arrows.items():
        drawn[cell] = _cell(cells, shown[cell], named[cell], arrows=arrows)
    for at, chance in enumerate(chances):
        drawn[at] = drawn[at].replace(_CHANCE, str(chance))
    starts = range(0, len(drawn), width)
    return [SafeString("".join(drawn[start : start + width])) for start in starts]


@lru_cache(maxsize=24)  # the presets have one board, own rules any; up to 14 kB each
def _names(letters: str, rows: int) -> tuple[str, ...]:
    return tuple(f"{letter}{row + 1}" for row in range(rows) for letter in letters)


# The key is the kind of cell, not its place: all boards in both languages have about 900 kinds.
@lru_cache(maxsize=2048)
def _kind(cells: str, _language: str, cell: Any, has_chance: bool) -> list[str]:
    """The text of a kind of cell, split where the cell's name stands."""
    return _cell(cells, cell, _NAME, chance=_CHANCE if has_chance else "").split(_NAME)


def _cell(cells: str, cell: Any, name: str, chance: str = "", arrows: Sequence[Arrow] = ()) -> str:
    given = {"it": cell, "name": name, "chance": chance, "arrows": arrows}
    return render_to_string(cells, given).replace("\n", "")


@cache
def _sprite() -> list[str]:
    return get_template("ships.svg").render().splitlines()


@register.simple_tag
@lru_cache(maxsize=256)  # fleets in play; up to 4 kB each
def ship_pictures(fleet: tuple[int, ...] = ()) -> SafeString:
    """The pictures that a page of a fleet refers to; all of them for an empty fleet."""
    wanted = {*names.pictures(fleet), *(names.wreck_picture(fleet, length) for length in fleet)}
    return SafeString(
        "\n".join(
            line
            for line in _sprite()
            if not (fleet and line.startswith("<symbol")) or line.split('"')[1] in wanted
        )
    )


@register.filter
def isolated(name: str) -> SafeString:
    """A player's name in `bdi`: its writing direction must not affect the words around it."""
    return format_html("<bdi>{}</bdi>", name)


@register.filter
def with_name(sentence: str, name: str) -> SafeString:
    """The sentence with the name, if it has one, in `bdi`, which alone is cut off.

    Quotes stay as they are, as in the `innerHTML` with which the script compares it.
    """
    before, name, after = sentence.partition(name) if name else (sentence, "", "")
    parts = [SafeString(escape(part, quote=False)) for part in (before, name, after)]
    return format_html("{}<bdi>{}</bdi>{}", *parts) if name else parts[0]


SHORT_ENTRY = 12
"""An entry of the log that stays on one line, such as `J10: Treffer`."""


@register.filter
def unbroken(entry: str) -> str:
    """The entry on one line if it is short; a ship's name would make a phone's column too wide."""
    return entry.replace(": ", ":\N{NO-BREAK SPACE}") if len(entry) <= SHORT_ENTRY else entry


@register.filter
def name_of(length: int) -> str:
    return names.ship_name(length)

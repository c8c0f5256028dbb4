"""Template tags that draw boards and fleets: each piece is rendered from its template once.

A page has two hundred cells of a few kinds. What a piece looks like follows from a value that can
be hashed, so its text is kept; templates stay the only source of markup.
"""

from collections.abc import Hashable
from functools import lru_cache
from typing import NamedTuple

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from game.display.boards import BoardView, CellView
from game.display.names import ship_name
from game.views.rendering import cast

register = template.Library()


_NAME = "\0name\0"
"""Stands in the text of a cell for its name."""


class Frame(NamedTuple):
    """What surrounds the cells of a board."""

    kind: str
    columns: int
    rows: int
    letters: str
    role: str
    has_radar: bool


@register.simple_tag
def board(view: BoardView, role: str, kind: str, has_radar: bool | str) -> SafeString:
    """A board as a grid or a table; kind says how a cell is drawn: enemy, own, placing."""
    language = get_language() or "en"
    frame = Frame(view.kind, view.columns, len(view.rows), view.letters, role, bool(has_radar))
    hulls = [_drawn(language, "game/_hull.html", hull) for hull in view.hulls]
    name = f"cells/{kind}.html"
    rows = [_row(language, name, number, row) for number, row in enumerate(view.rows, start=1)]
    pieces = {"hulls": SafeString("".join(hulls)), "rows": SafeString("".join(rows))}
    return cast("game/_frame.html", {"it": frame}, pieces)


@register.simple_tag
def drawn(name: str, it: Hashable) -> SafeString:
    """A template's text for a value, which it knows as `it`."""
    return _drawn(get_language() or "en", name, it)


@lru_cache(maxsize=8192)
def _row(language: str, name: str, number: int, cells: tuple[CellView, ...]) -> str:
    drawn_cells = SafeString("".join([_cell(language, name, cell) for cell in cells]))
    return cast("cells/_row.html", {}, {"number": str(number), "cells": drawn_cells})


@lru_cache(maxsize=65536)
def _cell(language: str, name: str, cell: CellView) -> str:
    """A cell's text: that of any cell alike, with the cell's own name in it."""
    return _drawn(language, name, cell._replace(name=_NAME)).replace(_NAME, cell.name)


@lru_cache(maxsize=65536)
def _drawn(language: str, name: str, it: Hashable) -> SafeString:
    return SafeString(render_to_string(name, {"it": it}).strip())


LONG = 90
"""A status line of more characters has more lines on a phone than there is room for."""


@register.simple_tag
def status_line(status: str, is_refused: bool | str = False) -> SafeString:
    """What just happened, or why it could not."""
    fixed = {"is_refused": bool(is_refused), "is_long": len(status) > LONG}
    return SafeString(cast("game/_status.html", fixed, {"status": status}).strip())


@register.simple_tag
def words(name: str, **context: object) -> SafeString:
    """A template's text without the white space around it, as attributes need it."""
    return SafeString(render_to_string(name, context).strip())


@register.filter
def isolated(name: str) -> SafeString:
    """A player's name, whose direction of writing leaves the words around it alone."""
    return format_html("<bdi>{}</bdi>", name)


@register.filter
def name_of(length: int, is_1990: bool = False) -> str:
    """What a ship of that length is called, in the five-ship fleet of 1990 or in any other."""
    return ship_name(length, is_1990=is_1990)

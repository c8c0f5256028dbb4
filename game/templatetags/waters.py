"""Template tags that draw boards and fleets: each piece is rendered from its template once.

A page has two hundred cells of a few kinds. What a piece looks like follows from a value that can
be hashed, so its text is kept; templates stay the only source of markup.
"""

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from game.boards import CellView
from game.brochure import ship_name

register = template.Library()


@register.simple_tag
def row_of(kind: str, cells: tuple[CellView, ...]) -> SafeString:
    """The cells of one row; kind is enemy, own or placing."""
    return _row(get_language() or "en", f"cells/{kind}.html", cells)


@register.simple_tag
def drawn(name: str, it: Hashable) -> SafeString:
    """A template's text for a value, which it knows as `it`."""
    return _drawn(get_language() or "en", name, it)


@lru_cache(maxsize=8192)
def _row(language: str, name: str, cells: tuple[CellView, ...]) -> SafeString:
    return SafeString("".join(_drawn(language, name, cell) for cell in cells))


@lru_cache(maxsize=65536)
def _drawn(language: str, name: str, it: Hashable) -> SafeString:
    return SafeString(render_to_string(name, {"it": it}).strip())


@register.simple_tag
def words(name: str, **context: object) -> SafeString:
    """A template's text without the white space around it, as attributes need it."""
    return SafeString(render_to_string(name, context).strip())


@register.filter
def name_of(length: int, is_1990: bool = False) -> str:
    """What a ship of that length is called, in the five-ship fleet of 1990 or in any other."""
    return ship_name(length, is_1990=is_1990)

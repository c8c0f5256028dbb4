"""Template tags that draw boards. Each kind of row is rendered from its template only once."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from game.boards import CellView
from game.wording import ship_name

register = template.Library()


@register.simple_tag
def row_of(kind: str, cells: tuple[CellView, ...]) -> SafeString:
    """The cells of one row; kind is enemy, own or placing."""
    return _row(get_language() or "en", kind, cells)


@lru_cache(maxsize=8192)
def _row(language: str, kind: str, cells: tuple[CellView, ...]) -> SafeString:
    return SafeString("".join(_cell(language, kind, cell) for cell in cells))


@lru_cache(maxsize=65536)
def _cell(language: str, kind: str, cell: CellView) -> SafeString:
    return SafeString(render_to_string(f"cells/{kind}.html", {"cell": cell}).strip())


@register.simple_tag
def words(name: str, **context: object) -> SafeString:
    """A template's text without the white space around it, as attributes need it."""
    return SafeString(render_to_string(name, context).strip())


@register.filter
def name_of(length: int) -> str:
    """What a ship of that length is called."""
    return ship_name(length)

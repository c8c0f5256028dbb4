"""Template tags that draw boards and fleets, and filters for names."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from game.display import names
from game.display.boards import BoardOf
from game.views import rendering

register = template.Library()
register.simple_tag(rendering.hull)
register.simple_tag(rendering.ship_pictures)
register.filter(names.picture)
register.filter(names.pictures)


@register.simple_tag
def board(
    view: BoardOf[Any], cells: str, role: str = "grid", has_radar: bool = False
) -> SafeString:
    """A board; `cells` is the template of a cell."""
    return rendering.board(view, cells, role, has_radar=has_radar)


@register.filter
def isolated(name: str) -> SafeString:
    """A player's name in `bdi`: its writing direction must not affect the words around it."""
    return format_html("<bdi>{}</bdi>", name)


@register.filter
def name_of(length: int) -> str:
    return names.ship_name(length)

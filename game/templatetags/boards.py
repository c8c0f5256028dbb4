"""Template tags that draw boards, and filters for names and handles."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from html import escape
from typing import Any

from django import template
from django.template.loader import get_template, render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from game.display import names
from game.display.boards import Arrow, BoardOf
from game.engine.geometry import Cell
from game.matches.cell_names import CellNames

register = template.Library()
register.filter(names.picture)
register.filter(names.pictures)
register.filter(names.waters_of)

_NAME, _CALLED = "\0name\0", "\0called\0"


@register.inclusion_tag("game/_board.html")
def board(
    view: BoardOf[Any], cells: str, role: str = "grid", has_radar: bool = False
) -> dict[str, Any]:
    """A board; `cells` is the template of a cell."""
    language, arrows, figures = get_language() or "en", view.arrows, view.per_mille
    cell_names, texts = view.cell_names, []
    is_labelled = cell_names.is_labelled
    for number, (name, cell) in enumerate(view.named_cells):
        at = Cell(number)
        called = cell_names.marked(cell_names.name(at)) if is_labelled else ""
        if at in arrows or at in figures:
            texts.append(_drawn(cells, cell, name, called, arrows.get(at, ()), figures.get(at)))
        else:
            text = name.join(_kind(cells, language, cell, is_labelled))
            texts.append(text.replace(_CALLED, called) if is_labelled else text)
    width = view.board.columns
    rows = ["".join(texts[at : at + width]) for at in range(0, len(texts), width)]
    numbered = zip(cell_names.rows, map(SafeString, rows), strict=True)
    return {"view": view, "rows": numbered, "role": role, "has_radar": has_radar}


@register.simple_tag
def drawn(kind: Any, template: str) -> SafeString:
    """A kind of ships in a fleet."""
    return SafeString(_kind(template, get_language() or "en", kind)[0])


# The key is all that is drawn: boards have about 900 kinds of cells in both languages, fleets 200.
@lru_cache(maxsize=2048)
def _kind(template: str, _language: str, kind: Any, is_labelled: bool = False) -> list[str]:
    """The text of a kind of cell or of ships, split where a cell's name stands.

    Django renders a cell in 50 us, and a page has two hundred.
    """
    return _drawn(template, kind, _NAME, _CALLED if is_labelled else "").split(_NAME)


def _drawn(
    cells: str,
    cell: Any,
    name: str,
    called: str = "",
    arrows: tuple[Arrow, ...] = (),
    per_mille: int | None = None,
) -> str:
    """What Django renders for a cell, without the line breaks of its template.

    `called` is the name as elements where a feature calls cells otherwise.
    """
    given = {
        "it": cell, "name": name, "called": SafeString(called), "arrows": arrows,
        "per_mille": per_mille,
    }  # fmt: skip
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
def handles(view: Any, names: str = "") -> SafeString:
    """The marked values of a view as `data-` attributes: all, or those named."""
    marked: Mapping[str, Any] = view.handles if view else {}
    wanted = names.split() or marked
    return format_html_join(
        "", ' data-{}="{}"', [(name, marked[name]) for name in wanted if name in marked]
    )


@register.filter
def named(sentence: str, name: str) -> SafeString:
    """A sentence with a name in an element of its own, which alone is cut off.

    Quotes stay as they are, since a script compares the text with `innerHTML`.
    """
    text, part = (escape(words, quote=False) for words in (sentence, name))
    return SafeString(text.replace(part, f"<bdi>{part}</bdi>", 1) if part else text)


@register.filter
def spoken(sentence: str, cell_names: CellNames | None) -> str:
    """A sentence whose names of cells can be spoken, if labels name them."""
    if cell_names is None or not cell_names.is_labelled:
        return sentence
    return SafeString(cell_names.marked(sentence))


@register.filter
def isolated(name: str) -> SafeString:
    """A player's name in `bdi`: its writing direction must not affect the words around it."""
    return format_html("<bdi>{}</bdi>", name)


@register.filter
def name_of(length: int) -> str:
    return names.ship_name(length)

"""Template tags that draw boards, and filters for names and handles."""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from html import escape
from typing import Any

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.template.context import Context
from django.template.loader import get_template, render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from game.display import names
from game.display.boards import Arrow, BoardOf
from game.matches.cell_names import CellNames
from game.templatetags.parts import PagePart, parts_of

register = template.Library()
register.filter(names.picture)
register.filter(names.pictures)
register.filter(names.waters_of)

_NAME, _CALLED = "\0name\0", "\0called\0"


class BoardPart(PagePart):
    """A board, of which an answer renders the cells that differ, and what lies over them."""

    def __init__(
        self, view: FilterExpression, cells: FilterExpression, more: Mapping[str, FilterExpression]
    ) -> None:
        super().__init__([view], NodeList())
        self.cells, self.more = cells, more

    def render(self, context: Context) -> SafeString:
        values = self._values(context)
        view: BoardOf[Any] = values["view"]
        texts = _texts(view, self.cells.resolve(context))
        width = view.board.columns
        rows = ["".join(texts[at : at + width]) for at in range(0, len(texts), width)]
        numbered = zip(view.cell_names.rows, map(SafeString, rows), strict=True)
        return SafeString(render_to_string("game/_board.html", {**values, "rows": numbered}))

    def changed(self, before: Context, after: Context) -> Iterator[tuple[str, str]]:
        if not self.differs(before, after):
            return
        shown, values = self._values(before), self._values(after)
        view: BoardOf[Any] = values["view"]
        for text in _texts(view, self.cells.resolve(after), shown["view"]):
            yield view.kind, text
        for part in parts_of("game/_board.html"):
            yield from part.changed(Context(shown), Context(values))

    def _values(self, context: Context) -> dict[str, Any]:
        more = {name: value.resolve(context) for name, value in self.more.items()}
        return {"view": self.values[0].resolve(context), "role": "grid", **more}


@register.tag
def board(parser: Parser, token: Token) -> BoardPart:
    """A board, the template of its cells, and perhaps `role` and `has_radar`."""
    _name, view, cells, *bits = token.split_contents()
    filters = parser.compile_filter(view), parser.compile_filter(cells)
    return BoardPart(*filters, token_kwargs(bits, parser))


def _texts(view: BoardOf[Any], cells: str, shown: BoardOf[Any] | None = None) -> list[str]:
    """Returns the cells, row by row, or only those that aren't shown; `cells` is a template."""
    language, arrows, figures = get_language() or "en", view.arrows, view.per_mille
    cell_names, texts = view.cell_names, []
    is_labelled = cell_names.is_labelled
    cells_shown, arrows_shown = (
        (shown.cells, shown.arrows) if shown else ([None] * view.board.size, {})
    )
    turned = {at for at in {*arrows, *arrows_shown} if arrows.get(at) != arrows_shown.get(at)}
    board = zip(view.board.cells, view.named_cells, cells_shown, strict=True)
    for at, (name, cell), before in board:
        if cell == before and at not in turned:
            continue
        called = cell_names.marked(cell_names.name(at)) if is_labelled else ""
        if at in arrows or at in figures:
            texts.append(_drawn(cells, cell, name, called, arrows.get(at, ()), figures.get(at)))
        else:
            text = name.join(_kind(cells, language, cell, is_labelled))
            texts.append(text.replace(_CALLED, called) if is_labelled else text)
    return texts


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
    shown = [name for name in names.split() or marked if name in marked]
    return SafeString("".join([f' data-{name}="{escape(str(marked[name]))}"' for name in shown]))


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

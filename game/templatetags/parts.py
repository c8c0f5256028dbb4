"""The tag `part`: what an answer renders again only where the values differ that it lists.

    {% part view.fleets.afloat view.fleets.of %}<p id="afloat">…</p>{% endpart %}

A part is one element with an id, or a whole page with parts in it. Values are those of the page,
not of a loop or of `with`, so what stands around a part may not change without one of its values.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, Token
from django.template.context import Context
from django.template.loader import get_template
from django.template.loader_tags import IncludeNode
from django.utils.safestring import SafeString

register = template.Library()


class PagePart(Node):
    """What can tell how it differs between two pages."""

    child_nodelists = ("nodelist",)

    def __init__(self, values: Sequence[FilterExpression], nodelist: NodeList) -> None:
        self.values, self.nodelist = values, nodelist

    def render(self, context: Context) -> SafeString:
        return self.nodelist.render(context)

    def differs(self, before: Context, after: Context) -> bool:
        shown = [value.resolve(before) for value in self.values]
        return shown != [value.resolve(after) for value in self.values]

    def changed(self, before: Context, after: Context) -> Iterator[tuple[str, str]]:
        """Yields the elements that differ, each with the board it is a cell of, or nothing."""
        if self.differs(before, after):
            yield "", self.render(after)


@register.tag
def part(parser: Parser, token: Token) -> PagePart:
    values = [parser.compile_filter(bit) for bit in token.split_contents()[1:]]
    nodelist = parser.parse(("endpart",))
    parser.delete_first_token()
    return PagePart(values, nodelist)


@cache
def parts_of(name: str) -> tuple[PagePart, ...]:
    """Returns the parts of a template and of what it includes by name, but not those within."""
    return tuple(_parts(get_template(name).template.nodelist))  # type: ignore[attr-defined]


def _parts(nodes: Iterable[Node]) -> Iterator[PagePart]:
    for node in nodes:
        if isinstance(node, PagePart):
            yield node
        elif isinstance(node, IncludeNode) and isinstance(node.template.var, str):
            yield from parts_of(node.template.var)
        else:
            for children in node.child_nodelists:
                yield from _parts(getattr(node, children, ()))


@cache
def _within(page: PagePart) -> tuple[PagePart, ...]:
    return tuple(_parts(page.nodelist))


@register.simple_tag(takes_context=True)
def changes(context: Context, body: str, before: dict[str, Any]) -> SafeString | None:
    """What differs from the page `before`, as templates; None if that is the whole page.

    A template holds elements with ids, or cells of the board that it names.
    """
    page = next(iter(parts_of(body)), None)
    if page is None or not before:  # a page that is whole has no such value
        return None
    earlier = Context(before)
    if page.differs(earlier, context):
        return None
    texts: dict[str, list[str]] = {"": []}
    for within in _within(page):
        for board, text in within.changed(earlier, context):
            texts.setdefault(board, []).append(text)
    return SafeString(
        "\n".join(
            f'<template data-changes="{board}">{"".join(parts)}</template>'
            for board, parts in texts.items()
        )
    )

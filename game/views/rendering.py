"""Pages cast in moulds: templates that are rendered once for each of their shapes, and then filled.

    cast("game/_status.html", {"is_long": False}, {"status": "B7: hit."})

What a template may ask about is fixed, and decides the shape; what it only prints is poured in. A
text that is empty is fixed as such, so that templates may ask whether there is one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from html import escape

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

SLOT = "\0"
"""Stands on both sides of a name where text is to be poured in."""


def cast(name: str, fixed: Mapping[str, Hashable], poured: Mapping[str, str]) -> SafeString:
    """The template's text with these values, in the language of the request."""
    return cast_each(name, fixed, (poured,))


def cast_each(
    name: str, fixed: Mapping[str, Hashable], each: Iterable[Mapping[str, str]]
) -> SafeString:
    """The template's text for each of these, one behind the other."""
    language, shape = get_language() or "en", tuple(fixed.items())
    parts: list[str] = []
    for poured in each:
        filled = tuple([said for said, text in poured.items() if text])
        texts, names = _mould(name, language, shape, filled)
        parts.append(texts[0])
        for said, text in zip(names, texts[1:], strict=True):
            value = poured[said]
            parts += (value if type(value) is SafeString else escape(value), text)
    return SafeString("".join(parts))


@lru_cache(maxsize=256)
def _mould(
    name: str, _language: str, fixed: tuple[tuple[str, Hashable], ...], filled: tuple[str, ...]
) -> tuple[list[str], list[str]]:
    """The template's text in pieces, and the names of what is poured in between them."""
    slots = {said: SafeString(f"{SLOT}{said}{SLOT}") for said in filled}
    pieces = render_to_string(name, {**dict(fixed), **slots}).split(SLOT)
    return pieces[::2], pieces[1::2]

"""Pages cast in moulds: templates that are rendered once for each of their shapes, and then filled.

    cast("game/_status.html", {"is_long": False}, {"status": "B7: hit."})

What a template may ask about is fixed, and decides the shape; what it only prints is poured in. A
text that is empty is fixed as such, so that templates may ask whether there is one.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from html import escape

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

SLOT = "\0"
"""Stands on both sides of a name where text is to be poured in."""


def cast(name: str, fixed: Mapping[str, Hashable], poured: Mapping[str, str]) -> SafeString:
    """The template's text with these values, in the language of the request."""
    filled = tuple([said for said, text in poured.items() if text])
    texts, names = _mould(name, get_language() or "en", tuple(fixed.items()), filled)
    safe = {
        said: poured[said] if type(poured[said]) is SafeString else escape(poured[said])
        for said in filled
    }
    parts = [""] * (len(texts) + len(names))
    parts[::2], parts[1::2] = texts, [safe[said] for said in names]
    return SafeString("".join(parts))


@lru_cache(maxsize=512)
def _mould(
    name: str, _language: str, fixed: tuple[tuple[str, Hashable], ...], filled: tuple[str, ...]
) -> tuple[list[str], list[str]]:
    """The template's text in pieces, and the names of what is poured in between them."""
    slots = {said: SafeString(f"{SLOT}{said}{SLOT}") for said in filled}
    pieces = render_to_string(name, {**dict(fixed), **slots}).split(SLOT)
    return pieces[::2], pieces[1::2]

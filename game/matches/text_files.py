"""Text that an editor or a shell has saved in its own way: its encoding, spaces and dashes."""

from __future__ import annotations

import codecs

_MARKS_OF_UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−﹣－", "-"))


def decoded(content: bytes) -> str:
    """Returns the text of a file in UTF-8, or in UTF-16 with a mark, as Windows' shell saves it."""
    encoding = "utf-16" if content.startswith(_MARKS_OF_UTF_16) else "utf-8-sig"
    return content.decode(encoding, "replace")


def plain_lines(text: str) -> list[str]:
    """Returns the lines of a text with single spaces and plain dashes, no empty ones."""
    lines = text.removeprefix("\ufeff").translate(_DASHES).splitlines()
    return [" ".join(line.split()) for line in lines if line.strip()]

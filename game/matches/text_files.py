"""Text that an editor or a shell has saved in its own way: its encoding, spaces and signs."""

import codecs
import re

_MARKS = {
    codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16",
}  # fmt: skip
"""The encodings by the marks with which a file begins; those of UTF-32 begin like UTF-16."""
_SIGNS = str.maketrans({
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"), **dict.fromkeys("‘’‚‛′＇", "'"),
    **dict.fromkeys("“”„‟″＂", '"'),
})  # fmt: skip
_UNSEEN = re.compile(
    "[\0\x1a\xad\u034f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_AS_LATIN = re.compile("ï»¿|þÿ|ÿþ|Â(?=\xa0)")
"""What an editor that takes UTF-8 for Latin-1 makes of a mark and of a no-break space."""
_QUOTING = re.compile(r"^[ \t]*(?:(?:>[ \t]*)+|```.*)")
"""What mail writes before each line that it quotes, and forums above and below a text."""


def decoded(content: bytes) -> str:
    """Returns the text of a file in UTF-8, UTF-16 or UTF-32, or else in Windows' Latin-1."""
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            return content[len(mark) * (encoding == "utf-8") :].decode(encoding, "replace")
    even, odd = content[::2], content[1::2]
    if content and 2 * even.count(0) > len(even):
        return content.decode("utf-16-be", "replace")
    if content and 2 * odd.count(0) > len(odd):
        return content.decode("utf-16-le", "replace")
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def plain_lines(text: str) -> list[str]:
    """Returns the lines of a text with single spaces and the signs of keyboards, no empty ones."""
    plain = _UNSEEN.sub("", _AS_LATIN.sub("", text)).translate(_SIGNS)
    lines = (" ".join(_QUOTING.sub("", line).split()) for line in plain.splitlines())
    return [line for line in lines if line]

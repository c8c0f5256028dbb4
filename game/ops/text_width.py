"""How much room a text takes, for what measures text itself: boards, sheets and cards.

`columns` counts three for "dog", two for "猫" and three for "வீடு".
"""

import unicodedata
from collections.abc import Iterator

_WITHOUT_WIDTH = ("Mn", "Me", "Cf")
"""Marks above and below a letter, and joiners. Those beside a letter, `Mc`, have a width."""
_ZWJ, _AS_PICTURE = "\u200d", "\ufe0f"
_SKINS = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_NARROW, _WIDE = " .,:;!|'’()[]-iIjlrtf", "MWmw@%ÆæŒœЖМФШЩЫЮжмфшщыю"


def drawn(text: str) -> Iterator[tuple[str, int]]:
    """Yields the characters that take room, each with its columns in a terminal: 1 or 2."""
    before, flag = "", False
    for char in text:
        is_flag = "\U0001f1e6" <= char <= "\U0001f1ff"
        is_joined = (before == _ZWJ and char > "\u2000") or char in _SKINS or (is_flag and flag)
        flag = is_flag and not flag
        before, behind = char, before
        if char == _AS_PICTURE and behind and unicodedata.east_asian_width(behind) not in "FW":
            yield char, 1  # which makes a narrow sign a picture of two columns
        if (
            is_joined
            or unicodedata.category(char) in _WITHOUT_WIDTH
            or "\u1160" <= char <= "\u11ff"
        ):
            continue
        is_wide = unicodedata.east_asian_width(char) in "FW" or is_flag or _is_new(char)
        yield char, 1 + is_wide


def _is_new(char: str) -> bool:
    """Whether it is a picture that is newer than Python's tables."""
    return "\U0001f000" <= char <= "\U0001fbff" and unicodedata.category(char) == "Cn"


def columns(text: str) -> int:
    """Returns the columns of a text in a terminal; a Latin letter has one."""
    return sum(wide for _char, wide in drawn(text))


def signs(text: str) -> int:
    """Returns how many characters are seen: marks that need no room belong to their letter."""
    return sum(char != _AS_PICTURE for char, _wide in drawn(text))


def ems(text: str) -> float:
    """Returns about how wide a text is in sizes of its font, rather too wide than too narrow."""
    return sum(map(_ems, drawn(unicodedata.normalize("NFKC", text))))


def _ems(sign: tuple[str, int]) -> float:
    char, wide = sign
    if char == _AS_PICTURE:
        return 0.5
    if char in _NARROW:
        return 0.38
    if wide > 1 or char in _WIDE or "\u0900" <= char <= "\u1dff" or char > "\u2e80":
        return 1.1
    return 0.8 if char.isupper() else 0.62

"""What people type, compared as a person compares it.

    cleaned("Fu\N{SOFT HYPHEN}ßball ")  -> "Fußball"
    SPELLINGS[1]("Don’t", "en")         -> "don't"
    SPELLINGS[2]("Łódź", "pl")          -> "lodz"
    SPELLINGS[3]("Tür", "de")           -> "tuer"

Two texts are the same if one of SPELLINGS is. The first ones are the strictest, so that `Sie` is
found before `sie`.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import TypeAlias

_JOINED = (
    "\u0600-\u109f\u1780-\u18af\u1900-\u1cff\ua800-\ua95f\ua980-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00011fff"
)
"""The scripts whose letters join, from Arabic to Myanmar: a joiner between them is seen."""
_PICTURE = (
    "\xa9\xae\u203c\u2049\u2122-\u21ff\u2300-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001fbff"
)
_IGNORABLE = (
    "\xad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f"
    "\ufeff\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""What Unicode has nobody see: hyphens that are soft, joiners, marks of direction, selectors."""
_ODD = "\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\uf8ff\U000f0000-\U0010ffff"
"""Control characters apart from spaces, surrogates, and characters without a meaning."""
_UNSEEN = re.compile(
    rf"((?<=[{_JOINED}])\u200c(?=[{_JOINED}])|(?<=[{_JOINED}])\u200d|\u200d(?=[{_JOINED}])"
    rf"|(?<=[{_PICTURE}\ufe0f\U000e007f])\u200d(?=[{_PICTURE}])"
    rf"|(?<=[#*0-9{_PICTURE}])[\ufe0e\ufe0f]"
    r"|(?<=[\u1800-\u18aa\u3400-\u9fff\U00020000-\U0003ffff])[\u180b-\u180f\U000e0100-\U000e01ef]"
    rf"|(?<=\U0001f3f4)[\U000e0020-\U000e007f]+)|[{_IGNORABLE}{_ODD}]"
)
"""What nobody sees; the group has what is kept, as a letter or a picture needs it."""
_SPACE = re.compile(r"[\s\u115f\u1160\u2800\u3164\uffa0]+")
"""Spaces of all kinds, and the letters of Hangul and Braille that are drawn as nothing."""
_LINE_END = re.compile("[\v\f\x1c-\x1f\x85\u2028\u2029]")
"""The line ends that are no white space in HTML."""
_MOST_MARKS = 2


def cleaned(text: str) -> str:
    """Returns a text on one line, without what nobody sees and with two marks on a letter."""
    kept = _UNSEEN.sub(lambda found: found[1] or "", unicodedata.normalize("NFC", text))
    if not kept.isascii():
        kept = _with_few_marks(kept)
    return _SPACE.sub(" ", kept).strip()


def legible(text: str) -> str:
    """Returns a text of several lines without what nobody sees, to stand in its field again."""
    return _LINE_END.sub("\n", _UNSEEN.sub(lambda found: found[1] or "", text))


def is_seen(line: str, kinds: str) -> bool:
    """Whether a character of these kinds of Unicode, such as letters `L`, is drawn."""
    return any(
        unicodedata.category(char)[0] in kinds or (_is_new(char) and "S" in kinds)
        for char in _SPACE.sub("", line)
    )


def _is_new(char: str) -> bool:
    """Whether it is a picture that is newer than Python's tables."""
    return "\U0001f000" <= char <= "\U0001fbff" and unicodedata.category(char) == "Cn"


def _with_few_marks(text: str) -> str:
    kept, marks = [], 0
    for char in text:
        kind = unicodedata.category(char)
        if kind == "Cn" and not _is_new(char):
            continue
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks <= _MOST_MARKS or char >= "\U000e0000":
            kept.append(char)
    return "".join(kept)


# --- spellings ---

_SIGNS = str.maketrans({
    **dict.fromkeys("‘’‚‛‹›′‵`´＇ʹʻʼʽʾʿˈˊˋ՚׳ꞌꞋ΄᾽᾿῾", "'"),
    **dict.fromkeys("“”„‟«»″‶ʺ˝״〝〞〟＂「」『』｢｣", '"'),
    **dict.fromkeys("֊־᠆‐‑‒–—―⁃−⸗⸺⸻﹘﹣－", "-"), **dict.fromkeys("⁄∕⧸", "/"),
    **dict.fromkeys("∣ǀ¦", "|"), **dict.fromkeys("·‧∙⋅・･•", "·"), **dict.fromkeys("∶ː꞉׃", ":"),
    **dict.fromkeys("×✕✖⨯", "x"), "˜": "~", "∼": "~", "〜": "~", "،": ",", "、": ",", "؛": ";",
    "؟": "?", "٪": "%", "٫": ".", "。": ".", "…": "...", "㎡": "m2",
})  # fmt: skip
"""The signs of keyboards for those that word processors and other scripts have in their place."""
_BESIDE_SIGNS = re.compile(r"(?<=[«‹]) | (?=[»›!?])")
"""The spaces of French print within quotes and before signs."""
_DOTLESS = str.maketrans("Iİ", "ıi")
"""The small letters of Turkish and Azerbaijani where other languages have `i`."""
_IGNORED = re.compile(f"(?![\U000e0020-\U000e007f])[{_IGNORABLE}]")
"""What doesn't count; characters behind a flag say which one it is."""
_IOTA_BELOW = "\u0345"
_MARKS = re.compile(
    "(?<=[\u0438\u0443\u0456])\u0306|(?<=\u0456)\u0308"  # й, ў and ї are letters of their own
    "|([\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff])"
)
"""Accents, and the vowel signs of Hebrew and Arabic; marks of other scripts are not optional."""
_LETTERS = str.maketrans({
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "þ": "th", "ı": "i",
    "ŧ": "t", "ŋ": "n", "ĸ": "k", "ə": "e", "ɛ": "e", "ɔ": "o", "ɓ": "b", "ɗ": "d", "ƙ": "k",
    "ƴ": "y", "ɨ": "i", "ʉ": "u", "ɫ": "l", "ѐ": "е", "ѝ": "и",
    "ى": "ي", "ی": "ي", "ک": "ك", "ٱ": "ا", "ہ": "ه", "ة": "ه", "װ": "וו", "ױ": "וי",
    "ײ": "יי", "¿": "", "¡": "",
    **dict(zip("ൺൻർൽൾൿ", ("ണ്", "ന്", "ര്", "ല്", "ള്", "ക്"), strict=True)),
})  # fmt: skip
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "ð": "dh"})
"""How letters are written where the keyboard lacks them, if not as those without accents."""
_DECIMAL = re.compile(r"(?<=\d),(?=\d)")


def in_one_case(text: str, language: str = "") -> str:
    """Returns what spellings have in common that differ in case, width and kinds of signs alone."""
    text = _BESIDE_SIGNS.sub("", cleaned(text))
    if language.partition("-")[0] in ("tr", "az"):
        text = text.translate(_DOTLESS)
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", _IGNORED.sub("", text.translate(_SIGNS)))
        text = unicodedata.normalize("NFC", parts.replace(_IOTA_BELOW, ""))
        text = text.translate(_SIGNS)
        text = "".join(str(unicodedata.decimal(it)) if it.isdecimal() else it for it in text)
    text = text.replace("`", "'").casefold().replace("i\u0307", "i")
    return " ".join(unicodedata.normalize("NFKC", text).split()) or cleaned(text)


def _without_accents(text: str, language: str = "") -> str:
    """Returns what spellings have in common that differ in accents as well.

    Letters that few keyboards have count as those that people type in their place.
    """
    return _plain(in_one_case(text, language))


def _in_ascii(text: str, language: str = "") -> str:
    """Returns the same, with `ae` for `ä`."""
    return _plain(in_one_case(text, language).translate(_DIGRAPHS))


def _plain(text: str) -> str:
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    plain = _MARKS.sub(lambda it: it[0] if it[1] is None else "", parts)
    return unicodedata.normalize("NFC", plain.casefold().translate(_LETTERS)).strip() or text


Spelling: TypeAlias = Callable[[str, str], str]
SPELLINGS: tuple[Spelling, ...] = (
    lambda text, _language: cleaned(text),
    in_one_case,
    _without_accents,
    _in_ascii,
)
"""Functions of a text and its language, whose results are the same for the same spellings."""


def with_point(text: str) -> str:
    """Returns a text whose numbers have a decimal point in place of a comma."""
    return _DECIMAL.sub(".", text)


def folded(text: str, language: str = "") -> str:
    """Returns what all spellings of a text have in common, apart from `ae` for `ä`."""
    return with_point(_without_accents(text, language))


def is_same(text: str, other: str, language: str = "") -> bool:
    """Whether two spellings are the same to a person."""
    spelt = ((of(text, language), of(other, language)) for of in SPELLINGS)
    return any(with_point(mine) == with_point(theirs) for mine, theirs in spelt)

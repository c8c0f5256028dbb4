"""Addresses of the site as text: which have a token, and what spoils them on their way.

Messengers, mail programs and text editors add signs, break lines and escape: `…/play/TOKEN).`,
`…/play/TOK%0AEN%2F`, `…?sea=own&amp;hit=B7`. All that is done here takes time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from html import unescape
from itertools import islice
from typing import NamedTuple
from urllib.parse import quote, quote_plus, unquote, unquote_plus

from game import feature_list

TOKEN_PAGES = (
    "place", "play", "replay", "record", "film", *feature_list.words("token_pages"),
)  # fmt: skip
"""The path component before the token: `play` in `/en/play/TOKEN/`."""
SECRET_PAGES = (*TOKEN_PAGES, *feature_list.words("secret_pages"))
"""TOKEN_PAGES and the components before what else is secret."""

_FOLDERS = "|".join(it.name for it in feature_list.FEATURES)
_TOKEN_PAGE = re.compile(
    rf"(?<![^/])(?:(?:{_FOLDERS})/+)?(?:{'|'.join(TOKEN_PAGES)})/+", re.IGNORECASE
)
_RUN = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_UNSEEN = "\x00-\x1f\xad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
"""Signs that break a line, and signs that nobody sees."""
_GAP, _BREAK = re.compile(rf"[\s>=+{_UNSEEN}]+"), re.compile(rf"=?[{_UNSEEN}]+")
"""What is no part of a path, and what is no part of a query, where `=` and spaces may be."""
_ENTITY = re.compile(r"&#?[A-Za-z0-9]{1,31};")
_HYPHENS = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2212", "-"))
_TWO, _ONE = (str.maketrans({"\u2013": to, "\u2014": to}) for to in ("--", "-"))
"""Editors make a dash of two hyphens, and sometimes of one."""
_SHORTEST = 48
"""A token without content has so many characters."""
_MOST_TRIED = 64


def _unescaped(text: str) -> str:
    for _round in range(3):
        text = _ENTITY.sub(lambda entity: unescape(entity[0]), unquote(text))
    return text


def _readings(text: str) -> Iterator[str]:
    """Yields what a text may have been before it was escaped and broken, the likeliest first."""
    text = _unescaped(text).translate(_HYPHENS)
    slashed = text.replace("\\", "/")
    likeliest = slashed.translate(_TWO)
    one_dash, unhyphenated = slashed.translate(_ONE), re.sub(r"-[\r\n]+", "", likeliest)
    found = (likeliest, likeliest.replace("=3D", ""), one_dash, unbroken(likeliest), unhyphenated)
    yield from dict.fromkeys((*found, text.replace("\\", "")))


class PossibleToken(NamedTuple):
    before: str
    page: str
    """Such as `play/`; empty for a token without an address."""
    token: str
    after: str


def has_token(text: str) -> bool:
    """Returns whether a text contains the address of a page with a token."""
    return any(map(_TOKEN_PAGE.search, _readings(text)))


def possible_tokens(text: str) -> Iterator[PossibleToken]:
    """Yields what may be the token in a text, each with the length of one.

    The token begins after a word of TOKEN_PAGES, or with the text. There may be anything between
    its characters, and it may end before any of that, or a few characters earlier.
    """
    for reading in _readings(text):
        ends = [it.end() for it in _TOKEN_PAGE.finditer(reading)]
        for end in dict.fromkeys((*ends[:1], *ends[-1:], 0)):
            head = unbroken(reading[:end])
            start = max((it.start() for it in _TOKEN_PAGE.finditer(head)), default=0)
            for token, after in islice(_tokens(reading[end:]), _MOST_TRIED):
                yield PossibleToken(head[:start], head[start:], token, after)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yields what may be the token with which a text begins, and the rest, the likeliest first."""
    runs, ends, length = [], dict[int, int](), 0
    for run in _RUN.finditer(text):
        runs.append(run[0])
        length += len(run[0])
        ends[length] = run.end()
    joined = "".join(runs)
    # If the length is right, nothing is cut off: then no other token becomes one of ours.
    for cut in (0, 1, 2, 3, 5, 6, 7, 9, 10, 11):
        for length, end in reversed(ends.items()):
            if (length - cut) % 4 == 0 and length - cut >= _SHORTEST:
                yield joined[: length - cut], text[end:]


_NO_PATH = re.compile(r"[^A-Za-z0-9_./-]", re.ASCII)
_WORD = re.compile(r"(?:[^\w\s]|_)*[^\W_]")
_LONGEST_PLAIN = 200


def unbroken(text: str) -> str:
    """Returns a path without the spaces and line breaks within it."""
    return _GAP.sub("", text)


def plain_path(text: str) -> tuple[str, str]:
    """Returns the path with which a text begins, as `en/rules`, and what follows it."""
    path = _NO_PATH.split(text, maxsplit=1)[0]
    return re.sub("/+", "/", path.rstrip("._-/").lower()).strip("/"), text[len(path) :]


def component_after(page: str, text: str) -> str:
    """Returns the path component after a page, or at the start of a text that doesn't name it."""
    path, _rest = plain_path(next(_readings(text)).rpartition(page)[2])
    return path.partition("/")[0]


def plain_paths(text: str, host: str) -> Iterator[str]:
    """Yields what may be the path without a token in a text, such as `en/rules`.

    It begins with the text, or behind the name of the `host`.
    """
    name = rf"(?:www\.)?{re.escape(host)}(?::\d*)?/"
    of_host = re.compile(rf"(?<=/)(?:https?:/+|{name})", re.IGNORECASE)
    for reading in _readings(f"{text}/"):
        starts = [it.end() for it in of_host.finditer(reading)]
        for start in dict.fromkeys((0, *starts[:1], *starts[-1:])):
            whole = reading[start:]
            for one in dict.fromkeys((unbroken(whole), whole)):
                path, rest = plain_path(one)
                rest = re.split("[<?#]", rest, maxsplit=1)[0].strip("/")
                # Almost anything begins with the home page's path, so that is read strictly.
                is_other = "/" in rest or ("/" not in path and _WORD.match(rest))
                if not is_other and len(path) <= _LONGEST_PLAIN:
                    yield path


_FIELD = re.compile(
    "action|begins|brush|check|day|fog|from|guess|hints|length|look|mind[12]|month|n[1-8]|opponent"
    "|players|sea|ship|side|size|solution|step|strength"
)
"""The fields of queries with one word each, except those of rules."""
_LIST = re.compile("ask_from|ask_to|cell|fleet|hit|sunk|water")
"""The fields of queries with words that spaces may separate."""
_MOST_ROUNDS = 5
_MAYBE_SPOILT = re.compile(r"=3D|[^A-Za-z0-9=&+@-]")
_AND = re.compile(r"(?:&|(?:\\|%5C)u0026)(?:amp(?:;|%3B))*")
_NOISE = re.compile(r"(?:gt|lt|quot|apos|nbsp|#\w{1,8});", re.ASCII)
_NO_END = re.compile(r"[^A-Za-z0-9\s#?<]*[A-Za-z0-9]")
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_NO_WORDS = re.compile(r"[^\w @,-]", re.ASCII)


def repaired_query(query: str, rules: Collection[str]) -> str:
    """Returns a query without what spoils it; other fields than the site's stay as they are.

    Nothing is left to repair, so that one redirect leads to it. `rules` are the fields of rules.
    """
    for _round in range(_MOST_ROUNDS):
        before, query = query, _repaired_once(query, rules)
        if query == before:
            return query
        query = quote(query, safe="/%[]=:;$&()+,!?*@'~")
    return query


def _repaired_once(query: str, rules: Collection[str]) -> str:
    if not _MAYBE_SPOILT.search(query):
        return query
    if "=" not in query and "=" in unquote(query):
        query = unquote(query)
    parts = _AND.sub("&", f"&{query}")[1:].split("&")
    if all(re.match("[^=]*(?:=3D.|$)", part) for part in parts):
        parts = [re.sub("=(?:3D)+(?=.)", "=", part, count=1) for part in parts]
    return "&".join(_repaired_field(part, rules) for part in parts if not _NOISE.match(part))


def _repaired_field(part: str, rules: Collection[str]) -> str:
    """Returns `day=2026-12-01` of `day=2026-12-01).`, and all else as it is."""
    name, _equals, given = part.partition("=")
    own, asked = _BREAK.sub("", unquote(name)), unquote_plus(given)
    text = _BREAK.sub("", _unescaped(asked)).replace("+", " ")
    word = _NO_WORDS.split(text, maxsplit=1)[0].rstrip(" ,@_-")
    if not _LIST.fullmatch(own):
        if own not in rules and not _FIELD.fullmatch(own):
            return part
        word = word.partition(" ")[0]
    is_day = own != "day" or _DAY.fullmatch(word)
    is_other = not word or _NO_END.match(text[len(word) :])
    if is_other or not is_day or (own, word) == (name, asked.strip().strip("\0")):
        return part
    return f"{own}={quote_plus(word, safe='@')}"

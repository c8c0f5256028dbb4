"""A page as a value: an answer of the site, and what its public handles say."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from http.cookies import SimpleCookie
from typing import Any, Self
from urllib.parse import urljoin

_ENGLISH = re.compile(
    r"\b(the|your|ship|ships|turn|turns|fire|water|waters|enemy|you|and|match|place|random|hit|"
    r"sunk|rules|about|recap|legend|unknown|clear|start|computer's|of|with|from|is|are|this|that|"
    r"cell|cells|shot|shots|play|game|skip|last|move|none|left|today\w*|deduction|day|december|"
    r"guess\w*|places|away|one|two|luck\w*|hid\w*)\b"
)
_NAMES = re.compile(r"University of Melbourne|battleships verify|https?://\S+|%\(\w+\)s|\{\w+\}")
"""Names that every language shares."""
_SILENT = re.compile(
    r'<(script|style|code)\b.*?</\1>|<input\b[^>]*\slang="en"[^>]*>'
    r'|<(\w+)\b[^>]*\blang="en"[^>]*>.*?</\2>',
    re.DOTALL,
)
"""What is no text, or in English on purpose."""
_SPOKEN = re.compile(
    r'\s(?:(?:alt|title|placeholder|content|aria-label|aria-valuetext)="([^"]*)"'
    r'|data-(?![\w-]*(?:shots|labels))[\w-]+="([^"]* [^"]*)")'
)
"""Attributes that are words."""
_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{60,}")
"""The lookbehind halves the time: no match is tried within a word."""
_REFRESH = "0; url="


@dataclass(frozen=True)
class Seen:
    """What a page says of the match in its public handles; the same in every language."""

    phase: str
    turn: int
    outcome: str | None
    boards: Mapping[str, Mapping[str, str]]
    """For own and enemy, each cell's state."""
    ships: tuple[str, ...] = ()
    """The fleet so far, while it is being placed."""

    @property
    def enemy(self) -> Mapping[str, str]:
        return self.boards["enemy"]

    @property
    def own(self) -> Mapping[str, str]:
        return self.boards["own"]


class Page(str):
    """The text of an answer, with its status and headers, from any client.

    It is empty for an answer that isn't text, such as a picture: see `content`.
    """

    status: int
    headers: Any
    """Without regard to case."""
    content: bytes
    where: str
    """The path that the browser shows."""
    cookies: SimpleCookie
    """Those that the answer sets."""

    def __new__(
        cls, status: int, headers: Any, content: bytes, where: str, cookies: SimpleCookie
    ) -> Self:
        is_text = "Content-Encoding" not in headers and headers.get("Content-Type") != "image/png"
        page = super().__new__(cls, content.decode() if is_text else "")
        page.status, page.headers, page.content = status, headers, content
        page.where, page.cookies = where, cookies
        return page

    def json(self) -> Any:
        return json.loads(self)

    @property
    def location(self) -> str:
        """Where a redirect leads."""
        where: str = self.headers["Location"]
        return where

    @property
    def next(self) -> str:
        """Where a browser goes on at once: a redirect's address, or that of an instant refresh."""
        if self.status in (301, 302, 303, 307, 308):
            return self.location
        refresh = self.headers.get("Refresh", "")
        return refresh.removeprefix(_REFRESH) if refresh.startswith(_REFRESH) else ""

    # --- what stands in its text ---

    def first(self, pattern: str | re.Pattern[str], flags: int = re.DOTALL) -> str:
        """The first place that has what must be there: the pattern's group, if it has one."""
        found = self.search(pattern, flags)
        return unescape(found[found.re.groups and 1])

    def search(self, pattern: str | re.Pattern[str], flags: int = re.DOTALL) -> re.Match[str]:
        """The first match of a pattern, which must have one."""
        found = re.search(pattern, self, flags)
        assert found, pattern
        return found

    def all(self, pattern: str) -> list[Any]:
        """All places of a pattern, as `re.findall` gives them."""
        return re.findall(pattern, self, re.DOTALL)

    @property
    def questions(self) -> list[tuple[str, str]]:
        """The questions that it lists: each rectangle, such as `A1 D4`, and its answer."""
        return self.all(r'data-question="([^"]+)" data-answer="(\w+)"')

    def attribute(self, name: str) -> str:
        """The first value of an attribute."""
        return self.first(rf'{name}="([^"]*)"')

    @property
    def says(self) -> str:
        """The text of the one element with the role of status that has any."""
        found = self.all(r'<(\w+)[^>]*role="status"[^>]*>(.*?)</\1>')
        shown = [re.sub(r"<span [^>]*data-spoken>[^<]*</span>", "", text) for _tag, text in found]
        texts = [" ".join(unescape(re.sub(r"<[^>]+>", "", text)).split()) for text in shown]
        said = [text for text in texts if text]
        assert texts
        assert len(said) < 2, said
        return "".join(said)

    @property
    def language(self) -> str:
        return self.first(r'<html lang="(\w+)"')

    @property
    def english_words(self) -> list[str]:
        """The words in its text and in its parts' names that only English has."""
        html = _SILENT.sub("", self)
        names = " ".join(it[1] or it[2] for it in _SPOKEN.finditer(html))
        words = unescape(f"{re.sub('<[^>]*>', ' ', html)} {names}")
        return _ENGLISH.findall(_NAMES.sub("", words).lower())

    @property
    def without_tokens(self) -> str:
        return without_tokens(self)

    # --- the match ---

    @property
    def game(self) -> dict[str, str]:
        """The attributes of the game's region."""
        (tag,) = self.all(r'<[^>]*id="game"[^>]*>')
        return _attributes(tag)

    def cells(self, board: str) -> dict[str, str]:
        """The state of every cell of a board, by its name."""
        _before, part = self.split(f'data-board="{board}"')
        found = re.findall(r'data-cell="(\w+)" data-state="(\w+)"', part.split("</table>")[0])
        assert len(dict(found)) == len(found), f"cells called alike in {board}"
        return dict(found)

    @property
    def ships(self) -> list[str]:
        """The hidden fields of a fleet being placed."""
        return self.all(r'<input type="hidden" name="ship" value="(\w+)"')

    @property
    def seen(self) -> Seen:
        game = self.game
        boards = {board: self.cells(board) for board in self.all(r'data-board="(\w+)"')}
        turn, outcome = int(game["data-turn"]), game.get("data-outcome")
        return Seen(game["data-phase"], turn, outcome, boards, tuple(self.ships))

    @property
    def has_board(self) -> bool:
        """Whether it holds a board or a control of one."""
        return bool(self.all(r"data-board|data-cell|data-hull|name=\"(?:ship|cell|steer)\""))

    # --- what may be pressed ---

    @property
    def buttons(self) -> list[tuple[str, str]]:
        """Name and value of every submit button, in order."""
        found = [_attributes(tag) for tag in self.all("<button[^>]*>")]
        submits = (it for it in found if it.get("name") and it.get("type", "submit") == "submit")
        return [(it["name"], it.get("value", "")) for it in submits]

    def values(self, name: str) -> list[str]:
        """The values of the submit buttons of that name."""
        return [value for found, value in self.buttons if found == name]

    @property
    def links(self) -> list[str]:
        links = [unescape(where) for where in self.all(r'<a\b[^>]* href="([^"]+)"')]
        return [it if it.startswith(("?", "#")) else urljoin(self.shown_at, it) for it in links]

    @property
    def shown_at(self) -> str:
        """The address that a browser shows once the page has been swapped in."""
        given = (self.headers.get(name) for name in ("HX-Replace-Url", "HX-Push-Url"))
        return next(filter(None, given), self.where)

    @property
    def form(self) -> str:
        """Where the first form of the game's region goes; the page's own address without one."""
        region = self.split('<section id="game"')[-1]
        form = re.search(r'<form\b[^>]*?(?: action="([^"]*)"[^>]*)?>', region)
        return urljoin(self.shown_at, unescape(form[1] or "")) if form else self.shown_at

    @property
    def again(self) -> str:
        """The address of the next match's draft, to which the end of a match sends its form."""
        return self.first(r'action="([^"]*)"[^>]*class="[^"]*\bagain"')

    @property
    def token(self) -> str:
        """The token in its address."""
        return token_in(self.where)


def without_tokens(text: str) -> str:
    """The text with every token masked, but not its length."""
    return _TOKEN.sub(lambda token: f"<{len(token[0])}>", text)


def _attributes(tag: str) -> dict[str, str]:
    return {name: unescape(text) for name, text in re.findall(r'([\w-]+)="([^"]*)"', tag)}


def token_in(where: str) -> str:
    """The first token in an address."""
    return next(part for part in where.split("/") if len(part) >= 20)

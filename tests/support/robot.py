"""A player that reads the HTML and sends forms: it knows the public handles and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.client import HTTPConnection, HTTPMessage
from urllib.parse import urlencode, urlsplit

Fields = Mapping[str, str] | Sequence[tuple[str, str]]

HTMX = {"HX-Request": "true"}
_VOID = {"input", "link", "meta", "br", "img", "use"}


@dataclass(frozen=True)
class Seen:
    """What a page says of the match in its public handles; the same in both languages."""

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


@dataclass
class Answer:
    """An answer of the server, and what is found in it."""

    status: int
    headers: HTTPMessage
    text: str
    path: str
    _page: _Reader = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._page = _Reader()
        self._page.feed(self.text)
        self._page.close()

    @property
    def seen(self) -> Seen:
        page = self._page
        assert page.game is not None, self.text[:500]
        turn, outcome = int(page.game["data-turn"] or ""), page.game.get("data-outcome")
        return Seen(page.game["data-phase"] or "", turn, outcome, page.boards, tuple(page.ships))

    @property
    def buttons(self) -> list[tuple[str, str]]:
        """Name and value of every submit button, in order."""
        return self._page.buttons

    def values(self, name: str) -> list[str]:
        """The values of the submit buttons of that name."""
        return [value for found, value in self.buttons if found == name]

    @property
    def links(self) -> list[str]:
        return self._page.links

    @property
    def says(self) -> str:
        """The text of the one element with the role of status."""
        assert len(self._page.says) == 1, f"{len(self._page.says)} status elements"
        return " ".join(self._page.says[0].split())

    @property
    def language(self) -> str:
        """The language that the page says it is in."""
        found = re.search(r'<html lang="(\w+)"', self.text)
        assert found is not None, self.text[:200]
        return found[1]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.game: dict[str, str | None] | None = None
        self.boards: dict[str, dict[str, str]] = {}
        self.ships: list[str] = []
        self.buttons: list[tuple[str, str]] = []
        self.links: list[str] = []
        self.says: list[str] = []
        self._depth = 0  # within the status element

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = dict(attributes)
        if has.get("id") == "game":
            assert self.game is None, "two games on a page"
            self.game = has
        if board := has.get("data-board"):
            assert board not in self.boards, f"two boards called {board}"
            self.boards[board] = {}
        if cell := has.get("data-cell"):
            cells = list(self.boards.values())[-1]
            assert cell not in cells, f"two cells called {cell}"
            cells[cell] = has["data-state"] or ""
        if tag == "input" and has.get("name") == "ship":
            assert has["type"] == "hidden"
            self.ships.append(has["value"] or "")
        if tag == "button" and has.get("name") and has.get("type", "submit") == "submit":
            self.buttons.append((has["name"] or "", has.get("value") or ""))
        if tag == "a" and has.get("href"):
            self.links.append(has["href"] or "")
        if has.get("role") == "status":
            self.says.append("")
            self._depth = 1
        elif self._depth and tag not in _VOID:
            self._depth += 1

    def handle_endtag(self, tag: str) -> None:
        if self._depth and tag not in _VOID:
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.says[-1] += data


class Robot:
    """Asks a server, one question at a time; it follows no redirect unless told to."""

    def __init__(self, address: str) -> None:
        self._host = urlsplit(address).netloc

    def get(self, path: str, *, headers: Mapping[str, str] | None = None) -> Answer:
        return self._ask("GET", path, None, headers or {})

    def post(
        self, path: str, fields: Fields, *, headers: Mapping[str, str] | None = None
    ) -> Answer:
        form = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
        return self._ask("POST", path, urlencode(fields), form)

    def act(self, path: str, fields: Fields) -> Answer:
        """Sends a form that is accepted and returns the page that follows."""
        answer = self.post(path, fields)
        assert answer.status == 303, (answer.status, answer.says)
        return self.get(answer.headers["Location"])

    def _ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        connection = HTTPConnection(self._host, timeout=20)
        try:
            connection.request(method, path, body, dict(headers))
            response = connection.getresponse()
            text = response.read().decode()
            return Answer(response.status, response.headers, text, path)
        finally:
            connection.close()

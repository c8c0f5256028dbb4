"""Players who know addresses and buttons only, and click again where no answer came."""

from __future__ import annotations

import random
import re
import threading
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from urllib.parse import urlencode

GAMES: tuple[str, ...] = (
    "bonn/?opponent=random",
    "own/?columns=7&rows=7&fleet=3-2-2&opponent=bonn-easy",
    "cmu/?opponent=random",
    "own/?columns=6&rows=6&fleet=3-2&salvo=on&opponent=camlship",
)
MOST_TRIES = 40
_BUTTON = re.compile(r'name="(cell|steer)" value="([\w-]+)"(?! aria-disabled)')
_PHASE = re.compile(r'data-phase="(\w+)"')


@dataclass
class Game:
    """What a player has seen of one match."""

    tokens: list[str]
    """The first, and one after each click."""
    clicks: list[dict[str, str]] = field(default_factory=list)
    servers: list[str] = field(default_factory=list)
    """Which process answered each click."""
    is_over: bool = False


class Player(threading.Thread):
    """Plays one match after the other until it is told to stop, and then to the end."""

    def __init__(self, port: int, seed: int, *, most: int | None = None) -> None:
        super().__init__(daemon=True)
        self._port, self._chance, self._most = port, random.Random(seed), most
        self._connection = HTTPConnection("127.0.0.1", port, timeout=20)
        self.is_told_to_stop = threading.Event()
        self.games: list[Game] = []
        self.presets = GAMES
        self.requests = 0
        self.failures: list[str] = []
        self.lost: list[str] = []
        """Matches that could not go on, with the reason."""

    def run(self) -> None:
        """Plays; a failure is noted in `lost`."""
        try:
            while not self.is_told_to_stop.is_set() and len(self.games) != self._most:
                self._play()
        except Exception as error:
            self.lost.append(repr(error))
        finally:
            self._connection.close()

    def _play(self) -> None:
        where, text, _ = self._click(
            f"/en/new/{self._chance.choice(self.presets)}", {"action": "quick"}
        )
        game = Game([_token(where)])
        self.games.append(game)
        while _PHASE.search(text)[1] != "over":  # type: ignore[index]
            name, value = self._chance.choice(_BUTTON.findall(text))
            where, text, server = self._click(where, {name: value})
            game.clicks.append({name: value})
            game.servers.append(server)
            game.tokens.append(_token(where))
        game.is_over = True

    def _click(self, where: str, fields: dict[str, str]) -> tuple[str, str, str]:
        """The new address, the new part of the page, and the process that answered."""
        for _ in range(MOST_TRIES):
            self.requests += 1
            try:
                answer, text = self._ask(where, fields)
            except (OSError, HTTPException) as error:
                self._connection.close()
                self.failures.append(repr(error))
                time.sleep(0.05)
                continue
            if answer.status >= 500:
                self.failures.append(f"status {answer.status}")
                time.sleep(0.05)
                continue
            if answer.status != 200:
                raise AssertionError(f"{answer.status}: {fields} by {_server(answer)}")
            return answer.headers["HX-Replace-Url"], text, _server(answer)
        raise AssertionError(f"no answer after {MOST_TRIES} tries")

    def _ask(self, where: str, fields: dict[str, str]) -> tuple[HTTPResponse, str]:
        headers = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        self._connection.request("POST", where, urlencode(fields), headers)
        answer = self._connection.getresponse()
        return answer, answer.read().decode()


def _server(answer: HTTPResponse) -> str:
    return answer.headers.get("X-Served-By", "")


def _token(where: str) -> str:
    return where.split("/")[3]

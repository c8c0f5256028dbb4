"""Players who know addresses and buttons only, and ask again where no answer came."""

import random
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from tests.support.device import FORM
from tests.support.page import Page

DUEL = "/en/new/friend/own/?columns=6&rows=6&fleet=3-2"
GAMES: tuple[str, ...] = (
    "bonn/?opponent=random",
    "own/?columns=7&rows=7&fleet=3-2-2&opponent=bonn-easy",
    "cmu/?opponent=random",
    "own/?columns=6&rows=6&fleet=3-2&salvo=on&opponent=camlship",
)
MOST_TRIES = 100
PAUSE = 0.05
"""Seconds between two tries, and between two questions of a page that waits."""
_BUTTON = r'name="(cell|steer)" value="([\w-]+)"(?! aria-disabled)'


class Device:
    """A browser: its cookies, and the page that it shows."""

    page: Page

    def __init__(self, port: int, chance: random.Random, *, has_script: bool = False) -> None:
        self._chance = chance
        self._headers = {"Origin": f"http://127.0.0.1:{port}"}
        if has_script:  # which answers a click by a part of the page, without a redirect
            self._headers["HX-Request"] = "true"
        self._connection = HTTPConnection("127.0.0.1", port, timeout=20)
        self.cookies: dict[str, str] = {}
        self.where, self.server = DUEL, ""
        self.tokens: list[str] = []
        """The tokens of all steps that it was shown."""
        self.requests = 0
        self.failures: list[str] = []
        self.conflicts: list[str] = []
        """Moves that were refused as too late; a player in a single window makes none."""
        self.losses = 0
        """Pages that said that the match store had lost the match."""

    # --- what it does ---

    def open(self, where: str = "") -> None:
        """Opens an address, or reloads the page."""
        self._go("GET", where or self.where)

    def press(self, **fields: str) -> None:
        self._go("POST", self.where, fields)
        if self.page.status == 409:
            self.conflicts.append(str(fields))

    def has_news(self) -> bool:
        """Whether the page is told that the match has gone on."""
        return self._tried("GET", self.said("wait")).status == 200

    def invite(self) -> str:
        """Places a fleet; the address for the other device."""
        self.open(DUEL)
        self.where = self.page.first(r'action="(/en/place/[^"]*)"')
        self.press(action="quick")
        return "/en" + urlsplit(self.said("invite")).path.removeprefix("/en")

    def join(self, invite: str) -> None:
        """Takes the second seat, and places a fleet."""
        self.open(invite)
        self.press(action="join")
        self.press(action="quick")

    def act(self) -> bool:
        """Does what the page asks for; False where it waits for the other player."""
        match self.said("phase"):
            case "placing":
                self.press(action="quick")
            case "firing":
                if self._chance.random() < 0.3 and self._buttons("steer"):
                    self.press(**self.button("steer"))
                if self.said("phase") == "firing":  # else the other one has given up
                    self.press(**self.button())
            case _:
                return False
        return True

    def button(self, name: str = "cell") -> dict[str, str]:
        """One of the buttons that fire, or that move a ship."""
        return {name: self._chance.choice(self._buttons(name))}

    def any_button(self) -> dict[str, str]:
        return dict([self._chance.choice(self.page.all(_BUTTON))])

    def _buttons(self, name: str) -> list[str]:
        return [value for found, value in self.page.all(_BUTTON) if found == name]

    def follow(self) -> None:
        """Goes on with a page that waits, as its script does."""
        if "data-lost" in self.page:
            self.losses += 1
            self.press(action="shown")
        elif self.has_news():
            self.open()

    def close(self) -> None:
        """Ends its connection."""
        self._connection.close()

    # --- what it sees ---

    def said(self, name: str) -> str:
        """A data attribute of the page."""
        return self.page.attribute(f"data-{name}")

    @property
    def token(self) -> str:
        """The token of the match in its address."""
        return self.where.split("/")[3]

    # --- how it asks ---

    def _go(self, method: str, where: str, fields: Mapping[str, str] | None = None) -> None:
        """Sends a request and follows redirects; `server` is the one that answered it first."""
        page = self._tried(method, where, fields)
        self.server = page.headers.get("X-Served-By", "")
        while page.status == 303:
            page = self._tried("GET", page.location)
        self.page, self.where = page, page.headers.get("HX-Replace-Url", page.where)
        if self.where.startswith(("/en/duel/", "/en/play/")):
            self.tokens.append(self.token)

    def _tried(self, method: str, where: str, fields: Mapping[str, str] | None = None) -> Page:
        """An answer, asked for again where none came."""
        for _ in range(MOST_TRIES):
            self.requests += 1
            try:
                page = self._asked(method, where, fields)
            except (OSError, HTTPException) as error:
                self.close()
                self.failures.append(repr(error))
            else:
                if page.status < 500:
                    return page
                self.failures.append(f"status {page.status}")
            time.sleep(PAUSE)
        raise AssertionError(f"no answer after {MOST_TRIES} tries: {self.failures[-3:]}")

    def _asked(self, method: str, where: str, fields: Mapping[str, str] | None) -> Page:
        """One answer on the connection that is kept, as a browser keeps it."""
        headers = dict(self._headers)
        if self.cookies:
            headers["Cookie"] = "; ".join(map("=".join, self.cookies.items()))
        if fields is not None:
            headers["Content-Type"] = FORM
        body = None if fields is None else urlencode(fields)
        self._connection.request(method, where, body, headers)
        got = self._connection.getresponse()
        for cookie in got.headers.get_all("Set-Cookie") or []:
            name, _, text = cookie.partition(";")[0].partition("=")
            self.cookies[name] = text
        return Page(got.status, got.headers, got.read(), where, SimpleCookie())


class Players(threading.Thread):
    """Devices that play one match after the other until they are told to stop."""

    def __init__(self, *devices: Device) -> None:
        super().__init__(daemon=True)
        self.devices = devices
        self.is_told_to_stop = threading.Event()
        self.lost: list[str] = []
        """What ended the play early."""

    def run(self) -> None:
        """Plays; a failure is noted in `lost`."""
        try:
            self.play()
        except Exception as error:
            self.lost.append(repr(error))
        finally:
            for device in self.devices:
                device.close()

    def play(self) -> None:
        raise NotImplementedError


@dataclass
class Game:
    """What a player has seen of one match."""

    tokens: list[str]
    """The first, and one after each click."""
    clicks: list[dict[str, str]] = field(default_factory=list)
    servers: list[str] = field(default_factory=list)
    """Which process answered each click."""
    is_over: bool = False


class Player(Players):
    """One against the computer, who plays the last match to its end."""

    def __init__(
        self, port: int, seed: int, *, most: int | None = None, games: tuple[str, ...] = GAMES
    ) -> None:
        self._chance = random.Random(seed)
        super().__init__(Device(port, self._chance, has_script=True))
        self._presets, self._most = games, most
        self.games: list[Game] = []

    def play(self) -> None:
        (device,) = self.devices
        while not self.is_told_to_stop.is_set() and len(self.games) != self._most:
            device.where = f"/en/new/{self._chance.choice(self._presets)}"
            device.press(action="quick")
            game = Game([device.token])
            self.games.append(game)
            while device.said("phase") != "over":
                clicked = device.any_button()
                device.press(**clicked)
                assert device.page.status == 200, (device.page.status, clicked, device.server)
                game.clicks.append(clicked)
                game.servers.append(device.server)
                game.tokens.append(device.token)
            game.is_over = True


@contextmanager
def playing(players: Sequence[Players]) -> Iterator[None]:
    """Has all of them play meanwhile; then each ends what it is playing."""
    for player in players:
        player.start()
    try:
        yield
    finally:
        for player in players:
            player.is_told_to_stop.set()
        for player in players:
            player.join(120)


def see_few_failures(players: Sequence[Players], least: int, part: float) -> None:
    """Sees that all have played on, and that hardly any request failed at the first try."""
    devices = [device for player in players for device in player.devices]
    requests = sum(device.requests for device in devices)
    failures = [failure for device in devices for failure in device.failures]
    print(f"{requests} requests, {len(failures)} failed: {failures}")
    assert not [lost for player in players for lost in player.lost]
    assert len(failures) <= max(least, part * requests), failures

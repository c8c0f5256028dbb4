"""Browsers in a match at two devices: their cookies, the page that each shows, and its steps."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper

from game.engine.fleets import Fleet
from game.engine.rules import Side
from game.features.duel import models
from game.features.duel.state import DuelState
from tests.support.device import Device
from tests.support.page import Page

_ID = re.compile(r"/duel/([\w-]+)/")


class Seat(Device):
    """A browser in a match at two devices."""

    def __init__(self, *, language: str = "en", is_secure: bool = False) -> None:
        origin = f"{'https' if is_secure else 'http'}://localhost"
        super().__init__(language=language, is_secure=is_secure, headers={"origin": origin})

    def waits(self) -> int:
        """The status by which the page is told whether there is something new."""
        return self.get(self.wait).status

    def press(self, action: str, where: str = "", **headers: str) -> Page:
        """Sends the first form of the page, or one to that address, by the button of an action."""
        return self.send({"action": action}, where, **headers)

    def follow(self) -> None:
        """Opens the newest step if the page is told that there is one."""
        if self.waits() == 200:
            self.open()

    @property
    def phase(self) -> str:
        return self.page.attribute("data-phase")

    @property
    def wait(self) -> str:
        return self.page.attribute("data-wait")

    @property
    def seat(self) -> str:
        return self.page.attribute("data-seat")

    @property
    def keep(self) -> str:
        """Where the seat can be brought to another device."""
        return self.page.first(r'href="(/[a-z]+/keep/[^"]+)"')

    @property
    def step(self) -> str:
        """The step that the page shows."""
        return self.page.attribute("data-step")

    @property
    def duel(self) -> DuelState:
        """The newest state, as this seat may know it."""
        [duel_id] = _ID.findall(self.where)
        found = models.find(duel_id)
        assert found is not None
        return found.for_seat(Side[self.seat.upper()])

    @property
    def state(self) -> DuelState:
        """The same, once the page has been opened again."""
        self.open()
        return self.duel


# --- the steps of a match ---


def place(device: Seat, fleet: Fleet = (), name: str = "") -> None:
    """Places a fleet, at random if none is given, and starts."""
    fields: dict[str, Any] = {"action": "start" if fleet else "quick", "name": name}
    if fleet:
        fields["ship"] = [str(ship) for ship in fleet]
    device.send(fields)


def inviting(preset: str = "milton", *, name: str = "", **query: str) -> Seat:
    """A browser that has placed its fleet and has an invitation to send."""
    device = Seat(language=query.pop("language", "en"))
    asked = "".join(f"&{name}={value}" for name, value in query.items())
    device.open(f"/{device.language}/new/{preset}/?opponent=friend{asked}")
    place(device, name=name)
    return device


def invitation(device: Seat) -> str:
    """The page that the address for the friend leads to, in the device's language."""
    path = device.page.attribute("data-invite").removeprefix("http://localhost")
    return f"/{device.language}{path}"


def joining(first: Seat, *, language: str = "en") -> Seat:
    """A browser that has taken the second seat, and is to place."""
    device = Seat(language=language)
    device.open(invitation(first).replace("/en/", f"/{language}/", 1))
    device.press("join", device.where)
    return device


def begun(preset: str = "milton", *, language: str = "en", **query: str) -> tuple[Seat, Seat]:
    first = inviting(preset, **query)
    second = joining(first, language=language)
    place(second)
    first.open()
    return first, second


def opposed(preset: str = "bonn") -> tuple[Seat, Seat]:
    """The browser whose turn it is, and then the other one."""
    devices = begun(preset)
    return mover(*devices), waiter(*devices)


def mover(*devices: Seat) -> Seat:
    return next(one for one in devices if one.phase == "firing")


def waiter(*devices: Seat) -> Seat:
    return next(one for one in devices if one.phase == "waiting")


def targets(duel: DuelState, *, hits: bool) -> Iterator[str]:
    """The cells where the one to act would hit a ship, or none."""
    match, board = duel.match, duel.setup.ruleset.board
    assert match is not None
    enemy = match.side.opponent
    ships = {cell for ship in match.placements(enemy) for cell in ship.cells}
    for cell in board.cells:
        if cell not in match.spent(enemy) and (cell in ships) is hits:
            yield board.name(cell)


def fire(device: Seat, *, hits: bool = False) -> None:
    device.send({"cell": next(targets(device.duel, hits=hits))})


def moves(device: Seat) -> list[str]:
    """The moves that the page offers before the first shot of a turn."""
    return re.findall(r'<button[^>]*?name="steer"[^>]*?value="(\d-\w+)"', device.page)


def move(device: Seat) -> DuelState:
    """Moves a ship, by the first button there is; the state after it."""
    device.send({"steer": moves(device)[0]})
    return device.duel


def reload(*devices: Seat) -> None:
    for device in devices:
        device.open()


def play_turn(*devices: Seat) -> None:
    """Plays one turn without a hit and opens its result on both pages."""
    fire(mover(*devices))
    reload(*devices)


def end(*devices: Seat) -> None:
    """Gives up for the side to act and opens the end on both pages."""
    mover(*devices).press("resign-yes")
    reload(*devices)


def rematch(*devices: Seat) -> None:
    """Begins the next match after the end of one, and opens it on both pages."""
    for device in devices:
        device.press("rematch")
    reload(*devices)
    for device in devices:
        place(device)
    reload(*devices)


# --- the rows of a test ---


def rows() -> list[Any]:
    """All that the database has."""
    return list(models.Duel.objects.order_by("id").values())


class Clock:
    """The time of presence, which a test sets."""

    now = 1_763_930_400.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def down() -> Iterator[None]:
    """A database that can't be reached."""

    def refuse(*_given: Any) -> Any:
        raise OperationalError("refused")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseWrapper, "ensure_connection", refuse)
        yield

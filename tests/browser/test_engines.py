"""Whole games in Firefox."""

import json
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.comparing import SHOWN
from tests.support.engines import Firefox, firefox
from tests.support.layout import CHECKS, FAULTS
from tests.support.matches import enemy_ships, enemy_water, later
from tests.support.served import wait_until

TURNS = 2
"""How many turns the player fires at water and moves a ship before the hits begin."""

_ENDS = 'playState === "running" && effect.getComputedTiming().endTime < Infinity'
_MOVES = f"document.getAnimations().some(({{ effect, playState }}) => {_ENDS})"
_POINT = """((selector) => {
  const found = document.querySelector(selector);
  if (!found?.checkVisibility()) return null;
  const moves = ({ effect, playState }) => ENDS && effect.target?.contains(found);
  if (document.getAnimations().some(moves)) return null;
  found.scrollIntoView({ block: "nearest", behavior: "instant" });
  const { x, y, width, height } = found.getBoundingClientRect();
  const point = [x + width / 2, y + height / 2];
  return found.contains(document.elementFromPoint(...point)) ? point : null;
})""".replace("ENDS", _ENDS)
"""The middle of what a selector finds, once it stands still and no sheet moves over it."""
_AT_REST = """document.readyState === "complete" && Boolean(window.htmx) &&
  !document.querySelector("[aria-busy=true], .htmx-request, .htmx-swapping")"""

_GAME = 'document.getElementById("game").dataset'
_IS_DOCKED = "getComputedStyle(document.querySelector('.steer')).visibility === 'hidden'"
"""Whether the sheet of the own waters must be lifted before a ship can be moved."""


class Player:
    """A player who can only look at the page and click."""

    def __init__(self, engine: Firefox) -> None:
        self.engine = engine

    def see(self, expression: str, wanted: object) -> None:
        """Waits until that is what the page shows."""
        wait_until(
            lambda: self.engine.evaluate(expression) == wanted,
            lambda: f"{expression} is {self.engine.evaluate(expression)!r}, not {wanted!r}",
        )

    def click(self, selector: str) -> None:
        """A click on the middle of something."""
        x, y = wait_until(
            lambda: self.engine.evaluate(f"{_POINT}({json.dumps(selector)})"),
            lambda: f"not to be seen, or never at rest: {selector}",
        )
        self.engine.click(x, y)

    def go(self, selector: str) -> None:
        """A click that leads to another address."""
        before = self.address
        self.click(selector)
        wait_until(
            lambda: self.address != before and self.engine.evaluate(_AT_REST),
            lambda: f"nothing comes of a click on {selector}",
        )

    def fire(self, name: str) -> None:
        self.go(f"[data-board=enemy] [data-cell={name}] button")

    @property
    def address(self) -> str:
        found: str = self.engine.evaluate("location.href")
        return found

    def see_no_fault(self, *more: str) -> None:
        """Sees that the page lies well in its window, and that none has complained."""
        faults = self.engine.evaluate(f"({FAULTS})({json.dumps([*CHECKS, *more])})")
        assert not faults, (urlsplit(self.address).path[:20], faults)
        assert not (errors := self.engine.errors()), errors


def play_a_game(engine: Firefox, base: str, language: str, *, left: int) -> None:
    """Plays from the home page to the end, and steps through its replay.

    When so many cells of the enemy's ships are `left` to be hit, the person clicks again; the
    match as it stands then takes the place of the shots before.
    """
    player = Player(engine)
    engine.open(f"{base}/{language}/")
    player.see_no_fault()
    player.go("#act-quick")
    player.see_no_fault("scrolls")
    engine.evaluate("window.mark = 1")
    for turn in range(TURNS):
        if turn:
            if engine.evaluate(_IS_DOCKED):
                player.click(".grab")
            player.go(".steer")
        player.fire(enemy_water(player.address))
        player.see(f"{_GAME}.phase", "firing")
        player.see_no_fault("scrolls")
    assert engine.evaluate("window.mark") == 1, "a click has loaded a page"
    answered = engine.evaluate(f"({SHOWN})()")
    engine.open(player.address)
    assert engine.evaluate(f"({SHOWN})()") == answered, "a reload shows something else"

    engine.open(f"{base}{later(player.address, left)}")
    engine.evaluate("window.mark = 1")
    for name in enemy_ships(player.address):
        player.fire(name)
    assert engine.evaluate("window.mark") == 1, "a shot has loaded a page"
    player.see(f"{_GAME}.phase", "over")
    player.see(f"{_GAME}.outcome", "won")
    player.see(_MOVES, False)
    player.see_no_fault("scrolls")

    player.go("#act-recap")
    now = 'Number(document.querySelector("[data-now]").textContent)'
    player.click("[data-go=first]")  # it runs by itself until then
    for step in (1, 2, 3):
        player.click("[data-go=forward]")
        player.see(now, step)
    player.see_no_fault()


@pytest.mark.parametrize(
    ("opened", "language", "window", "left"),
    [
        (firefox, "en", (1366, 657), 6),
        pytest.param(partial(firefox, dark=True), "de", (390, 844), 30, marks=pytest.mark.long),
    ],
    ids=["firefox", "firefox, to its last shot in German on a dark phone"],
)
def test_a_match_is_played_and_watched_again(
    server: str, tmp_path: Path, opened: Any, language: str, window: tuple[int, int], left: int
) -> None:
    with opened(tmp_path / "profile", language) as engine:
        engine.resize(*window)
        play_a_game(engine, server, language, left=left)

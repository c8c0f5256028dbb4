"""How many presses a whole match takes of a player who moves a ship in a third of the turns."""

from __future__ import annotations

from random import Random

import pytest

from tests.support.browser import OpenPage, answered, focus, play_on, target
from tests.support.browser_matches import enemy_ships, enemy_water
from tests.support.gestures import tab_to, tap, walk_to
from tests.support.page import Seen

PRESSES = """
window.presses = 0;
addEventListener("pointerdown", () => { presses += 1; }, true);
addEventListener("keydown", ({ key }) => { presses += key === "Enter"; }, true);
"""
"""Counts presses; keys that only lead somewhere are none."""
WINDOWS = {"mouse": (1366, 657), "touch": (360, 640), "keys": (360, 640)}


@pytest.mark.long
@pytest.mark.parametrize("preset", ["bonn", "short"])
@pytest.mark.parametrize("by", WINDOWS)
def test_no_press_of_a_whole_match_is_for_nothing(
    open_page: OpenPage, preset: str, by: str
) -> None:
    page = open_page(
        f"/en/new/{preset}/?opponent=sailor", size=WINDOWS[by], touch=by == "touch", init=PRESSES
    )
    for value in ("random", "start"):
        with answered(page):
            page.locator(f"button[value={value}]").click()
    page.evaluate("window.presses = 0")
    chance, count = Random(f"{preset} {by}"), {"shots": 0, "moves": 0}

    def aim(_: Seen) -> str:
        return enemy_ships(page.url)[0] if chance.random() < 0.4 else enemy_water(page.url)

    def fire(name: str) -> None:
        count["shots"] += 1
        if by == "keys" and not focus(page).startswith("enemy-"):
            tab_to(page, "[data-board=enemy] button")
        with answered(page):
            if by == "mouse":
                target(page, name).click()
            elif by == "touch":
                tap(page, target(page, name))
            else:
                walk_to(page, name)
                page.keyboard.press("Enter")

    def steer(_: Seen) -> None:
        arrows = page.locator(".steer")
        if chance.random() > 1 / 3 or not arrows.count():
            return
        count["moves"] += 1
        if by == "touch":
            tap(page, page.locator(".grab"))
        elif by == "keys":
            tab_to(page, ".grab")
            page.keyboard.press("Enter")
        with answered(page):
            if by == "mouse":
                arrows.first.click()
            elif by == "touch":
                tap(page, arrows.first)
            else:
                page.keyboard.press("Enter")

    play_on(page, aim=aim, fire=fire, steer=steer)
    least = count["shots"] + count["moves"] * (1 if by == "mouse" else 2)
    presses = page.evaluate("presses")
    assert presses <= 1.05 * least, (presses, count)
    assert count["moves"] > 3, count

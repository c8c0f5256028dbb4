"""Searching alone in a browser: a whole search, keys, and the replay's board."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from game.engine.rules import Side
from tests.support.browser import (
    LANDSCAPE,
    LAPTOP,
    PHONE,
    OpenPage,
    fire,
    follow,
    look,
    resize,
    see,
)
from tests.support.matches import address, enemy_ships, enemy_water, later, played, searching


@pytest.mark.parametrize("preset", ["milton", pytest.param("bonn", marks=pytest.mark.long)])
def test_a_whole_search_is_clicked_and_watched_again(open_page: OpenPage, preset: str) -> None:
    page = open_page(f"/en/setup/{preset}/")
    follow(page, "#act-alone")
    see(page, phase="firing")
    assert list(look(page).boards) == ["enemy"]
    for _ in range(2):
        fire(page, enemy_water(page.url))
    fire(page, enemy_ships(page.url)[0])
    page.goto(later(page.url, left=2))
    while (seen := look(page)).outcome is None:
        fire(page, enemy_ships(page.url)[0])
    assert (seen.outcome, list(seen.boards)) == ("won", ["enemy"])
    see(page, par=re.compile(r"\d+"))  # the page counts it by itself
    expect(page.locator("#act-par")).to_have_count(0)
    par = page.locator("#game").get_attribute("data-par")
    expect(page.locator("[role=status]")).to_contain_text(f"Par: {par}")
    follow(page, "#act-recap")
    page.keyboard.press("End")
    expect(page.locator("[data-now]")).to_have_text(str(page.locator(".steps li").count()))
    assert look(page).boards == seen.boards
    assert page.locator(".grab, .lower").count() == 0


_STAGE = """() => {
  const board = document.querySelector("[data-board=enemy]").getBoundingClientRect();
  return [board.width, innerWidth - board.right - board.left];
}"""


@pytest.mark.deep
def test_the_board_of_a_replay_is_as_large_as_in_the_search_and_stands_in_the_middle(
    open_page: OpenPage,
) -> None:
    midway = played(searching("bonn"), 14)
    over = midway.resigned(Side.FIRST).with_par_played(10_000)
    there, page = open_page(address(midway)), open_page(address(over, page="replay") + "?step=9")
    for width, height in (PHONE, LANDSCAPE, LAPTOP, (1920, 947)):
        for each in (there, page):
            resize(each, width, height)
        assert page.evaluate(_STAGE) == pytest.approx(there.evaluate(_STAGE), abs=1), width

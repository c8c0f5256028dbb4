"""Searching alone in a browser: a whole search, keys, and the replay's board."""

from __future__ import annotations

import re

import pytest

from game.engine.rules import Side
from tests.support.browser import LANDSCAPE, LAPTOP, PHONE, OpenPage
from tests.support.matches import address, played, searching


@pytest.mark.parametrize("preset", ["milton", pytest.param("bonn", marks=pytest.mark.long)])
def test_a_whole_search_is_clicked_and_watched_again(open_page: OpenPage, preset: str) -> None:
    page = open_page(f"/en/setup/{preset}/")
    page.follow("#act-alone")
    page.see(phase="firing")
    assert list(page.seen.boards) == ["enemy"]
    for _ in range(2):
        page.fire(page.enemy_water)
    page.fire(page.enemy_ships[0])
    page.go_later(left=2)
    while (seen := page.seen).outcome is None:
        page.fire(page.enemy_ships[0])
    assert (seen.outcome, list(seen.boards)) == ("won", ["enemy"])
    page.see(par=re.compile(r"\d+"))  # the page counts it by itself
    page.expects("#act-par").to_have_count(0)
    par = page.get_attribute("#game", "data-par")
    page.expects("[role=status]").to_contain_text(f"Par: {par}")
    page.follow("#act-recap")
    page.keys("End")
    page.expects("[data-now]").to_have_text(str(page.count(".steps li")))
    assert page.seen.boards == seen.boards
    assert page.count(".grab, .lower") == 0


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
    there, page = open_page(midway), open_page(address(over, page="replay") + "?step=9")
    for width, height in (PHONE, LANDSCAPE, LAPTOP, (1920, 947)):
        for each in (there, page):
            each.resize(width, height)
        assert page.evaluate(_STAGE) == pytest.approx(there.evaluate(_STAGE), abs=1), width

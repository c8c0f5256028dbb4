"""Searching alone in a browser: a whole search, keys, and the replay's board."""

import re

import pytest

from tests.support.browser import OpenPage


@pytest.mark.parametrize("preset", ["milton", pytest.param("bonn", marks=pytest.mark.long)])
def test_a_whole_search_is_clicked_and_watched_again(open_page: OpenPage, preset: str) -> None:
    page = open_page(f"/en/setup/{preset}/")
    page.follow("#act-alone")
    page.see(phase="firing")
    assert list(page.seen.boards) == ["enemy"]
    board = page.box("[data-board=enemy]")
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
    watched = page.box("[data-board=enemy]")
    assert watched.width == pytest.approx(board.width, abs=1)
    assert watched.left + watched.right == pytest.approx(board.left + board.right, abs=1)

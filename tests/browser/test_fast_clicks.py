"""Clicks that are faster than the answers: none leaves the page, and every shot is legal."""

from __future__ import annotations

from playwright.sync_api import Page

from game.engine.rules import Side
from tests.support.browser import OpenPage, middle, target
from tests.support.browser_matches import EMPTY, STILL, begun, enemy_ships, play_address, saved_at
from tests.support.gestures import Point

BETWEEN = 40
"""Milliseconds from a click to the next."""
CLICKS = 3
"""How often each cell is clicked."""

_LOADS = """() => [window.mark ?? "gone", performance.getEntriesByType("navigation").length]"""


def click_fast(page: Page, points: list[Point]) -> None:
    """Clicks those points one after another, over and over, whatever the page does meanwhile."""
    for _ in range(CLICKS):
        for x, y in points:
            page.mouse.click(x, y)
            page.wait_for_timeout(BETWEEN)


def test_no_click_is_so_fast_that_it_loads_a_page(open_page: OpenPage) -> None:
    page = open_page(play_address(begun(STILL)), expects="status of 422")
    page.evaluate("window.mark = 'here'")
    names = enemy_ships(page.url)[:6]
    clicked = [*names, *EMPTY[:2]]
    points = [middle(target(page, name)) for name in clicked]
    groups = range(0, len(points), 4)
    for at in groups:
        click_fast(page, points[at : at + 4])
        page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
        assert page.evaluate(_LOADS) == ["here", 1], clicked[at : at + 4]
    shots = [shot.cell for shot in saved_at(page.url).match.shots if shot.side is Side.FIRST]
    fired = [STILL.board.name(cell) for cell in shots]
    assert set(fired) <= set(clicked)
    assert len(fired) == len(set(fired)), "a cell was fired at twice"
    assert len(fired) >= len(groups), "the first click of each group meets a page at rest"

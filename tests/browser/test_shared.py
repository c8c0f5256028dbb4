"""Two at one device: nothing that a browser does shows one the other's ships."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect

from game.engine.rules import Side
from tests.support.browser import OpenPage, click, fire, follow, loaded, look, press, see
from tests.support.matches import address, begun, saved_at

BOARDS = "[data-board], [data-hull], [data-cell]"
SMALL = "own/?columns=6&rows=6&n5=0&n4=1&n3=0&n2=1&again=off"


def show(page: Page) -> None:
    """Draws the curtain where there is one."""
    if page.locator("#act-show").count():
        click(page, "#act-show")


def cells_of(page: Page, side: Side, *, is_ship: bool) -> list[str]:
    """Cells of a side's waters that may be fired at, with a ship that is afloat or without any."""
    match = saved_at(page.url).match
    board, spent = match.ruleset.board, match.spent(side)
    ships = {
        cell
        for index, ship in enumerate(match.placements(side))
        if match.is_afloat(side, index)
        for cell in ship.cells
    }
    return [board.name(c) for c in board.cells if (c in ships) is is_ship and c not in spent]


@pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_match_of_two_is_played_and_going_back_forward_and_reloading_shows_no_board(
    open_page: OpenPage, script: bool
) -> None:
    page = open_page(f"/en/setup/{SMALL}", script=script)
    page.locator("#two summary").click()
    page.locator("[name=name1]").fill("Anna")
    page.locator("[name=name2]").fill("Ben")
    follow(page, "#act-two")
    for name in ("Anna", "Ben"):
        expect(page.locator("h1")).to_contain_text(f"{name}: place your fleet")
        for button in ("#act-random", "#act-start"):
            click(page, button)
            see(page, phase=re.compile("placing|handover"))
            if name == "Anna" or button == "#act-random":
                show(page)
    see(page, phase="handover")
    assert page.locator(BOARDS).count() == 0
    show(page)
    assert page.locator(BOARDS).count() > 72
    if script:
        page.reload()
        see(page, phase="handover")
        assert page.locator(BOARDS).count() == 0
        show(page)
    fire(page, cells_of(page, Side.SECOND, is_ship=False)[0])
    assert page.locator(BOARDS).count() == 0
    there, visited = page.url, set[str]()
    for travel in (page.go_back, page.go_forward):
        for _ in range(6):
            with suppress(Error):  # of a form's page, that it would have to be sent again
                travel()
            assert page.locator("[data-state=ship]").count() == 0
            visited |= set(re.findall(r"/en/(\w+)/", page.url))
    assert "play" in visited
    assert len(visited) > 1
    page.goto(there)
    while (seen := look(page)).outcome is None:
        if seen.phase == "handover":
            show(page)
        else:
            side = saved_at(page.url).match.side
            # The second misses, the first hits.
            fire(page, cells_of(page, side.opponent, is_ship=side is Side.FIRST)[0])
    assert seen.outcome == "first"
    expect(page.locator("h1")).to_have_text("Anna wins")
    expect(page.locator("#own-title")).to_have_text("Waters of Anna")


def test_a_page_that_is_left_is_empty_when_it_comes_back_from_the_cache(
    open_page: OpenPage,
) -> None:
    page = open_page(address(begun(minds=(None, None))))
    page.locator("#act-show").focus()
    press(page, "Enter")
    see(page, phase="firing")
    assert page.locator(BOARDS).count() > 100
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert page.locator(BOARDS).count() == 0
    with loaded(page):
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    see(page, phase="handover")
    assert page.locator(BOARDS).count() == 0

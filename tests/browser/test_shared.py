"""Two at one device: nothing that a browser does shows one the other's ships."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect

from game.engine.rules import Side
from tests.support.browser import OpenPage, answered, fire, loaded, look
from tests.support.browser_matches import saved_at

BOARDS = "[data-board], [data-hull], [data-cell]"


def show(page: Page) -> None:
    with answered(page):
        page.locator("#act-show").click()


def press(page: Page, button: str) -> None:
    """Presses the first of such buttons, where there is no script."""
    with loaded(page):
        page.locator(button).first.click()


def begin(page: Page, rules: str = "bonn/") -> None:
    """Both place at random; the first is to be handed the device."""
    page.goto(f"/en/setup/{rules}")
    page.locator("#two summary").click()
    page.locator("[name=name1]").fill("Anna")
    page.locator("[name=name2]").fill("Ben")
    with loaded(page):
        page.locator("#act-two").click()
    for name in ("Anna", "Ben"):
        expect(page.locator("h1")).to_contain_text(f"{name}: place your fleet")
        with answered(page):
            page.locator("#act-random").click()
        with answered(page):
            page.locator("#act-start").click()
        assert look(page).phase == "handover"
        if name == "Anna":
            show(page)


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


def test_a_match_of_two_is_played_to_the_end(open_page: OpenPage) -> None:
    page = open_page()
    begin(page, "own/?columns=6&rows=6&n5=0&n4=1&n3=0&n2=1&again=off")
    assert page.locator(BOARDS).count() == 0
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


@pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.long)])
def test_going_back_forward_and_reloading_shows_no_board(open_page: OpenPage, script: bool) -> None:
    page = open_page(script=script)
    if script:
        begin(page)
        show(page)
    else:
        page.goto("/en/setup/milton/")
        page.locator("#two summary").click()
        press(page, "#act-two")
        for _ in range(2):
            if page.locator("#act-show").count():
                press(page, "#act-show")
            for button in ("#act-random", "#act-show", "#act-start"):
                press(page, button)
        press(page, "#act-show")
    assert page.locator(BOARDS).count() > 100
    if script:
        page.reload()
        assert look(page).phase == "handover"
        assert page.locator(BOARDS).count() == 0
        show(page)
        fire(page, cells_of(page, Side.SECOND, is_ship=False)[0])
    else:
        press(page, "button[name=cell]")
    assert page.locator(BOARDS).count() == 0
    visited: set[str] = set()
    for travel in (page.go_back, page.go_forward):
        for _ in range(6):
            with suppress(Error):  # of a form's page, that it would have to be sent again
                travel()
            assert page.locator("[data-state=ship]").count() == 0
            visited |= set(re.findall(r"/en/(\w+)/", page.url))
    assert "play" in visited
    assert len(visited) > 1


def test_a_page_that_is_left_is_empty_when_it_comes_back_from_the_cache(
    open_page: OpenPage,
) -> None:
    page = open_page()
    begin(page)
    show(page)
    assert page.locator(BOARDS).count() > 100
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert page.locator(BOARDS).count() == 0
    with loaded(page):
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    assert look(page).phase == "handover"
    assert page.locator(BOARDS).count() == 0


def test_the_curtain_is_drawn_by_keys_and_the_focus_is_where_it_goes_on(
    open_page: OpenPage,
) -> None:
    page = open_page()
    begin(page)
    page.locator("#act-show").focus()
    with answered(page):
        page.keyboard.press("Enter")
    assert look(page).phase == "firing"

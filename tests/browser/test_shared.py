"""Two at one device: nothing that a browser does shows one the other's ships."""

import re
from contextlib import suppress

from playwright.sync_api import Error

from game.engine.rules import Side
from tests.support.browser import OpenPage, Page
from tests.support.matches import begun

BOARDS = "[data-board], [data-hull], [data-cell]"
SMALL = "own/?columns=6&rows=6&n5=0&n4=1&n3=0&n2=1&again=off"


def show(page: Page) -> None:
    """Draws the curtain where there is one."""
    if page.count("#act-show"):
        page.act("#act-show")


def cells_of(page: Page, side: Side, *, is_ship: bool) -> list[str]:
    """Cells of a side's waters that may be fired at, with a ship that is afloat or without any."""
    match = page.saved.match
    board, spent = match.ruleset.board, match.spent(side)
    ships = {
        cell
        for index, ship in enumerate(match.placements(side))
        if match.is_afloat(side, index)
        for cell in ship.cells
    }
    return [board.name(c) for c in board.cells if (c in ships) is is_ship and c not in spent]


def test_a_match_of_two_is_played_and_going_back_forward_and_reloading_shows_no_board(
    open_page: OpenPage,
) -> None:
    page = open_page(f"/en/setup/{SMALL}")
    page.click("#two summary")
    page.fill("[name=name1]", "Anna")
    page.fill("[name=name2]", "Ben")
    page.follow("#act-two")
    for name in ("Anna", "Ben"):
        page.expects("h1").to_contain_text(f"{name}: place your fleet")
        for button in ("#act-random", "#act-start"):
            page.act(button)
            page.see(phase=re.compile("placing|handover"))
            if name == "Anna" or button == "#act-random":
                show(page)
    page.see(phase="handover")
    assert page.count(BOARDS) == 0
    show(page)
    assert page.count(BOARDS) > 72
    page.reload()
    page.see(phase="handover")
    assert page.count(BOARDS) == 0
    show(page)
    page.fire(cells_of(page, Side.SECOND, is_ship=False)[0])
    assert page.count(BOARDS) == 0
    there, visited = page.url, set[str]()
    for travel in (page.go_back, page.go_forward):
        for _ in range(6):
            with suppress(Error):  # of a form's page, that it would have to be sent again
                travel()
            assert page.count("[data-state=ship]") == 0
            visited |= set(re.findall(r"/en/(\w+)/", page.url))
    assert "play" in visited
    assert len(visited) > 1
    page.goto(there)
    while (seen := page.seen).outcome is None:
        if seen.phase == "handover":
            show(page)
        else:
            side = page.saved.match.side
            # The second misses, the first hits.
            page.fire(cells_of(page, side.opponent, is_ship=side is Side.FIRST)[0])
    assert seen.outcome == "first"
    page.expects("h1").to_have_text("Anna wins")
    page.expects("#own-title").to_have_text("Anna’s waters")


def test_a_page_that_is_left_is_empty_when_it_comes_back_from_the_cache(
    open_page: OpenPage,
) -> None:
    page = open_page(begun(minds=(None, None)))
    page.focus("#act-show")
    page.act_by_key("Enter")
    page.see(phase="firing")
    assert page.count(BOARDS) > 100
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert page.count(BOARDS) == 0
    with page.loaded():
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.see(phase="handover")
    assert page.count(BOARDS) == 0

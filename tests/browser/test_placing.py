"""Placing a fleet: five ways to the same one, and what is told before a ship is set down."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import (
    OpenPage,
    answered,
    cell,
    focus,
    forms_sent,
    loaded,
    look,
    said,
    target,
    unfold,
    wait_for_pictures,
)
from tests.support.browser_matches import MINE, place_address
from tests.support.gestures import bow_in_harbour, drag, own_cell, tab_to, tap, walk_to

PART = "C9h4 G2v3 B7h3 J4v3 H9h2 F6v2 C1v2 C4v2"
"""All but two ships, for each of which there is one place left: at A1 and at E1, both down."""
WHOLE = {*PART.split(), "A1v5", "E1v4"}
TOUCHES = "Ships must not touch, not even at the corners."


def by_drag(page: Page) -> None:
    for length, bow in ((5, "A1"), (4, "E1")):
        with answered(page):
            drag(page, bow_in_harbour(page, length), own_cell(page, bow), turn=length == 5)


def by_taps(page: Page) -> None:
    tap(page, page.locator("label:has([name=direction][value=v])"))
    for length, bow in ((4, "E1"), (5, "A1")):
        tap(page, page.locator(f".berth[data-length='{length}']"))
        with answered(page):
            tap(page, cell(page, "own", bow))


def by_keys(page: Page) -> None:
    tab_to(page, "[data-board=own] button")
    page.keyboard.press("r")
    for bow in ("A1", "E1"):
        walk_to(page, bow)
        with answered(page):
            page.keyboard.press("Enter")


def at_random(page: Page) -> None:
    with answered(page):
        page.locator("#act-random").click()
    assert focus(page) == "act-random"


def by_form(page: Page) -> None:
    for length, bow in ((5, "A1"), (4, "E1")):
        page.locator(f"input[name=pick][value='{length}']").check()
        page.locator("input[name=direction][value=v]").check()
        with loaded(page):
            cell(page, "own", bow).locator("button").click()


@pytest.mark.parametrize("place", [by_drag, by_taps, by_keys, at_random, by_form])
def test_there_are_five_ways_to_the_same_fleet(
    open_page: OpenPage, place: Callable[[Page], None]
) -> None:
    page = open_page(place_address(PART), touch=place is by_taps, script=place is not by_form)
    place(page)
    assert set(look(page).ships) == WHOLE
    assert said(page) == "Your fleet is ready. Start when you like."


def test_a_ship_that_cannot_lie_there_is_hatched_and_the_reason_told_before_it_is_set_down(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("B2h5"))
    hatched = page.locator(".is-under-illegal")
    start, reason = said(page), f"Cruiser at C3: {TOUCHES}"
    page.mouse.move(*bow_in_harbour(page, 4))
    page.mouse.down()
    page.mouse.move(*own_cell(page, "C3"), steps=3)
    assert said(page) == reason
    expect(hatched).to_have_count(4)
    assert "gradient" in hatched.first.evaluate("cell => getComputedStyle(cell).backgroundImage")
    page.mouse.move(*own_cell(page, "C6"), steps=3)
    assert said(page) == start
    expect(hatched).to_have_count(0)
    page.mouse.move(*own_cell(page, "C3"), steps=3)
    page.mouse.up()
    assert said(page) == reason
    assert look(page).ships == ("B2h5",)
    cell(page, "own", "C6").locator("button").focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    assert said(page) == reason


def test_the_ship_placed_last_is_turned_where_it_lies_and_taken_back_by_buttons(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("B2h5 G10h4"), size=(360, 640), expects="status of 422")

    def press(button: str) -> tuple[str, ...]:
        if button in ("#act-undo", "#act-clear"):
            unfold(page)
        with answered(page):
            page.locator(button).click(force=True)
        assert f"#{focus(page)}" == button
        return look(page).ships

    assert press("#act-turn") == ("B2h5", "G7v4")  # slid in from the edge
    assert press("#act-turn") == ("B2h5", "G7h4")
    assert press("#act-undo") == ("B2h5",)
    assert press("#act-undo") == ()
    assert press("#act-undo") == ()
    assert said(page) == "No ship is placed yet."
    first, second = press("#act-random"), press("#act-random")
    assert len(first) == len(second) == 10
    assert first != second
    assert press("#act-clear") == ()


def test_the_last_ship_starts_the_match_and_the_second_click_of_a_double_click_fires_nothing(
    open_page: OpenPage,
) -> None:
    page = open_page("/en/about/")
    home = page.evaluate("location.origin")
    page.context.add_cookies([{"name": "preferences", "value": "start_at_last:on", "url": home}])
    page.goto(place_address(" ".join(MINE.split()[:-1])))
    x, y = own_cell(page, "J8")
    page.locator("label:has([name=direction][value=v])").click()
    with answered(page):
        page.mouse.click(x, y)
    assert look(page).phase == "firing"
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    wait_for_pictures(page)
    assert forms_sent(page) == 1
    assert set(look(page).enemy.values()) == {"unknown"}
    with answered(page):
        target(page, "E4").click()
    assert forms_sent(page) == 2

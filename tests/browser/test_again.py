"""After a match: Enter, a click or a tap goes on to the next, and nothing does so by mistake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from game.engine.presets import PRESETS
from tests.support.browser import (
    OpenPage,
    answered,
    cell,
    loaded,
    look,
    middle,
    target,
    wait_for_pictures,
    wait_for_the_end,
)
from tests.support.browser_matches import (
    begun,
    enemy_ships,
    hit_all_but,
    is_over,
    nearly_won,
    play_address,
    played,
    won,
)

PHONE = (360, 640)
SECOND_CLICK = """it => it.dispatchEvent(
  new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 }))"""
"""Sends the second click of a double click and returns whether its default action happened."""


def ended(open_page: OpenPage, *, touch: bool = False) -> Page:
    """A match that was won a while ago."""
    page = open_page(play_address(won()), touch=touch, size=PHONE if touch else (1280, 800))
    wait_for_the_end(page)
    return page


def see_next_round(page: Page) -> None:
    assert (look(page).phase, look(page).ships) == ("placing", ())


def see_no_other_page(page: Page, address: str) -> None:
    wait_for_pictures(page)
    assert page.url == address
    assert look(page).phase == "over"


def win_by_click(page: Page) -> tuple[float, float]:
    """Fires the last shot and returns where the click was."""
    [last] = enemy_ships(page.url)
    place = middle(target(page, last))
    with answered(page):
        page.mouse.click(*place)
    assert look(page).phase == "over"
    return place


def by_enter(page: Page) -> None:
    page.keyboard.press("Enter")


def by_a_click_on_the_sea(page: Page) -> None:
    cell(page, "enemy", "E5").click()


def by_a_click_beside_everything(page: Page) -> None:
    page.mouse.click(5, 700)


@pytest.mark.parametrize("go_on", [by_enter, by_a_click_on_the_sea, by_a_click_beside_everything])
def test_a_match_is_followed_by_the_next(
    open_page: OpenPage, go_on: Callable[[Page], None]
) -> None:
    page = ended(open_page)
    expect(page.get_by_text("Enter or a click anywhere: play again")).to_be_visible()
    expect(page.get_by_text("A tap anywhere")).to_be_hidden()
    with loaded(page):
        go_on(page)
    see_next_round(page)


def test_a_tap_goes_on_too(open_page: OpenPage) -> None:
    page = ended(open_page, touch=True)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_text("A tap anywhere: play again")).to_be_visible()
    expect(page.get_by_text("Enter or a click")).to_be_hidden()
    with loaded(page):
        page.locator(".result-card h1").tap()
    see_next_round(page)


def test_rounds_are_called_rounds(open_page: OpenPage) -> None:
    saved = hit_all_but(1, begun(preset=PRESETS["uppsala"]))
    page = open_page(play_address(saved))
    win_by_click(page)
    expect(page.get_by_text("Enter or a click anywhere: next round")).to_be_visible()


def test_what_ended_the_match_does_not_end_the_sight_of_it(open_page: OpenPage) -> None:
    page = open_page(play_address(nearly_won(1)))
    page.evaluate("performance.now = () => 0")  # no time passes, however slow the test is
    place = win_by_click(page)
    address = page.url
    for count in (2, 1):  # the second of a double click, and one more
        page.mouse.move(*place)
        page.mouse.down(click_count=count)
        page.mouse.up(click_count=count)
    assert not page.locator("#act-again").evaluate(SECOND_CLICK), "the link takes it"
    page.keyboard.press("Enter")
    see_no_other_page(page, address)
    page.evaluate("performance.now = () => 1001")
    with loaded(page):
        page.mouse.click(*place)
    see_next_round(page)


def test_the_enter_that_ended_the_match_may_be_held(open_page: OpenPage) -> None:
    page = open_page(play_address(nearly_won(1)))
    [last] = enemy_ships(page.url)
    target(page, last).focus()
    with answered(page):
        page.keyboard.down("Enter")
    address = page.url
    wait_for_the_end(page)
    page.keyboard.down("Enter")  # it repeats
    see_no_other_page(page, address)
    page.keyboard.up("Enter")
    with loaded(page):
        page.keyboard.press("Enter")
    see_next_round(page)


def test_clicks_that_are_meant_otherwise_stay_what_they_are(open_page: OpenPage) -> None:
    page = ended(open_page)
    address = page.url
    sea = middle(cell(page, "enemy", "E5"))
    page.mouse.click(*sea, button="right")
    page.mouse.click(*sea, button="middle")
    for key in ("Control", "Shift", "Alt", "Meta"):
        page.keyboard.down(key)
        page.mouse.click(*sea)
        if key != "Control":
            page.keyboard.press("Enter")
        page.keyboard.up(key)
    see_no_other_page(page, address)

    left, top = middle(page.locator(".result-card h1"), 0.3)
    page.mouse.move(left, top)  # selecting text
    page.mouse.down()
    page.mouse.move(left + 120, top, steps=3)
    page.mouse.up()
    assert page.evaluate("getSelection().toString()")
    see_no_other_page(page, address)
    page.mouse.click(*sea)  # and giving the selection up
    assert not page.evaluate("getSelection().toString()")
    page.mouse.move(*sea)  # a drag that selects nothing
    page.mouse.down()
    page.mouse.move(sea[0] + 60, sea[1], steps=3)
    page.evaluate("getSelection().removeAllRanges()")
    page.mouse.up()
    page.mouse.wheel(0, 200)
    see_no_other_page(page, address)


def test_other_controls_keep_their_clicks_and_their_enter(open_page: OpenPage) -> None:
    page = ended(open_page)
    address = page.url
    page.locator(".more-figures > summary").click()
    fair = page.locator("details.fair")
    fair.locator("summary").click()
    fair.locator("code").first.click()
    expect(fair).to_have_attribute("open", "")
    for _fold in range(2):  # the proof, then the drawer around it
        page.keyboard.press("Escape")
    page.locator(".menu-button").click()
    page.locator("#help").click()
    page.keyboard.press("Enter")  # closes it by its button, or does nothing
    page.keyboard.press("Escape")
    see_no_other_page(page, address)
    with answered(page):
        page.locator("#act-share").click()
    page.locator("#panel-title").click()
    page.locator(".to-copy").click()
    page.keyboard.press("Enter")
    see_no_other_page(page, address)
    page.locator("#act-recap").focus()
    with loaded(page):
        page.keyboard.press("Enter")
    assert "/replay/" in page.url


def test_a_click_that_closes_the_menu_does_nothing_else(open_page: OpenPage) -> None:
    page = ended(open_page, touch=True)
    address = page.url
    page.locator(".menu-button").tap()
    expect(page.locator("#menu")).to_be_visible()
    page.touchscreen.tap(20, 600)
    expect(page.locator("#menu")).to_be_hidden()
    see_no_other_page(page, address)


def test_where_no_person_played_nothing_follows(open_page: OpenPage) -> None:
    watched = played(is_over)
    minds = ("random", "bonn-medium")
    watched = replace(watched, setup=replace(watched.setup, minds=minds))
    page = open_page(play_address(watched))
    address = page.url
    wait_for_the_end(page)
    cell(page, "enemy", "E5").click()
    page.keyboard.press("Enter")
    see_no_other_page(page, address)
    expect(page.get_by_text("Enter or a click anywhere")).to_have_count(0)


def test_without_a_script_nothing_is_promised(open_page: OpenPage) -> None:
    page = open_page(play_address(won()), script=False)
    expect(page.get_by_text("Enter or a click anywhere")).to_be_hidden()
    expect(page.locator("#act-again")).to_be_visible()

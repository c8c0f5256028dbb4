"""Esc closes what is open, one thing at a press."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from game.engine.presets import PRESETS
from tests.support.browser import OpenPage, answered, cell, focus, look, target
from tests.support.browser_matches import (
    begun,
    is_firing_late,
    place_address,
    play_address,
    played,
    won,
)
from tests.support.gestures import drag, own_cell

UNFOLDED = "#game details[open]"


def test_what_is_unfolded_folds_and_the_focus_stays_beside_it(open_page: OpenPage) -> None:
    page = open_page(play_address(begun()))
    for name in ("#more", "#anew"):
        page.locator(f"{name} > summary").click()
    expect(page.locator(UNFOLDED)).to_have_count(2)
    page.locator("#act-anew").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#anew")).not_to_have_attribute("open", "")
    expect(page.locator("#anew > summary")).to_be_focused()
    expect(page.locator(UNFOLDED)).to_have_count(1)
    target(page, "E4").focus()
    page.keyboard.press("Escape")
    expect(page.locator(UNFOLDED)).to_have_count(0)
    assert focus(page) == "enemy-E4"
    assert look(page).turn == 0


def test_with_nothing_open_it_leads_home_and_continue_leads_back(open_page: OpenPage) -> None:
    page = open_page(play_address(begun()))
    with answered(page):
        target(page, "E4").click()
    where = page.url
    page.locator("#more > summary").click()
    page.keyboard.press("Escape")
    assert page.url == where
    page.keyboard.press("Escape")
    page.wait_for_url("**/en/")
    page.locator("#act-continue").click()
    page.wait_for_url(where)


def test_after_the_match_too(open_page: OpenPage) -> None:
    page = open_page(play_address(won()))
    page.locator(".more-figures > summary").click()
    page.keyboard.press("Escape")
    expect(page.locator(UNFOLDED)).to_have_count(0)


def test_the_help_closes_before_what_is_unfolded_behind_it(open_page: OpenPage) -> None:
    page = open_page(play_address(begun()))
    page.locator("#more > summary").click()
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help-dialog")).to_be_hidden()
    expect(page.locator(UNFOLDED)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(UNFOLDED)).to_have_count(0)


def test_the_menu_closes_before_what_is_unfolded_behind_it(open_page: OpenPage) -> None:
    page = open_page(play_address(begun()), size=(360, 640))
    page.locator("#text-view > summary").click()
    page.locator(".menu-button").click()
    expect(page.locator("#menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    expect(page.locator(UNFOLDED)).to_have_count(1)


def test_a_ship_that_is_shown_where_it_would_lie_goes_before_what_is_unfolded(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("B2h5"))
    page.locator("#more > summary").click()
    page.mouse.move(*own_cell(page, "D4"))
    expect(page.locator(".is-ghost")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".is-ghost")).to_have_count(0)
    expect(page.locator(UNFOLDED)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(UNFOLDED)).to_have_count(0)
    assert look(page).ships == ("B2h5",)


def test_cells_chosen_for_a_ship_are_given_up(open_page: OpenPage) -> None:
    page = open_page("/en/new/cmu/")
    with answered(page):
        cell(page, "own", "B2").click()
    expect(page.locator(".is-tried")).to_have_count(1)
    with answered(page):
        page.keyboard.press("Escape")
    expect(page.locator(".is-tried")).to_have_count(0)


def test_by_keys_alone_the_ship_stays_in_hand(open_page: OpenPage) -> None:
    page = open_page(f"/en/new/{next(n for n in PRESETS if PRESETS[n].placing.value == 'keys')}/")
    expect(page.locator(".is-ghost")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".is-ghost")).to_have_count(1)


def test_a_ship_being_moved_goes_back_and_one_that_is_chosen_is_let_go(open_page: OpenPage) -> None:
    page = open_page(play_address(played(is_firing_late)), size=(1366, 657))
    before, address = look(page), page.url
    label = page.locator(".steer").first.get_attribute("aria-label") or ""
    x, y = own_cell(page, re.findall(r" at (\w+):", label)[0])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 40, steps=4)
    expect(page.locator(".is-picked")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".is-picked")).to_have_count(0)
    page.mouse.move(x + 200, y + 200)
    page.mouse.up()
    assert (look(page), page.url) == (before, address)
    drag(page, (x, y), (x + 1, y + 1))
    expect(page.locator(".is-picked")).to_have_count(1)
    page.locator("#text-view > summary").click()
    page.keyboard.press("Escape")
    expect(page.locator(".is-picked")).to_have_count(0)
    expect(page.locator(UNFOLDED)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(UNFOLDED)).to_have_count(0)

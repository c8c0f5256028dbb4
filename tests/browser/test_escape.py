"""Esc closes what is open, one thing at a press."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import (
    LAPTOP,
    PHONE,
    OpenPage,
    cell,
    click,
    drag,
    fire,
    focus,
    look,
    own_cell,
    press,
    target,
)
from tests.support.matches import address, begun, firing_late, place_address, won

UNFOLDED = "#game details[open]"


def test_what_is_unfolded_folds_and_the_focus_stays_beside_it(open_page: OpenPage) -> None:
    page = open_page(address(begun()))
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
    page.goto(address(won()))
    page.locator(".more-figures > summary").click()
    page.keyboard.press("Escape")
    expect(page.locator(UNFOLDED)).to_have_count(0)


def test_with_nothing_open_it_leads_home_and_continue_leads_back(open_page: OpenPage) -> None:
    page = open_page(address(begun()))
    fire(page, "E4")
    where = page.url
    page.locator("#more > summary").click()
    page.keyboard.press("Escape")
    assert page.url == where
    page.keyboard.press("Escape")
    page.wait_for_url("**/en/")
    page.locator("#act-continue").click()
    page.wait_for_url(where)


def helped(page: Page) -> None:
    page.keyboard.press("?")


def menu(page: Page) -> None:
    page.locator(".menu-button").click()


def ghost(page: Page) -> None:
    page.mouse.move(*own_cell(page, "H9"))


def moving_ship(page: Page) -> None:
    """Takes a ship up with the mouse, and moves it part of the way."""
    x, y = first_that_may_move(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 40, steps=4)


def chosen_ship(page: Page) -> None:
    x, y = first_that_may_move(page)
    drag(page, (x, y), (x + 1, y + 1))


def first_that_may_move(page: Page) -> tuple[float, float]:
    label = page.locator(".steer").first.get_attribute("aria-label") or ""
    return own_cell(page, re.findall(r" at (\w+):", label)[0])


@pytest.mark.parametrize(
    ("open_it", "shown", "address"),
    [
        (helped, "#help-dialog[open]", lambda: address(begun())),
        (menu, "#menu:popover-open", lambda: address(begun())),
        (ghost, ".is-ghost", lambda: place_address("B2h5")),
        (moving_ship, ".is-picked", lambda: address(firing_late())),
        (chosen_ship, ".is-picked", lambda: address(firing_late())),
    ],
)
def test_it_closes_what_lies_above_before_what_is_unfolded(
    open_page: OpenPage, open_it: Callable[[Page], None], shown: str, address: Callable[[], str]
) -> None:
    page = open_page(address(), size=PHONE if open_it is menu else LAPTOP)
    before, where = look(page), page.url
    page.locator("#text-view > summary, #more > summary").first.click()
    open_it(page)
    expect(page.locator(shown)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(shown)).to_have_count(0)
    expect(page.locator(UNFOLDED)).to_have_count(1)
    page.mouse.up()
    page.keyboard.press("Escape")
    expect(page.locator(UNFOLDED)).to_have_count(0)
    assert (look(page), page.url) == (before, where)


def test_a_drag_ends_and_the_ship_lies_where_it_lay(open_page: OpenPage) -> None:
    page = open_page(place_address("B2h5"))
    page.mouse.move(*own_cell(page, "C2"))
    page.mouse.down()
    page.mouse.move(*own_cell(page, "C8"), steps=4)
    for shown in (1, 0):
        expect(page.locator(".is-ghost")).to_have_count(shown)
        expect(page.locator(".is-lifted")).to_have_count(shown)
        page.keyboard.press("Escape")
    page.mouse.up()
    assert look(page).ships == ("B2h5",)


def test_cells_chosen_for_a_ship_are_given_up_and_by_keys_alone_it_stays_in_hand(
    open_page: OpenPage,
) -> None:
    page = open_page("/en/new/cmu/")
    click(page, cell(page, "own", "B2"))
    expect(page.locator(".is-tried")).to_have_count(1)
    press(page, "Escape")
    expect(page.locator(".is-tried")).to_have_count(0)
    page.goto("/en/new/uppsala/")
    expect(page.locator(".is-ghost")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".is-ghost")).to_have_count(1)

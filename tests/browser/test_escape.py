"""Esc closes what is open, one thing at a press."""

import re
from collections.abc import Callable

import pytest

from game.matches.saved import SavedMatch
from tests.support import deep
from tests.support.browser import LAPTOP, PHONE, OpenPage, Page
from tests.support.matches import address, begun, firing_late, place_address, searching, won

UNFOLDED = "#game details[open]"


def test_what_is_unfolded_folds_and_the_focus_stays_beside_it(open_page: OpenPage) -> None:
    page = open_page(begun())
    for name in ("#more", "#anew"):
        page.click(f"{name} > summary")
    page.expects(UNFOLDED).to_have_count(2)
    page.focus("#act-anew")
    page.keys("Escape")
    page.expects("#anew").not_to_have_attribute("open", "")
    page.expects("#anew > summary").to_be_focused()
    page.expects(UNFOLDED).to_have_count(1)
    page.target("E4").focus()
    page.keys("Escape")
    page.expects(UNFOLDED).to_have_count(0)
    assert page.focused == "enemy-E4"
    assert page.seen.turn == 0
    page.goto(address(won()))
    page.click("#more > summary")
    page.keys("Escape")
    page.expects(UNFOLDED).to_have_count(0)


@pytest.mark.parametrize(
    "start",
    [
        begun(),
        deep(searching()),
        deep(begun(minds=(None, None))),
    ],
    ids=["match", "alone", "curtain"],
)
def test_with_nothing_open_it_asks_whether_to_leave_and_again_stays(
    open_page: OpenPage, start: SavedMatch | str
) -> None:
    page = open_page(start)
    page.keys("Shift+Tab Shift+Tab")
    where, focused = page.url, page.focused
    for _again in range(2):
        page.keys("Escape")
        page.expects("#leaving button").to_be_focused()
        page.keys("Escape")
        page.expects("#leaving").to_be_hidden()
        assert (page.url, page.focused) == (where, focused)
    page.keys("Escape Tab Enter")
    page.wait_for_url("**/en/")
    page.go_back()
    page.wait_for_url(where)
    page.expects("#leaving").to_be_hidden()


def moving_ship(page: Page) -> None:
    """Takes a ship up with the mouse, and moves it part of the way."""
    x, y = first_that_may_move(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 40, steps=4)


def chosen_ship(page: Page) -> None:
    x, y = first_that_may_move(page)
    page.drag((x, y), (x + 1, y + 1))


def first_that_may_move(page: Page) -> tuple[float, float]:
    label = page.locator(".steer").first.get_attribute("aria-label") or ""
    return page.own_cell(re.findall(r" at (\w+):", label)[0])


@pytest.mark.parametrize(
    ("open_it", "shown", "where"),
    [
        (lambda page: page.keys("?"), "#help-dialog[open]", begun),
        deep(lambda page: page.click(".menu-button"), "#menu:popover-open", begun),
        (
            lambda page: page.mouse.move(*page.own_cell("H9")),
            ".is-ghost",
            lambda: place_address("B2h5"),
        ),
        (moving_ship, ".is-picked", firing_late),
        deep(chosen_ship, ".is-picked", firing_late),
    ],
)
def test_it_closes_what_lies_above_before_what_is_unfolded(
    open_page: OpenPage,
    open_it: Callable[[Page], None],
    shown: str,
    where: Callable[[], str | SavedMatch],
) -> None:
    page = open_page(where(), size=PHONE if "menu" in shown else LAPTOP)
    before = page.seen, page.url
    page.locator("#text-view > summary, #more > summary").first.click()
    open_it(page)
    page.expects(shown).to_have_count(1)
    page.keys("Escape")
    page.expects(shown).to_have_count(0)
    page.expects(UNFOLDED).to_have_count(1)
    page.mouse.up()
    page.keys("Escape")
    page.expects(UNFOLDED).to_have_count(0)
    assert (page.seen, page.url) == before

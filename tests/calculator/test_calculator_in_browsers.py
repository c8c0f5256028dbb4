"""The hit calculator in the browser: by taps and by keys."""

import re

from playwright.sync_api import Locator, expect

from tests.support.browser import PHONE, OpenPage, Page

SEA = "/en/position/?sea=milton"


def mark(page: Page, name: str) -> Locator:
    """The button that marks a cell."""
    return page.locator(f"[data-cell={name}] button")


def brush(page: Page, name: str) -> None:
    page.click(f"label:has(#brush-{name})")


def see_marks(page: Page, **states: str) -> None:
    for name, state in states.items():
        page.expects(f"[data-cell={name}]").to_have_attribute("data-state", state)


def test_taps_mark_the_sea_and_the_address_follows(open_page: OpenPage) -> None:
    page = open_page("/en/position/", size=PHONE)
    page.act(mark(page, "A1"))
    brush(page, "hit")
    page.act(mark(page, "C3"))
    brush(page, "sunk")
    page.act(mark(page, "D5"))
    page.expects("#status").to_contain_text("Sunk at D5")
    page.act(mark(page, "F5"), mark(page, "J9"), "button[name=length][value='2']")
    assert page.url.endswith("/en/position/?sea=milton&water=A1&hit=C3&sunk=D5h3+2@J9")
    see_marks(page, A1="water", C3="hit", D5="sunk", F5="sunk", J9="sunk")
    page.expects("#status").to_contain_text(re.compile(r"Best: [A-J]\d+, \d+%"))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_it_is_worked_by_keys_alone_and_the_focus_stays(open_page: OpenPage) -> None:
    page = open_page(SEA)
    mark(page, "A1").focus()
    page.keys("ArrowDown ArrowRight")
    page.act_by_key("Enter")
    see_marks(page, B2="water")
    expect(mark(page, "B2")).to_be_focused()
    page.focus("#brush-water")
    page.keys("ArrowRight")
    page.expects("#brush-hit").to_be_checked()
    page.fill("#typed", "C3 C4 hit")
    page.act_by_key("Enter")
    see_marks(page, C3="hit", C4="hit")
    page.expects("#typed").to_have_value("")


def test_a_contradiction_is_said_and_the_next_press_mends_it(open_page: OpenPage) -> None:
    page = open_page(f"{SEA}&water=C2+B3+D3&hit=C3", expects="status of 422")
    page.act(mark(page, "C4"))
    page.expects("#status").to_have_text("The hit at C3 can’t belong to any ship that is left.")
    assert page.url.endswith("water=C2+B3+D3+C4&hit=C3")
    page.act(mark(page, "C4"))
    page.expects("#status").to_contain_text("Best: C4")

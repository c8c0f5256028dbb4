"""The hit calculator in the browser: by taps, by keys, and without a script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import OpenPage, answered

SEA = "/en/position/?sea=milton"
SIZES = [(360, 640), (1366, 657)]


def tap(page: Page, cell: str) -> None:
    with answered(page):
        page.locator(f"[data-cell={cell}] button").click()


def brush(page: Page, name: str) -> None:
    page.locator(f"label:has(#brush-{name})").click()


def state(page: Page, cell: str) -> str | None:
    return page.locator(f"[data-cell={cell}]").get_attribute("data-state")


@pytest.mark.parametrize("size", SIZES)
def test_taps_mark_the_sea_and_the_address_follows(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page("/en/position/", size=size)
    tap(page, "A1")
    brush(page, "hit")
    tap(page, "C3")
    brush(page, "sunk")
    tap(page, "D5")
    expect(page.locator("#status")).to_contain_text("Sunk at D5")
    tap(page, "F5")
    tap(page, "J9")
    with answered(page):
        page.locator("button[name=length][value='2']").click()
    assert page.url.endswith("/en/position/?sea=milton&water=A1&hit=C3&sunk=D5h3+2@J9")
    marks = {"A1": "water", "C3": "hit", "D5": "sunk", "F5": "sunk", "J9": "sunk"}
    assert {cell: state(page, cell) for cell in marks} == marks
    expect(page.locator("#status")).to_contain_text(re.compile(r"Best: [A-J]\d+, \d+%"))
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_busy_server_is_asked_again_by_itself(open_page: OpenPage) -> None:
    page = open_page("/en/position/", expects="503")
    busy = {"status": 503, "headers": {"Refresh": "1", "Retry-After": "1"}, "body": "<p>busy"}
    for _htmx_and_whole_page in range(2):
        page.route("**/position/?*", lambda route: route.fulfill(**busy), times=1)
    page.locator("[data-cell=A1] button").click()
    expect(page.locator("[data-cell=A1]")).to_have_attribute("data-state", "water")
    assert "water=A1" in page.url


def test_it_is_worked_by_keys_alone_and_the_focus_stays(open_page: OpenPage) -> None:
    page = open_page(SEA)
    page.locator("[data-cell=A1] button").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    with answered(page):
        page.keyboard.press("Enter")
    assert state(page, "B2") == "water"
    expect(page.locator("[data-cell=B2] button")).to_be_focused()
    page.locator("#brush-water").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#brush-hit")).to_be_checked()
    page.locator("#typed").fill("C3 C4 hit")
    with answered(page):
        page.keyboard.press("Enter")
    assert state(page, "C4") == "hit"
    expect(page.locator("#typed")).to_have_value("")


def test_a_contradiction_is_said_and_the_next_press_mends_it(open_page: OpenPage) -> None:
    page = open_page(f"{SEA}&water=C2+B3+D3&hit=C3", expects="status of 422")
    tap(page, "C4")
    expect(page.locator("#status")).to_have_text(
        "The hit at C3 can’t belong to any ship that is left."
    )
    assert page.url.endswith("water=C2+B3+D3+C4&hit=C3")
    tap(page, "C4")
    expect(page.locator("#status")).to_contain_text("Best: C4")


@pytest.mark.parametrize("size", SIZES)
def test_without_a_script_each_state_is_an_address(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(SEA.replace("/en/", "/de/"), language="de", script=False, size=size)
    brush(page, "hit")
    page.locator("[data-cell=C3] button").click()
    assert page.url.endswith("/de/position/?sea=milton&hit=C3&brush=hit")
    expect(page.locator("#brush-hit")).to_be_checked()
    page.locator("#typed").fill("A1 B1 Wasser, versenkt 2 bei J9")
    page.locator("#typed").press("Enter")
    assert page.url.endswith("?sea=milton&water=A1+B1&hit=C3&sunk=2@J9")
    expect(page.locator("#status")).to_contain_text("Am besten: ")

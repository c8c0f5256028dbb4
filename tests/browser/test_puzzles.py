"""Puzzles in the browser: today's five by taps and by keys, on phones and on laptops."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser import OpenPage, answered
from tests.support.puzzles import best, worst

PHONE, LANDSCAPE, LAPTOP = (360, 640), (844, 390), (1366, 657)


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE])
def test_todays_five_by_taps(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page("/de/puzzles/", language="de", size=size)
    for number in range(1, 6):
        expect(page.locator("#status")).to_contain_text(f"Schuss {number} von 5")
        cell = best(page.url) if number != 3 else worst(page.url)
        with answered(page):
            page.locator(f"[data-cell={cell}] button").click()
        assert page.url.endswith(f"/?cell={cell}")
        verdict = "wrong" if number == 3 else "right"
        expect(page.locator("#game")).to_have_attribute("data-verdict", verdict)
        expect(page.locator("#status")).to_contain_text(best(page.url))
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        expect(page.locator("#act-next")).to_be_in_viewport(ratio=1)
        if number < 5:
            page.locator("#act-next").click()
    expect(page.locator(".five-result")).to_contain_text("4 von 5")
    expect(page.locator(".next-sea")).to_contain_text("Std.")
    page.locator("#act-share").click()
    expect(page.locator("#sharing .signs")).to_have_text("●●○●●")
    page.goto("/de/")
    expect(page.locator("#act-five")).to_contain_text("4 von 5")


def test_todays_five_by_keys_alone(open_page: OpenPage) -> None:
    page = open_page("/en/puzzles/", size=LAPTOP)
    for number in range(5):
        page.locator("#act-next").or_(page.locator("[data-cell=A1] button")).first.wait_for()
        page.keyboard.press("Tab")
        while not page.evaluate("document.activeElement.closest('[data-board]') !== null"):
            page.keyboard.press("Tab")
        page.keyboard.press("Control+Home")
        cell = best(page.url)
        for _ in range(ord(cell[0]) - ord("A")):
            page.keyboard.press("ArrowRight")
        for _ in range(int(cell[1:]) - 1):
            page.keyboard.press("ArrowDown")
        expect(page.locator(f"[data-cell={cell}] button")).to_be_focused()
        with answered(page):
            page.keyboard.press("Enter")
        expect(page.locator("#game")).to_have_attribute("data-verdict", "right")
        expect(page.locator("#act-next")).to_be_focused()
        if number < 4:
            page.keyboard.press("Enter")
            expect(page.locator("#status")).to_contain_text(f"Shot {number + 2} of 5")
    expect(page.locator(".five-result")).to_contain_text("5 of 5")


def test_a_typed_cell_answers_and_the_text_view_is_read_by_a_key(open_page: OpenPage) -> None:
    page = open_page("/en/puzzles/more/", size=LAPTOP)
    page.locator("[data-cell=A1] button").focus()
    page.keyboard.press("s")
    expect(page.locator("#status")).to_contain_text("Ships to find: ")
    page.locator("#text-view > summary").click()
    page.locator("#typed").fill(best(page.url).lower())
    with answered(page):
        page.keyboard.press("Enter")
    expect(page.locator("#game")).to_have_attribute("data-verdict", "right")

"""Puzzles in the browser: today's five by taps and by keys, on phones and on laptops."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser import (
    LANDSCAPE,
    LAPTOP,
    PHONE,
    OpenPage,
    click,
    press,
    see,
    tab_to,
    unfold,
    walk_to,
)
from tests.support.puzzles import best, worst


@pytest.mark.parametrize("size", [PHONE, pytest.param(LANDSCAPE, marks=pytest.mark.deep)])
def test_todays_five_by_taps(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page("/de/puzzles/", language="de", size=size)
    for number in range(1, 6):
        expect(page.locator("#status")).to_contain_text(f"Schuss {number} von 5")
        cell = best(page.url) if number != 3 else worst(page.url)
        click(page, f"[data-cell={cell}] button")
        assert page.url.endswith(f"/?cell={cell}")
        see(page, verdict="wrong" if number == 3 else "right")
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


@pytest.mark.deep
def test_todays_five_by_keys_alone(open_page: OpenPage) -> None:
    page = open_page("/en/puzzles/", size=LAPTOP)
    for number in range(1, 6):
        expect(page.locator("#status")).to_contain_text(f"Shot {number} of 5")
        tab_to(page, "[data-board] button")
        walk_to(page, best(page.url))
        press(page, "Enter")
        see(page, verdict="right")
        expect(page.locator("#act-next")).to_be_focused()
        if number < 5:
            page.keyboard.press("Enter")
    expect(page.locator(".five-result")).to_contain_text("5 of 5")


def test_a_typed_cell_answers_and_the_text_view_is_read_by_a_key(open_page: OpenPage) -> None:
    page = open_page("/en/puzzles/more/", size=LAPTOP)
    page.locator("[data-cell=A1] button").focus()
    page.keyboard.press("s")
    expect(page.locator("#status")).to_contain_text("Ships to find: ")
    unfold(page, "#text-view")
    page.locator("#typed").fill(best(page.url).lower())
    press(page, "Enter")
    see(page, verdict="right")

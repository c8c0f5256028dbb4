"""After the match: the review, step by step. While it is played: the coach."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser import (
    LAPTOP,
    OpenPage,
    answered,
    box,
    click,
    fire,
    focus,
    follow,
    look,
    resize,
    said,
    see_language,
)
from tests.support.matches import address, coached, enemy_ships, enemy_water, review_address, won


def test_the_review_is_stepped_through_and_the_address_keeps_the_step(open_page: OpenPage) -> None:
    page = open_page(review_address(won()))
    first = said(page)
    click(page, "#step-on")
    assert focus(page) == "step-on"
    assert said(page).startswith("Shot 2 of ")
    shown = look(page)
    page.reload()
    assert look(page) == shown
    assert page.url.endswith("step=2")
    with answered(page):
        page.locator("#step-back").press("Enter")
    assert said(page) == first
    with answered(page):
        page.locator("#step").fill("20")
    assert "step=20" in page.url
    expect(page.locator("form.controls button")).to_be_hidden()
    shown = look(page)
    follow(page, "#language")
    see_language(page, "de")
    assert look(page) == shown
    page.locator("details:has(.shots) > summary").click()
    follow(page, page.locator(".shots tbody a").nth(5))
    expect(page.locator(".shots [aria-current=step] th")).to_have_text("6")


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
@pytest.mark.deep
def test_the_review_has_its_map_beside_the_turning_points_and_fits_a_phone(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(review_address(won(), language), language=language)
    for width, height in ((844, 390), (768, 1024), LAPTOP):
        resize(page, width, height)
        board = box(page.locator(".chances table"))
        says, controls = box(page.locator(".review-says")), box(page.locator(".controls"))
        assert board.right < box(page.locator(".points")).left
        assert says.top >= board.bottom - 1
        assert controls.top >= says.bottom
        assert controls.bottom <= height or height < 600
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    sheet, figures = box(page.locator("[data-board=enemy]")), box(page.locator(".scores"))
    assert 0 < figures.left - sheet.right < 200
    assert sheet.bottom <= height
    page.locator("details:has(.shots) > summary").click()
    page.locator(".shots tr").last.scroll_into_view_if_needed()
    assert -10 <= box(page.locator("[data-board=enemy]")).top <= sheet.top, "it stays in sight"
    resize(page, 320, 640)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    cut = "(box) => box.scrollWidth - box.clientWidth"
    assert page.locator(".scroll:has(.shots)").evaluate(cut) == 0, "the last column is whole"


def test_the_board_stands_still_under_the_coach(open_page: OpenPage) -> None:
    page = open_page(address(coached()), size=(360, 740))
    board = page.locator("[data-board=enemy]")
    before = box(board)
    fire(page, enemy_ships(page.url)[0])
    assert box(board) == before
    fire(page, enemy_water(page.url))
    expect(page.locator(".coach-line")).to_contain_text("Coach: best ")

"""After the match: the review, step by step. While it is played: the coach."""

import pytest

from tests.support.browser import LAPTOP, OpenPage
from tests.support.matches import address, won


def test_the_review_is_stepped_through_and_the_address_keeps_the_step(open_page: OpenPage) -> None:
    page = open_page(address(won(), page="review"))
    first = page.says
    page.act("#step-on")
    assert page.focused == "step-on"
    assert page.says.startswith("Shot 2 of ")
    shown = page.seen
    page.reload()
    assert page.seen == shown
    assert page.url.endswith("step=2")
    with page.answered():
        page.press("#step-back", "Enter")
    assert page.says == first
    with page.answered():
        page.fill("#step", "20")
    assert "step=20" in page.url
    page.expects("form.controls button").to_be_hidden()
    shown = page.seen
    page.follow("nav a[hreflang=de]")
    page.see_language("de")
    assert page.seen == shown
    page.click("details:has(.shots) > summary")
    page.follow(page.locator(".shots tbody a").nth(5))
    page.expects(".shots [aria-current=step] th").to_have_text("6")


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
@pytest.mark.deep
def test_the_review_has_its_map_beside_the_turning_points_and_fits_a_phone(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(address(won(), language, page="review"), language=language)
    for width, height in ((844, 390), (768, 1024), LAPTOP):
        page.resize(width, height)
        board = page.box(".chances table")
        says, controls = page.box(".review-says"), page.box(".controls")
        assert board.right < page.box(".points").left
        assert says.top >= board.bottom - 1
        assert controls.top >= says.bottom
        assert controls.bottom <= height or height < 600
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    sheet, figures = page.box("[data-board=enemy]"), page.box(".scores")
    assert 0 < figures.left - sheet.right < 200
    assert sheet.bottom <= height
    page.click("details:has(.shots) > summary")
    page.locator(".shots tr").last.scroll_into_view_if_needed()
    assert -10 <= page.box("[data-board=enemy]").top <= sheet.top, "it stays in sight"
    page.resize(320, 640)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    cut = "(box) => box.scrollWidth - box.clientWidth"
    assert page.locator(".scroll:has(.shots)").evaluate(cut) == 0, "the last column is whole"

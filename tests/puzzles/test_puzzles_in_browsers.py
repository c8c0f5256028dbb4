"""Puzzles in the browser: today's five by taps, and a cell that is typed."""

import pytest

from tests.puzzles.samples import best, worst
from tests.support import deep
from tests.support.browser import LANDSCAPE, LAPTOP, PHONE, OpenPage


@pytest.mark.parametrize("size", [PHONE, deep(LANDSCAPE)])
def test_todays_five_by_taps(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page("/de/puzzles/", language="de", size=size)
    for number in range(1, 6):
        page.expects("#status").to_contain_text(f"Schuss {number} von 5")
        cell = best(page.url) if number != 3 else worst(page.url)
        page.act(f"[data-cell={cell}] button")
        assert page.url.endswith(f"/?cell={cell}")
        page.see(verdict="wrong" if number == 3 else "right")
        page.expects("#status").to_contain_text(best(page.url))
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        page.expects("#act-next").to_be_in_viewport(ratio=1)
        page.expects("#act-next").to_be_focused()
        if number < 5:
            page.click("#act-next")
    page.expects(".five-result").to_contain_text("4 von 5")
    page.expects(".next-sea").to_contain_text("Std.")
    page.click("#act-share")
    page.expects("#sharing .signs").to_have_text("●●○●●")
    page.goto("/de/")
    page.expects("#act-five").to_contain_text("4 von 5")


def test_a_typed_cell_answers_and_the_text_view_is_read_by_a_key(open_page: OpenPage) -> None:
    page = open_page("/en/puzzles/more/", size=LAPTOP)
    page.focus("[data-cell=A1] button")
    page.keys("s")
    page.expects("#status").to_contain_text("Ships to find: ")
    page.unfold("#text-view")
    page.fill("#typed", best(page.url).lower())
    page.act_by_key("Enter")
    page.see(verdict="right")

"""After the match: the fingerprint that the browser checks, the review step by step, the coach."""

from __future__ import annotations

import re
from dataclasses import replace

from playwright.sync_api import Page, expect

from game.engine.rules import Ruleset
from tests.support.browser import OpenPage, answered, fire, focus, loaded, look, said
from tests.support.browser_matches import (
    coached,
    deployed,
    enemy_ships,
    enemy_water,
    is_over,
    nearly_won,
    play_address,
    played,
    review_address,
)

SAME, LATE, UNSEEN = (
    "you were shown before your first shot",
    "after 1 of your shots",
    "was not here",
)
DIFFERS, BY_HAND = "do not trust this match", "not served securely"


TINY = Ruleset(columns=6, rows=6, fleet=(2, 2), moving=False, turns=None)


def sink_all(page: Page) -> None:
    for name in enemy_ships(page.url):
        fire(page, name)
    assert look(page).phase == "over"


def result(page: Page) -> str:
    """What the browser says about the fingerprint."""
    page.locator(".more-figures > summary").click()
    page.locator("details.fair summary").click()
    found = page.locator("[data-fair-result]")
    expect(found).not_to_be_empty()
    return found.inner_text()


# --- the fingerprint ---


def test_the_browser_finds_the_fingerprint_it_saw_before_the_first_shot(
    open_page: OpenPage,
) -> None:
    page = open_page(play_address(deployed(TINY)))
    shown = page.locator("[data-commitment]").get_attribute("data-commitment")
    fire(page, enemy_water(page.url))
    sink_all(page)
    assert page.locator("[data-commitment]").get_attribute("data-commitment") == shown
    assert SAME in result(page)
    page.locator(".more-figures > summary").press("Enter")
    with loaded(page):
        page.locator("#act-review").click()
    expect(page.locator("[data-fair-result]")).to_have_attribute("data-fair", "same")


def test_a_match_that_was_joined_later_says_when_its_fingerprint_was_seen(
    open_page: OpenPage,
) -> None:
    saved = deployed(TINY)
    first = enemy_ships(play_address(saved))[0]
    match = saved.match.fire(saved.match.ruleset.board.parse(first))
    page = open_page(play_address(replace(saved, match=match)))
    sink_all(page)
    assert LATE in result(page)


def test_who_sees_only_the_end_is_told_to_compare(open_page: OpenPage) -> None:
    page = open_page(play_address(played(is_over)))
    assert UNSEEN in result(page)


def test_a_fingerprint_that_was_exchanged_is_noticed(open_page: OpenPage) -> None:
    """A server that reveals another seed than it had committed itself to."""
    page = open_page()

    def forge(route, request):  # type: ignore[no-untyped-def]
        answer = route.fetch()
        text = re.sub(r"(data-statement>[^<]*seed )..", r"\g<1>ff", answer.text())
        route.fulfill(response=answer, body=text)

    page.route("**/play/**", forge)
    page.goto(play_address(played(is_over)))
    assert DIFFERS in result(page)


def test_without_storage_the_fingerprint_is_kept_while_the_page_lasts(open_page: OpenPage) -> None:
    init = (
        """Object.defineProperty(window, "localStorage", { get() { throw new Error("none"); } });"""
    )
    page = open_page(play_address(nearly_won(1)), init=init, fresh=True)
    sink_all(page)
    # Twenty-nine shots had been fired when this page was opened.
    assert "after 29 of your shots" in result(page)
    page.reload()
    assert UNSEEN in result(page)


def test_where_the_page_is_not_secure_the_command_is_shown(open_page: OpenPage) -> None:
    init = 'Object.defineProperty(window, "isSecureContext", { value: false });'
    page = open_page(play_address(played(is_over)), init=init)
    assert BY_HAND in result(page)
    expect(page.locator("details.fair")).to_contain_text("| sha256sum")


def test_without_script_the_command_and_the_line_are_there(open_page: OpenPage) -> None:
    page = open_page(review_address(played(is_over)), script=False)
    expect(page.locator("details.fair")).to_contain_text("printf %s 'battleship-commitment-1|")


# --- the review ---


def test_the_review_is_stepped_through_and_the_address_keeps_the_step(open_page: OpenPage) -> None:
    page = open_page(review_address(played(is_over)))
    first = said(page)
    with answered(page):
        page.locator("#step-on").click()
    assert focus(page) == "step-on"
    assert said(page) != first
    assert said(page).startswith("Shot 2 of ")
    step = re.search(r"step=(\d+)", page.url)
    assert step is not None
    shown = look(page)
    page.reload()
    assert look(page) == shown
    with answered(page):
        page.locator("#step-back").press("Enter")
    assert said(page) == first
    slider = page.locator("#step")
    with answered(page):
        slider.fill("40")
    assert "step=40" in page.url
    expect(page.locator("form.controls button")).to_be_hidden()
    shown = look(page)
    with loaded(page):
        page.locator("#language").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert look(page) == shown
    page.locator("details:has(.shots) > summary").click()
    with loaded(page):
        page.locator(".shots tbody a").nth(5).click()
    expect(page.locator(".shots [aria-current=step] th")).to_have_text("6")


def test_the_review_fits_a_phone(open_page: OpenPage) -> None:
    for language in ("en", "de"):
        page = open_page(review_address(played(is_over), language), size=(320, 640))
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        page.locator("details:has(.shots) > summary").click()
        cut = "(box) => box.scrollWidth - box.clientWidth"
        assert page.locator(".scroll:has(.shots)").evaluate(cut) == 0, "the last column is whole"


def test_on_a_wide_window_the_sheet_stays_beside_the_figures(open_page: OpenPage) -> None:
    page = open_page(review_address(played(is_over)), size=(1366, 657))
    sheet = page.locator("[data-board=enemy]").bounding_box()
    figures = page.locator(".scores").bounding_box()
    assert sheet is not None
    assert figures is not None
    assert 0 < figures["x"] - (sheet["x"] + sheet["width"]) < 200
    assert sheet["y"] + sheet["height"] <= 657
    page.locator(".shots tr").last.scroll_into_view_if_needed()
    after = page.locator("[data-board=enemy]").bounding_box()
    assert after is not None
    assert -10 <= after["y"] <= sheet["y"], "it stays in sight"


# --- the coach ---


def test_the_board_stands_still_under_the_coach(open_page: OpenPage) -> None:
    page = open_page(play_address(coached()), size=(360, 740))
    board = page.locator("[data-board=enemy]")
    before = board.bounding_box()
    fire(page, enemy_ships(page.url)[0])
    assert board.bounding_box() == before
    fire(page, enemy_water(page.url))
    expect(page.locator(".coach-line")).to_contain_text("Coach: best ")

"""Giving up asks first, and the answer at hand is the one that changes nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser import OpenPage, answered, focus, loaded, look, unfold
from tests.support.browser_matches import begun, play_address


@pytest.mark.parametrize("key", ["Enter", "Escape"])
def test_the_question_is_waved_away_by_one_key(open_page: OpenPage, key: str) -> None:
    page = open_page(play_address(begun()))
    where = page.url
    unfold(page)
    page.locator("#act-resign").focus()
    with answered(page):
        page.keyboard.press("Enter")
    assert focus(page) == "act-play-on"
    with answered(page):
        page.keyboard.press(key)
    expect(page.locator("#act-resign")).to_be_visible()
    assert (look(page).phase, page.url) == ("firing", where)


@pytest.mark.parametrize(("script", "language"), [(True, "de"), (False, "en")])
def test_a_match_is_given_up_by_two_presses(
    open_page: OpenPage, language: str, script: bool
) -> None:
    page = open_page(play_address(begun(), language), script=script, size=(360, 640))
    unfold(page)
    for button in ("#act-resign", "#act-resign-yes"):
        with (answered if script else loaded)(page):
            page.locator(button).click()
    game = page.locator("#game[data-phase=over]")
    expect(game).to_have_attribute("data-reason", "resigned")
    expect(game).to_have_attribute("data-outcome", "lost")
    assert page.locator("[data-board=enemy] [data-state=ship]").count() == 30

"""After a match only its buttons and links lead on, and nothing does so by mistake."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from game.engine.rules import Side
from tests.support.browser import (
    OpenPage,
    answered,
    cell,
    loaded,
    look,
    middle,
    target,
    unfold,
    wait_for_pictures,
)
from tests.support.browser_matches import (
    begun,
    enemy_ships,
    nearly_won,
    play_address,
    saved_at,
    won,
)

PHONE = (360, 640)
SECOND_CLICK = """it => it.dispatchEvent(
  new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 }))"""
"""Sends the second click of a double click and returns whether its default action happened."""


def see_the_end(page: Page, address: str) -> None:
    wait_for_pictures(page)
    assert page.url == address
    assert look(page).phase == "over"


def test_what_ended_the_match_and_what_misses_the_buttons_lead_nowhere(
    open_page: OpenPage,
) -> None:
    page = open_page(play_address(nearly_won(1)))
    [last] = enemy_ships(page.url)
    place = middle(target(page, last))
    with answered(page):
        page.mouse.click(*place)
    address = page.url
    for count in (2, 1):  # the second of a double click, and one more
        page.mouse.move(*place)
        page.mouse.down(click_count=count)
        page.mouse.up(click_count=count)
    assert not page.locator("#act-again").evaluate(SECOND_CLICK), "the button takes it"
    page.keyboard.press("Enter")
    cell(page, "enemy", "E5").click()
    page.mouse.click(5, 700)
    see_the_end(page, address)
    phone = open_page(play_address(won()), touch=True, size=PHONE)
    phone.locator(".result-card h1").tap()
    phone.touchscreen.tap(20, 600)
    see_the_end(phone, phone.url)


@pytest.mark.parametrize("script", [True, False])
def test_a_dealt_fleet_is_followed_by_another_at_once_and_back_leads_to_the_end(
    open_page: OpenPage, script: bool
) -> None:
    page = open_page(play_address(begun(is_dealt=True).resigned(Side.FIRST)), script=script)
    over = page.url
    with (answered if script else loaded)(page):
        page.locator("#act-again").press("Enter")
    assert (look(page).phase, look(page).turn) == ("firing", 0)
    shares = saved_at(page.url).setup.seed_shares
    assert shares
    assert bool(shares.client) is script
    with loaded(page):
        page.go_back(wait_until="commit")
    assert page.url == over
    for name in (".brand", "#act-continue"):
        with loaded(page):
            page.locator(name).click()
    assert look(page).phase == "firing"
    for name in (".brand", "#act-remove"):
        with loaded(page):
            page.locator(name).click()
    expect(page.locator("#act-quick")).to_be_visible()
    expect(page.locator("#act-continue")).to_have_count(0)


def test_the_browser_checks_both_seed_shares_of_the_next_match_too(open_page: OpenPage) -> None:
    saved = begun(is_dealt=True).resigned(Side.FIRST)
    page = open_page(play_address(saved))
    page.locator(".more-figures > summary").click()
    page.locator("details.fair summary").click()
    share = page.locator("[data-half] code")
    expect(share).to_be_visible()
    drawn = share.text_content()
    for _fold in range(2):
        page.keyboard.press("Escape")
    with answered(page):
        page.locator("#act-harder").click()
    following = saved_at(page.url).setup
    assert following.opponent != saved.setup.opponent
    assert following.seed_shares
    assert following.seed_shares.client == drawn
    page.reload()
    unfold(page)
    for name in ("#act-resign", "#act-resign-yes"):
        with answered(page):
            page.locator(name).click()
    expect(page.locator("[data-halves-result]")).to_have_attribute("data-halves", "holds")


def test_a_fleet_that_was_placed_lies_ready_to_start(open_page: OpenPage) -> None:
    page = open_page(play_address(won()))
    with loaded(page):
        page.locator("#act-again").click()
    assert look(page).phase == "placing"
    assert look(page).ships == tuple(map(str, won().match.fleets[0]))
    with answered(page):
        page.locator("#act-start").click()
    assert look(page).phase == "firing"

"""The halves of a seed in the browser: it draws its own, notes the server's, and checks both."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.support.browser import OpenPage, answered, fire, loaded, unfold
from tests.support.browser_matches import enemy_water, saved_at

NEW = "/en/new/milton/?opponent=drifter"
HOLDS = "it follows from its own half and from the server’s, whose fingerprint it was shown before"
UNSEEN = "None of its own is among them"
BREAKS = "do not trust this match"


def begin(page: Page) -> None:
    """Has a fleet placed, and starts."""
    for name in ("#act-random", "#act-start"):
        with answered(page):
            page.locator(name).click()


def give_up(page: Page) -> None:
    unfold(page)
    for name in ("#act-resign", "#act-resign-yes"):
        with answered(page):
            page.locator(name).click()


def result(page: Page) -> str:
    """What the browser says of the halves at the end."""
    page.locator(".more-figures > summary").click()
    page.locator("details.fair summary").click()
    found = page.locator("[data-halves-result]")
    expect(found).not_to_be_empty()
    return found.inner_text()


def own_half(page: Page) -> str:
    return page.locator("[name=half]").input_value()


def test_the_browser_finds_its_half_and_the_servers_at_the_end(open_page: OpenPage) -> None:
    page = open_page(NEW)
    expect(page.locator("[data-half] code")).to_have_text(re.compile("^[0-9a-f]{32}$"))
    unfold(page)
    page.locator("details.fair summary").click()
    expect(page.locator("[data-half]")).to_be_visible()
    expect(page.locator("details.fair")).not_to_contain_text("Without JavaScript")
    noted = page.locator("[data-noted]").get_attribute("data-noted")
    half = own_half(page)
    page.locator("#more > summary").press("Enter")
    begin(page)
    fire(page, enemy_water(page.url))
    page.reload()  # it is kept on the device
    give_up(page)
    halves = saved_at(page.url).setup.halves
    assert halves is not None
    assert (halves.noted, halves.client) == (noted, half)
    assert HOLDS in result(page)
    page.locator(".more-figures > summary").press("Enter")
    with loaded(page):
        page.locator("#act-review").click()
    expect(page.locator("[data-halves-result]")).to_have_attribute("data-halves", "holds")
    expect(page.locator("[data-fair-result]")).to_have_attribute("data-fair", "same")


def test_the_half_is_drawn_once_a_page(open_page: OpenPage) -> None:
    page = open_page(NEW)
    expect(page.locator("[data-half] code")).not_to_be_empty()
    half = own_half(page)
    for name in ("#act-random", "#act-random"):
        with answered(page):
            page.locator(name).click()
        assert own_half(page) == half
    page.reload()
    expect(page.locator("[data-half] code")).not_to_be_empty()
    assert own_half(page) != half


def test_another_device_was_not_there_when_the_halves_were_exchanged(open_page: OpenPage) -> None:
    page = open_page(NEW)
    expect(page.locator("[data-half] code")).not_to_be_empty()
    begin(page)
    give_up(page)
    assert UNSEEN in result(open_page(page.url))


def test_a_server_that_puts_another_half_in_place_of_the_players_is_told_on(
    open_page: OpenPage,
) -> None:
    page = open_page(NEW)

    def swap(route: Route, request: Request) -> None:
        sent = re.sub(r"(\bhalf=)[0-9a-f]{32}", rf"\g<1>{'0' * 32}", request.post_data or "")
        route.continue_(post_data=sent)

    page.route("**/place/**", swap)
    expect(page.locator("[data-half] code")).not_to_be_empty()
    begin(page)
    give_up(page)
    assert BREAKS in result(page)


def test_a_server_that_draws_its_half_again_is_told_on(open_page: OpenPage) -> None:
    """As if the hash that the page showed had been another one's."""
    page = open_page()

    def show_another(route: Route) -> None:
        answer = route.fetch()
        text = re.sub(r'data-noted="[0-9a-f]{64}"', f'data-noted="{"0" * 64}"', answer.text())
        route.fulfill(response=answer, body=text)

    page.route(re.compile("/new/|/place/"), show_another)
    page.goto(NEW)
    expect(page.locator("[data-half] code")).not_to_be_empty()
    begin(page)
    give_up(page)
    assert BREAKS in result(page)


def test_a_seed_that_does_not_follow_from_the_halves_is_told_on(open_page: OpenPage) -> None:
    """By a server that forges the statement and its fingerprint, too."""
    page = open_page(NEW)
    expect(page.locator("[data-half] code")).not_to_be_empty()
    begin(page)

    def forge(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        line = re.search(r"<code data-statement>([^<]*)<", text)
        if line is not None:
            forged = re.sub(r"\|seed \w+$", f"|seed {'0' * 32}", line[1])
            prints = (sha256(one.encode()).hexdigest() for one in (line[1], forged))
            for old, new in ((line[1], forged), tuple(prints)):
                text = text.replace(old, new)
        route.fulfill(response=answer, body=text)

    page.route("**/play/**", forge)
    give_up(page)
    assert BREAKS in result(page)
    expect(page.locator("[data-fair-result]")).to_have_attribute("data-fair", "unseen")


@pytest.mark.parametrize("language", ["en", "de"])
def test_without_script_the_page_says_how_weak_the_fleet_is_as_a_half(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(NEW.replace("/en/", f"/{language}/"), language=language, script=False)
    page.locator("#more > summary").click()
    page.locator("details.fair summary").click()
    weak = page.locator("details.fair noscript p")
    expect(weak).to_be_visible()
    expect(weak).to_contain_text("JavaScript")
    expect(page.locator("[data-half]")).to_be_hidden()
    for name in ("#act-random", "#act-start"):
        with loaded(page):
            page.locator(name).click()
    halves = saved_at(page.url).setup.halves
    assert halves is not None
    assert not halves.client

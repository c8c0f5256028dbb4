"""Whole games with JavaScript off: every action is a form, every step a link."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page

from tests.support.browser import (
    OpenPage,
    cell,
    loaded,
    look,
    play_on,
    said,
    see_language,
    target,
    unfold,
    words,
)
from tests.support.browser_matches import enemy_ships, enemy_water, later
from tests.support.page import Seen

OTHER = {"en": "de", "de": "en"}


def send(page: Page, button: Locator) -> None:
    with loaded(page):
        button.click(force=True)  # those that will be refused, too


def see_the_same_in_the_other_language(page: Page, language: str) -> None:
    """Switches the language there and back, and sees the same match each time."""
    before = look(page)
    addresses = set()
    for there in (OTHER[language], language):
        with loaded(page):
            page.locator(f"nav a[hreflang={there}]").click()
        see_language(page, there)
        assert look(page) == before
        addresses.add(page.url.replace(f"/{there}/", "/"))
    assert len(addresses) == 1


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_a_match_is_placed_and_played_and_watched_again_by_forms_alone(
    open_page: OpenPage, language: str
) -> None:
    page = open_page("/", language=language, script=False, expects="status of 422")
    see_language(page, language)
    for link in (".more-games a[href$='/games/']", "#play-bonn"):
        with loaded(page):
            page.locator(link).click()

    def place(length: int, direction: str, name: str) -> None:
        page.locator(f"input[name=pick][value='{length}']").check()
        page.locator(f"input[name=direction][value={direction}]").check()
        send(page, cell(page, "own", name).locator("button"))

    place(4, "v", "C3")
    place(2, "h", "A10")
    place(5, "h", "E9")
    assert look(page).ships == ("C3v4", "A10h2", "E9h5")
    place(3, "h", "B2")
    assert words("Ships must not touch, not even at the corners.", language) in said(page)
    assert look(page).ships == ("C3v4", "A10h2", "E9h5")
    send(page, cell(page, "own", "B10").locator("button"))  # is picked up
    page.locator("input[name=direction][value=v]").check()
    send(page, cell(page, "own", "A7").locator("button"))
    assert look(page).ships == ("C3v4", "E9h5", "A7v2")
    send(page, page.locator("button[value=start]"))
    assert "7 " in said(page)
    see_the_same_in_the_other_language(page, language)
    send(page, page.locator("button[value=random]"))
    assert {"C3v4", "E9h5", "A7v2"} < set(look(page).ships)
    send(page, page.locator("button[value=start]"))

    def aim(seen: Seen) -> str:
        if seen.turn == 2:
            see_the_same_in_the_other_language(page, language)
        return enemy_water(page.url) if seen.turn < 4 else enemy_ships(page.url)[0]

    def steer(seen: Seen) -> None:
        if seen.turn == 2:
            see_the_same_in_the_other_language(page, language)
        arrows = page.locator("[data-board=own] button[name=steer]")
        if seen.turn == 0:
            send(page, arrows.last)

    def fire(name: str) -> None:
        send(page, target(page, name))

    play_on(page, aim=aim, fire=fire, steer=steer, until=4)
    page.goto(later(page.url, left=2))  # the hits in between are all alike
    end = play_on(page, aim=aim, fire=fire, steer=steer)
    assert end.outcome == "won"
    see_the_same_in_the_other_language(page, language)
    with loaded(page):
        page.get_by_role("link", name=words("Replay", language)).click()
    assert set(look(page).enemy.values()) == {"sea", "ship"}
    with loaded(page):
        unfold(page)
        page.locator(".steps a").last.click()
    assert look(page).boards == end.boards

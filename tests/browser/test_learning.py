"""What the computer noticed is forgotten by one press, with scripts and without."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from game.matches.draft import Draft
from tests.support.browser import OpenPage, answered, loaded, unfold
from tests.support.browser_matches import draft_address, play_address, taught


@pytest.mark.parametrize(("script", "language"), [(True, "de"), (False, "en")])
def test_after_a_match_it_is_forgotten_by_one_press(
    open_page: OpenPage, language: str, script: bool
) -> None:
    page = open_page(play_address(taught(), language), script=script, size=(360, 640))
    expect(page.locator(".noticed")).to_have_attribute("data-noticed", "edge")
    with (answered if script else loaded)(page):
        page.locator("#act-forget").click()
    expect(page.locator(".noticed")).to_have_count(0)
    expect(page.locator("#game")).to_have_attribute("data-phase", "over")
    with loaded(page):
        page.locator("#act-again").click()
    expect(page.locator("#game")).to_have_attribute("data-phase", "placing")
    expect(page.locator(".noticed")).to_have_count(0)


@pytest.mark.parametrize("script", [True, False])
def test_while_placing_it_is_forgotten_and_the_fleet_stays(
    open_page: OpenPage, script: bool
) -> None:
    page = open_page(draft_address(Draft(taught().next_round()).filled()), script=script)
    ships = page.locator("input[name=ship]")
    placed = [ship.get_attribute("value") for ship in ships.all()]
    unfold(page)
    with (answered if script else loaded)(page):
        page.locator("#act-forget").click()
    expect(page.locator(".noticed")).to_have_count(0)
    assert [ship.get_attribute("value") for ship in ships.all()] == placed
    assert len(placed) == 10

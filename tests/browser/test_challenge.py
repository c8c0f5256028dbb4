"""A challenge in browsers: made with scripts, played with and without them, and sent back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from game.engine.rules import Side
from game.matches.tokens import unseal_match
from tests.support.browser import OpenPage, answered
from tests.support.challenges import ended
from tests.support.matches import address
from tests.support.page import token_in


def path_of(page: Page) -> str:
    """The path of the link in the panel that is open."""
    return re.sub(r"^https?://[^/]+", "", page.locator(".to-copy").input_value())


def sent(page: Page, name: str) -> str:
    """The path of the link that a player sends, with a name."""
    page.locator("#act-challenge").click()
    page.locator("#panel-title").wait_for()
    page.locator("input[name=name]").fill(name)
    page.locator("#act-name").click()
    expect(page.locator(".to-send")).to_contain_text(name)
    return path_of(page)


def hit_all(page: Page, *, script: bool) -> None:
    """Fires at the hidden ships until the match is over."""
    game = page.locator("#game")
    while game.get_attribute("data-phase") != "over":
        path = re.sub(r"^https?://[^/]+", "", page.url)
        match = unseal_match(token_in(path)).match
        ships = (cell for ship in match.fleets[1] for cell in ship.cells)
        spent = match.spent(Side.SECOND)
        cell = match.ruleset.board.name(next(it for it in ships if it not in spent))
        button = page.locator(f".enemy button[value='{cell}']")
        if script:
            with answered(page):
                button.click()
        else:
            button.click()


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_a_challenge_is_played_in_two_languages_and_a_third_opens_it(
    open_page: OpenPage, script: bool
) -> None:
    anna = open_page(address(ended("milton", alone=True)), size=(360, 640), script=script)
    path = sent(anna, "Anna")

    ben = open_page(path, language="de", script=script, size=(844, 390))
    expect(ben).to_have_url(re.compile("/de/challenge/"))
    expect(ben.locator("h1")).to_contain_text("Anna hat diese Flotte mit")
    ben.locator("#act-accept").focus()
    ben.keyboard.press("Enter")
    expect(ben.locator("#game")).to_have_attribute("data-pace", "0")
    hit_all(ben, script=script)
    expect(ben.locator(".compared")).to_contain_text("weniger als Anna.")
    back = sent(ben, "Ben")

    anna.goto(back)
    expect(anna.locator("h1")).to_have_text("Ben has taken up the challenge of Anna.")
    anna.locator("#act-challenger").click()
    expect(anna.locator("#game")).to_have_attribute("data-phase", "over")

    carla = open_page(path, script=script)
    expect(carla.locator("#act-challenger")).to_have_count(0)
    carla.locator("#act-accept").click()
    expect(carla.locator("#game")).to_have_attribute("data-phase", "firing")


def test_against_the_computer_the_friend_places_a_fleet_of_their_own(open_page: OpenPage) -> None:
    saved = ended("short", mind="recruit")
    anna = open_page(address(saved))
    path = sent(anna, "Anna")
    ben = open_page(path, language="de", size=(360, 640))
    ben.locator("#act-accept").click()
    expect(ben.locator("#game")).to_have_attribute("data-phase", "placing")
    expect(ben.locator(".harbour .tally")).to_contain_text("Anna: ")
    with answered(ben):
        ben.locator("#act-random").click()
    with answered(ben):
        ben.locator("#act-start").click()
    expect(ben.locator("#game")).to_have_attribute("data-phase", "firing")
    match = unseal_match(token_in(re.sub(r"^https?://[^/]+", "", ben.url))).match
    assert match.fleets[1] == saved.match.fleets[1]
    assert match.seed == saved.match.seed

"""A challenge in browsers: made with scripts, played with and without them, and sent back."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import LANDSCAPE, PHONE, OpenPage, click, fire, see
from tests.support.challenges import ended
from tests.support.matches import address, enemy_ships, later, saved_at


def sent(page: Page, name: str) -> str:
    """The path of the link that a player sends, with a name."""
    page.locator("#act-challenge").click()
    page.locator("#panel-title").wait_for()
    page.locator("input[name=name]").fill(name)
    page.locator("#act-name").click()
    expect(page.locator(".to-send")).to_contain_text(name)
    return urlsplit(page.locator(".to-copy").input_value()).path


@pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_a_challenge_is_played_in_two_languages_and_a_third_opens_it(
    open_page: OpenPage, script: bool
) -> None:
    anna = open_page(address(ended("milton", alone=True)), size=PHONE, script=script)
    path = sent(anna, "Anna")

    ben = open_page(path, language="de", script=script, size=LANDSCAPE)
    expect(ben).to_have_url(re.compile("/de/challenge/"))
    expect(ben.locator("h1")).to_contain_text("Anna hat diese Flotte mit")
    ben.locator("#act-accept").focus()
    ben.keyboard.press("Enter")
    see(ben, pace="0")
    ben.goto(later(ben.url, left=2))
    fire(ben, *enemy_ships(ben.url))
    expect(ben.locator(".compared")).to_contain_text("weniger als Anna.")
    back = sent(ben, "Ben")

    anna.goto(back)
    expect(anna.locator("h1")).to_have_text("Ben has taken up the challenge of Anna.")
    anna.locator("#act-challenger").click()
    see(anna, phase="over")

    carla = open_page(path, script=script)
    expect(carla.locator("#act-challenger")).to_have_count(0)
    carla.locator("#act-accept").click()
    see(carla, phase="firing")


def test_against_the_computer_the_friend_places_a_fleet_of_their_own(open_page: OpenPage) -> None:
    saved = ended("short", mind="recruit")
    path = sent(open_page(address(saved)), "Anna")
    ben = open_page(path, language="de", size=PHONE)
    ben.locator("#act-accept").click()
    see(ben, phase="placing")
    expect(ben.locator(".harbour .tally")).to_contain_text("Anna: ")
    click(ben, "#act-random", "#act-start")
    see(ben, phase="firing")
    match = saved_at(ben.url).match
    assert (match.fleets[1], match.seed) == (saved.match.fleets[1], saved.match.seed)

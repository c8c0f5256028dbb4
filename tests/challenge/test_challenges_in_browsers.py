"""A challenge in browsers: made, taken up and sent back."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.challenge.samples import ended
from tests.support.browser import LANDSCAPE, PHONE, OpenPage, Page


def sent(page: Page, name: str) -> str:
    """The path of the link that a player sends, with a name, which is typed while par comes."""
    held = page.hold()
    page.unfold()
    page.click("#act-challenge")
    page.fill("input[name=name]", name)
    for route in held:
        route.continue_()
    page.unroute_all()
    page.expects("#act-par").to_have_count(0)
    page.click("#act-name")
    page.expects(".to-send").to_contain_text(name)
    return urlsplit(page.input_value(".to-copy")).path


def test_a_challenge_is_played_in_two_languages_and_a_third_opens_it(open_page: OpenPage) -> None:
    anna = open_page(ended("milton", alone=True), size=PHONE)
    path = sent(anna, "Anna")

    ben = open_page(path, language="de", size=LANDSCAPE)
    expect(ben).to_have_url(re.compile("/de/challenge/"))
    ben.expects("h1").to_contain_text("Anna hat diese Flotte mit")
    ben.focus("#act-accept")
    ben.keys("Enter")
    ben.see(pace="0")
    ben.go_later(left=2)
    ben.fire(*ben.enemy_ships)
    ben.expects(".compared").to_contain_text("weniger als Anna.")
    back = sent(ben, "Ben")

    anna.goto(back)
    anna.expects("h1").to_have_text("Ben has taken up the challenge of Anna.")
    anna.click("#act-challenger")
    anna.see(phase="over")

    carla = open_page(path)
    carla.expects("#act-challenger").to_have_count(0)
    carla.click("#act-accept")
    carla.see(phase="firing")

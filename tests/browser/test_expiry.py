"""A match whose limit passes while its page is open."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Route, expect

from game.deduction.match import Mode
from tests.support import deduction_matches
from tests.support.browser import OpenPage, loaded
from tests.support.matches import address, opening

LONG_AGO = 1
"""The first hour that a token can tell, in 1970; 0 stands for none."""


def battle(started_hour: int | None) -> str:
    match = opening()
    return address(replace(match, setup=replace(match.setup, started_hour=started_hour)))


def deduction(started_hour: int | None) -> str:
    match = deduction_matches.saved(Mode.SEARCH)
    return deduction_matches.address(replace(match, started_hour=started_hour))


@pytest.mark.parametrize(
    ("sort", "button"), [(battle, "[data-cell=C3] button"), (deduction, "#act-heat")]
)
def test_the_page_gives_way_to_the_sentence(
    open_page: OpenPage, server: str, sort: object, button: str
) -> None:
    assert callable(sort)
    open_before, no_longer = sort(None), sort(LONG_AGO)
    page = open_page(open_before, expects="status of 410")
    # From here on the server is asked for the same match, begun too long ago.
    page.route(f"**{open_before}*", lambda route: _led_to(route, f"{server}{no_longer}"))
    with loaded(page):
        page.locator(button).first.click()
    expect(page.locator("[role=status]")).to_contain_text("1 January 1970")
    expect(page.locator("h1")).to_have_text("This match is no longer open")


def _led_to(route: Route, address: str) -> None:
    route.continue_(url=address)

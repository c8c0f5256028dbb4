"""What the computer noticed is forgotten by one press."""

from __future__ import annotations

from playwright.sync_api import expect

from game.matches.draft import Draft
from tests.support.browser import PHONE, OpenPage
from tests.support.matches import draft_address, taught


def test_what_was_noticed_is_forgotten_after_a_match_and_while_placing(open_page: OpenPage) -> None:
    page = open_page(taught(), language="de", size=PHONE)
    noticed = page.locator(".noticed")
    expect(noticed).to_have_attribute("data-noticed", "edge")
    page.act("#act-forget")
    expect(noticed).to_have_count(0)
    page.see(phase="over")
    page.follow("#act-again")
    page.see(phase="placing")
    expect(noticed).to_have_count(0)
    page.goto(draft_address(Draft(taught().next_round()).filled()))
    placed = page.seen.ships
    page.unfold()
    page.act("#act-forget")
    expect(noticed).to_have_count(0)
    assert page.seen.ships == placed
    assert len(placed) == 10

"""A match fits its window: nothing scrolls or is covered, and the board fills its room."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from game.engine.presets import BONN, PRESETS
from tests.support.browser import OpenPage, loaded
from tests.support.browser_duels import fire_at, give_up, invite, join, place, press, see_phase
from tests.support.browser_matches import (
    is_firing_late,
    place_address,
    play_address,
    played,
    taught,
)
from tests.support.challenges import made
from tests.support.fit import LEAST_SHARE, SHAPES, measured, measured_here
from tests.support.matches import address, ended, opening
from tests.support.site_pages import sea_sunk

GAME = "#game"
SIZE = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


def states(language: str) -> dict[str, str]:
    """Addresses of matches in every phase."""
    return {
        "placing": f"/{language}/new/bonn/",
        "placed": place_address("B2h5 D4h4", language),
        "firing": play_address(played(is_firing_late), language),
        "own waters enlarged": f"{play_address(played(is_firing_late), language)}?look=own",
        "over": address(ended(BONN), language=language),
    }


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_a_match_fits_every_window_in_every_phase(open_page: OpenPage, language: str) -> None:
    page = open_page(language=language)
    for state, where in states(language).items():
        faults, shares = measured(page, where)
        assert not faults, (state, faults)
        if state != "over":
            assert min(shares.values()) >= LEAST_SHARE, (state, shares)


@pytest.mark.parametrize("preset", [name for name in PRESETS if name not in ("bonn", "own")])
def test_every_preset_fits_every_window(open_page: OpenPage, preset: str) -> None:
    page = open_page(language="de")
    for where in (f"/de/new/{preset}/", address(opening(PRESETS[preset].ruleset), language="de")):
        faults, shares = measured(page, where, SHAPES)
        assert not faults, (where[:20], faults)
        assert min(shares.values()) >= LEAST_SHARE, shares


LONGEST = "W" * 20
"""A name as wide as a name can be."""


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "de"])
def test_a_match_at_two_devices_fits_every_window(open_page: OpenPage, language: str) -> None:
    first, second = (open_page(language=language) for _ in range(2))

    def see_it_fits(page: Page, state: str) -> None:
        faults, _shares = measured_here(page, SHAPES)
        page.set_viewport_size({"width": 1280, "height": 800})
        # What is said of such names scrolls, where the window has room for two lines.
        found = {
            window: left
            for window, them in faults.items()
            if (left := [fault for fault in them if not fault.startswith("cut")])
        }
        assert not found, (state, found)

    link = invite(first, language=language, name=LONGEST)
    see_it_fits(first, "invited")
    join(second, link, language=language)
    see_it_fits(second, "placing")
    expect(first.locator(GAME)).not_to_have_attribute("data-invite", link)
    see_it_fits(first, "the other places")
    place(second, LONGEST)
    see_phase(first, "firing")
    see_it_fits(first, "firing")
    see_it_fits(second, "waiting")
    fire_at(first, "A1")
    give_up(first)
    see_phase(second, "over")
    see_it_fits(first, "lost")
    see_it_fits(second, "won")
    press(second, "#act-rematch")
    see_it_fits(second, "a rematch is offered")
    expect(first.locator("#status")).to_contain_text(re.compile("rematch|Revanche"))
    see_it_fits(first, "the other one offers a rematch")
    with loaded(first):
        first.locator("#act-rematch").click()
    see_it_fits(first, "placing again")


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "de"])
def test_the_end_of_a_challenge_fits_with_the_longest_name(
    open_page: OpenPage, language: str
) -> None:
    saved = replace(sea_sunk(), challenge=made(sea_sunk(), LONGEST))
    faults, _shares = measured(open_page(language=language), play_address(saved, language), SHAPES)
    assert not faults


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_home_shows_what_can_be_played_today_without_scrolling(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(f"/{language}/", language=language)
    for goes_on in (False, True):
        if goes_on:
            with loaded(page):
                page.locator("#act-quick").click()
            page.goto(f"/{language}/")
            expect(page.locator("#act-continue")).to_be_visible()
        for width, height in ((360, 640), (844, 390), (1366, 657)):
            page.set_viewport_size({"width": width, "height": height})
            row = page.locator("#today").bounding_box()
            assert row is not None
            assert row["y"] + row["height"] <= height, (goes_on, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_end_fits_small_phones(open_page: OpenPage, language: str) -> None:
    page = open_page(language=language)
    for saved in (ended(BONN), sea_sunk(), taught()):
        page.goto(address(saved, language=language))
        expect(page.locator(".result-card .more a").first).to_be_visible()
        for width, height in ((320, 568), (360, 640), (360, 740), (667, 375), (844, 390)):
            page.set_viewport_size({"width": width, "height": height})
            size = page.evaluate(SIZE)
            assert size == [width, height]

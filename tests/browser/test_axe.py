"""The rules of axe, on every kind of page, in both languages, light and dark, small and large."""

from __future__ import annotations

import re
from itertools import cycle

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import SIGHTS, look_for_faults
from tests.support.browser import OpenPage, loaded, unfold
from tests.support.browser_duels import SMALL, give_up, invite, join, place, press, see_phase
from tests.support.site_pages import ADDRESSES, EXPECTS, show


@pytest.mark.parametrize("part", range(6))
def test_axe_finds_nothing(open_page: OpenPage, part: int) -> None:
    """Each page is seen in one language and in one of the six sights, and each sight is used."""
    language = ("en", "de")[part % 2]
    page = open_page(language=language, expects=EXPECTS)
    faults: list[str] = []
    for number, name in enumerate(list(ADDRESSES)[part::6]):
        show(page, name, language)
        found = look_for_faults(page, [SIGHTS[(part + number) % 6]])
        faults += [f"{name}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)


@pytest.mark.long
@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_axe_finds_nothing_in_any_sight(open_page: OpenPage, language: str, name: str) -> None:
    page = open_page(language=language, expects=EXPECTS)
    show(page, name, language)
    faults = look_for_faults(page, SIGHTS)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", ["en", pytest.param("de", marks=pytest.mark.long)])
def test_axe_finds_nothing_in_a_match_at_two_devices(open_page: OpenPage, language: str) -> None:
    expects = "status of (403|422)"
    first, second = (open_page(language=language, expects=expects) for _ in range(2))
    faults: list[str] = []
    sights = cycle(SIGHTS)

    def look_at(page: Page, state: str) -> None:
        found = look_for_faults(page, [next(sights)])
        page.set_viewport_size({"width": 1280, "height": 800})
        faults.extend(f"{state}: {fault}" for fault in found)

    link = invite(first, SMALL, language=language, name="Anna")
    look_at(first, "invited")
    kept = first.locator("#act-keep").get_attribute("href")
    second.goto(link)
    look_at(second, "the invitation")
    join(second, link, language=language)
    look_at(second, "placing")
    stranger = open_page(link, expects=expects)
    look_at(stranger, "taken")
    place(second)
    see_phase(first, "firing")
    look_at(second, "waiting")
    unfold(second)
    look_at(second, "waiting, unfolded")
    unfold(second, "#text-view")
    look_at(second, "waiting, the shots unfolded")
    give_up(second)
    see_phase(first, "over")
    press(second, "#act-rematch")
    look_at(second, "a rematch is offered")
    expect(first.locator("#status")).to_contain_text(re.compile("rematch|Revanche"))
    look_at(first, "the other one offers a rematch")
    assert kept is not None
    with loaded(first):
        first.goto(kept)
    look_at(first, "a seat to keep")
    first.goto(link)
    look_at(first, "one's own invitation")
    assert not faults, "\n".join(faults)

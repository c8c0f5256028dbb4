"""The rules of axe, on every kind of page, in both languages, light and dark, small and large."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import cycle

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import OpenPage, Scheme, loaded, unfold
from tests.support.browser_duels import SMALL, give_up, invite, join, place, press, see_phase
from tests.support.site_pages import ADDRESSES, EXPECTS, show

AXE_SCRIPT = (files("axe_playwright_python") / "axe.min.js").read_text()
OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
WIDTHS = {320: 568, 360: 640, 1280: 800}
"""Each with the height that goes with it."""
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
SIGHTS = [(width, scheme) for scheme in SCHEMES for width in WIDTHS]


def violations(page: Page) -> list[str]:
    """The rules that the page breaks, each with the first elements that do."""
    found = page.evaluate(f"axe.run({json.dumps(OPTIONS)}).then((it) => it.violations)")
    return [
        f"{rule['id']}: {rule['help']}: {[node['html'][:160] for node in rule['nodes'][:3]]}"
        for rule in found
    ]


def look_for_faults(page: Page, sights: list[tuple[int, Scheme]]) -> list[str]:
    """What axe finds on a page in each width and in each colours, without loading it again."""
    page.evaluate(AXE_SCRIPT)
    faults = []
    for width, scheme in sights:
        page.set_viewport_size({"width": width, "height": WIDTHS[width]})
        page.emulate_media(color_scheme=scheme)
        faults += [f"{width} {scheme}: {broken}" for broken in violations(page)]
    return faults


@pytest.mark.parametrize("name", ADDRESSES)
def test_axe_finds_nothing(open_page: OpenPage, name: str) -> None:
    """In one language, and in one of the six sights: all of them are seen over the pages."""
    number = list(ADDRESSES).index(name)
    language = ("en", "de")[number % 2]
    page = open_page(language=language, expects=EXPECTS)
    show(page, name, language)
    faults = look_for_faults(page, [SIGHTS[(number + number // 6) % 6]])
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
    give_up(second)
    see_phase(first, "over")
    press(second, "#act-rematch")
    look_at(second, "a rematch is offered")
    expect(first.locator(".wish")).to_be_visible()
    look_at(first, "the other one offers a rematch")
    assert kept is not None
    with loaded(first):
        first.goto(kept)
    look_at(first, "a seat to keep")
    first.goto(link)
    look_at(first, "one's own invitation")
    assert not faults, "\n".join(faults)

"""The rules of axe, on every kind of page, in both languages, light and dark, small and large."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from playwright.sync_api import Page

from tests.support.browser import OpenPage, Scheme
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

"""The rules of axe, on every kind of page, in both languages, light and dark, small and large."""

from __future__ import annotations

import json

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.conftest import OpenPage
from tests.browser.pages import ADDRESSES, EXPECTS, show

OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
SIGHTS = {
    "en": (((1280, 800), "light"), ((360, 640), "dark")),
    "de": (((1280, 800), "dark"), ((360, 640), "light")),
}
"""Sizes and colours, each with each, shared out among the languages."""


def violations(page: Page) -> list[str]:
    """The rules that the page breaks, each with the first elements that do."""
    found = page.evaluate(f"axe.run({json.dumps(OPTIONS)}).then((it) => it.violations)")
    return [
        f"{rule['id']}: {rule['help']}: {[node['html'][:160] for node in rule['nodes'][:3]]}"
        for rule in found
    ]


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_axe_finds_nothing(open_page: OpenPage, language: str, name: str) -> None:
    page = open_page(language=language, motion="reduce", expects=EXPECTS)
    show(page, name, language)
    page.evaluate(AXE_SCRIPT)
    faults = {}
    for (width, height), scheme in SIGHTS[language]:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        if broken := violations(page):
            faults[width, scheme] = broken
    assert not faults, "\n".join(f"{where}: {what}" for where, what in faults.items())

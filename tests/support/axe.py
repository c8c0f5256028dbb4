"""Runs the accessibility rules of axe on a page."""

from __future__ import annotations

import json
from importlib.resources import files

from playwright.sync_api import Page

from tests.support.browser import Scheme

AXE_SCRIPT = (files("axe_playwright_python") / "axe.min.js").read_text()
OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
WIDTHS = {320: 568, 360: 640, 1280: 800}
"""The windows that are tested: width and height in pixels."""
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
    """Returns what axe finds on the open page in each of the sights."""
    page.evaluate(AXE_SCRIPT)
    faults = []
    for width, scheme in sights:
        page.set_viewport_size({"width": width, "height": WIDTHS[width]})
        page.emulate_media(color_scheme=scheme)
        faults += [f"{width} {scheme}: {broken}" for broken in violations(page)]
    return faults

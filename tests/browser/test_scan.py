"""Every page at many widths: no word broken, no text cut or covered, nothing scrolls sideways."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.support.browser import OpenPage
from tests.support.layout import CHECKS, faults
from tests.support.site_pages import ADDRESSES, EXPECTS, show

WINDOWS = (
    (320, 568), (360, 640), (390, 844), (480, 800), (600, 960), (768, 1024), (1024, 768),
    (1280, 800), (1920, 947),
)  # fmt: skip
SAMPLED_WINDOWS = ((320, 568), (600, 960), (1280, 800))
SAMPLED = (
    ("home", "de"), ("options", "de"), ("rules", "de"), ("placing, part", "de"),
    ("firing, late", "en"), ("own waters enlarged", "de"), ("over", "en"), ("deduction", "de"),
    ("deduction, searching", "de"), ("deduction, race", "de"),
)  # fmt: skip
UNFOLDED = tuple(check for check in CHECKS if check != "covered")
"""What folds may lie over the page, so that several at once cover one another."""

_FOLD = """() => document.querySelectorAll("details").forEach((it) => { it.open = false; })"""


def scan(page: Page, name: str, language: str, windows: tuple[tuple[int, int], ...]) -> list[str]:
    """A line for each fault of a page, unfolded and folded, with the windows that have it."""
    show(page, name, language)
    found: dict[str, list[int]] = {}
    for checks in (UNFOLDED, CHECKS):
        for width, height in windows:
            page.set_viewport_size({"width": width, "height": height})
            for fault in faults(page, checks):
                widths = found.setdefault(fault, [])
                if width not in widths:
                    widths.append(width)
        page.evaluate(_FOLD)
    return [f"{name}, {language}, {widths}: {fault}" for fault, widths in found.items()]


def test_a_sample_of_pages_is_without_fault(open_page: OpenPage) -> None:
    found = []
    for language in ("en", "de"):
        page = open_page(language=language, expects=EXPECTS)
        for name, of in SAMPLED:
            if of == language:
                found += scan(page, name, language, SAMPLED_WINDOWS)
    assert not found, "\n".join(found)


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", ADDRESSES)
def test_every_page_is_without_fault_at_every_width(
    open_page: OpenPage, name: str, language: str
) -> None:
    page = open_page(language=language, expects=EXPECTS)
    found = scan(page, name, language, WINDOWS)
    assert not found, "\n".join(found)


# --- the scan itself ---

_PLANT = """([html, style]) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [sheet];
  document.getElementById("main").insertAdjacentHTML("afterbegin", html);
}"""


@pytest.mark.parametrize(
    ("check", "html", "style"),
    [
        ("broken", "Meerjungfrauen", "#it { width: 4em; overflow-wrap: anywhere }"),
        ("clipped", "Meerjungfrauen", "#it { width: 4em; overflow: hidden }"),
        ("clipped", "See<br>und<br>Meer", "#it { height: 2em; overflow-y: clip }"),
        (
            "clipped", "Meer und Wasser",
            "#it { width: 4em; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }",
        ),
        (
            "covered", "Meer",
            "#it::after { content: none } #main::after { content: none }"
            " .top { position: fixed; inset: 0; z-index: 9 }",
        ),
        ("sideways", "Meer", "#it { width: 200vw }"),
    ],
)  # fmt: skip
def test_a_planted_fault_is_found(open_page: OpenPage, check: str, html: str, style: str) -> None:
    page = open_page("/en/about/", size=(600, 960))
    assert not faults(page)
    page.evaluate(_PLANT, [f"<p id=it>{html}</p>", style])
    assert any(fault.startswith(f"{check}: p#it") for fault in faults(page)), faults(page)


@pytest.mark.parametrize(
    ("html", "style"),
    [
        ("Meer&shy;jung&shy;frauen", "#it { width: 5em }"),
        ("Nord-West-Süd", "#it { width: 4em }"),
        (
            "https://example.org/play/abcdefghijklmnop/",
            "#it { width: 9em; overflow-wrap: anywhere }",
        ),
        ("<code>abcdefghijklmnop</code>", "#it { width: 4em; overflow-wrap: anywhere }"),
        ("<span class=sr-only>Meerjungfrauen</span>", ""),
        ("<details><summary>See</summary><p>Meer</p></details>", ""),
    ],
)
def test_what_is_meant_is_no_fault(open_page: OpenPage, html: str, style: str) -> None:
    page = open_page("/en/about/", size=(600, 960))
    page.evaluate(_PLANT, [f"<div id=it>{html}</div>", style])
    assert not faults(page)

"""A match in a browser where the site is served below a path."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Response

from tests.support.browser import PHONE, OpenPage
from tests.support.matches import later
from tests.support.served import served

_KEPT = """() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]"""


def test_a_match_and_what_the_browser_keeps_of_it_stay_below_the_path(
    browser: Browser, tmp_path: Path
) -> None:
    wrong: list[tuple[str, int]] = []

    def look(answer: Response) -> None:
        if not answer.url.startswith(f"{site}/") or answer.status >= 400:
            wrong.append((answer.url, answer.status))

    with served(tmp_path, path="/battleships/") as address:
        site = f"{address}/battleships"
        opener = OpenPage(browser, site, [])
        page = opener("/", size=PHONE, motion="no-preference", fresh=True)
        page.on("response", look)
        page.follow(".more-games a[href$='/games/']", "#play-short")
        page.act("#act-random", "#act-start")
        page.see(phase="firing")
        page.fire(page.enemy_water)
        page.follow("nav a[hreflang=de]")
        assert page.evaluate("document.documentElement.lang") == "de"
        page.click(".menu-button")
        page.follow("#settings", "#act-save")
        assert page.seen.turn
        page.goto(site + later(page.url, 1))
        page.fire(page.enemy_ships[0])
        page.see(outcome="won")
        page.goto(f"{site}/de/logbook/")
        kept, cookies = page.evaluate(_KEPT), page.context.cookies()
        assert kept
        for name in [*kept, *(it["name"] for it in cookies)]:
            assert name.startswith("battleships."), name
        assert {it["path"] for it in cookies} == {"/battleships/"}
        opener.close()
    assert wrong == []

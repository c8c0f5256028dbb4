"""A match in a browser where the site is served below a path."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.browser import PHONE, OpenPage
from tests.support.matches import later
from tests.support.served import served


@pytest.mark.deep
def test_a_match_and_what_the_browser_keeps_of_it_stay_below_the_path(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path, path="/battleships/") as address:
        site, got = f"{address}/battleships", list[tuple[int, str]]()
        opener = OpenPage(browser, site, [])
        page = opener("/", size=PHONE, motion="no-preference", fresh=True)
        page.on("response", lambda it: got.append((it.status, it.url)))
        page.follow(".more-games a[href$='/games/']", "#play-short")
        page.act("#act-random", "#act-start")
        page.fire(page.enemy_water)
        page.follow("nav a[hreflang=de]")
        page.click(".menu-button")
        page.follow("#settings", "#act-save")
        page.goto(site + later(page.url, 1))
        page.fire(page.enemy_ships[0])
        page.see(outcome="won")
        kept, cookies = page.evaluate("Object.keys(localStorage)"), page.context.cookies()
        names = [*kept, *(it["name"] for it in cookies)]
        assert (bool(kept), [it for it in names if not it.startswith("battleships.")]) == (True, [])
        assert {it["path"] for it in cookies} == {"/battleships/"}
        opener.close()
    assert [it for it in got if it[0] >= 400 or not it[1].startswith(f"{site}/")] == []

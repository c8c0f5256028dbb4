"""The logbook in a browser: on a second device, beyond its cookie, by keys, and as axe sees it."""

from dataclasses import replace
from datetime import date, timedelta
from hashlib import shake_256
from pathlib import Path

import pytest
from playwright.sync_api import expect

from game.engine.presets import PRESETS
from game.features.logbook.cookie import LOGBOOK, MOST_IN_COOKIE
from game.features.logbook.model import Cell, Count, Logbook, seal, unseal
from game.matches import daily
from game.matches.day_results import DayResult as Day
from game.players.registry import CODES
from tests.logbook.samples import DEDUCTION, SEA
from tests.support.browser import OpenPage, Page

TODAY = daily.now().date()
"""The day of the whole test, even if midnight passes meanwhile."""


@pytest.fixture(autouse=True)
def _site_with_a_chain() -> None:
    assert daily.is_offered(), (
        "the secrets of these tests have no chain: manage.py keys daily adds one"
    )


def played(days: int, *, last: date | None = None) -> Logbook:
    """A logbook of that many days up to today, and of some matches."""
    newest, book = last or TODAY, Logbook()
    for number in reversed(range(days)):
        when = newest - timedelta(days=number)
        shots, par = shake_256(str(when).encode()).digest(2)  # regular figures would pack well
        day = Day(when, SEA, 1 + shots % 99, 1 + par % 99, number % 7 != 5, number % 5 == 0)
        book = book.with_day(day)
        book = book.with_day(day._replace(kind=DEDUCTION, shots=5)) if number % 3 else book
    counts = {
        Cell(PRESETS["bonn"].code, CODES["sailor"]): Count(12, 6, 1, 390, 48, 700, 10),
        Cell(PRESETS["milton"].code, 0): Count(30, 28, 0, 1200, 29),
    }
    return replace(book, devices={b"one": counts}, device=b"one")


def kept(book: Logbook) -> dict[str, str]:
    """The cookie that holds the logbook, or as much of it as has room there."""
    return {LOGBOOK: seal(book, MOST_IN_COOKIE)}


def cookie_of(page: Page) -> Logbook:
    found = {str(it.get("name")): str(it.get("value")) for it in page.context.cookies()}
    return unseal(found[LOGBOOK]) if LOGBOOK in found else Logbook()


def stored(page: Page) -> Logbook:
    """What the browser's own storage holds."""
    text: str | None = page.evaluate("localStorage.getItem('logbook')")
    return unseal(text) if text else Logbook()


def figures(page: Page) -> list[str]:
    return page.locator(".logbook > .figures dd").all_inner_texts()


def unfold(page: Page, name: str) -> None:
    page.locator("summary", has_text=name).click()


def test_another_device_takes_it_over_by_its_address(open_page: OpenPage, server: str) -> None:
    first, second = open_page("/en/logbook/", cookies=kept(played(30))), open_page()
    first.act("#act-carry")
    first.expects("#carried-title").to_be_focused()
    address = first.get_by_label("The address of this logbook").input_value()
    for _ in range(2):  # twice is as once
        second.goto(address)
        expect(second.get_by_role("heading", level=2).first).to_have_text(
            "Add this logbook to this device?"
        )
        second.act("#act-bring")
        assert second.url == f"{server}/en/logbook/"
        second.expects("[role=status]").to_have_text("The logbook has been added to yours.")
        assert figures(second) == figures(first)
        assert stored(second).days == cookie_of(second).days == played(30).days


def test_the_browser_keeps_the_days_that_the_cookie_has_no_room_for(
    open_page: OpenPage, server: str, tmp_path: Path
) -> None:
    """The page saw an older cookie; since then that has left its oldest days out."""
    old, new = played(150, last=TODAY + timedelta(600)), played(450, last=TODAY + timedelta(1050))
    page = open_page("/en/logbook/", cookies=kept(old))
    assert stored(page).days == old.days
    cookie = {"name": LOGBOOK, "value": kept(new)[LOGBOOK], "url": server}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    with page.expect_response(lambda it: it.request.method == "POST"):
        page.reload()
    page.wait_for_function("() => answers > 0")
    whole = (*old.days, *new.days)
    assert stored(page).days == whole
    assert len(cookie_of(page).days) < len(whole)
    assert f"<b>{len([day for day in whole if day.kind == SEA])}</b>" in page.content()
    with page.expect_download() as download:
        page.click("#act-save")
    download.value.save_as(tmp_path / "saved.txt")
    assert unseal((tmp_path / "saved.txt").read_text()).days == whole


def test_to_forget_everything_forgets_the_cookie_and_what_the_browser_keeps(
    open_page: OpenPage,
) -> None:
    page = open_page("/en/logbook/", cookies=kept(played(30)))
    assert not stored(page).is_empty
    unfold(page, "Forget everything")
    page.act("#act-forget")
    page.expects("[role=status]").to_have_text("Everything is forgotten.")
    for _ in range(2):
        assert stored(page).is_empty
        assert cookie_of(page).is_empty
        page.goto("/en/logbook/")
        page.expects("#blank-title").to_be_visible()

"""The logbook in a browser: on a second device, beyond its cookie, by keys, and as axe sees it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from hashlib import shake_256
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from game.engine.presets import PRESETS
from game.matches import daily
from game.matches.logbook import Cell, Count, Day, Kind, Logbook, is_offered, seal, unseal
from game.players.registry import CODES
from game.views.logbook import COOKIE, MOST_IN_COOKIE
from tests.support.axe import SIGHTS, look_for_faults
from tests.support.browser import OpenPage, answered, focus, loaded
from tests.support.fit import SHAPES, measured
from tests.support.gestures import ONLY_KEYS, tab_to
from tests.support.matches import address, ended

EXPECTS = "status of 422"
TODAY = daily.now().date()
"""The day of the whole test, even if midnight passes meanwhile."""


@pytest.fixture(autouse=True)
def _site_with_a_chain() -> None:
    assert is_offered(), "the secrets of these tests have no chain: manage.py keys daily adds one"


def played(days: int, *, last: date | None = None) -> Logbook:
    """A logbook of that many days up to today, and of some matches."""
    newest, book = last or TODAY, Logbook()
    for number in reversed(range(days)):
        when = newest - timedelta(days=number)
        shots, par = shake_256(str(when).encode()).digest(2)  # regular figures would pack well
        day = Day(when, Kind.SEA, 1 + shots % 99, 1 + par % 99, number % 7 != 5, number % 5 == 0)
        book = book.with_day(day)
        book = book.with_day(day._replace(kind=Kind.DEDUCTION, shots=5)) if number % 3 else book
    counts = {
        Cell(PRESETS["bonn"].code, CODES["sailor"]): Count(12, 6, 1, 390, 48, 700, 10),
        Cell(PRESETS["milton"].code, 0): Count(30, 28, 0, 1200, 29),
    }
    return replace(book, devices={b"one": counts}, device=b"one")


def in_days(days: int) -> date:
    return TODAY + timedelta(days=days)


def give(page: Page, server: str, book: Logbook) -> None:
    text = seal(book, MOST_IN_COOKIE)
    page.context.add_cookies([{"name": COOKIE, "value": text, "url": server}])


def cookie_of(page: Page) -> Logbook:
    found = {str(it.get("name")): str(it.get("value")) for it in page.context.cookies()}
    return unseal(found[COOKIE]) if COOKIE in found else Logbook()


def stored(page: Page) -> Logbook:
    """What the browser's own storage holds."""
    text: str | None = page.evaluate("localStorage.getItem('logbook')")
    return unseal(text) if text else Logbook()


def figures(page: Page) -> list[str]:
    return page.locator(".logbook > .figures dd").all_inner_texts()


def open_logbook(page: Page, language: str = "en") -> None:
    """The page, once it has been given what the browser keeps, if it keeps anything."""
    page.goto(f"/{language}/")
    if page.evaluate("localStorage.getItem('logbook')"):
        with page.expect_response(lambda it: it.request.method == "POST"):
            page.goto(f"/{language}/logbook/")
        page.wait_for_function("() => answers > 0")
    else:
        page.goto(f"/{language}/logbook/")


def unfold(page: Page, name: str) -> None:
    page.locator("summary", has_text=name).click()


def test_another_device_takes_it_over_by_its_address(open_page: OpenPage, server: str) -> None:
    first, second = open_page(), open_page()
    give(first, server, played(30))
    open_logbook(first)
    with answered(first):
        first.locator("#act-carry").click()
    expect(first.locator("#carried-title")).to_be_focused()
    address = first.get_by_label("The address of this logbook").input_value()
    for _ in range(2):  # twice is as once
        second.goto(address)
        expect(second.get_by_role("heading", level=2).first).to_have_text(
            "Add this logbook to this device?"
        )
        with answered(second):
            second.locator("#act-bring").click()
        assert second.url == f"{server}/en/logbook/"
        expect(second.locator("[role=status]")).to_have_text("The logbook has been added to yours.")
        assert figures(second) == figures(first)
        assert stored(second).days == cookie_of(second).days == played(30).days


def test_another_device_takes_it_over_by_a_file(
    open_page: OpenPage, server: str, tmp_path: Path
) -> None:
    first, second = open_page(), open_page()
    give(first, server, played(30))
    open_logbook(first)
    with first.expect_download() as download:
        first.locator("#act-save").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    mine = replace(played(10, last=in_days(-200)), devices={})
    give(second, server, mine)
    open_logbook(second)
    unfold(second, "Import a logbook")
    second.get_by_label("From a file").set_input_files(file)
    expect(second.get_by_label("Or paste its text")).not_to_have_value("")
    with answered(second):
        second.locator("#act-add").click()
    assert figures(second)[0] == figures(first)[0] == "42"
    assert stored(second).days == (*mine.days, *played(30).days)


def test_the_browser_keeps_the_days_that_the_cookie_has_no_room_for(
    open_page: OpenPage, server: str, tmp_path: Path
) -> None:
    """The page saw an older cookie; since then that has left its oldest days out."""
    page = open_page()
    old, new = played(700, last=in_days(600)), played(700, last=in_days(1300))
    give(page, server, old)
    open_logbook(page)
    assert stored(page).days == old.days
    give(page, server, new)
    open_logbook(page)
    whole = (*old.days, *new.days)
    assert stored(page).days == whole
    assert len(cookie_of(page).days) < len(whole)
    assert f"<b>{len([day for day in whole if day.kind is Kind.SEA])}</b>" in page.content()
    with page.expect_download() as download:
        page.locator("#act-save").click()
    download.value.save_as(tmp_path / "saved.txt")
    assert unseal((tmp_path / "saved.txt").read_text()).days == whole
    with answered(page):
        page.locator("#act-carry").click()
    expect(page.locator(".carried")).to_contain_text("too long for an address")


def test_to_forget_everything_forgets_the_cookie_and_what_the_browser_keeps(
    open_page: OpenPage, server: str
) -> None:
    page = open_page()
    give(page, server, played(30))
    open_logbook(page)
    assert not stored(page).is_empty
    unfold(page, "Forget everything")
    with answered(page):
        page.locator("#act-forget").click()
    expect(page.locator("[role=status]")).to_have_text("Everything is forgotten.")
    for _ in range(2):
        assert stored(page).is_empty
        assert cookie_of(page).is_empty
        open_logbook(page)
        expect(page.locator("#blank-title")).to_be_visible()


def test_it_is_read_saved_and_brought_by_keys_alone(open_page: OpenPage, server: str) -> None:
    page = open_page(init=ONLY_KEYS, expects=EXPECTS)
    give(page, server, played(60))
    open_logbook(page)
    tab_to(page, ".months a")
    with loaded(page):
        page.keyboard.press("Enter")
    assert "?month=" in page.url
    page.wait_for_function("() => answers > 0")  # its script sends what the browser keeps
    tab_to(page, "#act-carry")
    with answered(page):
        page.keyboard.press("Enter")
    assert focus(page) == "carried-title"
    tab_to(page, ".keeping details:first-of-type summary")
    page.keyboard.press("Enter")
    tab_to(page, "textarea")
    page.keyboard.type("forged")
    tab_to(page, "#act-add")
    with answered(page):
        page.keyboard.press("Enter")
    expect(page.locator("[role=status]")).to_contain_text("Nothing has changed.")
    assert focus(page) == "act-add"


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_axe_finds_nothing_in_the_logbook_and_no_page_is_too_wide(
    open_page: OpenPage, server: str, language: str
) -> None:
    page = open_page(language=language, expects=EXPECTS)
    faults: list[str] = []
    sights = cycle(SIGHTS if language == "en" else SIGHTS[::-1])

    def look_at(state: str) -> None:
        page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        found = look_for_faults(page, [next(sights)])
        page.set_viewport_size({"width": 320, "height": 568})
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append("wider than 320 pixels")
        faults.extend(f"{state}: {fault}" for fault in found)

    open_logbook(page, language)
    look_at("empty")
    page.goto(f"/{language}/logbook/bring/{seal(played(40))}/")
    look_at("offered")
    with answered(page):
        page.locator("#act-bring").click()
    look_at("brought")
    with answered(page):
        page.locator("#act-carry").click()
    look_at("carried")
    page.locator("textarea").fill("forged")
    with answered(page):
        page.locator("#act-add").click()
    look_at("refused")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
@pytest.mark.parametrize("mind", ["recruit", "lieutenant"])
def test_the_rank_it_names_leaves_the_end_of_a_match_its_room(
    open_page: OpenPage, server: str, language: str, mind: str
) -> None:
    page = open_page(language=language)
    give(page, server, played(1))
    saved = ended(PRESETS["bonn"].ruleset, mind=mind)
    saved = replace(saved, setup=replace(saved.setup, preset=PRESETS["bonn"]))
    where = address(saved, language=language)
    faults, _ = measured(page, where, SHAPES)
    expect(page.locator(".rivals small")).to_be_visible()
    assert not faults

"""A match fits its window: nothing scrolls or is covered, and the board fills its room."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache, reduce
from sqlite3 import Connection

import pytest
from playwright.sync_api import Page, expect

from game.engine.actions import Reason
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Side
from game.matches import daily
from game.matches.logbook import Cell, Count, Day, Kind, Logbook, seal
from game.matches.saved import SavedMatch
from game.players.registry import CODES
from tests.support.browser import OpenPage, loaded
from tests.support.browser_duels import fire_at, give_up, invite, join, place, press, see_phase
from tests.support.browser_matches import (
    is_firing_late,
    place_address,
    play_address,
    played,
    taught,
)
from tests.support.challenges import made
from tests.support.fit import LEAST_SHARE, SHAPES, measured, measured_here
from tests.support.matches import address, ended, ended_against, opening
from tests.support.site_pages import sea_sunk

GAME = "#game"
SIZE = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


def states(language: str) -> dict[str, str]:
    """Addresses of matches in every phase."""
    return {
        "placing": f"/{language}/new/bonn/",
        "placed": place_address("B2h5 D4h4", language),
        "firing": play_address(played(is_firing_late), language),
        "own waters enlarged": f"{play_address(played(is_firing_late), language)}?look=own",
        "over": address(ended(BONN), language=language),
    }


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_a_match_fits_every_window_in_every_phase(open_page: OpenPage, language: str) -> None:
    page = open_page(language=language)
    for state, where in states(language).items():
        faults, shares = measured(page, where)
        assert not faults, (state, faults)
        if state != "over":
            assert min(shares.values()) >= LEAST_SHARE, (state, shares)


@pytest.mark.parametrize("preset", [name for name in PRESETS if name not in ("bonn", "own")])
def test_every_preset_fits_every_window(open_page: OpenPage, preset: str) -> None:
    page = open_page(language="de")
    for where in (f"/de/new/{preset}/", address(opening(PRESETS[preset].ruleset), language="de")):
        faults, shares = measured(page, where, SHAPES)
        assert not faults, (where[:20], faults)
        assert min(shares.values()) >= LEAST_SHARE, shares


LONGEST = "W" * 20
"""A name as wide as a name can be."""


@pytest.mark.parametrize("name", ["Anna", LONGEST])
@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "de"])
def test_a_match_at_two_devices_fits_every_window(
    open_page: OpenPage, language: str, name: str
) -> None:
    first, second = (open_page(language=language) for _ in range(2))

    def see_it_fits(page: Page, state: str) -> None:
        faults, _shares = measured_here(page, SHAPES)
        page.set_viewport_size({"width": 1280, "height": 800})
        if name == LONGEST:  # what is said of it scrolls, where the window has room for two lines
            faults = {
                window: left
                for window, them in faults.items()
                if (left := [fault for fault in them if not fault.startswith("cut")])
            }
        assert not faults, (state, faults)

    link = invite(first, language=language, name=name)
    see_it_fits(first, "invited")
    join(second, link, language=language)
    see_it_fits(second, "placing")
    expect(first.locator(GAME)).not_to_have_attribute("data-invite", link)
    see_it_fits(first, "the other places")
    place(second, name)
    see_phase(first, "firing")
    see_it_fits(first, "firing")
    see_it_fits(second, "waiting")
    second.set_viewport_size({"width": 360, "height": 640})
    doing = second.locator("#presence")
    expect(doing).to_have_text(re.compile("is aiming|zielt"))
    assert doing.evaluate("it => it.scrollWidth <= it.clientWidth"), "only the name is cut off"
    fire_at(first, "A1")
    give_up(first)
    see_phase(second, "over")
    see_it_fits(first, "lost")
    see_it_fits(second, "won")
    press(second, "#act-rematch")
    see_it_fits(second, "a rematch is offered")
    expect(first.locator("#status")).to_contain_text(re.compile("rematch|Revanche"))
    see_it_fits(first, "the other one offers a rematch")
    with loaded(first):
        first.locator("#act-rematch").click()
    see_it_fits(first, "placing again")


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "de"])
def test_the_end_of_an_abandoned_match_fits_with_the_longest_name(
    open_page: OpenPage, match_store: Connection, language: str
) -> None:
    first, second = (open_page(language=language) for _ in range(2))
    join(second, invite(first, language=language, name=LONGEST), language=language)
    place(second, LONGEST)
    see_phase(first, "firing")
    second.goto("/robots.txt")
    match_store.execute("UPDATE register SET value = '1' WHERE cache_key LIKE '%:here:%'")
    first.reload()
    press(first, "#act-abandon")
    expect(first.locator(GAME)).to_have_attribute("data-reason", "abandoned")
    faults, _shares = measured_here(first, SHAPES)
    assert not faults


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "de"])
def test_the_end_of_a_challenge_fits_with_the_longest_name(
    open_page: OpenPage, language: str
) -> None:
    saved = replace(sea_sunk(), challenge=made(sea_sunk(), LONGEST))
    faults, _shares = measured(open_page(language=language), play_address(saved, language), SHAPES)
    assert not faults


TODAY = daily.now().date()
DAYS = (Day(TODAY, Kind.SEA, 64, 40, is_sunk=False), Day(TODAY, Kind.DEDUCTION, 12, 5))
STREAK = reduce(
    Logbook.with_day,
    (Day(TODAY - timedelta(1), Kind.FIVE, 1, 1), Day(TODAY, Kind.FIVE, 2, 1), *DAYS),
    Logbook(),
)
"""A logbook with the longest that the row of the day's games can say."""


@pytest.mark.parametrize("kept", [Logbook(), STREAK], ids=["first visit", "a streak"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_home_shows_what_can_be_played_today_without_scrolling(
    open_page: OpenPage, language: str, kept: Logbook
) -> None:
    page = open_page(f"/{language}/about/", language=language)
    url = page.evaluate("location.origin")
    page.context.add_cookies([{"name": "logbook", "value": seal(kept), "url": url}])
    page.goto(f"/{language}/")
    assert page.locator(".streak").count() == bool(kept.days)
    for goes_on in (False, True):
        if goes_on:
            with loaded(page):
                page.locator("#act-quick").click()
            page.goto(f"/{language}/")
            expect(page.locator("#act-continue")).to_be_visible()
        for width, height in ((320, 568), (360, 640), (844, 390), (1366, 657)):
            page.set_viewport_size({"width": width, "height": height})
            row = page.locator("#today").bounding_box()
            assert row is not None
            assert row["y"] + row["height"] <= height, (goes_on, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_todays_page_has_its_one_heading_above_the_games(open_page: OpenPage) -> None:
    page = open_page("/en/today/")
    for width, height in ((360, 640), (1366, 657)):
        page.set_viewport_size({"width": width, "height": height})
        heading, cards = (page.locator(it).bounding_box() for it in ("#today-title", "#today ul"))
        assert heading
        assert cards
        assert heading["y"] + heading["height"] <= cards["y"]


@cache
def lost_by_turns() -> SavedMatch:
    """A match against the lieutenant that the turn limit decided."""
    saved = ended_against("lieutenant", BONN, 2)
    outcome = saved.match.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Side.SECOND, Reason.MORE_AFLOAT)
    return replace(saved, setup=replace(saved.setup, preset=PRESETS["bonn"]))


def book(**results: Count) -> Logbook:
    """A logbook with the results against these ranks."""
    cells = {Cell(PRESETS["bonn"].code, CODES[rank]): count for rank, count in results.items()}
    return Logbook(devices={b"one": cells}, device=b"one")


ENDS: tuple[tuple[Callable[[], SavedMatch], Logbook, list[str]], ...] = (
    (lost_by_turns, Logbook(), [".kept", ".rivals-title"]),
    (lost_by_turns, book(recruit=Count(9, 3)), [".kept", ".rivals-title", ".rivals small"]),
    (lost_by_turns, book(lieutenant=Count(5)), [".kept", ".rivals-title", ".rivals small"]),
    (lambda: ended(BONN), Logbook(), []),
    (taught, Logbook(), [".kept", ".rivals-title", ".noticed"]),
    (sea_sunk, Logbook(), [".next-sea"]),
)
"""Ends of matches, what the logbook holds, and what the card shows in every window."""
IS_SEEN = "(it) => it.checkVisibility({visibilityProperty: true, opacityProperty: true})"


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("end", range(len(ENDS)))
def test_the_end_fits_small_phones_and_says_why_and_what_comes_next(
    open_page: OpenPage, end: int, language: str
) -> None:
    found, kept, shown = ENDS[end]
    page = open_page(f"/{language}/about/", language=language)
    page.emulate_media(reduced_motion="reduce")
    url = page.evaluate("location.origin")
    page.context.add_cookies([{"name": "logbook", "value": seal(kept), "url": url}])
    page.goto(address(found(), language=language))
    for width, height in ((320, 568), (360, 640), (360, 740), (667, 375), (844, 390), (1366, 657)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SIZE) == [width, height]
        for each in ("#status", ".result-card .more a", *shown):
            if height < 380 and (each == ".kept" or (each == "#status" and found is taught)):
                continue  # the line above has its number; the card covers the status
            assert page.locator(each).first.evaluate(IS_SEEN), (each, width)
        status = page.locator("#status")
        assert status.evaluate("(it) => it.scrollHeight <= it.clientHeight + 1"), width
        if found is lost_by_turns:
            assert re.search("The turns ran out|Die Züge sind um", status.inner_text())


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_review_has_its_map_beside_the_turning_points(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(address(ended(BONN), language, page="review"), language=language)
    for width, height in ((1366, 657), (844, 390), (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        found = [".chances table", ".points", ".review-says", ".controls"]
        board, points, says, controls = (page.locator(it).bounding_box() for it in found)
        assert board
        assert points
        assert says
        assert controls
        assert board["x"] + board["width"] < points["x"]
        assert says["y"] >= board["y"] + board["height"] - 1
        assert controls["y"] >= says["y"] + says["height"]
        if height >= 600:
            assert controls["y"] + controls["height"] <= height
        assert page.evaluate("document.documentElement.scrollWidth") <= width

"""Searching alone in a browser: whole games, every window, keys, axe, and the replay."""

from __future__ import annotations

import re
from functools import cache

import pytest
from playwright.sync_api import Page, expect

from game.engine.rules import Side
from game.matches.saved import SavedMatch
from tests.support.axe import SIGHTS, look_for_faults
from tests.support.browser import OpenPage, answered, fire, loaded, look, said
from tests.support.browser_matches import (
    enemy_ships,
    enemy_water,
    hit_all_but,
    later,
    public_replay_address,
)
from tests.support.fit import LEAST_SHARE, SHAPES, WINDOWS, measured
from tests.support.gestures import ONLY_KEYS, press, tab_to, walk_to
from tests.support.matches import address, played, searching
from tests.support.replays import more, picture, scrub

GAME = "#game"


def midway(preset: str) -> SavedMatch:
    return played(searching(preset), 14)


@cache
def given_up(preset: str) -> SavedMatch:
    return midway(preset).resigned(Side.FIRST).with_par_played(10_000)


@cache
def nearly_done(preset: str) -> SavedMatch:
    """One shot before the end, with par nearly done as well."""
    return hit_all_but(1, searching(preset)).with_par_played(10_000)


def begin(page: Page, preset: str) -> None:
    page.goto(f"/en/setup/{preset}/")
    with loaded(page):
        page.locator("#act-alone").click()
    expect(page.locator(GAME)).to_have_attribute("data-phase", "firing")


def see_one_board(page: Page) -> None:
    expect(page.locator("[data-board]")).to_have_count(1)
    expect(page.locator("[data-board=enemy]")).to_be_visible()


@pytest.mark.parametrize("preset", ["milton", pytest.param("bonn", marks=pytest.mark.long)])
def test_a_whole_search_is_clicked_and_watched_again(open_page: OpenPage, preset: str) -> None:
    page = open_page(motion="no-preference")
    begin(page, preset)
    see_one_board(page)
    for _ in range(2):
        fire(page, enemy_water(page.url))
    fire(page, enemy_ships(page.url)[0])
    page.goto(later(page.url, left=2))
    while (seen := look(page)).outcome is None:
        fire(page, enemy_ships(page.url)[0])
    assert seen.outcome == "won"
    see_one_board(page)
    game = page.locator(GAME)
    expect(game).to_have_attribute("data-par", re.compile(r"\d+"))  # the page counts it by itself
    expect(page.locator("#act-par")).to_have_count(0)
    expect(page.locator("[role=status]")).to_contain_text(f"Par: {game.get_attribute('data-par')}")
    with loaded(page):
        page.locator("#act-recap").click()
    see_one_board(page)
    expect(page.locator("[data-now]")).not_to_have_text("0")  # it plays by itself
    page.keyboard.press("End")
    last = page.locator(".steps li").count()
    expect(page.locator("[data-now]")).to_have_text(str(last))
    assert look(page).enemy == seen.enemy


@pytest.mark.parametrize(
    ("preset", "language"),
    [("bonn", "de"), pytest.param("milton", "en", marks=pytest.mark.long)],
)
def test_a_search_fits_every_window(open_page: OpenPage, language: str, preset: str) -> None:
    page, over = open_page(language=language), given_up(preset)
    for where, is_played in (
        (address(midway(preset), language=language), True),
        (address(over, language=language), False),
        (address(over, language=language, page="replay") + "?step=9", False),
        (public_replay_address(over, language) + "?step=9", False),
    ):
        faults, shares = measured(page, where, WINDOWS if is_played else SHAPES)
        if "step=" in where:  # the status of a replay is only heard
            faults = {
                window: left
                for window, them in faults.items()
                if (left := [fault for fault in them if not fault.startswith("cut")])
            }
        assert not faults, (where[:12], faults)
        if is_played:
            assert min(shares.values()) >= LEAST_SHARE, shares


_STAGE = """() => {
  const board = document.querySelector("[data-board=enemy]").getBoundingClientRect();
  return [board.width, innerWidth - board.right - board.left];
}"""


def test_the_board_of_a_replay_is_as_large_as_in_the_search_and_stands_in_the_middle(
    open_page: OpenPage,
) -> None:
    page = open_page()
    for size in ((360, 640), (844, 390), (1366, 657), (1920, 947)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(address(midway("bonn")))
        while_searching = page.evaluate(_STAGE)
        page.goto(address(given_up("bonn"), page="replay") + "?step=9")
        assert page.evaluate(_STAGE) == pytest.approx(while_searching, abs=1), size


@pytest.mark.parametrize("number", range(3))
def test_axe_finds_nothing(open_page: OpenPage, number: int) -> None:
    language = ("en", "de")[number % 2]
    over, page = given_up("bonn"), open_page(language=language)
    where = (
        address(midway("bonn"), language=language),
        address(over, language=language),
        address(over, language=language, page="replay") + "?step=9",
    )[number]
    page.goto(where)
    more_of = page.locator("#more > summary, .more-figures > summary").first
    more_of.click()
    faults = look_for_faults(page, [SIGHTS[(0, 4, 2)[number]]])
    assert not faults, "\n".join(faults)


def test_keys_alone_search_and_hear_what_there_is(open_page: OpenPage) -> None:
    page = open_page(address(nearly_done("milton")), init=ONLY_KEYS)
    last = enemy_ships(page.url)[0]
    tab_to(page, "[data-board=enemy] button")
    water = enemy_water(page.url)
    walk_to(page, water)
    press(page, "Enter")
    assert said(page).startswith(f"{water}: water.")
    for key, heard in (("l", f"{water}: water"), ("s", "("), ("h", "")):
        page.keyboard.press(key)
        assert heard in said(page)
        assert said(page)
    before = said(page)
    page.keyboard.press("f")  # there is no fleet of one's own to hear about
    assert said(page) == before
    walk_to(page, last)
    with answered(page):
        page.keyboard.press("Enter")
    expect(page.locator(GAME)).to_have_attribute("data-outcome", "won")


@pytest.mark.parametrize("preset", [pytest.param("bonn", marks=pytest.mark.long), "milton"])
def test_the_replays_script_draws_of_every_step_what_the_server_does(
    open_page: OpenPage, preset: str
) -> None:
    where = address(given_up(preset), page="replay")
    page, plain = open_page(f"{where}?step=0"), open_page(script=False)
    more(page)
    last = page.locator(".steps li").count()
    for step in (*range(0, last, 19), last):
        for fog in ("off", "on"):
            page.locator(f"label:has([name=fog][value={fog}])").click()
            scrub(page, step)
            plain.goto(f"{where}?step={step}&fog={fog}")
            assert picture(page) == picture(plain), (step, fog)
    assert page.locator(".grab, .lower").count() == 0
    assert "lift" not in (page.locator(GAME).get_attribute("class") or "")

"""Every variant in a real browser: placed in its own way, played to its end, and watched."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from game.engine.presets import PRESETS
from tests.support.browser import (
    MANY_TURNS,
    OpenPage,
    answered,
    cell,
    fire,
    loaded,
    look,
    middle,
    play_on,
    said,
    unfold,
)
from tests.support.browser_matches import enemy_ships, enemy_water, later, saved_at
from tests.support.page import Seen

GAMES = [name for name in PRESETS if name != "own"]
ELSEWHERE = ("bonn", "bonn-still", "camlship", "cmu", "short")
"""Bonn's and the smaller one like it are played by mouse, touch, keys and forms. Camlship's and
CMU's rules are Milton's, for a page, with other minds, ships and ends."""


def play(page: Page, until: int = MANY_TURNS) -> Seen:
    """Fires at water in the first turn and then at ship after ship."""

    def aim(seen: Seen) -> str:
        return enemy_water(page.url) if seen.turn < 2 else enemy_ships(page.url)[0]

    return play_on(page, aim=aim, fire=lambda name: fire(page, name), until=until)


def win(page: Page) -> None:
    """Wins the match by its last three hits, those before having been fired without the page."""
    page.goto(later(page.url, left=3))
    assert play(page).outcome == "won"


def aim_volley(page: Page) -> Seen:
    """Plays a match of salvos: each shot of a volley at another cell of a ship."""
    while (seen := look(page)).outcome is None:
        match = saved_at(page.url).match
        board = match.ruleset.board
        ships = [board.parse(name) for name in enemy_ships(page.url)]
        free = [cell for cell in board.cells if cell not in match.spent(match.side.opponent)]
        fire(page, board.name(next(c for c in (*ships, *free) if c not in match.aimed)))
    return seen


@pytest.mark.parametrize(
    ("preset", "number"),
    [
        pytest.param(preset, number, marks=[pytest.mark.long] * (number > 1 or preset in ELSEWHERE))
        for preset in GAMES
        for number in (1, 2, 3)
    ],
)
def test_every_preset_is_played_to_its_end(open_page: OpenPage, preset: str, number: int) -> None:
    language = ("en", "de")[number % 2]
    page = open_page(f"/{language}/setup/{preset}/?opponent=random", language=language)
    with loaded(page):
        page.locator("#act-random-start").click()
    if preset == "salvo":
        assert aim_volley(page).outcome == "won"
    else:
        play(page, until=4)
        win(page)
    with loaded(page):
        page.locator("#act-recap").click()
    saved = saved_at(page.url)
    assert page.locator(".steps li").count() == len(saved.match.actions)


# --- Uppsala: by keys, ship by ship ---

GHOST = ".hull.is-ghost"


def ghost(page: Page) -> str:
    """How the ship in hand lies: `5 at 0 0 h`, its length, column, row and direction."""
    lying: str = page.locator(GHOST).evaluate(
        "({ dataset: { length, x, y, direction }, classList }) => `${length} at ${x} ${y} "
        "${direction}${classList.contains('is-illegal') ? ', illegal' : ''}`"
    )
    return lying


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_arrows_r_and_enter_place_ship_by_ship(open_page: OpenPage) -> None:
    page = open_page("/en/new/uppsala/")
    expect(page.locator(GHOST)).to_have_count(1)
    page.mouse.move(4, 4)
    page.mouse.move(8, 90)
    expect(page.locator(GHOST)).to_have_count(1)
    assert ghost(page) == "5 at 0 0 h"
    press(page, "ArrowLeft", "ArrowUp")
    assert ghost(page) == "5 at 0 0 h", "it stays on the board"
    press(page, *["ArrowRight"] * 9)
    assert ghost(page) == "5 at 5 0 h"
    press(page, "r")
    assert ghost(page) == "5 at 5 0 v"
    press(page, *["ArrowDown"] * 9)
    assert ghost(page) == "5 at 5 5 v"
    press(page, "ArrowRight", "r")
    assert ghost(page) == "5 at 6 5 v", "there is no room to turn"
    with answered(page):
        press(page, "Enter")
    assert look(page).ships == ("G6v5",)
    assert ghost(page) == "4 at 0 0 v", "the next ship is in hand"


def test_enter_where_a_ship_may_not_lie_changes_nothing_but_says_why(open_page: OpenPage) -> None:
    page = open_page("/en/new/uppsala/", expects="status of 422")
    with answered(page):
        press(page, "Enter")
    assert ghost(page) == "4 at 0 0 h, illegal"
    press(page, "Enter")  # on the ship that lies there
    expect(page.locator("#status")).to_contain_text("Ships must not touch")
    assert look(page).ships == ("A1h5",)
    press(page, "ArrowDown")
    with answered(page):
        press(page, "Enter")  # beside it
    assert look(page).ships == ("A1h5",)
    assert said(page).endswith("Ships must not touch, not even at the corners.")


def test_a_whole_fleet_is_placed_by_keys_alone_and_the_match_begins(open_page: OpenPage) -> None:
    page = open_page("/en/new/uppsala/")
    for row in range(5):
        with answered(page):
            press(page, *["ArrowDown"] * (2 * row), "Enter")
    assert look(page).ships == ("A1h5", "A3h4", "A5h3", "A7h3", "A9h2")
    with answered(page):
        page.locator("#act-start").press("Enter")
    assert look(page).phase == "firing"
    expect(page.locator(".tally")).to_have_text("Round 1 · You 0 : 0 Computer")


def test_the_radar_turns_behind_the_boards_and_is_in_nobodys_way(open_page: OpenPage) -> None:
    page = open_page("/en/new/uppsala/", motion="no-preference")
    with answered(page):
        page.locator("#act-random").click()
    with answered(page):
        page.locator("#act-start").click()
    assert page.locator(".radar").count() == 2
    turned = "() => getComputedStyle(document.querySelector('.radar i')).animationName"
    assert page.evaluate(turned) == "radar"
    name = enemy_water(page.url)
    x, y = middle(cell(page, "enemy", name))
    hit = "([x, y]) => document.elementFromPoint(x, y).closest('[data-cell]').dataset.cell"
    assert page.evaluate(hit, [x, y]) == name
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(turned) == "none"
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate("document.documentElement.dataset.speed = 'instant'")
    assert page.evaluate(turned) == "none"
    page.evaluate("delete document.documentElement.dataset.speed")
    fire(page, name)
    assert page.evaluate(turned) == "radar"
    turns = "() => document.querySelector('.radar i').getAnimations()[0].effect.getTiming()"
    assert page.evaluate(f"({turns})().iterations === Infinity")
    for script in (True, False):
        there = page if script else open_page(page.url, script=False, motion="no-preference")
        there.locator("#more > summary").click()
        with loaded(there):
            there.locator("#act-radar").click()
        if script:
            assert page.evaluate(turned) == "none"
            fire(page, enemy_water(page.url))
            assert page.evaluate(turned) == "none"
        expect(there.locator("html")).to_have_attribute("data-radar", "off")


# --- five threes: cell by cell ---


def test_three_clicks_place_a_ship_and_an_illegal_third_clears_the_try(open_page: OpenPage) -> None:
    page = open_page("/en/new/cmu/", expects="status of 422")

    def choose(name: str) -> None:
        with answered(page):
            cell(page, "own", name).click()

    for name in ("B2", "B4"):
        choose(name)
    assert page.locator(".is-tried").count() == 2
    choose("B3")
    assert look(page).ships == ("B2v3",)
    for name in ("E5", "F5", "F6"):
        choose(name)
    assert said(page).endswith("Choose cells side by side, in one line.")
    assert page.locator(".is-tried").count() == 0
    assert look(page).ships == ("B2v3",)
    for name in ("E5", "F5", "G5"):
        choose(name)
    assert look(page).ships == ("B2v3", "E5h3")


# --- one's own rules, and watching ---


def test_a_watched_match_plays_at_once(open_page: OpenPage) -> None:
    page = open_page("/en/setup/milton/", motion="no-preference")
    page.locator("#watch summary").click()
    page.locator("[name=mind1]").select_option("uppsala")
    page.locator("[name=mind2]").select_option("random")
    page.locator("#act-watch").click()
    page.wait_for_url("**/replay/**")
    expect(page.locator("[data-go=play]")).to_have_text("Pause")
    expect(page.locator("[data-now]")).not_to_have_text("0")
    with loaded(page):
        unfold(page)
        page.get_by_role("button", name="Watch another match").click()
    assert saved_at(page.url).setup.minds == ("uppsala", "random")

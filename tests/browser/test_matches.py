"""Whole matches, from the first page to the end of the replay, by each way to act."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from playwright.sync_api import Page, expect

from game.engine.presets import PRESETS
from tests.support.browser import (
    LAPTOP,
    ONLY_KEYS,
    ONLY_TOUCH,
    PHONE,
    OpenPage,
    answered,
    click,
    fire,
    focus,
    follow,
    loaded,
    look,
    said,
    see,
    see_language,
    tab_to,
    tap,
    unfold,
    walk_to,
    words,
)
from tests.support.matches import enemy_ships, enemy_water, later, saved_at

Act = Callable[[Page, str], None]
"""Presses what a selector finds."""


def by_mouse(page: Page, selector: str) -> None:
    page.locator(selector).first.click()


def by_touch(page: Page, selector: str) -> None:
    if selector == ".steer":
        tap(page, page.locator(".grab"))
    tap(page, page.locator(selector).first)


def by_keys(page: Page, selector: str) -> None:
    if cell := re.search(r"^\[data-board=(\w+)\] \[data-cell=(\w+)\]", selector):
        if not focus(page).startswith(f"{cell[1]}-"):
            tab_to(page, f"[data-board={cell[1]}] button")
        walk_to(page, cell[2])
    else:
        tab_to(page, selector)
    page.keyboard.press("Enter")


def by_form(page: Page, selector: str) -> None:
    page.locator(selector).first.click(force=True)  # those that will be refused, too


def cell(board: str, name: str) -> str:
    return f"[data-board={board}] [data-cell={name}] button"


@pytest.mark.parametrize(
    ("act", "language"),
    [
        (by_mouse, "en"),
        pytest.param(by_touch, "en", marks=pytest.mark.deep),
        (by_keys, "en"),
        (by_form, "de"),
    ],
)
def test_a_match_is_placed_and_won_and_watched_again(
    open_page: OpenPage, act: Act, language: str
) -> None:
    page = open_page(
        "/",
        language=language,
        size=PHONE if act is by_touch else LAPTOP,
        touch=act is by_touch,
        script=act is not by_form,
        init=ONLY_KEYS if act is by_keys else ONLY_TOUCH if act is by_touch else "",
        expects="status of 422",
    )

    def do(selector: str) -> None:
        with answered(page):
            act(page, selector)

    def go(selector: str) -> None:
        with loaded(page):
            act(page, selector)

    def see_the_same_in_the_other_language() -> None:
        before = look(page)
        for there in ("en", "de"):
            follow(page, f"nav a[hreflang={there}]")
            see_language(page, there)
            assert look(page) == before

    see_language(page, language)
    go(".more-games a[href$='/games/']")
    go("#play-bonn")
    assert (look(page).phase, look(page).ships) == ("placing", ())
    do(cell("own", "C3"))  # the longest first
    do(cell("own", "J9"))  # slides in from the edge
    assert look(page).ships == ("C3h5", "G9h4")
    do(cell("own", "D3"))  # is picked up
    expect(page.locator(".hull.is-picked")).to_have_count(1)
    do(cell("own", "A5"))  # and set down elsewhere
    assert look(page).ships == ("G9h4", "A5h5")
    do(cell("own", "F5"))
    assert words("Ships must not touch, not even at the corners.", language) in said(page)
    do("#act-random")
    ships = look(page).ships
    assert {"G9h4", "A5h5"} < set(ships)
    assert sorted(ship[-1] for ship in ships) == sorted("5443332222")
    do("#act-start")

    for turn in (0, 2):
        assert (look(page).phase, look(page).turn) == ("firing", turn)
        if turn:
            lay = ships_in(page)
            do(".steer")
            assert len(lay - ships_in(page)) == 1
        if act is by_form:
            see_the_same_in_the_other_language()
        water = enemy_water(page.url)
        do(cell("enemy", water))
        assert look(page).enemy[water] == "water"
    page.goto(later(page.url, left=2))  # the hits in between are all alike
    for name in enemy_ships(page.url):
        do(cell("enemy", name))
    end = look(page)
    assert (end.phase, end.outcome) == ("over", "won")
    assert list(end.enemy.values()).count("sunk") == 30
    assert words("You win.", language) in said(page)

    go("#act-recap")
    see_language(page, language)
    assert set(look(page).enemy.values()) == {"sea", "ship"}
    step = go if act is by_form else partial(act, page)
    step("[data-go=forward]")
    expect(page.locator("[data-now]")).to_have_text("1")
    act(page, "#more > summary")
    step("[data-go=last]")
    last = page.locator("#step").get_attribute("max") or ""
    expect(page.locator("[data-now]")).to_have_text(last)
    assert look(page).boards == end.boards


def ships_in(page: Page) -> set[str]:
    """The cells of the person's ships."""
    return {name for name, state in look(page).own.items() if state == "ship"}


@pytest.mark.deep
def test_a_match_is_played_by_the_names_of_things_alone(open_page: OpenPage) -> None:
    """Finds everything by roles and names, as a screen reader does."""
    page = open_page("/de/new/bonn/", language="de", size=(1440, 789))

    def push(name: str | re.Pattern[str]) -> None:
        click(page, page.get_by_role("button", name=name, exact=isinstance(name, str)).first)

    push(re.compile(r"^Zufall"))
    push(words("Start", "de"))
    expect(page.get_by_role("heading", level=1)).to_have_text(words("Fire", "de"))
    grid = page.get_by_role("grid", name=words("Enemy waters", "de"))
    expect(grid.get_by_role("button", name=re.compile(r"^[A-J]\d+, unbekannt$"))).to_have_count(100)
    water = enemy_water(page.url)
    push(f"{water}, unbekannt")
    expect(grid.get_by_role("button", name=f"{water}, Wasser")).to_have_count(1)
    push(re.compile(r" auf [A-J]\d+: "))
    assert look(page).phase == "firing"
    page.goto(later(page.url, left=2))
    for name in enemy_ships(page.url):
        push(f"{name}, unbekannt")
    expect(page.get_by_role("heading", level=1)).to_have_text(words("The sea is yours", "de"))
    assert words("You win.", "de") in page.get_by_role("status").inner_text()


# --- every preset ---

PLAYED = ("pencil", "salvo", "uppsala", "milton", "ask")
"""The other presets' rules are Bonn's or Milton's, for a page, with other minds, ships and ends."""


def win_volleys(page: Page) -> None:
    """Plays a match of salvos: each shot of a volley at another cell of a ship."""
    while look(page).outcome is None:
        match = saved_at(page.url).match
        board = match.ruleset.board
        ships = [board.parse(name) for name in enemy_ships(page.url)]
        free = [cell for cell in board.cells if cell not in match.spent(match.side.opponent)]
        fire(page, board.name(next(c for c in (*ships, *free) if c not in match.aimed)))


def marks_of(preset: str, number: int) -> list[pytest.MarkDecorator]:
    if number > 1 or preset not in PLAYED:
        return [pytest.mark.long]
    return [] if preset == "salvo" else [pytest.mark.deep]


@pytest.mark.parametrize(
    ("preset", "number"),
    [
        pytest.param(preset, number, marks=marks_of(preset, number))
        for preset in PRESETS
        for number in (1, 2, 3)
        if preset != "own"
    ],
)
def test_every_preset_is_played_to_its_end(open_page: OpenPage, preset: str, number: int) -> None:
    language = ("en", "de")[number % 2]
    page = open_page(f"/{language}/setup/{preset}/?opponent=random", language=language)
    follow(page, "#act-random-start")
    if preset == "salvo":
        win_volleys(page)
    else:
        fire(page, enemy_water(page.url))
        page.goto(later(page.url, left=3))
        while look(page).outcome is None:
            fire(page, enemy_ships(page.url)[0])
    see(page, outcome="won")
    follow(page, "#act-recap")
    assert page.locator(".steps li").count() == len(saved_at(page.url).match.actions)


def test_a_watched_match_plays_at_once(open_page: OpenPage) -> None:
    page = open_page("/en/setup/milton/", motion="no-preference")
    page.locator("#watch summary").click()
    page.locator("[name=mind1]").select_option("uppsala")
    page.locator("[name=mind2]").select_option("random")
    page.locator("#act-watch").click()
    page.wait_for_url("**/replay/**")
    expect(page.locator("[data-go=play]")).to_have_text("Pause")
    expect(page.locator("[data-now]")).not_to_have_text("0")
    unfold(page)
    follow(page, page.get_by_role("button", name="Watch another match"))
    assert saved_at(page.url).setup.minds == ("uppsala", "random")


# --- presses ---

PRESSES = """
window.presses = 0;
addEventListener("pointerdown", () => { presses += 1; }, true);
addEventListener("keydown", ({ key }) => { presses += key === "Enter"; }, true);
"""
"""Counts presses; keys that only lead somewhere are none."""


@pytest.mark.long
@pytest.mark.parametrize("preset", ["bonn", "short"])
@pytest.mark.parametrize("act", [by_mouse, by_touch, by_keys])
def test_no_press_of_a_whole_match_is_for_nothing(
    open_page: OpenPage, preset: str, act: Act
) -> None:
    """By a player who moves a ship in a third of the turns."""
    page = open_page(
        f"/en/new/{preset}/?opponent=sailor",
        size=PHONE if act is by_touch else LAPTOP,
        touch=act is by_touch,
        init=PRESSES,
    )
    click(page, "#act-random", "#act-start")
    page.evaluate("window.presses = 0")
    chance, shots, moves = Random(f"{preset} {act.__name__}"), 0, 0
    while look(page).outcome is None:
        if page.locator("#game[data-may-move=yes]").count() and chance.random() < 1 / 3:
            moves += 1
            with answered(page):
                act(page, ".steer")
        shots += 1
        aims = enemy_ships(page.url)[0] if chance.random() < 0.4 else enemy_water(page.url)
        with answered(page):
            act(page, cell("enemy", aims))
    presses, least = page.evaluate("presses"), shots + moves * (2 if act is by_touch else 1)
    assert presses <= 1.05 * least, (presses, shots, moves)
    assert moves > 2

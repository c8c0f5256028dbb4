"""Moving a ship: by its arrow, by choosing ship and cell, by drag, by keys, by a plain form."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import OpenPage, answered, cell, loaded, look, middle, said
from tests.support.browser_matches import is_moving_late, play_address, played, saved_at
from tests.support.gestures import drag, finger_drag, tab_to, tap

MOVED = "Battleship moves down."
"""What is told of the one move that all make here: the battleship's from A2 to A3."""


def by_arrow(page: Page) -> None:
    with answered(page):
        cell(page, "own", "A7").locator("button").click()


def by_taps(page: Page) -> None:
    tap(page, cell(page, "own", "A4"))
    status = page.locator("#status")
    expect(status).to_have_text("Battleship at A2: choose one of the marked cells.")
    marked = page.locator(".is-goal").evaluate_all(
        "all => all.map((it) => it.closest('td').dataset.cell)"
    )
    assert marked == ["A1", "A7"]
    with answered(page):
        tap(page, cell(page, "own", "A7"))


def by_drag(page: Page) -> None:
    with answered(page):
        drag(page, middle(cell(page, "own", "A3")), middle(cell(page, "own", "A5")))


def by_finger(page: Page) -> None:
    with answered(page):
        finger_drag(page, middle(cell(page, "own", "A3")), middle(cell(page, "own", "A4")))


def by_keys(page: Page) -> None:
    page.locator("#act-stay").focus()
    tab_to(page, ".steer")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".hull.is-picked")).to_have_attribute("data-hull", "7")
    page.keyboard.press("Home")
    expect(page.locator(".hull.is-picked")).to_have_attribute("data-hull", "0")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.value") == "0-aft"
    with answered(page):
        page.keyboard.press("Enter")


def by_form(page: Page) -> None:
    with loaded(page):
        page.locator("button[value='0-aft']").click()


@pytest.mark.parametrize("move", [by_arrow, by_taps, by_drag, by_finger, by_keys, by_form])
def test_there_are_six_ways_to_the_same_move(
    open_page: OpenPage, move: Callable[[Page], None]
) -> None:
    is_touch = move in (by_taps, by_finger)
    size = (360, 640) if is_touch else (1280, 800)
    page = open_page(
        play_address(played(is_moving_late)), size=size, touch=is_touch, script=move is not by_form
    )
    before = saved_at(page.url).match
    move(page)
    after = saved_at(page.url).match
    assert str(after.placements(before.side)[0]) == "A3v5"
    assert str(before.placements(before.side)[0]) == "A2v5"
    if move is not by_form:
        assert MOVED in said(page)


def test_ships_that_cannot_move_say_why_and_a_drag_half_way_moves_nothing(
    open_page: OpenPage,
) -> None:
    page = open_page(play_address(played(is_moving_late)))
    before, address = look(page), page.url
    stops = page.locator(".steer:not([tabindex='-1'])")
    expect(stops).to_have_count(1)  # one stop of the tab key for all of them
    cell(page, "own", "C4").click()
    assert said(page) == "A ship that has been hit cannot move."
    drag(page, middle(cell(page, "own", "A3")), middle(cell(page, "own", "A3"), 0.9, 0.9))
    drag(page, middle(cell(page, "own", "A3")), middle(cell(page, "own", "D3")))
    assert (look(page), page.url) == (before, address)
    hull = page.locator("[data-board=own] [data-hull='0']")
    assert hull.evaluate("hull => hull.style.translate") in ("", "0px")
    cell(page, "own", "A3").click()
    expect(page.locator(".is-goal")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".is-goal, .is-picked")).to_have_count(0)
    cell(page, "own", "B10").click()
    assert "1 of 4, stuck" in (page.locator(".own-fleet").text_content() or "")


def test_an_old_mark_of_water_shows_its_age_in_turns(open_page: OpenPage) -> None:
    page = open_page(play_address(played(is_moving_late)), motion="reduce")
    marks = page.evaluate("""() => [...document.querySelectorAll("[data-age]")].map((cell) => [
      cell.dataset.age, getComputedStyle(cell, "::after").content,
      getComputedStyle(cell, "::before").maskImage, cell.textContent,
      cell.querySelector("[data-board=enemy] button")?.getAttribute("aria-label")])""")
    ages = {}
    for age, shown, drawn, text, label in marks:
        assert f"water, {age} turn" in (label or text)
        assert shown.startswith(f'"{age}"' if int(age) >= 5 else '""')
        ages[int(age)] = drawn.split("#")[-1]
    assert len(ages) > 8
    assert len(set(ages.values())) >= 3, "older marks look older"

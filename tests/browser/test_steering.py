"""Moving a ship: by its arrow, by choosing ship and cell, by drag, by keys; and its sheet."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from game.matches.saved import SavedMatch
from tests.support import deep
from tests.support.browser import LAPTOP, PHONE, OpenPage, Page
from tests.support.matches import begun

MOVED = "Battleship moves down."
"""What is told of the one move that all make here: the battleship's from A3 to A4."""


def one_hit() -> SavedMatch:
    """A match in its second turn, in which one of the person's destroyers has been hit."""
    saved = begun()
    match = saved.match
    for name in ("E5", "C4", "B1"):
        match = match.fire(match.ruleset.board.parse(name))
    return replace(saved, match=match)


def by_arrow(page: Page) -> None:
    page.act(page.cell("own", "A8").locator("button"))


def by_taps(page: Page) -> None:
    page.touch(page.cell("own", "A4"))
    status = page.locator("#status")
    expect(status).to_have_text("Battleship at A3: choose one of the marked cells.")
    marked = page.locator(".is-goal").evaluate_all(
        "all => all.map((it) => it.closest('td').dataset.cell)"
    )
    assert marked == ["A2", "A8"]
    with page.answered():
        page.touch(page.cell("own", "A8"))


def by_drag(page: Page) -> None:
    with page.answered():
        page.drag(page.own_cell("A3"), page.own_cell("A5"))


def by_keys(page: Page) -> None:
    page.cell("enemy", "A1").locator("button").focus()
    page.tab_to(".steer")
    page.keys("ArrowRight")
    page.expects(".hull.is-picked").to_have_attribute("data-hull", "1")
    page.keys("Home")
    page.expects(".hull.is-picked").to_have_attribute("data-hull", "0")
    while page.evaluate("document.activeElement.value") != "0-aft":
        page.keys("ArrowDown")
    page.act_by_key("Enter")


@pytest.mark.parametrize("move", [by_arrow, by_taps, deep(by_drag), deep(by_keys)])
def test_there_are_four_ways_to_the_same_move(
    open_page: OpenPage, move: Callable[[Page], None]
) -> None:
    is_touch = move is by_taps
    page = open_page(one_hit(), size=PHONE if is_touch else LAPTOP, touch=is_touch)
    before = page.saved.match
    if is_touch:
        page.tap(".grab")
    move(page)
    after = page.saved.match
    assert str(after.placements(before.side)[0]) == "A4v5"
    assert str(before.placements(before.side)[0]) == "A3v5"
    assert MOVED in page.says


def test_ships_that_cannot_move_say_why_and_a_drag_half_way_moves_nothing(
    open_page: OpenPage,
) -> None:
    page = open_page(one_hit(), size=LAPTOP)
    before, where = page.seen, page.url
    stops = page.locator(".steer:not([tabindex='-1'])")
    expect(stops).to_have_count(1)  # one stop of the tab key for all of them
    page.cell("own", "C4").click()
    assert page.says == "A ship that has been hit cannot move."
    page.drag(page.own_cell("A3"), page.middle(page.cell("own", "A3"), 0.9, 0.9))
    page.drag(page.own_cell("A3"), page.own_cell("D3"))
    assert (page.seen, page.url) == (before, where)
    hull = page.locator("[data-board=own] [data-hull='0']")
    assert hull.evaluate("hull => hull.style.translate") in ("", "0px")
    page.cell("own", "A3").click()
    page.expects(".is-goal").to_have_count(2)
    page.keys("Escape")
    page.expects(".is-goal, .is-picked").to_have_count(0)
    assert "1 of 3, stuck" in (page.text_content(".own-fleet") or "")


def test_ones_own_sheet_is_lifted_and_lowered_by_hand_alone(open_page: OpenPage) -> None:
    page = open_page(begun(), size=PHONE, touch=True)
    width = "() => document.querySelector('.sheet.own').getBoundingClientRect().width"
    docked = page.evaluate(width)
    lift = page.locator(".grab")
    assert page.box(page.cell("own", "J1")).width >= 10.5, "ships and hits can be seen"
    assert page.box(".grab .icon").left >= page.box(page.cell("own", "J1")).right, "in no cell"

    def see_lifted(is_lifted: bool) -> None:
        assert (page.evaluate(width) > 1.5 * docked) is is_lifted

    lift.tap()
    see_lifted(True)
    assert page.evaluate("document.activeElement.matches('.steer')")
    page.keys("Escape")
    see_lifted(False)
    assert page.focused == "enemy-A1", "where the player aims"
    lift.tap()
    page.tap(".lower")
    see_lifted(False)
    lift.tap()
    page.tap("#helping > summary")
    with page.answered():
        page.tap("#act-hints")
    page.tap("#helping .fold")
    see_lifted(True)
    with page.answered():
        page.locator(".steer").first.tap()
    see_lifted(False)
    page.fire("E5")
    see_lifted(False)
    assert page.focused == "enemy-E5"
    assert "look" not in page.url, "no page is loaded for it"

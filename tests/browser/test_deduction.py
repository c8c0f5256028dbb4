"""The deduction game by mouse, touch and keys, and by forms alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from game.deduction.match import Mode
from game.deduction.rules import MELBOURNE
from game.deduction.saved import SavedMatch, unseal_match
from tests.support.browser import (
    ONLY_KEYS,
    PHONE,
    OpenPage,
    answered,
    box,
    cell,
    click,
    focus,
    follow,
    loaded,
    press,
    resize,
    said,
    see,
    see_language,
    tab_to,
    walk_to,
    words,
)
from tests.support.deduction import address, saved

CHOOSE_THREE = "Choose exactly 3 different cells."
TOP = "document.querySelector('.board').getBoundingClientRect().top + scrollY"


def saved_at(page: Page) -> SavedMatch:
    """The match whose address the page has."""
    return unseal_match(page.url.split("/")[6])


def place_of(page: Page) -> list[str]:
    """The cells of the ships to find."""
    return MELBOURNE.names(saved_at(page).match.mine.place).split()


def wrong(page: Page) -> list[str]:
    """Three cells where the ships do not lie, by no luck."""
    place = set(place_of(page))
    return next(cells for cells in (["A1", "H1", "A3"], ["A1", "H1", "C3"]) if set(cells) != place)


def mark(page: Page, name: str, board: str = "enemy") -> Locator:
    """The checkbox of a cell."""
    return cell(page, board, name).locator("input")


def begin(page: Page, way: str) -> None:
    """Begins a match by the form of the first page."""
    page.goto("/en/deduction/")
    page.locator(f"input[name=way][value={way}]").check(force=True)
    page.locator("input[name=searcher][value=strong]").check(force=True)
    follow(page, "#act-begin")


def guess(page: Page, names: list[str]) -> None:
    """Chooses cells with the mouse and sends them."""
    for name in names:
        mark(page, name).click()
    click(page, "#act-guess")


def test_a_search_is_won_and_reviewed_with_the_mouse(open_page: OpenPage) -> None:
    page = open_page("/en/")
    follow(page, "#play-deduction", "#act-quick")
    first = wrong(page)
    guess(page, first)
    see(page, turn="1")
    assert said(page).startswith(f"{' '.join(first)}: ")
    assert focus(page) == "act-guess"
    click(page, "#act-heat")
    assert 0 < int(page.locator(".left").get_attribute("data-left") or 0) < 4960
    guess(page, place_of(page))
    see(page, phase="over", outcome="won")
    assert focus(page) == "phase"
    for name in place_of(page):
        expect(cell(page, "enemy", name)).to_have_attribute("data-state", "ship")
    follow(page, "#act-review", page.locator(".judged a").last)
    assert page.locator("tr[aria-current], a[aria-current=step]").count() == 1
    follow(page, "#act-again")
    see(page, phase="searching", turn="0")


def test_a_fourth_cell_is_not_chosen_and_the_page_says_why(open_page: OpenPage) -> None:
    page = open_page(address(saved(Mode.SEARCH)), expects="status of 422")
    send = page.locator("#act-guess")
    expect(send).to_have_attribute("aria-disabled", "true")
    for name in ("B2", "C2", "D2"):
        mark(page, name).click()
    expect(page.locator("[data-count]")).to_have_text("3")
    expect(send).not_to_have_attribute("aria-disabled", "true")
    assert said(page) == "B2 C2 D2: guess, or take one back."
    mark(page, "E2").click()
    expect(mark(page, "E2")).not_to_be_checked()
    assert said(page) == "Only 3 cells can be chosen: take one back first."
    mark(page, "B2").click()
    expect(page.locator("[data-count]")).to_have_text("2")
    click(page, send, force=True)
    assert said(page) == CHOOSE_THREE
    expect(mark(page, "C2")).to_be_checked()
    page.locator("#act-clear").click()
    see(page, turn="0")


@pytest.mark.deep
def test_a_race_is_played_by_touch(open_page: OpenPage) -> None:
    page = open_page("/de/deduction/", language="de", size=PHONE, touch=True)
    page.locator("label:has(input[value=race])").tap()
    with loaded(page):
        page.locator("#act-begin").tap()
    for name in ("A1", "D2", "G4"):
        mark(page, name, "own").tap()
    with answered(page):
        page.locator("#act-hide").tap()
    see(page, phase="searching")
    for name in wrong(page):
        mark(page, name).tap()
    with answered(page):
        page.locator("#act-guess").tap()
    see(page, turn="1")
    assert words("The computer guesses %(answer)s.", "de").split("%")[0] in said(page)
    page.locator("#more > summary").tap()
    page.locator(".surrender summary").tap()
    with answered(page):
        page.locator("#act-surrender").tap()
    see(page, outcome="lost")


def test_ships_are_hidden_and_searched_for_by_keys_alone(open_page: OpenPage) -> None:
    page = open_page("/en/deduction/", init=ONLY_KEYS)
    tab_to(page, "input[value=search]")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    tab_to(page, "#act-begin")
    with loaded(page):
        page.keyboard.press("Enter")
    tab_to(page, "[data-board=own] input")
    for name in ("A1", "D2", "G4"):
        walk_to(page, name)
        page.keyboard.press("Space")
    tab_to(page, "#act-hide")
    press(page, "Enter")
    see(page, phase="searching")
    assert focus(page) == "phase"
    tab_to(page, "[data-board=enemy] input")
    names = wrong(page)
    for name in names:
        walk_to(page, name)
        page.keyboard.press("Space")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    assert focus(page) == "enemy-H3", "arrows stop at the edge"
    press(page, "Enter")
    see(page, turn="1")
    assert focus(page) == "enemy-H3"
    assert saved_at(page).match.mine.guesses == (MELBOURNE.parse(" ".join(names)),)


@pytest.mark.deep
def test_all_three_ways_are_played_without_any_script(open_page: OpenPage) -> None:
    page = open_page(script=False, expects="status of 422")
    begin(page, "search")
    for name in (*wrong(page), "B2"):
        mark(page, name).check()
    click(page, "#act-guess")
    assert said(page) == CHOOSE_THREE
    see(page, turn="0")
    mark(page, "B2").uncheck()
    click(page, "#act-guess")
    see(page, turn="1")
    follow(page, "nav a[hreflang=de]")
    see_language(page, "de")
    see(page, turn="1")
    click(page, "#act-heat")
    assert page.locator("td[data-heat]").count() > 2
    page.locator("#more > summary").click()
    page.locator(".surrender summary").click()
    click(page, "#act-surrender")
    see(page, outcome="lost")

    begin(page, "hide")
    for name in ("A1", "D2", "G4"):
        mark(page, name, "own").check()
    click(page, "#act-hide", "#act-next")
    see(page, phase="watching", turn="1")
    click(page, "#act-all")
    see(page, phase="over")
    turns = int(page.locator("#game").get_attribute("data-turn") or 0)
    click(page, "#act-review")
    expect(page.locator(".judged tbody tr")).to_have_count(turns)

    begin(page, "race")
    click(page, "#act-random")
    for name in place_of(page):
        mark(page, name).check()
    click(page, "#act-guess")
    see(page, phase="over")


def test_reload_and_a_click_twice_do_no_harm(open_page: OpenPage) -> None:
    page = open_page(address(saved(Mode.RACE)))
    for name in ("A1", "H1", "A3"):
        mark(page, name).click()
    with answered(page):
        page.locator("#act-guess").dblclick()
    see(page, turn="1")
    before = saved_at(page)
    page.reload()
    assert saved_at(page) == before
    see(page, turn="1")


def test_cells_can_be_met_by_a_finger_and_guesses_seen_at_once(open_page: OpenPage) -> None:
    page = open_page(address(saved(Mode.SEARCH, "A1 H1 A3")))
    for width, height in (PHONE, (768, 1024), (1280, 800)):
        resize(page, width, height)
        there = box(mark(page, "C2"))
        assert min(there.width, there.height) >= 30
        button = box(page.locator("#act-guess"))
        assert button.height >= 44
        assert button.bottom <= height, "the button is in sight"
        assert page.evaluate("document.documentElement.scrollHeight") == height


@pytest.mark.parametrize("way", [Mode.SEARCH, pytest.param(Mode.RACE, marks=pytest.mark.deep)])
def test_the_board_stands_still_and_nothing_moves_from_guess_to_guess(
    open_page: OpenPage, way: Mode
) -> None:
    page = open_page(address(saved(way), "de"), language="de", size=PHONE, motion="no-preference")
    tops = [page.evaluate(TOP)]
    for names in ("A1 H1 A3", "C2 D3 F4"):
        guess(page, names.split())
        assert not page.evaluate("document.getAnimations().length")
        tops.append(page.evaluate(TOP))
    assert len(set(tops)) == 1

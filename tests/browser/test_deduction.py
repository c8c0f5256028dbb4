"""The deduction game by mouse, touch and keys, and by forms alone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from game.deduction.match import Mode
from game.deduction.rules import MELBOURNE
from game.deduction.saved import SavedMatch, unseal_match
from tests.support.browser import (
    OpenPage,
    answered,
    cell,
    focus,
    loaded,
    said,
    see_language,
    words,
)
from tests.support.deduction_matches import address, saved
from tests.support.gestures import ONLY_KEYS, tab_to, walk_to

CHOOSE_THREE = {
    "en": "Choose exactly 3 different cells.",
    "de": "Wähle genau 3 verschiedene Felder.",
}
TOP = "document.querySelector('.board').getBoundingClientRect().top + scrollY"


def saved_at(page: Page) -> SavedMatch:
    """The match whose address the page has."""
    return unseal_match(page.url.split("/")[6])


def wrong(page: Page) -> list[str]:
    """Three cells where the ships do not lie, by no luck."""
    place = set(MELBOURNE.names(saved_at(page).match.mine.place).split())
    return next(cells for cells in (["A1", "H1", "A3"], ["A1", "H1", "C3"]) if set(cells) != place)


def handle(page: Page, name: str) -> Any:
    """An attribute of the game's region."""
    return page.locator("#game").get_attribute(f"data-{name}")


def box(page: Page, name: str, board: str = "enemy") -> Any:
    """The checkbox of a cell."""
    return cell(page, board, name).locator("input")


def begin(page: Page, way: str, language: str = "en") -> None:
    """Begins a match by the form of the first page."""
    page.goto(f"/{language}/deduction/")
    page.locator(f"input[name=way][value={way}]").check(force=True)
    page.locator("input[name=searcher][value=strong]").check(force=True)
    with loaded(page):
        page.locator("#act-begin").click()


def guess(page: Page, names: str) -> None:
    """Chooses cells with the mouse and sends them."""
    for name in names.split():
        box(page, name).click()
    with answered(page):
        page.locator("#act-guess").click()


def test_a_search_is_won_and_reviewed_with_the_mouse(open_page: OpenPage) -> None:
    page = open_page("/en/")
    with loaded(page):
        page.locator("#play-deduction").click()
    with loaded(page):
        page.locator("#act-quick").click()
    first = " ".join(wrong(page))
    guess(page, first)
    assert handle(page, "turn") == "1"
    assert said(page).startswith(f"{first}: ")
    assert focus(page) == "act-guess"
    with answered(page):
        page.locator("#act-heat").click()
    left = int(page.locator(".left").get_attribute("data-left") or 0)
    assert 0 < left < 4960
    place = MELBOURNE.names(saved_at(page).match.mine.place)
    guess(page, place)
    assert (handle(page, "phase"), handle(page, "outcome")) == ("over", "won")
    assert focus(page) == "phase"
    for name in place.split():
        expect(cell(page, "enemy", name)).to_have_attribute("data-state", "ship")
    with loaded(page):
        page.locator("#act-review").click()
    with loaded(page):
        page.locator(".judged a").last.click()
    assert page.locator("tr[aria-current], a[aria-current=step]").count() == 1
    with loaded(page):
        page.locator("#act-again").click()
    assert (handle(page, "phase"), handle(page, "turn")) == ("searching", "0")


def test_a_fourth_cell_is_not_chosen_and_the_page_says_why(open_page: OpenPage) -> None:
    page = open_page(address(saved(Mode.SEARCH)), expects="status of 422")
    send = page.locator("#act-guess")
    expect(send).to_have_attribute("aria-disabled", "true")
    for name in ("B2", "C2", "D2"):
        box(page, name).click()
    expect(page.locator("[data-count]")).to_have_text("3")
    expect(send).not_to_have_attribute("aria-disabled", "true")
    assert said(page) == "B2 C2 D2: guess, or take one back."
    box(page, "E2").click()
    expect(box(page, "E2")).not_to_be_checked()
    assert said(page) == "Only 3 cells can be chosen: take one back first."
    box(page, "B2").click()
    expect(page.locator("[data-count]")).to_have_text("2")
    with answered(page):
        send.click(force=True)
    assert said(page) == "Choose exactly 3 different cells."
    expect(box(page, "C2")).to_be_checked()
    page.locator("#act-clear").click()
    assert handle(page, "turn") == "0"


def test_a_race_is_played_by_touch(open_page: OpenPage) -> None:
    page = open_page("/de/deduction/", language="de", size=(360, 640), touch=True)
    page.locator("label:has(input[value=race])").tap()
    with loaded(page):
        page.locator("#act-begin").tap()
    for name in ("A1", "D2", "G4"):
        box(page, name, "own").tap()
    with answered(page):
        page.locator("#act-hide").tap()
    assert handle(page, "phase") == "searching"
    for name in wrong(page):
        box(page, name).tap()
    with answered(page):
        page.locator("#act-guess").tap()
    assert handle(page, "turn") == "1"
    assert words("The computer guesses %(answer)s.", "de").split("%")[0] in said(page)
    page.locator("#more > summary").tap()
    page.locator(".surrender summary").tap()
    with answered(page):
        page.locator("#act-surrender").tap()
    assert handle(page, "outcome") == "lost"


def test_ships_are_hidden_and_searched_for_by_keys_alone(open_page: OpenPage) -> None:
    page = open_page("/en/deduction/", init=ONLY_KEYS)
    tab_to(page, "input[value=search]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    tab_to(page, "#act-begin")
    with loaded(page):
        page.keyboard.press("Enter")
    tab_to(page, "[data-board=own] input")
    for name in ("A1", "D2", "G4"):
        walk_to(page, name)
        page.keyboard.press("Space")
    tab_to(page, "#act-hide")
    with answered(page):
        page.keyboard.press("Enter")
    assert (handle(page, "phase"), focus(page)) == ("searching", "phase")
    tab_to(page, "[data-board=enemy] input")
    names = wrong(page)
    for name in names:
        walk_to(page, name)
        page.keyboard.press("Space")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    assert focus(page) == "enemy-H3", "arrows stop at the edge"
    with answered(page):
        page.keyboard.press("Enter")
    assert handle(page, "turn") == "1"
    assert focus(page) == "enemy-H3"
    assert saved_at(page).match.mine.guesses == (MELBOURNE.parse(" ".join(names)),)


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_all_three_ways_are_played_without_any_script(open_page: OpenPage, language: str) -> None:
    page = open_page(language=language, script=False, expects="status of 422")

    def send(name: str) -> None:
        with loaded(page):
            page.locator(f"#act-{name}").click()

    begin(page, "search", language)
    see_language(page, language)
    for name in (*wrong(page), "B2"):
        box(page, name).check()
    send("guess")
    assert said(page) == CHOOSE_THREE[language]
    assert handle(page, "turn") == "0", "four cells are too many"
    box(page, "B2").uncheck()
    send("guess")
    assert handle(page, "turn") == "1"
    other = {"en": "de", "de": "en"}[language]
    with loaded(page):
        page.locator(f"nav a[hreflang={other}]").click()
    see_language(page, other)
    assert handle(page, "turn") == "1"
    send("heat")
    assert page.locator("td[data-heat]").count() > 2
    page.locator("#more > summary").click()
    page.locator(".surrender summary").click()
    send("surrender")
    assert handle(page, "outcome") == "lost"

    begin(page, "hide", language)
    for name in ("A1", "D2", "G4"):
        box(page, name, "own").check()
    send("hide")
    send("next")
    assert (handle(page, "phase"), handle(page, "turn")) == ("watching", "1")
    send("all")
    assert handle(page, "phase") == "over"
    send("review")
    expect(page.locator(".judged tbody tr")).to_have_count(int(handle(page, "turn")))

    begin(page, "race", language)
    send("random")
    for name in MELBOURNE.names(saved_at(page).match.mine.place).split():
        box(page, name).check()
    send("guess")
    assert handle(page, "outcome") in ("won", "draw")


def test_reload_and_a_click_twice_do_no_harm(open_page: OpenPage) -> None:
    page = open_page(address(saved(Mode.RACE)))
    for name in ("A1", "H1", "A3"):
        box(page, name).click()
    with answered(page):
        page.locator("#act-guess").dblclick()
    assert handle(page, "turn") == "1"
    before = saved_at(page)
    page.reload()
    assert saved_at(page) == before
    assert handle(page, "turn") == "1"


@pytest.mark.parametrize("size", [(360, 640), (768, 1024), (1280, 800)])
def test_cells_can_be_met_by_a_finger_and_guesses_seen_at_once(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(address(saved(Mode.SEARCH, "A1 H1 A3")), size=size)
    side = box(page, "C2").bounding_box()
    assert side is not None
    assert min(side["width"], side["height"]) >= 30
    send = page.locator("#act-guess").bounding_box()
    assert send is not None
    assert send["height"] >= 44
    assert send["y"] + send["height"] <= size[1], "the button is in sight"
    assert page.evaluate("document.documentElement.scrollHeight") == size[1]


@pytest.mark.parametrize("way", [Mode.SEARCH, Mode.RACE])
@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_the_board_stands_still_and_nothing_moves_from_guess_to_guess(
    open_page: OpenPage, language: str, way: Mode
) -> None:
    page = open_page(
        address(saved(way), language), language=language, size=(360, 640), motion="no-preference"
    )
    tops = []
    for names in ("A1 H1 A3", "C2 D3 F4"):
        tops.append(page.evaluate(TOP))
        guess(page, names)
        assert not page.evaluate("document.getAnimations().length")
    assert {page.evaluate(TOP), *tops} == {tops[0]}

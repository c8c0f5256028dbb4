"""The match in words: cells that are typed, and parts that keys read out."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from game.deduction.match import Mode
from tests.support import deduction
from tests.support.browser import (
    ONLY_KEYS,
    OpenPage,
    click,
    fire,
    focus,
    look,
    press,
    said,
    see,
    tab_to,
    unfold,
)
from tests.support.matches import STILL, address, begun, enemy_water

REFUSED = "status of 422"


def type_in(page: Page, text: str) -> None:
    """Types a cell and sends it; the view stays open and the input ready for the next."""
    page.locator("#typed").fill(text)
    press(page, "Enter")
    expect(page.locator("#typed")).to_be_visible()
    assert focus(page) == "typed"


def test_cells_are_typed_one_after_the_other(open_page: OpenPage) -> None:
    page = open_page(address(begun(STILL)), expects=REFUSED)
    unfold(page, "#text-view")
    for count, (text, name, state) in enumerate(
        (("j6", "J6", "hit"), ("5 e", "E5", "water"), ("C1", "C1", "hit")), start=1
    ):
        type_in(page, text)
        assert look(page).enemy[name] == state
        assert said(page).startswith(f"{name}: ")
        expect(page.locator("#typed")).to_have_value("")
        assert len(page.locator("#text-view dl ol li").all()) == count
    before = look(page)
    type_in(page, "z9")
    assert said(page).endswith("That is not a cell of this board.")
    expect(page.locator("#typed")).to_have_value("z9")
    assert look(page) == before
    page.keyboard.press("l")  # is only typed
    expect(page.locator("#typed")).to_have_value("z9l")
    page.locator("#text-view > summary").click()
    fire(page, "D1")
    expect(page.locator("#typed")).to_be_hidden()
    assert focus(page) == "enemy-D1"


def test_letters_on_a_board_read_out_how_the_match_stands(open_page: OpenPage) -> None:
    page = open_page(address(begun(STILL)), init=ONLY_KEYS)
    tab_to(page, "[data-board=enemy] button")
    page.keyboard.press("l")
    assert said(page) == "Last shots: none yet"
    page.keyboard.press("Control+End")
    press(page, "Enter")
    status_message = said(page)
    page.keyboard.press("Shift+L")
    assert said(page).startswith("Last shots: You fire at J10: hit.")
    page.keyboard.press("s")
    assert said(page).startswith("Ships to find: 1 × Battleship (5), 2 × Cruiser (4)")
    page.keyboard.press("h")
    assert said(page) == "Hits not yet sunk: J10"
    page.keyboard.press("f")
    assert said(page).startswith("Your fleet: 10 of 10 afloat")
    for key in ("q", "Control+l", "Alt+s"):
        page.keyboard.press(key)
        assert said(page).startswith("Your fleet: ")
    page.locator("#game .phase").focus()
    page.keyboard.press("l")
    assert said(page).startswith("Your fleet: ")
    assert status_message != said(page)


def test_who_types_finds_the_input_again_after_moving_a_ship(open_page: OpenPage) -> None:
    page = open_page(address(begun()))
    unfold(page, "#text-view")
    page.locator("#typed").fill(enemy_water(page.url))
    press(page, "Enter")
    assert (look(page).turn, focus(page)) == (2, "typed")
    click(page, page.locator(".steer").first)
    assert focus(page) == "typed"


def test_guesses_are_typed(open_page: OpenPage) -> None:
    page = open_page(deduction.address(deduction.saved(Mode.SEARCH)), expects=REFUSED)
    unfold(page, "details:has(#typed)")
    type_in(page, "a1, h1 3a")
    see(page, turn="1")
    assert said(page).startswith("A1 H1 A3: ")
    type_in(page, "a1 h1")
    assert said(page) == "Choose exactly 3 different cells."
    expect(page.locator("#typed")).to_have_value("a1 h1")
    see(page, turn="1")

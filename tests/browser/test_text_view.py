"""The match in words: cells that are typed, parts that keys read out, and what is announced."""

from dataclasses import replace

import pytest

from game.engine.geometry import LARGEST
from game.engine.presets import BONN
from tests.support.browser import ONLY_KEYS, PHONE, OpenPage, Page
from tests.support.matches import STILL, address, begun, opening

REFUSED = "status of 422"


def type_in(page: Page, text: str) -> None:
    """Types a cell and sends it; the view stays open and the input ready for the next."""
    page.fill("#typed", text)
    page.act_by_key("Enter")
    page.expects("#typed").to_be_visible()
    assert page.focused == "typed"


def hear(page: Page, key: str, words: str) -> None:
    """Presses a key that has the status line say how the match stands."""
    page.keys(key)
    page.expects("#status").to_contain_text(words)


def test_cells_are_typed_one_after_the_other(open_page: OpenPage) -> None:
    page = open_page(begun(STILL), expects=REFUSED)
    page.unfold("#text-view")
    for count, (text, name, state) in enumerate(
        (("j6", "J6", "hit"), ("5 e", "E5", "water"), ("C1", "C1", "hit")), start=1
    ):
        type_in(page, text)
        assert page.seen.enemy[name] == state
        assert page.says.startswith(f"You: {name}, ")
        page.expects("#typed").to_have_value("")
        page.expects("#text-view dl ol li").to_have_count(count)
    before = page.seen
    type_in(page, "z9")
    assert page.says.endswith("That is not a cell of this board.")
    page.expects("#typed").to_have_value("z9")
    assert page.seen == before
    page.keys("l")  # is only typed
    page.expects("#typed").to_have_value("z9l")
    page.click("#text-view > summary")
    page.fire("D1")
    page.expects("#typed").to_be_hidden()
    assert page.focused == "enemy-D1"


def test_letters_on_a_board_read_out_how_the_match_stands(open_page: OpenPage) -> None:
    page = open_page(begun(STILL), init=ONLY_KEYS)
    page.tab_to("[data-board=enemy] button")
    hear(page, "l", "Last shots: none yet")
    page.keys("Control+End")
    page.act_by_key("Enter")
    status_message = page.says
    hear(page, "Shift+L", "Last shots: You: J10, hit.")
    hear(page, "s", "Ships to find: 1 × Battleship (5), 2 × Cruiser (4)")
    hear(page, "h", "Open hits: J10")
    hear(page, "f", "Your fleet: 10 of 10 afloat")
    for key in ("q", "Control+l", "Alt+s"):
        page.keys(key)
        assert page.says.startswith("Your fleet: ")
    page.focus("#game .phase")
    page.keys("l")
    assert page.says.startswith("Your fleet: ")
    assert status_message != page.says


@pytest.mark.parametrize(("language", "size"), [("de", (320, 568)), ("en", PHONE)])
def test_where_cells_are_small_the_field_for_typing_one_is_in_sight(
    open_page: OpenPage, language: str, size: tuple[int, int]
) -> None:
    saved = opening(replace(BONN, columns=LARGEST, rows=LARGEST))
    page = open_page(address(saved, language), language=language, size=size, touch=True)
    assert page.box(page.target("A1")).width < 24
    page.expects("#typed").to_be_in_viewport(ratio=1)
    type_in(page, "B7")
    assert "B7, " in page.says
    assert page.count("#typed") == 1

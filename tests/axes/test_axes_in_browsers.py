"""An exercise in browsers: cells are typed by their names, by keys alone and without a script."""

import pytest

from tests.axes.samples import WORDS, labelled
from tests.support import deep
from tests.support.browser import ONLY_KEYS, PHONE, OpenPage, Page


def name(handle: str) -> str:
    column, row = ord(handle[0]) - ord("A"), int(handle[1:]) - 1
    return f"{WORDS.columns[column]} {WORDS.rows[row]}"


def type_in(page: Page, text: str) -> None:
    """Types a name in place of what stands in the field, and sends it by the key."""
    if page.focused != "typed":
        page.tab_to("#typed")
    page.keys("Control+a")
    page.keyboard.type(text)
    page.act_by_key("Enter")


@pytest.mark.parametrize("script", [True, deep(False)])
def test_an_exercise_is_typed_to_its_end_by_keys(open_page: OpenPage, *, script: bool) -> None:
    only_keys = ONLY_KEYS if script else ""
    page = open_page(
        labelled(WORDS), size=PHONE, script=script, init=only_keys, expects="status of 422"
    )
    assert page.count("[data-board=enemy] button[name=cell]") == 0
    water = page.enemy_water
    type_in(page, name(water).replace(" ", " x"))
    assert "There is no row" in page.says
    assert "Did you mean" in page.says
    assert page.seen.turn == 0
    type_in(page, name(water))
    assert page.seen.enemy[water] == "water"
    assert page.says.startswith(f"You: {name(water).replace(' ', ' / ', 1)}")
    page.go_later(left=2)
    for handle in page.enemy_ships:
        type_in(page, name(handle))
    assert (page.seen.phase, page.seen.outcome) == ("over", "won")

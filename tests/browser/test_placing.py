"""Placing a fleet: five ways to the same one, and what is told before a ship is set down."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import (
    ONLY_KEYS,
    ONLY_TOUCH,
    PHONE,
    TAB_STOPS,
    OpenPage,
    answered,
    bow_in_harbour,
    box,
    cell,
    click,
    drag,
    finger_drag,
    focus,
    forms_sent,
    look,
    middle,
    own_cell,
    press,
    said,
    see,
    tab_to,
    tap,
    target,
    unfold,
    wait_for_pictures,
    walk_to,
    words,
)
from tests.support.matches import MINE, place_address

PART = "C9h4 G2v3 B7h3 J4v3 H9h2 F6v2 C1v2 C4v2"
"""All but two ships, for each of which there is one place left: at A1 and at E1, both down."""
WHOLE = {*PART.split(), "A1v5", "E1v4"}
TOUCHES = "Ships must not touch, not even at the corners."
PREVIEW = ".is-ghost, .is-lifted, .is-under-illegal"


def by_drag(page: Page) -> None:
    for length, bow in ((5, "A1"), (4, "E1")):
        with answered(page):
            drag(page, bow_in_harbour(page, length), own_cell(page, bow), turn=length == 5)


def by_taps(page: Page) -> None:
    tap(page, page.locator("label:has([name=direction][value=v])"))
    for length, bow in ((4, "E1"), (5, "A1")):
        tap(page, page.locator(f".berth[data-length='{length}']"))
        with answered(page):
            tap(page, cell(page, "own", bow))


def by_keys(page: Page) -> None:
    tab_to(page, "[data-board=own] button")
    for keys, there in (
        ("ArrowUp ArrowLeft", "A1"),
        ("End ArrowRight", "J1"),
        ("ArrowDown", "J2"),
        ("Control+End ArrowDown", "J10"),
        ("Home ArrowUp", "A9"),
        ("Control+Home", "A1"),
    ):
        for key in keys.split():
            page.keyboard.press(key)
        assert focus(page) == f"own-{there}"
    page.keyboard.press("r")
    press(page, "Enter")
    walk_to(page, "E1")
    press(page, "Space")
    assert focus(page) == "own-E1"


def at_random(page: Page) -> None:
    click(page, "#act-random")
    assert focus(page) == "act-random"


def by_form(page: Page) -> None:
    for length, bow in ((5, "A1"), (4, "E1")):
        page.locator(f"input[name=pick][value='{length}']").check()
        page.locator("input[name=direction][value=v]").check()
        click(page, cell(page, "own", bow).locator("button"))


@pytest.mark.parametrize("place", [by_drag, by_taps, by_keys, at_random, by_form])
def test_there_are_five_ways_to_the_same_fleet(
    open_page: OpenPage, place: Callable[[Page], None]
) -> None:
    page = open_page(place_address(PART), touch=place is by_taps, script=place is not by_form)
    place(page)
    assert set(look(page).ships) == WHOLE
    assert said(page) == "Your fleet is ready. Start when you like."


def test_a_board_is_one_stop_of_the_tab_key_and_a_choice_places_nothing(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("C3h5"), init=ONLY_KEYS)
    stops = set()
    for _ in range(TAB_STOPS):
        page.keyboard.press("Tab")
        stops.add(focus(page))
    assert "BODY" in stops
    assert len([stop for stop in stops if stop.startswith("own-")]) == 1
    tab_to(page, "[name=pick]")
    press(page, "Enter")
    assert look(page).ships == ("C3h5",)


def test_a_ship_that_cannot_lie_there_is_hatched_and_the_reason_told_before_it_is_set_down(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("B2h5"))
    hatched = page.locator(".is-under-illegal")
    start, reason = said(page), f"Cruiser at C3: {TOUCHES}"
    page.mouse.move(*bow_in_harbour(page, 4))
    page.mouse.down()
    page.mouse.move(*own_cell(page, "C3"), steps=3)
    assert said(page) == reason
    expect(hatched).to_have_count(4)
    assert "gradient" in hatched.first.evaluate("cell => getComputedStyle(cell).backgroundImage")
    page.mouse.move(*own_cell(page, "C6"), steps=3)
    assert said(page) == start
    expect(hatched).to_have_count(0)
    page.mouse.move(*own_cell(page, "C3"), steps=3)
    page.mouse.up()
    assert said(page) == reason
    assert look(page).ships == ("B2h5",)
    cell(page, "own", "C6").locator("button").focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    assert said(page) == reason


def test_the_ship_placed_last_is_turned_where_it_lies_and_taken_back_by_buttons(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("B2h5 G10h4"), size=PHONE, expects="status of 422")

    def push(button: str) -> tuple[str, ...]:
        if button in ("#act-undo", "#act-clear"):
            unfold(page)
        click(page, button, force=True)
        assert f"#{focus(page)}" == button
        return look(page).ships

    assert push("#act-turn") == ("B2h5", "G7v4")  # slid in from the edge
    assert push("#act-turn") == ("B2h5", "G7h4")
    cell(page, "own", "B2").locator("button").focus()
    press(page, "r")
    assert (look(page).ships, focus(page)) == (("B2v5", "G7h4"), "own-B2")
    assert push("#act-undo") == ("B2v5",)
    assert push("#act-undo") == ()
    assert push("#act-undo") == ()
    assert said(page) == "No ship is placed yet."
    first, second = push("#act-random"), push("#act-random")
    assert len(first) == len(second) == 10
    assert first != second
    assert push("#act-clear") == ()


def test_the_last_ship_starts_the_match_and_the_second_click_of_a_double_click_fires_nothing(
    open_page: OpenPage,
) -> None:
    page = open_page(
        place_address(" ".join(MINE.split()[:-1])), cookies={"preferences": "start_at_last:on"}
    )
    x, y = own_cell(page, "J8")
    page.locator("label:has([name=direction][value=v])").click()
    with answered(page):
        page.mouse.click(x, y)
    see(page, phase="firing")
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    wait_for_pictures(page)
    assert forms_sent(page) == 1
    assert set(look(page).enemy.values()) == {"unknown"}
    click(page, target(page, "E4"))
    assert forms_sent(page) == 2


# --- by mouse and finger ---


def left_in_harbour(page: Page, length: int) -> str:
    """What the harbour says of its ships of a length, such as `1/2`."""
    return page.locator(f".berth[data-length='{length}'] .berth-left [aria-hidden]").inner_text()


def test_a_ship_is_dragged_to_another_place_over_the_edge_and_off_the_board(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("B2h5 B5h4"))
    off, trembles = middle(page.locator("#status")), own_cell(page, "B7")
    for start, end, ships in (
        (own_cell(page, "C5"), own_cell(page, "F8"), {"B2h5", "E8h4"}),  # held by its second cell
        (own_cell(page, "E8"), own_cell(page, "F8"), {"B2h5", "F8h4"}),  # onto its own place
        (own_cell(page, "D10"), own_cell(page, "B10"), {"B2h5", "F8h4", "B10h3"}),  # is drawn
        (bow_in_harbour(page, 3), own_cell(page, "J5"), {"B2h5", "F8h4", "B10h3", "H5h3"}),
        (own_cell(page, "G8"), off, {"B2h5", "B10h3", "H5h3"}),
        (trembles, (trembles[0] + 9, trembles[1]), {"B2h5", "B10h3", "H5h3", "B7h3"}),  # a click
    ):
        with answered(page):
            drag(page, start, end)
        assert set(look(page).ships) == ships
        assert left_in_harbour(page, 4) == ("1/2" if any("h4" in it for it in ships) else "2/2")


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_a_drop_on_an_illegal_place_is_refused_in_a_sentence(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(place_address("B2h5 B5h4", language), language=language)
    before, address = look(page), page.url
    touch = words(TOUCHES, language)
    none = words("There is no ship of that length in the harbour.", language)
    for start, end, sentence in (
        (bow_in_harbour(page, 3), own_cell(page, "C3"), touch),
        (own_cell(page, "B5"), own_cell(page, "B3"), touch),  # one that has a place
        (own_cell(page, "G2"), own_cell(page, "G4"), touch),  # one that is drawn
        # The fleet's only one of five lies elsewhere, and it never had one of seven.
        (own_cell(page, "A8"), own_cell(page, "E8"), none),
        (own_cell(page, "A8"), own_cell(page, "G8"), none),
    ):
        drag(page, start, end)
        expect(page.locator("[role=status]")).to_contain_text(sentence)
        assert (look(page), page.url) == (before, address)
        expect(page.locator(PREVIEW)).to_have_count(0)


def test_the_drawn_ships_lie_where_the_cells_say(open_page: OpenPage) -> None:
    page = open_page(place_address("B2h5 J5v4"))
    for hull, first, last in ((0, "B2", "F2"), (1, "J5", "J8")):
        bow, stern = box(cell(page, "own", first)), box(cell(page, "own", last))
        drawn = box(page.locator(f"[data-hull='{hull}']"))
        assert drawn == pytest.approx([*bow[:2], *stern[2:]], abs=2)


def test_a_finger_drags_ships_from_the_harbour_and_across_the_board_and_off_it(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address(), size=PHONE, touch=True, init=ONLY_TOUCH)
    x, y = own_cell(page, "E8")
    finger_drag(page, (x, y), (x, y - 120))  # over the sea it places nothing
    assert look(page).ships == ()
    ship = page.locator(".berth[data-length='5'] .berth-ship").first
    bow = middle(ship, 0.1)
    own_cell(page, "C8")
    assert middle(ship, 0.1) == bow, "board and harbour are not in view together"
    for start, end, ships in (
        (bow, own_cell(page, "C8"), ("C8h5",)),
        (own_cell(page, "D8"), own_cell(page, "D6"), ("C6h5",)),
        (own_cell(page, "D6"), middle(page.locator("#status")), ()),
    ):
        with answered(page):
            finger_drag(page, start, end)
        assert look(page).ships == ships


# --- other ways of placing: by keys ship by ship, and cell by cell ---

GHOST = ".hull.is-ghost"


def ghost(page: Page) -> str:
    """How the ship in hand lies: `5 at 0 0 h`, its length, column, row and direction."""
    lying: str = page.locator(GHOST).evaluate(
        "({ dataset: { length, x, y, direction }, classList }) => `${length} at ${x} ${y} "
        "${direction}${classList.contains('is-illegal') ? ', illegal' : ''}`"
    )
    return lying


def test_arrows_r_and_enter_place_ship_by_ship(open_page: OpenPage) -> None:
    page = open_page("/en/new/uppsala/", expects="status of 422")
    expect(page.locator(GHOST)).to_have_count(1)
    page.mouse.move(4, 4)
    page.mouse.move(8, 90)
    expect(page.locator(GHOST)).to_have_count(1)
    for keys, lies in (
        ("", "5 at 0 0 h"),
        ("ArrowLeft ArrowUp", "5 at 0 0 h"),  # it stays on the board
        ("ArrowRight " * 9, "5 at 5 0 h"),
        ("r", "5 at 5 0 v"),
        ("ArrowDown " * 9, "5 at 5 5 v"),
        ("ArrowRight r", "5 at 6 5 v"),  # there is no room to turn
    ):
        for key in keys.split():
            page.keyboard.press(key)
        assert ghost(page) == lies
    press(page, "Enter")
    assert look(page).ships == ("G6v5",)
    assert ghost(page) == "4 at 0 0 v", "the next ship is in hand"
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    assert ghost(page) == "4 at 6 4 v, illegal"
    press(page, "Enter")
    assert said(page).endswith(TOUCHES)
    assert look(page).ships == ("G6v5",)


def test_three_clicks_place_a_ship_and_an_illegal_third_clears_the_try(open_page: OpenPage) -> None:
    page = open_page("/en/new/cmu/", expects="status of 422")
    for names, ships, tried, sentence in (
        ("B2 B4", (), 2, ""),
        ("B3", ("B2v3",), 0, ""),
        ("E5 F5 F6", ("B2v3",), 0, "Choose cells side by side, in one line."),
        ("E5 F5 G5", ("B2v3", "E5h3"), 0, ""),
    ):
        click(page, *(cell(page, "own", name) for name in names.split()))
        assert look(page).ships == ships
        expect(page.locator(".is-tried")).to_have_count(tried)
        assert said(page).endswith(sentence)

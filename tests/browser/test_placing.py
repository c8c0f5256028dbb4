"""Placing a fleet: five ways to the same one, and what is told before a ship is set down."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from game.engine.fleets import parse_placement
from game.engine.presets import PRESETS
from game.matches.draft import Draft
from game.matches.setup import Setup
from tests.support import deep
from tests.support.browser import ONLY_KEYS, ONLY_TOUCH, PHONE, TAB_STOPS, OpenPage, Page
from tests.support.matches import draft_address, place_address

PART = "C9h4 G2v3 B7h3 J4v3 H9h2 F6v2 C1v2 C4v2"
"""All but two ships, for each of which there is one place left: at A1 and at E1, both down."""
WHOLE = {*PART.split(), "A1v5", "E1v4"}
TOUCHES = "Ships must not touch, not even at the corners."


def by_drag(page: Page) -> None:
    for length, bow in ((5, "A1"), (4, "E1")):
        with page.answered():
            page.drag(page.bow_in_harbour(length), page.own_cell(bow), turn=length == 5)


def by_taps(page: Page) -> None:
    page.touch(page.locator("label:has([name=direction][value=v])"))
    for length, bow in ((4, "E1"), (5, "A1")):
        page.touch(page.locator(f".berth[data-length='{length}']"))
        with page.answered():
            page.touch(page.cell("own", bow))


def by_keys(page: Page) -> None:
    page.tab_to("[data-board=own] button")
    for keys, there in (
        ("ArrowUp ArrowLeft", "A1"),
        ("End ArrowRight", "J1"),
        ("ArrowDown", "J2"),
        ("Control+End ArrowDown", "J10"),
        ("Home ArrowUp", "A9"),
        ("Control+Home", "A1"),
    ):
        page.keys(keys)
        assert page.focused == f"own-{there}"
    page.keys("r")
    page.act_by_key("Enter")
    page.walk_to("E1")
    page.act_by_key("Space")
    assert page.focused == "own-E1"


def at_random(page: Page) -> None:
    page.act("#act-random")
    assert page.focused == "act-random"


def by_form(page: Page) -> None:
    for length, bow in ((5, "A1"), (4, "E1")):
        page.check(f"input[name=pick][value='{length}']")
        page.check("input[name=direction][value=v]")
        page.act(page.cell("own", bow).locator("button"))


@pytest.mark.parametrize("place", [by_drag, by_taps, by_keys, deep(at_random), by_form])
def test_there_are_five_ways_to_the_same_fleet(
    open_page: OpenPage, place: Callable[[Page], None]
) -> None:
    page = open_page(place_address(PART), touch=place is by_taps, script=place is not by_form)
    place(page)
    assert set(page.seen.ships) == WHOLE
    assert page.says == "Your fleet is ready. Start when you like."


def test_a_board_is_one_stop_of_the_tab_key_and_a_choice_places_nothing(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("C3h5"), init=ONLY_KEYS)
    stops = set()
    for _ in range(TAB_STOPS):
        page.keys("Tab")
        stops.add(page.focused)
    assert "BODY" in stops
    assert len([stop for stop in stops if stop.startswith("own-")]) == 1
    page.tab_to("[name=pick]")
    page.act_by_key("Enter")
    assert page.seen.ships == ("C3h5",)


def test_a_ship_that_cannot_lie_there_is_hatched_and_the_reason_told_before_it_is_set_down(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("B2h5"))
    hatched = page.locator(".is-under-illegal")
    start, reason = page.says, f"Cruiser at C3: {TOUCHES}"
    page.mouse.move(*page.bow_in_harbour(4))
    page.mouse.down()
    page.mouse.move(*page.own_cell("C3"), steps=3)
    assert page.says == reason
    expect(hatched).to_have_count(4)
    assert "gradient" in hatched.first.evaluate("cell => getComputedStyle(cell).backgroundImage")
    page.mouse.move(*page.own_cell("C6"), steps=3)
    assert page.says == start
    expect(hatched).to_have_count(0)
    page.mouse.move(*page.own_cell("C3"), steps=3)
    page.mouse.up()
    assert page.says == reason
    assert page.seen.ships == ("B2h5",)
    page.cell("own", "C6").locator("button").focus()
    page.keys("ArrowUp " * 3)
    assert page.says == reason


@pytest.mark.deep
def test_the_ship_placed_last_is_turned_where_it_lies_and_taken_back_by_buttons(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("B2h5 G10h4"), size=PHONE, expects="status of 422")

    def push(button: str) -> tuple[str, ...]:
        if button in ("#act-undo", "#act-clear"):
            page.unfold()
        page.act(button, force=True)
        assert f"#{page.focused}" == button
        return page.seen.ships

    assert push("#act-turn") == ("B2h5", "G7v4")  # slid in from the edge
    assert push("#act-turn") == ("B2h5", "G7h4")
    page.cell("own", "B2").locator("button").focus()
    page.act_by_key("r")
    assert (page.seen.ships, page.focused) == (("B2v5", "G7h4"), "own-B2")
    assert push("#act-undo") == ("B2v5",)
    assert push("#act-undo") == ()
    assert push("#act-undo") == ()
    assert page.says == "No ship is placed yet."
    first, second = push("#act-random"), push("#act-random")
    assert len(first) == len(second) == 10
    assert first != second
    assert push("#act-clear") == ()


def enter(page: Page, seconds: float) -> None:
    """Presses Enter on the cell in focus, so many seconds after a moment of the browser's clock."""
    session = page.context.new_cdp_session(page)
    key = {"type": "keyDown", "key": "Enter", "text": "\r", "timestamp": 1_800_000_000 + seconds}
    session.send("Input.dispatchKeyEvent", key)


@pytest.mark.parametrize("is_by_mouse", [True, deep(False)])
def test_the_last_ship_starts_the_match_and_the_second_of_two_quick_presses_fires_nothing(
    open_page: OpenPage, is_by_mouse: bool
) -> None:
    cmu = PRESETS["cmu"]
    placed = [parse_placement(cmu.ruleset.board, f"A{row}h3") for row in (1, 3, 5, 7)]
    setup = Setup(cmu.ruleset, (None, "random"), preset=cmu)
    page = open_page(draft_address(Draft(setup, tuple(placed))))
    page.act(page.cell("own", "J6"), page.cell("own", "J7"))
    page.cell("own", "J8").locator("button").focus()
    x, y = page.own_cell("J8")
    with page.answered():
        page.mouse.click(x, y) if is_by_mouse else enter(page, 0)
    page.see(phase="firing")
    if is_by_mouse:
        page.mouse.down(click_count=2)
        page.mouse.up(click_count=2)
    else:
        enter(page, 0.3)
    page.wait_for_pictures()
    assert page.forms_sent == 3
    assert set(page.seen.enemy.values()) == {"unknown"}
    page.act(page.target("E4"))
    assert page.forms_sent == 4


# --- by mouse and finger; by keys ship by ship, and cell by cell ---


def test_a_ship_is_dragged_to_another_place_over_the_edge_and_off_the_board(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("B2h5 B5h4"))
    off, trembles = page.middle("#status"), page.own_cell("B7")
    for start, end, ships in (
        (page.own_cell("C5"), page.own_cell("F8"), {"B2h5", "E8h4"}),  # held by its second cell
        (page.own_cell("E8"), page.own_cell("F8"), {"B2h5", "F8h4"}),  # onto its own place
        (page.own_cell("D10"), page.own_cell("B10"), {"B2h5", "F8h4", "B10h3"}),  # is drawn
        (page.bow_in_harbour(3), page.own_cell("J5"), {"B2h5", "F8h4", "B10h3", "H5h3"}),
        (page.own_cell("G8"), off, {"B2h5", "B10h3", "H5h3"}),
        (trembles, (trembles[0] + 9, trembles[1]), {"B2h5", "B10h3", "H5h3", "B7h3"}),  # a click
    ):
        with page.answered():
            page.drag(start, end)
        assert set(page.seen.ships) == ships
        left = page.inner_text(".berth[data-length='4'] .berth-left [aria-hidden]")
        assert left == ("1/2" if any("h4" in it for it in ships) else "2/2")


def test_a_finger_drags_ships_from_the_harbour_and_across_the_board_and_off_it(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address(), size=PHONE, touch=True, init=ONLY_TOUCH)
    x, y = page.own_cell("E8")
    page.finger_drag((x, y), (x, y - 120))  # over the sea it places nothing
    assert page.seen.ships == ()
    ship = page.locator(".berth[data-length='5'] .berth-ship").first
    bow = page.middle(ship, 0.1)
    page.own_cell("C8")
    assert page.middle(ship, 0.1) == bow, "board and harbour are not in view together"
    for start, end, ships in (
        (bow, page.own_cell("C8"), ("C8h5",)),
        (page.own_cell("D8"), page.own_cell("D6"), ("C6h5",)),
        (page.own_cell("D6"), page.middle("#status"), ()),
    ):
        with page.answered():
            page.finger_drag(start, end)
        assert page.seen.ships == ships


GHOST = ".hull.is-ghost"


def ghost(page: Page) -> str:
    """How the ship in hand lies: `5 at 0 0 h`, its length, column, row and direction."""
    lying: str = page.locator(GHOST).evaluate(
        "({ dataset: { length, x, y, direction }, classList }) => `${length} at ${x} ${y} "
        "${direction}${classList.contains('is-illegal') ? ', illegal' : ''}`"
    )
    return lying


@pytest.mark.deep
def test_arrows_r_and_enter_place_ship_by_ship(open_page: OpenPage) -> None:
    page = open_page("/en/new/uppsala/", expects="status of 422")
    assert page.says.endswith(" Keys: arrows move, R turns, Enter places.")
    page.expects(GHOST).to_have_count(1)
    page.mouse.move(4, 4)
    page.mouse.move(8, 90)
    page.expects(GHOST).to_have_count(1)
    for keys, lies in (
        ("", "5 at 0 0 h"),
        ("ArrowLeft ArrowUp", "5 at 0 0 h"),  # it stays on the board
        ("ArrowRight " * 9, "5 at 5 0 h"),
        ("r", "5 at 5 0 v"),
        ("ArrowDown " * 9, "5 at 5 5 v"),
        ("ArrowRight r", "5 at 6 5 v"),  # there is no room to turn
    ):
        page.keys(keys)
        assert ghost(page) == lies
    page.act_by_key("Enter")
    assert page.seen.ships == ("G6v5",)
    assert ghost(page) == "4 at 0 0 v", "the next ship is in hand"
    page.keys("ArrowRight " * 6)
    page.keys("ArrowDown " * 4)
    assert ghost(page) == "4 at 6 4 v, illegal"
    page.act_by_key("Enter")
    assert page.says == "Battleship at G5: Ships may touch at corners, but not side by side."
    assert page.seen.ships == ("G6v5",)

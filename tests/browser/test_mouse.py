"""Whole games by mouse, and all that a mouse can do while a fleet is placed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import (
    OpenPage,
    answered,
    cell,
    loaded,
    look,
    middle,
    play_on,
    said,
    see_language,
    target,
    unfold,
    words,
)
from tests.support.browser_matches import enemy_ships, enemy_water, later, place_address
from tests.support.gestures import Point, bow_in_harbour, drag, own_cell
from tests.support.page import Seen


def left_in_harbour(page: Page, length: int) -> str:
    """What the harbour says of its ships of a length, such as `1/2`."""
    return page.locator(f".berth[data-length='{length}'] .berth-left [aria-hidden]").inner_text()


def fire(page: Page, name: str) -> None:
    with answered(page):
        target(page, name).click()
    assert page.evaluate("document.activeElement.closest('#game') !== null")


def hulls(page: Page) -> list[str]:
    """Where the person's ships lie, in the order of the fleet."""
    shapes = page.locator("[data-board=own] [data-hull]")
    found: list[str] = shapes.evaluate_all(
        "hulls => hulls.map(({ dataset: { x, y } }) => `${x} ${y}`)"
    )
    return found


def steer(page: Page, seen: Seen) -> None:
    """Moves a ship by its arrow in every other turn of the person's."""
    if seen.turn % 4 == 0:
        before = hulls(page)
        with answered(page):
            page.locator("[data-board=own] button[name=steer]").first.click()
        moved = [old for old, new in zip(before, hulls(page), strict=True) if old != new]
        assert len(moved) == 1


@pytest.mark.parametrize("language", ["en", pytest.param("de", marks=pytest.mark.long)])
def test_a_match_is_placed_and_won_and_watched_again_by_mouse(
    open_page: OpenPage, language: str
) -> None:
    page = open_page("/", language=language)
    see_language(page, language)
    for link in (".more-games a[href$='/games/']", "#play-bonn"):
        with loaded(page):
            page.locator(link).click()
    see_language(page, language)
    assert look(page).phase == "placing"
    assert look(page).ships == ()

    with answered(page):
        drag(page, bow_in_harbour(page, 5), own_cell(page, "B2"))
    with answered(page):
        drag(page, bow_in_harbour(page, 4), own_cell(page, "J5"), turn=True)
    with answered(page):
        drag(page, own_cell(page, "D8"), own_cell(page, "B8"))  # drawn from its stern to its bow
    assert set(look(page).ships) == {"B2h5", "J5v4", "B8h3"}
    with answered(page):
        page.locator("button[value=random]").click()
    ships = look(page).ships
    assert {"B2h5", "J5v4", "B8h3"} < set(ships)
    assert sorted(ship[-1] for ship in ships) == sorted("5443332222")
    with answered(page):
        page.locator("button[name=action][value=start]").click()
    assert look(page).phase == "firing"
    see_language(page, language)

    play_on(
        page, aim=lambda _: enemy_water(page.url), fire=lambda name: fire(page, name),
        steer=lambda seen: steer(page, seen), until=4,
    )  # fmt: skip
    page.goto(later(page.url, left=2))  # the hits in between are all alike
    for name in enemy_ships(page.url):
        fire(page, name)
    page.emulate_media(reduced_motion="no-preference")  # so that the replay runs by itself
    end = look(page)
    assert end.outcome == "won"
    assert list(end.enemy.values()).count("sunk") == 30
    assert words("You win.", language) in said(page)

    with loaded(page):
        page.get_by_role("link", name=words("Replay", language)).click()
    see_language(page, language)
    now, last = page.locator("[data-now]"), page.locator("#step").get_attribute("max")
    expect(now).not_to_have_text("0")  # it runs by itself
    play = page.locator("[data-go=play]")
    play.click()
    expect(play).to_have_text(words("Play", language))
    unfold(page)
    page.locator(f".steps [data-step='{int(last or 0) - 3}']").click()
    page.locator("[data-speed]").select_option("4")
    play.click()
    expect(now).to_have_text(last or "")
    expect(play).to_have_text(words("Play", language))
    assert look(page).boards == end.boards


# --- placing ---


def test_a_ship_is_dragged_to_another_place_over_the_edge_and_off_the_board(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address("B2h5 B5h4"))
    with answered(page):
        drag(page, own_cell(page, "C5"), own_cell(page, "F8"))  # held by its second cell
    assert set(look(page).ships) == {"B2h5", "E8h4"}
    with answered(page):
        drag(page, own_cell(page, "E8"), own_cell(page, "F8"))  # by one cell, onto its own place
    assert set(look(page).ships) == {"B2h5", "F8h4"}
    with answered(page):
        drag(page, bow_in_harbour(page, 3), own_cell(page, "J10"))
    assert set(look(page).ships) == {"B2h5", "F8h4", "H10h3"}
    assert left_in_harbour(page, 4) == "1/2"
    with answered(page):
        drag(page, own_cell(page, "G8"), middle(page.locator("#status")))
    assert set(look(page).ships) == {"B2h5", "H10h3"}
    assert left_in_harbour(page, 4) == "2/2"


def test_a_click_on_a_placed_ship_picks_it_up_and_the_next_moves_it(open_page: OpenPage) -> None:
    page = open_page(place_address("B2h5 B5h4"))
    with answered(page):
        cell(page, "own", "D2").locator("button").click()
    expect(page.locator(".hull.is-picked")).to_have_count(1)
    with answered(page):
        cell(page, "own", "D8").locator("button").click()
    assert sorted(look(page).ships) == ["B5h4", "D8h5"]
    expect(page.locator(".hull.is-picked")).to_have_count(0)


def test_a_hand_that_trembles_within_a_cell_still_clicks_it(open_page: OpenPage) -> None:
    page = open_page(place_address())
    x, y = own_cell(page, "C3")
    with answered(page):
        drag(page, (x - 5, y), (x + 5, y))
    assert look(page).ships == ("C3h5",)


def refuse(page: Page, start: Point, end: Point, sentence: str) -> None:
    """Drags, and sees that nothing comes of it but a sentence."""
    before, address = look(page), page.url
    drag(page, start, end)
    expect(page.locator("[role=status]")).to_contain_text(sentence)
    assert look(page) == before
    assert page.url == address
    expect(page.locator(".is-ghost, .is-lifted, .is-under-illegal")).to_have_count(0)


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_a_drop_on_an_illegal_place_is_refused_in_a_sentence(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(place_address("B2h5 B5h4", language), language=language)
    touch = words("Ships must not touch, not even at the corners.", language)
    refuse(page, bow_in_harbour(page, 3), own_cell(page, "C3"), touch)
    refuse(page, own_cell(page, "B5"), own_cell(page, "B3"), touch)  # one that has a place
    refuse(page, own_cell(page, "G2"), own_cell(page, "G4"), touch)  # one that is drawn
    none = words("There is no ship of that length in the harbour.", language)
    # The fleet's only one of five lies elsewhere, and it never had one of seven.
    for last in ("E8", "G8"):
        refuse(page, own_cell(page, "A8"), own_cell(page, last), none)
    before = look(page)
    with answered(page):
        page.locator("button[value=random]").click()
    assert set(before.ships) < set(look(page).ships)


def test_escape_ends_a_drag(open_page: OpenPage) -> None:
    page = open_page(place_address("B2h5"))
    before = look(page)
    page.mouse.move(*own_cell(page, "C2"))
    page.mouse.down()
    page.mouse.move(*own_cell(page, "C8"), steps=4)
    expect(page.locator(".is-ghost")).to_have_count(1)
    expect(page.locator(".is-lifted")).to_have_count(1)
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator(".is-ghost, .is-lifted")).to_have_count(0)
    assert look(page) == before


def test_the_drawn_ships_lie_where_the_cells_say(open_page: OpenPage) -> None:
    page = open_page(place_address("B2h5 J5v4"))

    def corners(found: Locator) -> list[int]:
        box = found.bounding_box()
        assert box is not None
        right, bottom = box["x"] + box["width"], box["y"] + box["height"]
        return [round(edge) for edge in (box["x"], box["y"], right, bottom)]

    for hull, first, last in ((0, "B2", "F2"), (1, "J5", "J8")):
        drawn = corners(page.locator(f"[data-hull='{hull}']"))
        bow, stern = corners(cell(page, "own", first)), corners(cell(page, "own", last))
        assert drawn == pytest.approx([*bow[:2], *stern[2:]], abs=2)

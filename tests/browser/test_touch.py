"""A whole game by touch alone, on a small phone."""

from __future__ import annotations

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
    target,
)
from tests.support.browser_matches import enemy_ships, enemy_water, later, place_address
from tests.support.gestures import ONLY_TOUCH, finger_drag, tap
from tests.support.page import Seen

PHONE = (360, 640)


def answered_tap(page: Page, found: Locator) -> None:
    with answered(page):
        tap(page, found)


def test_a_match_is_placed_and_won_and_watched_again_by_taps_alone(open_page: OpenPage) -> None:
    page = open_page("/en/", size=PHONE, touch=True, init=ONLY_TOUCH, expects="status of 422")
    for link in (".more-games a[href$='/games/']", "#play-bonn"):
        with loaded(page):
            tap(page, page.locator(link))

    tap(page, page.locator(".berth[data-length='4']"))
    answered_tap(page, cell(page, "own", "C4"))
    tap(page, page.locator(".berth[data-length='3']"))
    tap(page, page.locator("label:has([name=direction][value=v])"))
    answered_tap(page, cell(page, "own", "J10"))  # slides in from the edge
    answered_tap(page, cell(page, "own", "A1"))  # the same ship once more
    assert look(page).ships == ("C4h4", "J8v3", "A1v3")
    answered_tap(page, cell(page, "own", "J9"))  # picks it up
    answered_tap(page, cell(page, "own", "F7"))  # and sets it down elsewhere
    assert look(page).ships == ("C4h4", "A1v3", "F7v3")
    answered_tap(page, cell(page, "own", "C5"))
    assert said(page).endswith("Ships must not touch, not even at the corners.")
    assert look(page).ships == ("C4h4", "A1v3", "F7v3")
    answered_tap(page, page.locator("button[value=random]"))
    assert {"C4h4", "A1v3", "F7v3"} < set(look(page).ships)
    answered_tap(page, page.locator("button[name=action][value=start]"))

    def steer(seen: Seen) -> None:
        if seen.turn % 4:
            return
        tap(page, page.locator(".grab"))
        answered_tap(page, page.locator("[data-board=own] button[name=steer]").first)
        assert {name for name, state in seen.own.items() if state == "ship"} - {
            name for name, state in look(page).own.items() if state == "ship"
        }

    def aim(seen: Seen) -> str:
        return enemy_water(page.url) if seen.turn < 4 else enemy_ships(page.url)[0]

    def fire(name: str) -> None:
        answered_tap(page, target(page, name))

    play_on(page, aim=aim, fire=fire, steer=steer, until=4)
    page.goto(later(page.url, left=2))  # the hits in between are all alike
    end = play_on(page, aim=aim, fire=fire, steer=steer)
    assert end.outcome == "won"

    with loaded(page):
        tap(page, page.get_by_role("link", name="Replay"))
    for text in ("Pause", "Play"):
        tap(page, page.locator("[data-go=play]"))
        expect(page.locator("[data-go=play]")).to_have_text(text)
    tap(page, page.locator("#more > summary"))
    last = page.locator(".steps li").count()

    def step_to(go: str, step: int) -> None:
        tap(page, page.locator(f"[data-go={go}]"))
        expect(page.locator("[data-now]")).to_have_text(str(step))

    step_to("last", last)
    assert look(page).boards == end.boards
    step_to("back", last - 1)
    step_to("first", 0)
    assert set(look(page).enemy.values()) == {"sea", "ship"}


def test_a_finger_drags_ships_from_the_harbour_and_across_the_board_and_off_it(
    open_page: OpenPage,
) -> None:
    page = open_page(place_address(), size=PHONE, touch=True, init=ONLY_TOUCH)
    ship = page.locator(".berth[data-length='5'] .berth-ship").first
    bow, sea = middle(ship, 0.1), middle(cell(page, "own", "C8"))
    assert middle(ship, 0.1) == bow, "board and harbour are not in view together"
    with answered(page):
        finger_drag(page, bow, sea)
    assert look(page).ships == ("C8h5",)
    with answered(page):
        finger_drag(page, middle(cell(page, "own", "D8")), middle(cell(page, "own", "D6")))
    assert look(page).ships == ("C6h5",)
    with answered(page):
        finger_drag(page, middle(cell(page, "own", "D6")), middle(page.locator("#status")))
    assert look(page).ships == ()


def test_a_finger_that_slides_over_the_sea_places_nothing(open_page: OpenPage) -> None:
    page = open_page(place_address(), size=PHONE, touch=True, init=ONLY_TOUCH)
    x, y = middle(cell(page, "own", "E8"))
    finger_drag(page, (x, y), (x, y - 120))
    assert look(page).ships == ()

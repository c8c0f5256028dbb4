"""What happens between a click and its answer, what stays as it was, and how a match ends."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from game.engine.rules import Side
from tests.support import deep
from tests.support.browser import PHONE, OpenPage, Page
from tests.support.matches import MINE, STILL, address, begun, nearly_won, place_address, won

OFFLINE = "ERR_INTERNET_DISCONNECTED|htmx:(sendError|afterRequest)"
"""What Chromium and htmx log where there is no connection."""
NO_CONNECTION = "There is no connection just now. Try again when it is back."


# --- one click, one shot ---


@pytest.mark.parametrize(
    ("where", "button", "clicks"),
    [
        (lambda: address(begun(STILL)), "[data-board=enemy] [data-cell=J6] button", 3),
        (lambda: place_address(MINE), "#act-start", 2),
    ],
)
def test_many_clicks_while_the_answer_is_slow_send_one_form(
    open_page: OpenPage, where: Callable[[], str], button: str, clicks: int
) -> None:
    page = open_page(where())
    waiting = page.hold()
    with page.answered():
        x, y = page.middle(button)
        with page.sent_and_held():
            for _ in range(clicks):
                page.mouse.click(x, y, delay=20)
        page.locator("td button").last.click()  # nor does a click elsewhere
        waiting[0].continue_()
    assert page.forms_sent == len(waiting) == 1
    page.see(phase="firing", turn="0")
    page.expects("#game").not_to_have_attribute("aria-busy", "true")
    spent = {name for name, state in page.seen.enemy.items() if state != "unknown"}
    assert spent <= {"J6"}


@pytest.mark.deep
def test_a_key_that_is_held_fires_one_shot(open_page: OpenPage) -> None:
    page = open_page(begun())
    page.target("E5").focus()
    with page.answered():
        for _ in range(5):
            page.keyboard.down("Enter")
    for _ in range(10):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    assert page.forms_sent == 1
    assert page.seen.turn == 2


# --- what stays ---


def test_the_focus_goes_to_what_comes_next_where_the_phase_changes(open_page: OpenPage) -> None:
    page = open_page(place_address(MINE))
    page.act("#act-start")
    assert page.focused == "enemy-A1"
    aimed = page.enemy_water
    page.fire(aimed)
    assert page.focused == f"enemy-{aimed}"
    page.act(page.locator(".steer").first)
    assert page.focused == f"enemy-{aimed}"
    page.reload()
    assert page.focused == "enemy-A1"
    page.unfold("#helping")
    page.act("#act-hints")
    assert page.focused == "act-hints"
    page.goto(address(nearly_won(1)))
    page.fire(*page.enemy_ships)
    page.see(outcome="won")
    for _again in range(2):
        assert page.focused == "phase"
        assert page.evaluate("scrollY") == 0
        page.reload()


def test_a_reload_at_any_moment_shows_the_same(open_page: OpenPage) -> None:
    page = open_page(place_address("B2h5"))

    def see_the_same_again() -> None:
        before, text, title = page.seen, page.says, page.title()
        link = page.get_attribute("nav a[hreflang=de]", "href") or ""
        page.reload()
        assert (page.seen, page.says, page.title()) == (before, text, title)
        page.expects("nav a[hreflang=de]").to_have_attribute("href", link)

    see_the_same_again()
    for button in ("#act-random", "#act-start"):
        page.act(button)
        see_the_same_again()
    page.fire(page.enemy_ships[0])
    see_the_same_again()
    page.fire(page.enemy_water)
    see_the_same_again()
    page.steer()
    see_the_same_again()
    page.goto(address(nearly_won(1)))
    page.fire(*page.enemy_ships)
    page.see(phase="over")
    see_the_same_again()


@pytest.mark.deep
def test_turns_add_nothing_to_the_history_and_change_the_status_once(open_page: OpenPage) -> None:
    page = open_page("/en/")
    page.goto(address(nearly_won(2)))
    before = page.evaluate("history.length")
    page.listen()
    for count in range(1, 5):
        name = page.enemy_water if count < 3 else page.enemy_ships[0]
        page.fire(name)
        heard = page.evaluate("heard")
        assert len(heard) == count, "the status is another node, or was changed twice"
        assert name in heard[-1]
    page.see(phase="over", turn="4")
    assert page.evaluate("history.length") == before
    page.go_back()
    expect(page).to_have_url(re.compile(r"//[^/]+/en/$"))


@pytest.mark.deep
def test_a_match_leaves_only_its_fingerprint_in_the_browsers_storage(open_page: OpenPage) -> None:
    page = open_page(place_address(MINE))
    page.act("#act-start")
    page.fire(page.enemy_ships[0])
    page.follow(".brand")
    kept = page.evaluate("[{ ...sessionStorage }, { ...localStorage }, document.cookie]")
    [fingerprint] = json.loads(kept[1].pop("battleship-fingerprints"))
    assert re.fullmatch(r"[0-9a-f]{64}", fingerprint)
    assert kept == [{}, {}, ""]


# --- what goes wrong; giving up ---


def test_a_click_without_a_connection_is_told_and_changes_nothing(open_page: OpenPage) -> None:
    page = open_page(begun(STILL), expects=OFFLINE)
    before, said, where = page.seen, page.says, page.url
    page.context.set_offline(True)
    page.target("J6").click()
    page.expects("[role=status]").to_have_text(NO_CONNECTION)
    assert (page.seen, page.url, page.focused) == (before, where, "enemy-J6")
    page.expects("#game").not_to_have_attribute("aria-busy", "true")
    page.context.set_offline(False)
    page.expects("[role=status]").to_have_text(said)
    page.fire("J6")
    assert page.seen.enemy["J6"] == "hit"


@pytest.mark.parametrize("key", ["Enter", deep("Escape")])
def test_giving_up_asks_first_and_the_question_is_waved_away_by_one_key(
    open_page: OpenPage, key: str
) -> None:
    page = open_page(begun())
    where = page.url
    page.unfold()
    page.focus("#act-resign")
    page.act_by_key("Enter")
    assert page.focused == "act-play-on"
    page.end_series()
    page.act_by_key(key)
    page.expects("#act-resign").to_be_visible()
    assert (page.seen.phase, page.url) == ("firing", where)


# --- after a match only its buttons and links lead on, and nothing does so by mistake ---

SECOND_CLICK = """it => it.dispatchEvent(
  new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 }))"""
"""Sends the second click of a double click and returns whether its default action happened."""


def see_the_end(page: Page, where: str) -> None:
    page.wait_for_pictures()
    assert page.url == where
    page.see(phase="over")


def test_what_ended_the_match_and_what_misses_the_buttons_lead_nowhere_but_enter_goes_on(
    open_page: OpenPage,
) -> None:
    page = open_page(nearly_won(1))
    page.evaluate("performance.now = () => window.later ?? 0")
    [last] = page.enemy_ships
    place = page.middle(page.target(last))
    with page.answered():
        page.mouse.click(*place)
    over = page.url
    for count in (2, 1):  # the second of a double click, and one more
        page.mouse.move(*place)
        page.mouse.down(click_count=count)
        page.mouse.up(click_count=count)
    assert not page.locator("#act-again").evaluate(SECOND_CLICK), "the button takes it"
    page.keys("Enter")
    page.cell("enemy", "E5").click()
    page.mouse.click(5, 700)
    page.keyboard.down("Enter")
    page.evaluate("import(document.querySelector('[src*=onward]').src).then(() => { later = 700 })")
    page.keyboard.down("Enter")  # is held
    page.keyboard.up("Enter")
    see_the_end(page, over)
    page.keys("Enter")
    page.expects("#act-start").to_be_focused()
    assert page.seen.ships == tuple(map(str, nearly_won(1).match.fleets[0]))
    phone = open_page(won(), touch=True, size=PHONE)
    phone.tap(".result h1")
    phone.touchscreen.tap(250, 575)
    see_the_end(phone, phone.url)


@pytest.mark.deep
def test_a_dealt_fleet_is_followed_by_another_at_once_and_back_leads_to_the_end(
    open_page: OpenPage,
) -> None:
    page = open_page(begun(is_dealt=True).resigned(Side.FIRST))
    over = page.url
    with page.answered():
        page.press("#act-again", "Enter")
    page.see(phase="firing", turn="0")
    assert page.saved.setup.seed_shares.client
    page.go_back()
    assert page.url == over
    page.follow(".brand", "#act-continue")
    page.see(phase="firing")
    with page.expect_request(lambda it: it.resource_type == "fetch" and "/fx." in it.url):
        page.follow(".brand")
    page.follow("#act-remove")
    page.expects("#act-quick").to_be_visible()
    page.expects("#act-continue").to_have_count(0)

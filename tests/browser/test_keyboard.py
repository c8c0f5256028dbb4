"""A whole game by keys alone: a pointer that moved would be an error."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.support.browser import OpenPage, focus, loaded, look, play_on, said
from tests.support.browser_duels import begun, cells_of, see_phase
from tests.support.browser_matches import (
    enemy_ships,
    enemy_water,
    is_over,
    later,
    place_address,
    played,
    replay_address,
)
from tests.support.gestures import ONLY_KEYS, TAB_STOPS, press, tab_to, walk_to
from tests.support.page import Seen


def test_a_match_is_placed_and_won_and_watched_again_by_keys_alone(open_page: OpenPage) -> None:
    page = open_page("/en/games/", init=ONLY_KEYS, expects="status of 422")
    tab_to(page, "#play-bonn")
    with loaded(page):
        page.keyboard.press("Enter")

    tab_to(page, "[data-board=own] button")
    assert focus(page) == "own-A1"
    walk_to(page, "C3")
    press(page, "Enter")  # the longest first
    assert focus(page) == "own-C3"
    assert look(page).ships == ("C3h5",)
    walk_to(page, "J3")
    page.keyboard.press("r")
    press(page, "Space")
    assert look(page).ships == ("C3h5", "J3v4")
    walk_to(page, "C3")
    press(page, "r")  # a placed ship turns about its bow
    assert focus(page) == "own-C3"
    assert look(page).ships == ("C3v5", "J3v4")
    walk_to(page, "J5")
    press(page, "Enter")  # picks it up
    walk_to(page, "J7")
    press(page, "Enter")  # and sets it down elsewhere
    assert look(page).ships == ("C3v5", "J7v4")
    walk_to(page, "D3")
    press(page, "Enter")
    assert said(page).endswith("Ships must not touch, not even at the corners.")
    assert focus(page) == "own-D3"
    tab_to(page, "#act-random")
    press(page, "Enter")
    assert focus(page) == "act-random"
    assert len(look(page).ships) == 10
    assert "C3v5" in look(page).ships
    tab_to(page, "#act-start", back=True)
    press(page, "Enter")
    assert look(page).phase == "firing"
    tab_to(page, "[data-board=enemy] button")

    def fire(name: str) -> None:
        walk_to(page, name)
        press(page, "Enter")
        if look(page).outcome is None:
            assert focus(page) == f"enemy-{name}"

    def steer(seen: Seen) -> None:
        if seen.turn == 2:
            aimed = focus(page)
            tab_to(page, "button[name=steer]")
            press(page, "Enter")
            assert focus(page) == aimed

    def aim(seen: Seen) -> str:
        return enemy_water(page.url) if seen.turn < 4 else enemy_ships(page.url)[0]

    play_on(page, aim=aim, fire=fire, steer=steer, until=4)
    page.goto(later(page.url, left=2))  # the hits in between are all alike
    tab_to(page, "[data-board=enemy] button")
    end = play_on(page, aim=aim, fire=fire, steer=steer)
    assert end.outcome == "won"
    assert focus(page) == "phase"
    tab_to(page, "#act-recap")
    with loaded(page):
        page.keyboard.press("Enter")
    page.keyboard.press("End")
    assert look(page).boards == end.boards
    tab_to(page, "#more > summary")
    page.keyboard.press("Enter")
    assert tab_to(page, "#act-again") > 5
    with loaded(page):
        page.keyboard.press("Enter")
    assert (look(page).phase, len(look(page).ships)) == ("placing", 10)


ONE_SHIP = "own/?columns=6&rows=6&n5=0&n4=0&n3=0&n2=1&again=off"


def test_two_play_at_two_devices_by_keys_alone_and_are_told_what_happens(
    open_page: OpenPage,
) -> None:
    anna = open_page(f"/en/new/{ONE_SHIP}&opponent=friend", init=ONLY_KEYS, size=(360, 640))
    ben = open_page(language="de", init=ONLY_KEYS, size=(844, 390))

    def begin(page: Page, name: str = "") -> None:
        if name:
            tab_to(page, ".own-name input")
            page.keyboard.type(name)
        tab_to(page, "#act-random")
        press(page, "Enter")
        tab_to(page, "#act-start")
        press(page, "Enter")

    def hear(page: Page, sentence: str) -> None:
        """By its role only what is read out is found."""
        expect(page.get_by_role("status").filter(has_text=sentence)).to_have_count(1)

    def fire(page: Page, name: str) -> None:
        if not focus(page).startswith("enemy-"):
            tab_to(page, "[data-board=enemy] button")
        walk_to(page, name)
        press(page, "Enter")

    begin(anna, "Anna")
    hear(anna, "Send the link to your friend.")
    ben.goto(anna.locator("#game").get_attribute("data-invite") or "")
    tab_to(anna, "#act-change")
    tab_to(ben, "#act-join")
    with loaded(ben):
        ben.keyboard.press("Enter")
    hear(anna, "Your opponent is placing a fleet.")
    assert focus(anna) == "phase", "the button that had the focus is gone"
    begin(ben, "Ben")
    hear(ben, "Anna ist dran.")
    see_phase(anna, "firing")
    expect(ben.locator("#presence")).to_have_text("Anna zielt")
    expect(ben.locator("#game")).to_have_attribute("data-presence", "aiming")
    fire(anna, cells_of(ben, "ship")[0])
    see_phase(ben, "firing")
    hear(ben, "Treffer.")
    assert focus(ben) == "enemy-A1"
    tab_to(anna, "#act-nudge")
    press(anna, "Enter")
    hear(ben, "Anna stupst dich an!")
    expect(ben).to_have_title("Anna stupst dich an!")
    fire(ben, cells_of(anna, "sea")[0])
    see_phase(anna, "firing")
    fire(anna, cells_of(ben, "ship")[0])
    see_phase(ben, "over")
    assert (focus(anna), focus(ben)) == ("phase", "phase")

    tab_to(ben, "#act-rematch")
    press(ben, "Enter")
    hear(ben, "Anna hat dein Angebot einer Revanche.")
    hear(anna, "wants a rematch.")
    tab_to(anna, "#act-rematch")
    with loaded(anna):
        anna.keyboard.press("Enter")
    see_phase(ben, "placing")
    begin(anna)
    begin(ben)
    hear(anna, "Waiting for Ben.")
    for summary in ("#more", "#leave"):
        tab_to(anna, f"{summary} > summary")
        anna.keyboard.press("Enter")
    tab_to(anna, "#act-leave")
    expect(ben).to_have_title(re.compile("^Du bist dran"))  # an old nudge is no news
    with loaded(anna):
        anna.keyboard.press("Enter")
    see_phase(ben, "over")
    hear(ben, "Anna gibt auf.")
    expect(ben.locator("#presence")).to_have_text("Anna hat die Partie verlassen")
    expect(anna.locator("#game")).to_have_attribute("data-reason", "resigned")
    tab_to(ben, "#act-invite-again")


def test_the_focus_is_kept_where_a_button_goes_as_the_friend_does(open_page: OpenPage) -> None:
    anna, ben = begun(open_page, init=ONLY_KEYS)
    there = ["here"]
    anna.route("**/wait/**", lambda it: it.fulfill(status=204, headers={"Presence": there[0]}))
    tab_to(anna, "[data-board=enemy] button")
    walk_to(anna, cells_of(ben, "sea")[0])
    press(anna, "Enter")
    tab_to(anna, "#act-nudge")
    there[0] = "away 2"
    expect(anna.locator("#remind")).to_be_visible()
    assert focus(anna) == "phase"


def test_the_replay_obeys_its_keys(open_page: OpenPage) -> None:
    page = open_page(f"{replay_address(played(is_over))}?step=5", init=ONLY_KEYS)
    last = page.locator(".steps li").count()
    now, play = page.locator("[data-now]"), page.locator("[data-go=play]")

    def see(key: str, step: int) -> None:
        page.keyboard.press(key)
        expect(now).to_have_text(str(step))
        expect(play).to_have_text("Play")

    see("ArrowRight", 6)
    tab_to(page, "[data-go=play]")
    page.evaluate("""() => {
      document.querySelector("#game h2").insertAdjacentHTML("beforeend", "<input id='within'>");
      document.body.insertAdjacentHTML("beforeend", "<input id='outside'>");
    }""")
    for elsewhere in (".brand", "#outside", "#within"):  # there they are nobody's keys but its own
        page.locator(elsewhere).focus()
        for key in ("ArrowRight", "j", "k", "0", "$", "Home", "End", "Space"):
            see(key, 6)
    assert page.locator("#within").input_value() == page.locator("#outside").input_value() != ""
    page.locator("#game .phase").focus()
    see("j", 7)
    see("ArrowLeft", 6)
    see("k", 5)
    see("Home", 0)
    see("ArrowLeft", 0)
    see("End", last)
    see("ArrowRight", last)
    see("0", 0)
    see("$", last)
    see("Home", 0)
    page.keyboard.press("Space")
    expect(play).to_have_text("Pause")
    expect(now).not_to_have_text("0")
    page.keyboard.press("Space")
    expect(play).to_have_text("Play")
    see("Home", 0)
    tab_to(page, "#step")
    see("ArrowRight", 1)  # the slider's own keys
    see("End", last)
    tab_to(page, "[data-speed]", back=True)
    page.keyboard.press("ArrowDown")
    expect(now).to_have_text(str(last))


def test_the_arrows_stop_at_the_edges_and_home_and_end_leap_to_them(open_page: OpenPage) -> None:
    page = open_page(place_address(), init=ONLY_KEYS)
    tab_to(page, "[data-board=own] button")
    for key, there in (
        ("ArrowUp", "A1"), ("ArrowLeft", "A1"), ("End", "J1"), ("ArrowRight", "J1"),
        ("ArrowDown", "J2"), ("Control+End", "J10"), ("ArrowDown", "J10"), ("Home", "A10"),
        ("ArrowUp", "A9"), ("Control+Home", "A1"),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert focus(page) == f"own-{there}"


def test_a_board_is_one_stop_of_the_tab_key(open_page: OpenPage) -> None:
    page = open_page(place_address(), init=ONLY_KEYS)
    stops = 0
    page.keyboard.press("Tab")
    while focus(page) != "BODY":
        stops += 1
        assert stops <= TAB_STOPS
        page.keyboard.press("Tab")


def test_enter_on_a_choice_places_nothing_by_itself(open_page: OpenPage) -> None:
    page = open_page(place_address("C3h5"), init=ONLY_KEYS)
    tab_to(page, "[name=pick]")
    press(page, "Enter")
    assert look(page).ships == ("C3h5",)

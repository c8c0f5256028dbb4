"""Two at two devices, each in a browser of their own: what they see and hear, and when."""

from __future__ import annotations

import re
from sqlite3 import Connection

import pytest
from playwright.sync_api import Page, Request, expect

from game.engine.presets import PRESETS
from tests.support.browser import (
    LANDSCAPE,
    ONLY_KEYS,
    PHONE,
    VOICES,
    OpenPage,
    click,
    fire,
    focus,
    follow,
    look,
    press,
    said,
    see,
    see_language,
    steer,
    tab_to,
    target,
    unfold,
    walk_to,
)
from tests.support.browser_duels import (
    HASTE,
    ONE_SHIP,
    Players,
    begun,
    cells_of,
    invite,
    join,
    place,
    see_phase,
)

OFFLINE = "ERR_INTERNET_DISCONNECTED"


def play_out(players: Players) -> None:
    """Plays to the end: the first seat always hits, the second always misses."""
    first, second = players
    while True:
        fire(first, cells_of(second, "ship")[0])
        if look(first).phase == "over":
            break
        see_phase(second, "firing")
        fire(second, cells_of(first, "sea")[0])
        see_phase(first, "firing")
    see_phase(second, "over")


def test_two_play_a_match_and_a_rematch_in_two_languages(open_page: OpenPage) -> None:
    first = open_page("/en/", init=HASTE)
    second = open_page(language="de", init=HASTE)
    expect(first.locator("#act-friend")).to_have_text("Play a friend")
    link = invite(first, ONE_SHIP, name="Anna")
    expect(first.locator(".to-copy")).to_have_value(link)
    expect(first.locator(".code svg")).to_be_visible()
    second.goto(link.replace("/invite/", "/de/invite/"))
    expect(second.locator("h1")).to_contain_text("Anna")
    join(second, link, language="de")
    expect(first.locator(".invited .lead")).to_have_text("Your opponent is placing a fleet.")
    place(second, "Ben")
    see_phase(first, "firing")
    see_language(first, "en")
    see_language(second, "de")
    expect(first).to_have_title(re.compile("^Your turn"))
    expect(second).to_have_title(re.compile("^Warten auf Anna"))
    assert second.locator("button[name=cell], .steer").count() == 0
    assert "Anna ist dran" in said(second)

    play_out(Players(first, second))
    see(first, outcome="won")
    see(second, outcome="lost")
    expect(first.locator(".result-card .tally")).to_have_text("You 1 : 0 Ben")

    click(second, "#act-rematch")
    expect(second.locator("#act-rematch")).to_have_count(0)
    expect(first.locator("#status")).to_have_text("Ben wants a rematch.")
    # The last shot was told before.
    assert not any(page.locator("[data-shots]").count() for page in (first, second))
    follow(first, "#act-rematch")
    see_phase(second, "placing")
    for page, score in ((first, "You 1 : 0 Ben"), (second, "Anna 1 : 0 Du")):
        expect(page.locator(".harbour .tally")).to_contain_text(score)
        place(page)
    # The loser begins.
    see_phase(second, "firing")
    see_phase(first, "waiting")


@pytest.mark.deep
def test_two_play_a_match_without_a_script(open_page: OpenPage) -> None:
    first, second = open_page(script=False), open_page(language="de", script=False)
    join(second, invite(first, ONE_SHIP), language="de")
    place(second)
    first.reload()
    assert second.locator("meta[http-equiv=refresh]").count() == 1
    play_out(Players(first, second))
    click(first, "#act-rematch")
    second.reload()
    assert said(second).endswith("Dein Gegenüber möchte eine Revanche.")
    click(second, "#act-rematch")
    see_phase(first, "placing")


@pytest.mark.deep
def test_two_play_by_keys_alone_and_are_told_what_happens(open_page: OpenPage) -> None:
    anna = open_page(f"/en/new/{ONE_SHIP}&opponent=friend", init=HASTE + ONLY_KEYS, size=PHONE)
    ben = open_page(language="de", init=HASTE + ONLY_KEYS, size=LANDSCAPE)

    def begin(page: Page, name: str = "") -> None:
        if name:
            tab_to(page, ".own-name input")
            page.keyboard.type(name)
        for button in ("#act-random", "#act-start"):
            tab_to(page, button)
            press(page, "Enter")

    def hear(page: Page, sentence: str) -> None:
        """By its role only what is read out is found."""
        expect(page.get_by_role("status").filter(has_text=sentence)).to_have_count(1)

    def fire(page: Page, name: str) -> None:
        if not focus(page).startswith("enemy-"):
            tab_to(page, "[data-board=enemy] button")
        walk_to(page, name)
        press(page, "Enter")

    def follow(page: Page) -> None:
        with page.expect_event("load"):
            page.keyboard.press("Enter")

    begin(anna, "Anna")
    hear(anna, "Send the link to your friend.")
    ben.goto(anna.locator("#game").get_attribute("data-invite") or "")
    tab_to(anna, "#act-change")
    tab_to(ben, "#act-join")
    follow(ben)
    hear(anna, "Your opponent is placing a fleet.")
    assert focus(anna) == "phase", "the button that had the focus is gone"
    begin(ben, "Ben")
    hear(ben, "Anna ist dran.")
    see_phase(anna, "firing")
    expect(ben.locator("#presence")).to_have_text("Anna zielt")
    see(ben, presence="aiming")
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
    follow(anna)
    see_phase(ben, "placing")
    begin(anna)
    begin(ben)
    hear(anna, "Waiting for Ben.")
    for summary in ("#more", "#leave"):
        tab_to(anna, f"{summary} > summary")
        anna.keyboard.press("Enter")
    tab_to(anna, "#act-leave")
    expect(ben).to_have_title(re.compile("^Du bist dran"))  # an old nudge is no news
    follow(anna)
    see_phase(ben, "over")
    hear(ben, "Anna gibt auf.")
    expect(ben.locator("#presence")).to_have_text("Anna hat die Partie verlassen")
    see(anna, reason="resigned")
    tab_to(ben, "#act-invite-again")


# --- a page that follows the other one ---


def test_a_page_that_waits_asks_every_second(open_page: OpenPage) -> None:
    """On a clock that stands still unless the test lets it run."""
    page = open_page(fresh=True)
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    waiting = begun(open_page).second
    page.context.add_cookies(waiting.context.cookies())  # type: ignore[arg-type]
    page.goto(waiting.url)
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if "/wait/" in request.url else None)

    def let_it_ask(milliseconds: int) -> None:
        with page.expect_response("**/wait/**"):
            page.clock.run_for(milliseconds)
        page.evaluate("() => fetch('/healthz')")  # by then the script has set its next alarm

    let_it_ask(1000)
    for count in (1, 2):
        page.clock.run_for(990)
        assert len(asked) == count
        let_it_ask(20)
        assert len(asked) == count + 1


def test_a_page_asks_as_soon_as_its_fleet_is_placed(open_page: OpenPage) -> None:
    """And not only when the slower alarm of placing ships goes off."""
    page = open_page(fresh=True)
    page.clock.install(time=0)
    page.goto("/en/new/bonn/?opponent=friend")
    click(page, "#act-random")
    page.clock.pause_at(60_000)
    page.locator("#act-start").click()
    see(page, phase="waiting")
    with page.expect_request("**/wait/**/0/", timeout=10_000):
        page.clock.run_for(2_000)


def test_once_the_friend_has_gone_the_player_can_copy_a_reminder(open_page: OpenPage) -> None:
    """The button that had the focus goes as the friend does, and a script comes late."""
    anna, ben = begun(open_page, names=("Anna", "Ben"))
    there = ["here"]
    anna.route("**/wait/**", lambda it: it.fulfill(status=204, headers={"Presence": there[0]}))
    fire(anna, cells_of(ben, "sea")[0])
    anna.locator("#act-nudge").focus()
    there[0] = "away 3"
    expect(anna.locator("#remind")).to_be_visible()
    assert focus(anna) == "phase"
    anna.get_by_text("Remind Ben").click()
    expect(anna.locator("#remind [data-copy]")).to_be_visible()


BELL = 1180
"""Hertz: no other sound has it."""


def test_following_rings_a_bell_and_leaves_the_focus_and_what_is_unfolded(
    open_page: OpenPage,
) -> None:
    first, second = begun(open_page, init=VOICES)
    for page in (first, second):
        page.evaluate("document.documentElement.dataset.sound = 'on'")
    unfold(second, "#text-view")
    second.locator(".menu-button").focus()
    before = focus(second)
    target(first, cells_of(second, "sea")[0]).focus()
    aimed = focus(first)
    press(first, "Enter")
    see_phase(second, "firing")
    second.wait_for_function("bell => voices.includes(bell)", arg=BELL)
    assert BELL not in first.evaluate("voices")
    expect(second.locator("#text-view")).to_have_attribute("open", "")
    assert focus(second) == before
    fire(second, cells_of(first, "sea")[0])
    see_phase(first, "firing")
    assert focus(first) == aimed, "by keys the player aims on"


@pytest.mark.deep
def test_a_hidden_page_follows_too_and_its_tab_says_whose_turn_it_is(open_page: OpenPage) -> None:
    first, second = begun(open_page)
    second.evaluate("""() => {
      Object.defineProperty(document, "hidden", { get: () => true });
      document.dispatchEvent(new Event("visibilitychange"));
    }""")
    fire(first, cells_of(second, "sea")[0])
    expect(second).to_have_title(re.compile("^Your turn"))


def test_a_page_that_was_offline_is_told_what_it_has_missed(open_page: OpenPage) -> None:
    first, second = begun(open_page, expects=OFFLINE)
    water = cells_of(second, "sea")[0]
    with second.expect_event("requestfailed", lambda request: "/wait/" in request.url):
        second.context.set_offline(True)
    fire(first, water)
    assert look(second).phase == "waiting"
    second.context.set_offline(False)
    see_phase(second, "firing")
    see(second, shots=f"own:{water}:water")
    fire(second, cells_of(first, "sea")[0])
    see_phase(first, "firing")


def test_both_pages_go_on_by_themselves_after_a_loss_of_the_match_store(
    open_page: OpenPage, match_store: Connection
) -> None:
    first, second = begun(open_page)
    match_store.execute("DELETE FROM register")
    for state in ("[data-lost]", ":not([data-lost])"):
        for page in (first, second):
            page.wait_for_selector(f"#game{state}", state="attached")
    fire(first, cells_of(second, "sea")[0])
    see_phase(second, "firing")


def test_reloading_and_going_back_and_forward_lead_to_the_newest_step(open_page: OpenPage) -> None:
    first, second = begun(open_page)
    older, lie, heard = first.url, cells_of(first, "ship"), said(second)
    steer(first)
    moved = cells_of(first, "ship")
    assert moved != lie
    for where in (first.url, older):
        first.goto(where)
        assert cells_of(first, "ship") == moved
    assert first.locator("button[name=steer]").count() == 0
    assert said(second) == heard
    fire(first, cells_of(second, "sea")[0])
    see_phase(second, "firing")
    water = cells_of(first, "sea")[0]
    for where in (first.url, older):
        first.goto(where)
        assert look(first).phase == "waiting"
    first.goto("/en/rules/")
    first.go_back()
    assert look(first).phase == "waiting"
    fire(second, water)
    first.go_forward()
    first.go_back()
    see_phase(first, "firing")


# --- whole matches of every preset ---


@pytest.mark.long
@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "own"])
def test_whole_matches_of_every_preset(open_page: OpenPage, preset: str, script: bool) -> None:
    """The first fires at ships, the second at water, and at times they move a ship before."""
    first, second = begun(open_page, f"{preset}/", languages=("en", "de"), script=script)
    while (seen := look(first)).outcome is None:
        page, other = (first, second) if seen.phase != "waiting" else (second, first)
        see_phase(page, "firing")
        free = page.locator("[data-board=enemy] button:not([aria-disabled])").evaluate_all(
            "them => them.map((it) => it.value)"
        )
        ships = [name for name in cells_of(other, "ship") if name in free]
        chosen = ships[:1] if page is first else [name for name in free if name not in ships]
        if len(free) % 3 == 0 and page.locator(".steer").count():
            steer(page)
        fire(page, (chosen or free)[0])
        if look(page).phase in ("waiting", "over"):
            see_phase(other, "firing", "over")
    assert seen.outcome == "won"
    see_phase(second, "over")
    assert look(second).outcome == "lost"

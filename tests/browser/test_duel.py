"""Two at two devices, each in a browser of their own: what they see, and when."""

from __future__ import annotations

import re
from sqlite3 import Connection

import pytest
from playwright.sync_api import Page, Request, expect

from game.engine.presets import PRESETS
from tests.support.browser import (
    OpenPage,
    answered,
    focus,
    language_of,
    loaded,
    look,
    said,
    target,
)
from tests.support.browser_duels import (
    SMALL,
    Players,
    begun,
    cells_of,
    fire_at,
    invite,
    join,
    move,
    place,
    press,
    see_phase,
    see_phase_in,
    sent,
)

GAME = "#game"


def play_out(players: Players) -> None:
    """Plays to the end: the first seat always hits, the second always misses."""
    first, second = players
    while True:
        fire_at(first, cells_of(second, "ship")[0])
        if first.locator(GAME).get_attribute("data-phase") == "over":
            return
        see_phase(second, "firing")
        fire_at(second, cells_of(first, "sea")[0])
        see_phase(first, "firing")


def see_phase_at_once(page: Page, phase: str) -> None:
    assert page.locator(GAME).get_attribute("data-phase") == phase


def test_two_play_a_match_and_a_rematch_in_two_languages(open_page: OpenPage) -> None:
    first, second = open_page("/en/"), open_page(language="de")
    expect(first.locator("#act-friend")).to_have_text("Play a friend")
    link = invite(first, SMALL, name="Anna")
    expect(first.locator(".to-copy")).to_have_value(link)
    expect(first.locator(".code svg")).to_be_visible()
    second.goto(link.replace("/invite/", "/de/invite/"))
    expect(second.locator("h1")).to_contain_text("Anna")
    join(second, link, language="de")
    expect(first.locator(".invited .lead")).to_have_text("Your opponent is placing a fleet.")
    place(second, "Ben")
    see_phase(first, "firing")
    assert (language_of(first.url), language_of(second.url)) == ("en", "de")
    expect(first).to_have_title(re.compile("^Your turn"))
    expect(second).to_have_title(re.compile("^Warten auf Anna"))
    assert second.locator("button[name=cell], .steer").count() == 0
    assert "Anna ist dran" in said(second)

    play_out(Players(first, second))
    see_phase(second, "over")
    expect(first.locator(GAME)).to_have_attribute("data-outcome", "won")
    expect(second.locator(GAME)).to_have_attribute("data-outcome", "lost")
    expect(first.locator(".result-card .tally")).to_have_text("You 1 : 0 Ben")

    press(second, "#act-rematch")
    expect(second.locator("#act-rematch")).to_have_count(0)
    expect(first.locator("#status")).to_have_text("Ben wants a rematch.")
    # The last shot was told before.
    assert not any(page.locator("[data-shots]").count() for page in (first, second))
    with loaded(first):
        first.locator("#act-rematch").click()
    see_phase(second, "placing")
    for page, score in ((first, "You 1 : 0 Ben"), (second, "Anna 1 : 0 Du")):
        expect(page.locator(".harbour .tally")).to_contain_text(score)
        place(page)
    # The loser begins.
    see_phase(second, "firing")
    see_phase(first, "waiting")


def test_two_play_a_match_without_a_script(open_page: OpenPage) -> None:
    players = begun(open_page, SMALL, languages=("en", "de"), script=False)
    assert players.second.locator("meta[http-equiv=refresh]").count() == 1
    play_out(players)
    see_phase(players.second, "over")
    press(players.first, "#act-rematch")
    players.second.reload()
    assert said(players.second).endswith("Dein Gegenüber möchte eine Revanche.")
    press(players.second, "#act-rematch")
    see_phase(players.first, "placing")


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
    with answered(page):
        page.locator("#act-random").click()
    page.clock.pause_at(60_000)
    page.locator("#act-start").click()
    expect(page.locator(GAME)).to_have_attribute("data-phase", "waiting")
    with page.expect_request("**/wait/**/0/", timeout=10_000):
        page.clock.run_for(2_000)


def test_the_inviter_can_copy_the_reminder(open_page: OpenPage) -> None:
    """The script that copies was loaded for the invitation already."""
    anna, ben = open_page(), open_page()
    join(ben, invite(anna, SMALL))
    place(ben, "Ben")
    see_phase(anna, "firing")
    anna.route("**/wait/**", lambda it: it.fulfill(status=204, headers={"Presence": "away 3"}))
    fire_at(anna, cells_of(ben, "sea")[0])
    anna.get_by_text("Remind Ben").click()
    expect(anna.locator("#remind [data-copy]")).to_be_visible()


def test_following_takes_neither_the_focus_nor_what_is_unfolded(open_page: OpenPage) -> None:
    first, second = begun(open_page)
    second.locator("#text-view > summary").click()
    second.locator(".menu-button").focus()
    before = focus(second)
    fire_at(first, cells_of(second, "ship")[0])
    see_phase(second, "firing")
    expect(second.locator("#text-view")).to_have_attribute("open", "")
    assert focus(second) == before


def test_who_aims_by_keys_aims_on_after_the_turn_of_the_other_one(open_page: OpenPage) -> None:
    first, second = begun(open_page)
    target(first, cells_of(second, "sea")[0]).focus()
    aimed = focus(first)
    with sent(first):
        first.keyboard.press("Enter")
    see_phase(second, "firing")
    fire_at(second, cells_of(first, "sea")[0])
    see_phase(first, "firing")
    assert focus(first) == aimed


HEARD = """
window.heard = [];
const set = AudioParam.prototype.setValueAtTime;
AudioParam.prototype.setValueAtTime = function (value, at) {
  window.heard.push(value);
  return set.call(this, value, at);
};
"""
BELL = 1180
"""Hertz: no other sound has it."""


def test_a_bell_rings_at_ones_turn_where_sounds_are_on(open_page: OpenPage) -> None:
    first, second = begun(open_page, init=HEARD)
    for page in (first, second):
        page.evaluate("document.documentElement.dataset.sound = 'on'")
    fire_at(first, cells_of(second, "sea")[0])
    see_phase(second, "firing")
    second.wait_for_function("bell => heard.includes(bell)", arg=BELL)
    assert BELL not in first.evaluate("heard")


def test_a_hidden_page_follows_too_and_its_tab_says_whose_turn_it_is(open_page: OpenPage) -> None:
    first, second = begun(open_page)
    second.evaluate("""() => {
      Object.defineProperty(document, "hidden", { get: () => true });
      document.dispatchEvent(new Event("visibilitychange"));
    }""")
    fire_at(first, cells_of(second, "sea")[0])
    expect(second).to_have_title(re.compile("^Your turn"))


def test_a_page_that_was_offline_goes_on_where_the_match_stands(open_page: OpenPage) -> None:
    first, second = begun(open_page, expects="ERR_INTERNET_DISCONNECTED")
    water = cells_of(second, "sea")[0]
    with second.expect_event("requestfailed", lambda request: "/wait/" in request.url):
        second.context.set_offline(True)
    fire_at(first, water)
    see_phase_at_once(second, "waiting")
    second.context.set_offline(False)
    see_phase(second, "firing")
    fire_at(second, cells_of(first, "sea")[0])
    see_phase(first, "firing")


def test_both_pages_go_on_by_themselves_after_a_loss_of_the_match_store(
    open_page: OpenPage, match_store: Connection
) -> None:
    first, second = begun(open_page)
    match_store.execute("DELETE FROM register")
    for page in (first, second):
        page.wait_for_selector("#game[data-lost]", state="attached")
    for page in (first, second):
        page.wait_for_selector("#game:not([data-lost])", state="attached")
    fire_at(first, cells_of(second, "sea")[0])
    see_phase(second, "firing")


def test_a_shot_is_told_even_if_a_page_has_missed_the_step_of_it(open_page: OpenPage) -> None:
    first, second = begun(open_page, expects="ERR_INTERNET_DISCONNECTED")
    fired_at = cells_of(second, "sea")[0]
    with second.expect_event("requestfailed", lambda request: "/wait/" in request.url):
        second.context.set_offline(True)
    fire_at(first, fired_at)
    second.context.set_offline(False)
    see_phase(second, "firing")
    expect(second.locator(GAME)).to_have_attribute("data-shots", f"own:{fired_at}:water")


@pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.long)])
def test_reloading_and_going_back_and_forward_lead_to_the_newest_step(
    open_page: OpenPage, script: bool
) -> None:
    first, second = begun(open_page, script=script)
    older, lie, heard = first.url, cells_of(first, "ship"), said(second)
    moved = move(first)
    assert moved != lie
    first.reload()
    assert cells_of(first, "ship") == moved
    first.goto(older)
    assert cells_of(first, "ship") == moved
    assert first.locator("button[name=steer]").count() == 0
    assert said(second) == heard
    fire_at(first, cells_of(second, "sea")[0])
    see_phase(second, "firing")
    first.reload()
    see_phase_at_once(first, "waiting")
    first.goto(older)
    see_phase_at_once(first, "waiting")
    first.goto("/en/rules/")
    first.go_back()
    see_phase_at_once(first, "waiting")
    fire_at(second, cells_of(first, "sea")[0])
    first.go_forward()
    first.go_back()
    see_phase(first, "firing")


# --- whole matches of every preset ---


@pytest.mark.long
@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "own"])
def test_whole_matches_of_every_preset(open_page: OpenPage, preset: str, script: bool) -> None:
    """The first fires at ships, the second at water, and at times they move a ship before."""
    players = begun(open_page, f"{preset}/", languages=("en", "de"), script=script)
    first, second = players
    while (seen := look(first)).outcome is None:
        page, other = (first, second) if seen.phase != "waiting" else (second, first)
        see_phase(page, "firing")
        free = page.locator("[data-board=enemy] button:not([aria-disabled])").evaluate_all(
            "them => them.map((it) => it.value)"
        )
        ships = [name for name in cells_of(other, "ship") if name in free]
        chosen = ships[:1] if page is first else [name for name in free if name not in ships]
        if len(free) % 3 == 0 and page.locator("button[name=steer]").count():
            move(page)
        fire_at(page, (chosen or free)[0])
        if look(page).phase in ("waiting", "over"):
            see_phase_in(other, ("firing", "over"))
    assert seen.outcome == "won"
    see_phase(second, "over")
    assert look(second).outcome == "lost"

"""Two at two devices, each in a browser of their own: what they see and hear, and when."""

import re
import time

import pytest
from playwright.sync_api import Route, expect

from game.web.versions import HEADER
from tests.duel.browsers import HASTE, ONE_SHIP, begun, cells_of, invite, join, place, see_phase
from tests.support.browser import LANDSCAPE, ONLY_KEYS, PHONE, VOICES, OpenPage, Page
from tests.support.presses import press_by_key, press_by_mouse, reach


def play_out(first: Page, second: Page) -> None:
    """Plays to the end: the first seat always hits, the second always misses."""
    while True:
        first.fire(cells_of(second, "ship")[0])
        if first.seen.phase == "over":
            break
        see_phase(second, "firing")
        second.fire(cells_of(first, "sea")[0])
        see_phase(first, "firing")
    see_phase(second, "over")


def test_two_play_a_match_and_a_rematch_in_two_languages(open_page: OpenPage) -> None:
    first = open_page("/en/", init=HASTE)
    second = open_page(language="de", init=HASTE)
    first.expects("#act-friend").to_have_text("Play a friend")
    link = invite(first, ONE_SHIP, name="Anna")
    first.expects(".to-copy").to_have_value(link)
    first.expects(".code svg").to_be_visible()
    second.goto(link.replace("/invite/", "/de/invite/"))
    second.expects("h1").to_contain_text("Anna")
    join(second, link, language="de")
    first.expects("#status").to_have_text("Your opponent has yet to place a fleet.")
    place(second, "Ben")
    see_phase(first, "firing")
    first.see_language("en")
    second.see_language("de")
    expect(first).to_have_title(re.compile("^Your turn"))
    expect(second).to_have_title(re.compile("^Warten auf Anna"))
    assert second.count("button[name=cell], .steer") == 0
    assert "Anna ist dran" in second.says

    play_out(first, second)
    first.see(outcome="won")
    second.see(outcome="lost")
    first.expects(".result .tally").to_have_text("You 1 : 0 Ben")

    second.act("#act-rematch")
    second.expects("#act-rematch").to_have_count(0)
    first.expects("#status").to_have_text("Ben wants a rematch.")
    # The last shot was told before.
    assert not any(page.count("[data-shots]") for page in (first, second))
    first.follow("#act-rematch")
    see_phase(second, "placing")
    for page, score in ((first, "You 1 : 0 Ben"), (second, "Du 0 : 1 Anna")):
        page.expects(".harbour .tally").to_contain_text(score)
        place(page)
    # The loser begins.
    see_phase(second, "firing")
    see_phase(first, "waiting")


@pytest.mark.deep
def test_of_quick_presses_the_first_counts_and_no_fleet_is_fired_at_unseen(
    open_page: OpenPage,
) -> None:
    """B13: the third press was made before the answer was there."""
    pages = begun(open_page)
    for press, (page, other) in ((press_by_key, pages), (press_by_mouse, pages[::-1])):
        see_phase(page, "firing")
        name = cells_of(other, "sea")[0]
        where, before, now = reach(page, f"[data-cell={name}] button"), page.forms_sent, time.time()
        press(page, where, now, 1)
        press(page, where, now + 0.1, 2)
        page.see(phase="waiting")
        press(page, where, now + 0.2, 3)
        assert page.forms_sent == before + 1
        assert page.focused == "phase"


@pytest.mark.deep
def test_two_play_by_keys_alone_and_are_told_what_happens(open_page: OpenPage) -> None:
    anna = open_page(f"/en/new/{ONE_SHIP}&opponent=friend", init=HASTE + ONLY_KEYS, size=PHONE)
    ben = open_page(language="de", init=HASTE + ONLY_KEYS, size=LANDSCAPE)

    def begin(page: Page, name: str = "") -> None:
        if name:
            page.tab_to(".own-name input")
            page.keyboard.type(name)
        for button in ("#act-random", "#act-start"):
            page.tab_to(button)
            page.act_by_key("Enter")

    def hear(page: Page, sentence: str) -> None:
        """By its role only what is read out is found."""
        expect(page.get_by_role("status").filter(has_text=sentence)).to_have_count(1)

    def fire_at(page: Page, name: str) -> None:
        if not page.focused.startswith("enemy-"):
            page.tab_to("[data-board=enemy] button")
        page.walk_to(name)
        page.act_by_key("Enter")

    def enter(page: Page) -> None:
        with page.expect_event("load"):
            page.keys("Enter")

    begin(anna, "Anna")
    hear(anna, "Send the link to your friend.")
    ben.goto(anna.get_attribute("#game", "data-invite") or "")
    anna.tab_to("#act-change")
    ben.tab_to("#act-join")
    enter(ben)
    hear(anna, "Your opponent has yet to place a fleet.")
    assert anna.focused == "phase", "the button that had the focus is gone"
    begin(ben, "Ben")
    hear(ben, "Anna ist dran.")
    see_phase(anna, "firing")
    ben.expects("#presence").to_have_text("Anna zielt")
    ben.see(presence="aiming")
    fire_at(anna, cells_of(ben, "ship")[0])
    see_phase(ben, "firing")
    hear(ben, "Anna: ")
    assert ben.focused == "enemy-A1"
    anna.tab_to("#calls summary")
    anna.keys("Enter")
    anna.tab_to("#act-good-shot")
    anna.act_by_key("Enter")
    hear(ben, "Anna: „Guter Schuss!“")
    expect(ben).to_have_title("Anna: „Guter Schuss!“")
    fire_at(ben, cells_of(anna, "sea")[0])
    see_phase(anna, "firing")
    fire_at(anna, cells_of(ben, "ship")[0])
    see_phase(ben, "over")
    assert (anna.focused, ben.focused) == ("phase", "phase")
    anna.tab_to("#act-rematch")
    anna.act_by_key("Enter")
    hear(ben, "Anna möchte eine Revanche.")
    ben.tab_to("#act-rematch")
    enter(ben)


# --- a page that follows the other one ---


BELL = 1180
"""Hertz: no other sound has it."""


def test_a_page_follows_and_is_the_newest_step_wherever_one_comes_from(open_page: OpenPage) -> None:
    """It rings a bell, and leaves the focus, what is unfolded, and what is selected there."""
    first, second = begun(open_page, init=VOICES)
    for page in (first, second):
        page.evaluate("document.documentElement.dataset.sound = 'on'")
    second.unfold("#text-view")
    second.locator("#told dt").last.evaluate("it => getSelection().selectAllChildren(it)")
    second.focus(".menu-button")
    before, lie, heard = second.focused, cells_of(first, "ship"), second.says
    first.steer()
    moved = cells_of(first, "ship")
    assert moved != lie
    first.reload()
    assert cells_of(first, "ship") == moved
    assert (first.count("button[name=steer]"), second.says) == (0, heard)
    water = cells_of(second, "sea")[0]
    first.target(water).focus()
    aimed = first.focused
    first.act_by_key("Enter")
    see_phase(second, "firing")
    second.wait_for_function("bell => voices.includes(bell)", arg=BELL)
    assert BELL not in first.evaluate("voices")
    second.expects("#text-view").to_have_attribute("open", "")
    second.expects("#told").to_contain_text(water)
    assert second.focused == before
    assert second.evaluate("String(getSelection())")
    second.fire(cells_of(first, "sea")[0])
    see_phase(first, "firing")
    assert first.focused == aimed, "by keys the player aims on"
    first.fire(cells_of(second, "sea")[1])
    first.goto("/en/rules/")
    first.go_back()
    assert first.seen.phase == "waiting"
    second.fire(cells_of(first, "sea")[1])
    # A page that comes back from the browser's cache is there before the driver knows of it.
    for way in ("forward", "back"):
        first.evaluate(f"() => {{ setTimeout(() => history.{way}()); }}")
        first.expects("#game").to_have_count(int(way == "back"))
    see_phase(first, "firing")


@pytest.mark.deep
def test_a_page_says_that_it_is_hidden_or_closed_and_follows(open_page: OpenPage) -> None:
    """It isn't closed where a link leads to the match."""
    first, second = begun(open_page)
    second.add_init_script("navigator.sendBeacon = (where) => localStorage.setItem('gone', where)")
    with second.expect_request(lambda it: it.headers.get("presence", "").startswith("hidden")):
        second.evaluate("""() => {
          Object.defineProperty(document, "hidden", { get: () => true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""")
    first.fire(cells_of(second, "sea")[0])
    expect(second).to_have_title(re.compile("^Your turn"))
    second.reload()
    second.evaluate("localStorage.clear()")
    second.follow("a[hreflang=de]")
    assert second.evaluate("localStorage.gone") is None
    second.goto("/en/")
    assert "/wait/" in second.evaluate("localStorage.gone")


def _answered_by_a_portal(route: Route) -> None:
    """Answers in place of the site, but for its files."""
    if "/static/" in route.request.url:
        route.continue_()
    else:
        route.fulfill(content_type="text/html", body="<!DOCTYPE html><title>Hotel</title>")


def test_what_fails_on_the_way_is_told_and_then_the_match_goes_on(open_page: OpenPage) -> None:
    """The network, the database, another network's portal, and at last the friend."""
    expects = "ERR_INTERNET_DISCONNECTED|503|status of|Status Error"
    anna, ben = begun(open_page, names=("Anna", "Ben"), expects=expects)
    water = cells_of(ben, "sea")[0]
    with ben.expect_event("requestfailed", lambda request: "/wait/" in request.url):
        ben.context.set_offline(True)
    anna.fire(water)
    assert ben.seen.phase == "waiting"
    ben.context.set_offline(False)
    see_phase(ben, "firing")
    ben.see(shots=f"own:{water}:water")

    mark = anna.get_attribute("#game", "data-version") or ""
    down = {"status": 503, "headers": {HEADER: mark}}
    anna.route("**/wait/**", lambda route: route.fulfill(**down))
    expect(anna.locator("#status")).to_contain_text("can’t reach its storage")
    anna.unroute("**/wait/**")
    ben.fire(cells_of(anna, "sea")[0])
    see_phase(anna, "firing")

    for page in (anna, ben):
        page.route("**/*", _answered_by_a_portal)
    ben.expects("#status").to_contain_text("Something else answered, not this site.")
    anna.target(cells_of(ben, "sea")[1]).click()
    anna.expects("#status").to_contain_text("Your move may still count.")
    for page in (anna, ben):
        page.expects("[data-board=own] [data-cell]").to_have_count(36)
        page.unroute_all()
    there = {HEADER: mark, "Presence": "here"}
    anna.route("**/wait/**", lambda it: it.fulfill(status=204, headers=there))
    anna.fire(cells_of(ben, "sea")[1])
    see_phase(ben, "firing")
    assert "Something else answered, not this site." not in anna.says + ben.says

    anna.expects("#calls").to_be_visible()
    anna.unfold("#calls")
    there["Presence"] = "away 3"
    anna.expects("#remind").to_be_visible()
    anna.expects("#act-ouch").to_be_visible()
    anna.get_by_text("Remind").click()
    anna.expects("#calls").to_be_hidden()
    anna.expects("#remind [data-copy]").to_be_visible()

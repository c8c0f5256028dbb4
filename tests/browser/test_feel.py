"""Effects and their speed, sounds, vibration, aiming before firing, the help and the header."""

import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from game.engine.presets import PRESETS
from game.matches.saved import SavedMatch
from tests.support import deep
from tests.support.browser import PHONE, VOICES, OpenPage, Page
from tests.support.device import preferring
from tests.support.layout import shifts, watch_for_shifts
from tests.support.matches import STILL, address, begun, fired, nearly_won, replay_address, won

OFFLINE = "ERR_FAILED|htmx:(sendError|afterRequest)"

NOTES = """
window.pieces = [];
window.shakes = [];
window.due = new Set();
Object.defineProperty(Navigator.prototype, "vibrate", { value: (how) => { shakes.push(how); } });
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, { duration }) {
  const what = frames.flatMap((frame) => Object.keys(frame)).filter((name) => name !== "offset");
  queueMicrotask(() => {
    const { backgroundColor, backgroundImage, borderTopStyle } = getComputedStyle(this);
    const isBare = `${backgroundColor} ${backgroundImage}` === "rgba(0, 0, 0, 0) none";
    if (isBare && borderTopStyle === "none" && !this.firstElementChild) {
      console.error(`${this.className} has no look`);
    }
  });
  pieces.push([this.className, duration, [...new Set(what)].sort()]);
  return animate.apply(this, arguments);
};
const [later, never] = [setTimeout, clearTimeout];
window.setTimeout = (act, wait) => {
  const timer = later(() => { due.delete(timer); act(); }, wait);
  due.add(timer);
  return timer;
};
window.clearTimeout = (timer) => { due.delete(timer); never(timer); };
"""
"""Notes each piece that is set in motion, how the device was shaken, and what is due later."""


def in_motion(open_page: OpenPage, saved: SavedMatch, speed: str = "normal") -> Page:
    """A match in which things move, at a chosen speed."""
    return open_page(saved, motion="no-preference", init=NOTES, cookies=preferring(speed=speed))


def pieces(page: Page) -> list[list[Any]]:
    """Class and duration of each piece so far, and what moves of it."""
    found: list[list[Any]] = page.evaluate("pieces")
    return found


def wait_for_stillness(page: Page) -> None:
    """Waits until the last shots have been shown to the end, the sheets' ways included."""
    page.wait_for_function("""() => !due.size && !document.querySelector(".fx > *")
      && document.getAnimations().every(({ playState }) => playState === "finished")""")


def looks(page: Page) -> set[str]:
    """The kinds of pieces that the last shots were shown with."""
    found = {look.removeprefix("fx-") for look, *_ in pieces(page) if look.startswith("fx-")}
    page.evaluate("pieces.length = 0")
    return found


SHOT = {"shell", "shade"}
WATER = SHOT | {"jet", "drop", "ring"}
HIT = SHOT | {"flash", "shard", "puff"}

# --- effects; the aim; a first match ---


def test_each_result_has_its_effect_which_shifts_nothing_and_leaves_nothing_behind(
    open_page: OpenPage,
) -> None:
    page = in_motion(open_page, begun(STILL, minds=(None, "random")))
    page.resize(390, 844)
    set_beat(page, 0.2)
    watch_for_shifts(page)
    page.fire("J6")
    wait_for_stillness(page)
    assert {what for *_, names in pieces(page) for what in names} == {"opacity", "transform"}
    assert looks(page) == HIT
    page.fire("E5")
    told = page.get_attribute("#game", "data-shots") or ""
    page.wait_for_function(
        "count => pieces.filter(([look]) => look === 'fx-shell').length === count",
        arg=len(told.split()),
    )
    wait_for_stillness(page)
    assert looks(page) >= WATER
    assert not shifts(page)
    page.fire("D1", "C1")
    wait_for_stillness(page)
    assert looks(page) == HIT | {"hull", "ring"}
    page.unfold("#helping")
    page.act("#act-hints")
    page.reload()
    page.wait_for_pictures()
    assert looks(page) == set(), "neither a switch nor a page that is loaded is news"


def set_beat(page: Page, beat: float) -> None:
    """Makes all motion so many times as long as it is at normal speed."""
    page.evaluate("beat => document.documentElement.style.setProperty('--beat', beat)", beat)


def test_all_that_a_shot_changes_changes_once_its_shell_has_landed(open_page: OpenPage) -> None:
    page = in_motion(open_page, begun(STILL, minds=(None, "random")))
    page.listen()
    set_beat(page, 1000)  # nothing lands by itself
    before = page.seen, page.says
    waiting = page.hold()
    with page.answered():
        with page.sent_and_held():
            page.target("E5").click()
        page.expects(".fx-shell").to_have_count(1)
        page.target("A10").click()
        page.unfold("#helping")
        page.click("#act-coach")
        waiting[0].continue_()
        page.wait_for_function(
            "() => performance.getEntriesByType('resource').at(-1).initiatorType.startsWith('xml')"
        )
        assert (page.seen, page.says, page.forms_sent) == (*before, 1)
        # A key or a press ends the flight once the answer is in.
        page.wait_for_function("() => answers || dispatchEvent(new KeyboardEvent('keydown')) && 0")
    [heard] = page.evaluate("heard")
    assert heard.startswith("You: E5, water")
    assert page.seen.enemy["E5"] == "water"
    page.keys("Shift")
    page.expects(".is-due").to_have_count(0)


@pytest.mark.deep
def test_a_shade_waits_for_a_late_answer_and_marks_of_the_reply_for_their_shells(
    open_page: OpenPage,
) -> None:
    page = open_page(begun(STILL), motion="no-preference", init=NOTES, expects=OFFLINE)
    waiting = page.hold()
    set_beat(page, 0.01)
    with page.answered():
        with page.sent_and_held():
            page.target("E5").click()
        page.expects(".fx-shell").to_be_hidden()
        page.expects(".fx-shade").to_be_visible()
        set_beat(page, 1000)
        waiting.pop().continue_()
    told = (page.get_attribute("#game", "data-shots") or "").split()
    assert told[0] == "enemy:E5:water"
    due = page.locator("td.is-due").evaluate_all(
        "cells => cells.map(({ dataset: { cell, state } }) => `own:${cell}:${state}`)"
    )
    assert sorted(due) == sorted(told[1:])
    page.keys("Shift")
    page.expects(".is-due, .fx > *").to_have_count(0)

    set_beat(page, 0.01)
    with page.sent_and_held():
        page.target("J6").click()
    before = page.seen
    page.expects(".fx-shade").to_be_visible()
    waiting.pop().abort()
    page.expects("[role=status]").to_have_text("That did not go through. Try again.")
    page.expects(".fx > *").to_have_count(0)
    assert page.seen == before


@pytest.mark.parametrize("touch", [False, deep(True)])
def test_no_press_is_lost_while_ones_own_sheet_goes_back(open_page: OpenPage, touch: bool) -> None:
    page = open_page(begun(), size=(390, 844), motion="no-preference", touch=touch, init=NOTES)
    set_beat(page, 1000)
    place = page.middle(page.target("A10"))
    page.click(".grab")
    page.click(".lower")
    assert page.evaluate("document.querySelector('.own').getAnimations().length") == 1
    set_beat(page, 0.01)
    with page.answered():
        (page.touchscreen.tap if touch else page.mouse.click)(*place)
    assert page.seen.enemy["A10"] == "water"


def test_the_last_ship_bursts_along_its_hull_before_the_end_is_shown(open_page: OpenPage) -> None:
    page = in_motion(open_page, nearly_won(1))
    page.evaluate("""() => {
      performance.now = () => 1e6; // as if the effects went on however long the test takes
      addEventListener("click", (event) => { window.isTaken = event.defaultPrevented; }, true);
    }""")
    page.fire(page.enemy_ships[0])
    page.wait_for_function("() => pieces.filter(([look]) => look === 'fx-flash').length === 3")
    assert not [look for look, *_ in pieces(page) if look.startswith("sheet")], "the sheets stay"
    page.mouse.click(*page.middle("#act-again"))
    assert page.evaluate("isTaken"), "what ends the effects does not begin the next match"
    assert page.seen.outcome == "won"
    page.unfold()
    page.resize(*PHONE)
    page.click("#act-challenge", trial=True)  # it lies above the boards


def test_nothing_is_in_motion_after_any_shot_where_less_motion_is_wished_for(
    open_page: OpenPage,
) -> None:
    page = open_page(begun(STILL), init=NOTES)
    for name in ("D1", "C1", "E5"):
        page.fire(name)
        page.wait_for_pictures()
        assert page.evaluate("document.getAnimations().length") == 0
    page.goto(address(nearly_won(1)))
    page.fire(page.enemy_ships[0])
    assert page.evaluate("document.getAnimations().length") == 0
    assert pieces(page) == []
    page.goto("/en/")
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.deep
def test_the_radar_turns_behind_the_boards_and_is_in_nobodys_way(open_page: OpenPage) -> None:
    radar = begun(STILL, preset=PRESETS["uppsala"])
    page = open_page("/en/new/uppsala/", motion="no-preference")

    def see_turning(is_turning: bool) -> None:
        name = "() => getComputedStyle(document.querySelector('.radar i')).animationName"
        assert page.evaluate(name) == ("radar" if is_turning else "none")

    see_turning(True)
    page.goto(address(radar))
    see_turning(True)
    hit = "([x, y]) => document.elementFromPoint(x, y).closest('[data-cell]').dataset.cell"
    assert page.evaluate(hit, page.middle(page.cell("enemy", "E5"))) == "E5"
    page.emulate_media(reduced_motion="reduce")
    see_turning(False)
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate("document.documentElement.dataset.speed = 'instant'")
    see_turning(False)
    page.evaluate("delete document.documentElement.dataset.speed")
    page.fire("E5")
    see_turning(True)
    turns = "() => document.querySelector('.radar i').getAnimations()[0].effect.getTiming()"
    assert page.evaluate(f"({turns})().iterations === Infinity")
    page.unfold()
    page.follow("#act-radar")
    see_turning(False)
    page.fire("E4")
    see_turning(False)
    page.expects("html").to_have_attribute("data-radar", "off")


@pytest.mark.deep
def test_a_ring_shows_where_pointer_or_focus_would_fire(open_page: OpenPage) -> None:
    page = open_page(begun(STILL))
    ring = page.locator(".aim i")
    page.fire("J6")
    page.target("C7").hover()
    page.expects(".aim").to_have_attribute("aria-hidden", "true")
    assert page.box(ring) == pytest.approx(page.box(page.cell("enemy", "C7")), abs=1)
    page.target("J6").hover()
    expect(ring).to_be_hidden()  # nothing is fired there
    page.target("C7").focus()
    page.keys("ArrowRight")
    assert page.box(ring) == pytest.approx(page.box(page.cell("enemy", "D7")), abs=1)
    page.locator("h1").first.focus()
    expect(ring).to_be_hidden()
    assert ring.count() == 1


@pytest.mark.deep
def test_sound_is_offered_once_and_taken_without_leaving_the_page(open_page: OpenPage) -> None:
    page = open_page(begun(STILL), init=VOICES)
    chip = page.locator("#act-sound")
    expect(chip).to_have_count(0)
    page.fire("J6")
    expect(chip).to_be_visible()
    assert page.evaluate("voices") == []
    match = page.url
    with page.expect_response(lambda answer: answer.url.endswith("/settings/")):
        chip.click()
    page.wait_for_function("() => voices.length")
    expect(chip).to_be_hidden()
    page.expects("#switch-sound").to_have_attribute("aria-pressed", "true")
    assert page.focused != "BODY"
    assert page.url == match
    heard = page.evaluate("voices.length")
    page.fire("J7")
    page.wait_for_function("before => voices.length > before", arg=heard)
    expect(chip).to_have_count(0)
    page.reload()
    page.expects("html").to_have_attribute("data-sound", "on")
    expect(chip).to_have_count(0)


# --- settings; aim, then fire ---


def test_settings_apply_at_once_are_kept_and_lead_back_to_the_match(open_page: OpenPage) -> None:
    page = open_page(begun(STILL), init=NOTES)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.fire("D1")
    assert page.evaluate("shakes") == []
    match, light = page.url, background(page)
    page.click(".menu-button")
    page.follow(page.get_by_role("link", name="Settings"))
    assert not [path for path in asked if "sound" in path]

    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("radio", name="dark").check(force=True)
    assert background(page) != light
    page.expects("meta[name=color-scheme]").to_have_attribute("content", "dark")
    page.expects("meta[data-of=light]").to_have_attribute("media", "not all")
    with page.expect_response(lambda answer: "game/sound" in answer.url):
        page.check("input[name=sound][value=on]", force=True)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.check("input[name=haptics][value=on]", force=True)
    page.follow(page.get_by_role("button", name="Save and go back"))

    assert page.url == match
    root = page.locator("html")
    for name, value in (("theme", "dark"), ("sound", "on"), ("haptics", "on")):
        expect(root).to_have_attribute(f"data-{name}", value)
    dark = background(page)
    assert dark != light
    page.fire("C1")
    page.fire("E5")
    page.wait_for_function("() => shakes.length")
    assert page.evaluate("shakes") == [[40, 30, 40]]
    page.reload()
    assert background(page) == dark
    [kept] = [one for one in page.context.cookies() if one["name"] == "preferences"]
    assert kept["httpOnly"]


def background(page: Page) -> Any:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_who_aims_first_fires_with_a_button_of_its_own(open_page: OpenPage) -> None:
    page = open_page(
        begun(STILL), size=PHONE, touch=True, fresh=True, cookies=preferring(aim_first="on")
    )
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    button = page.locator("#act-fire")
    expect(button).to_be_hidden()
    boards = page.box(page.locator("[data-board]").first)
    for name in ("B7", "D1", "D1"):
        page.target(name).tap()
    expect(button).to_have_text("Fire D1")
    assert not [fields for fields in sent if fields]
    assert page.get_attribute("td.is-cross", "data-cell") == "D1"
    assert page.count("td.is-line") == 19
    assert page.box(page.locator("[data-board]").first) == boards
    there = page.box(button)
    assert min(there.width, there.height) >= 44
    with page.answered():
        button.tap()
    assert [fields for fields in sent if fields] == ["cell=D1"]
    assert page.seen.enemy["D1"] == "hit"
    assert page.focused == "enemy-D1"
    expect(button).to_be_hidden()
    assert page.count("td.is-line") == 0


@pytest.mark.deep
def test_a_press_on_a_wreck_asks_before_anything_flies(open_page: OpenPage) -> None:
    """B13: of presses in a row the first asks, and the question keeps the focus."""
    page = open_page(fired("C3 D3"), motion="no-preference")
    page.slow_down(10)
    page.press_quickly("C3", times=3)
    page.expects("#act-spare").to_be_focused()
    page.expects(".fx-shell").to_have_count(0)
    page.act_by_key("Escape")
    assert (page.focused, page.seen.turn) == ("enemy-C3", 0)


# --- help and header ---


@pytest.mark.deep
def test_the_help_opens_by_its_button_or_a_key_and_gives_the_focus_back(
    open_page: OpenPage,
) -> None:
    page = open_page(begun())
    dialog = page.locator("#help-dialog")
    page.click(".menu-button")
    page.get_by_role("link", name="How to play").click()
    expect(dialog).to_be_visible()
    assert page.focused == "help-title"
    page.keys("Escape")
    expect(dialog).to_be_hidden()
    assert page.focused == "menu-button"
    page.target("A7").focus()
    page.keys("ArrowRight ?")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    assert page.focused == "enemy-B7"
    assert page.cell("enemy", "B7").get_attribute("data-state") == "unknown"
    page.goto("/en/setup/bonn/")
    page.click("#two summary")
    page.focus("input[name=name1]")
    page.keys("?")
    expect(dialog).to_be_hidden()
    assert page.input_value("input[name=name1]") == "?"
    page = open_page(begun(), cookies=preferring(shortcuts="off"))
    dialog = page.locator("#help-dialog")
    page.target("B7").focus()
    page.keys("?")
    expect(dialog).to_be_hidden()


@pytest.mark.deep
def test_single_keys_work_by_their_place_where_letters_are_not_latin(open_page: OpenPage) -> None:
    page = open_page("/en/new/bonn/")

    def press(key: str, code: str, **more: object) -> None:
        pressed = {"key": key, "code": code, "bubbles": True, **more}
        page.evaluate(f"""document.activeElement.dispatchEvent(
          new KeyboardEvent("keydown", {json.dumps(pressed)}))""")

    def turns(key: str, code: str, **more: object) -> bool:
        way = "document.querySelector('form.placing').elements.direction.value"
        before = page.evaluate(way)
        press(key, code, **more)
        return bool(page.evaluate(way) != before)

    for key in "кРρرقრพｒRr":  # the last two as on Dvorak
        assert turns(key, "KeyO" if key in "Rr" else "KeyR"), key
    for modifier in ("isComposing", "ctrlKey", "altKey", "metaKey", "modifierAltGraph"):
        assert not turns("к", "KeyR", **{modifier: True}), modifier
    assert not any(turns(key, "KeyR") for key in "pıé.'4")
    assert not turns("к", "KeyR", keyCode=229)
    press("؟", "Slash", shiftKey=True)
    page.expects("#help-dialog").to_be_visible()
    page.goto(address(begun(), "en"))
    page.target("A7").focus()
    press("ы", "KeyS")
    page.expects("#status").to_contain_text("Ships to find: ")
    page.goto(f"{replay_address(won())}?step=5")
    page.focus("#game .phase")
    for key, code, step in (("о", "KeyJ", 6), ("л", "KeyK", 5), ("à", "Digit0", 0)):
        press(key, code)
        page.expects("[data-now]").to_have_text(str(step))

"""How it feels: effects and their speed, sound and touch, aiming first, the help, the header."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import (
    OpenPage,
    answered,
    cell,
    fire,
    focus,
    loaded,
    look,
    target,
    wait_for_pictures,
)
from tests.support.browser_matches import (
    STILL,
    begun,
    enemy_ships,
    is_firing_late,
    nearly_won,
    play_address,
    played,
)
from tests.support.gestures import hold, sent_and_held

NOTES = """
window.effects = [];
window.shakes = [];
Object.defineProperty(Navigator.prototype, "vibrate", { value: (how) => { shakes.push(how); } });
document.addEventListener("htmx:afterSettle", () => {
  effects = document.getAnimations().map((one) => {
    const { delay, duration, endTime } = one.effect.getComputedTiming();
    return [one.animationName, Math.round(delay), Math.round(duration), Math.round(endTime)];
  });
});
"""
"""Notes the effects that each answer begins with, and how the device was shaken."""


def prefer(page: Page, address: str, **chosen: str) -> None:
    """Opens an address as one who has chosen these settings."""
    kept = ".".join(f"{name}:{value}" for name, value in chosen.items())
    home = page.evaluate("location.origin") if page.url.startswith("http") else None
    if home is None:
        page.goto("/en/about/")
        home = page.evaluate("location.origin")
    page.context.add_cookies([{"name": "preferences", "value": kept, "url": home}])
    page.goto(address)


def effects(page: Page) -> list[list[Any]]:
    """Name, delay, duration and end in milliseconds of the effects of the last answer."""
    found: list[list[Any]] = page.evaluate("effects")
    return found


# --- effects ---


def test_each_event_has_its_effect_and_a_turn_is_over_in_time(open_page: OpenPage) -> None:
    page = open_page(
        play_address(begun(STILL, minds=(None, "drifter"))), motion="no-preference", init=NOTES
    )
    fire(page, "D1")
    assert {name for name, *_ in effects(page)} == {"burst", "explode"}
    assert max(end for *_, end in effects(page)) == 400
    fire(page, "C1")
    assert {name for name, *_ in effects(page)} == {"burst", "surface", "strike", "shake"}
    assert max(end for *_, end in effects(page)) == 700
    fire(page, "E5")  # water, and the enemy hits in reply
    first = [effect for effect in effects(page) if effect[1] == 0]
    assert first == [["splash", 0, 350, 350]]
    reply = [effect for effect in effects(page) if effect not in first]
    assert {name for name, *_ in reply} == {"splash", "burst", "explode"}
    assert {delay for _, delay, *_ in reply} == {300}
    assert max(end for *_, end in effects(page)) <= 1200
    with answered(page):
        page.locator("#act-hints").click()
    assert effects(page) == [], "a switch is no news"
    page.goto(play_address(nearly_won(1)))
    fire(page, enemy_ships(page.url)[0])
    assert ["pass", 0, 1000, 1000] in effects(page)


def test_the_chosen_speed_is_that_of_the_effects(open_page: OpenPage) -> None:
    page = open_page(motion="no-preference", init=NOTES)
    prefer(page, play_address(begun(STILL)), speed="relaxed")
    fire(page, "D1")
    assert max(end for *_, end in effects(page)) == 800
    prefer(page, play_address(begun(STILL)), speed="instant")
    fire(page, "D1")
    assert not [effect for effect in effects(page) if effect[3]]
    assert look(page).enemy["D1"] == "hit"


def test_an_effect_is_in_nobodys_way_and_ends_at_the_next_key_or_tap(open_page: OpenPage) -> None:
    page = open_page(motion="no-preference", init=NOTES)
    prefer(page, play_address(begun(STILL)), speed="relaxed")
    going = "() => document.getAnimations().length"
    fire(page, "D1")
    assert page.evaluate(going) > 0
    page.keyboard.press("Shift")
    assert page.evaluate(going) == 0
    fire(page, "J6")
    assert page.evaluate(going) > 0
    with answered(page):
        page.mouse.move(*middle_of(page, "C1"))
        page.mouse.down()
        assert page.evaluate(going) == 0
        page.mouse.up()
    seen = look(page)
    assert [seen.enemy[name] for name in ("D1", "J6", "C1")] == ["sunk", "hit", "sunk"]


def middle_of(page: Page, name: str) -> tuple[float, float]:
    box = target(page, name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_nothing_is_in_motion_after_any_shot_where_less_motion_is_wished_for(
    open_page: OpenPage,
) -> None:
    page = open_page(play_address(begun(STILL)), motion="reduce")
    for name in ("D1", "C1", "E5"):
        fire(page, name)
        wait_for_pictures(page)
        assert page.evaluate("document.getAnimations().length") == 0
    page.goto(play_address(nearly_won(1)))
    fire(page, enemy_ships(page.url)[0])
    assert page.evaluate("document.getAnimations().length") == 0
    page.goto("/en/")
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_radar_turns_once_while_an_answer_takes_long(open_page: OpenPage) -> None:
    page = open_page(play_address(begun(STILL)), motion="no-preference")
    waiting = hold(page)
    with answered(page):
        with sent_and_held(page):
            target(page, "J6").click()
        turning = page.evaluate("""() => document.getAnimations().map((one) => {
          const { delay, endTime } = one.effect.getComputedTiming();
          return [one.animationName, delay, endTime];
        })""")
        [[name, delay, end]] = turning
        assert (name, delay) == ("radar", 300)
        assert end <= 2000
        pressed, other = page.evaluate("""() => ["J6", "A1"].map((name) =>
          getComputedStyle(document.getElementById(`enemy-${name}`)).backgroundColor)""")
        assert pressed != other, "the press is seen before it is answered"
        waiting[0].continue_()
    assert "radar" not in page.evaluate("document.getAnimations().map((it) => it.animationName)")


# --- settings ---


def test_settings_apply_at_once_are_kept_and_lead_back_to_the_match(open_page: OpenPage) -> None:
    page = open_page(play_address(begun(STILL)), init=NOTES)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    fire(page, "D1")
    assert page.evaluate("shakes") == []
    match, light = page.url, background(page)
    page.locator(".menu-button").click()
    with loaded(page):
        page.get_by_role("link", name="Settings").click()
    assert not [path for path in asked if "effects" in path]

    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("radio", name="dark").check(force=True)
    assert background(page) != light
    expect(page.locator("meta[name=color-scheme]")).to_have_attribute("content", "dark")
    expect(page.locator("meta[data-of=light]")).to_have_attribute("media", "not all")
    with page.expect_response(lambda answer: "effects" in answer.url):
        page.locator("input[name=sound][value=on]").check(force=True)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator("input[name=haptics][value=on]").check(force=True)
    with loaded(page):
        page.get_by_role("button", name="Save and go back").click()

    assert page.url == match
    root = page.locator("html")
    for name, value in (("theme", "dark"), ("sound", "on"), ("haptics", "on")):
        expect(root).to_have_attribute(f"data-{name}", value)
    dark = background(page)
    assert dark != light
    fire(page, "C1")
    fire(page, "E5")
    assert page.evaluate("shakes") == [[40, 30, 40]]
    page.reload()
    assert background(page) == dark
    [kept] = [one for one in page.context.cookies() if one["name"] == "preferences"]
    assert kept["httpOnly"]


def background(page: Page) -> Any:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_settings_work_by_their_button_where_no_script_runs(open_page: OpenPage) -> None:
    page = open_page(play_address(begun(STILL)), script=False)
    match = page.url
    page.locator(".menu-button").click()
    with loaded(page):
        page.locator("#settings").click()
    expect(page.locator("input[name=sound]").first).to_be_hidden()  # it would do nothing
    page.locator("input[name=theme][value=dark]").check(force=True)
    with loaded(page):
        page.locator("#act-save").click()
    assert page.url == match
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator(".menu-button").click()
    with loaded(page):
        page.locator("#help").click()
    assert page.url.endswith("/en/rules/")


def test_the_sounds_can_be_told_apart_by_length_and_pitch(open_page: OpenPage) -> None:
    page = open_page()
    prefer(page, "/en/settings/", sound="on")
    heard = page.evaluate("""async () => {
      const { draw } = await import(document.querySelector("script[src*=effects]").src);
      const found = {};
      for (const cue of ["water", "hit", "sunk", "won", "lost"]) {
        const context = new OfflineAudioContext(1, 2 * 22050, 22050);
        draw(context, cue);
        const samples = (await context.startRendering()).getChannelData(0);
        const loud = samples.findLastIndex((one) => Math.abs(one) > 0.01);
        const begun = samples.subarray(0, loud);
        const turns = begun.filter((one, i) => i && one * begun[i - 1] < 0).length;
        found[cue] = [loud / 22050, turns / (loud / 22050), Math.max(...samples.map(Math.abs))];
      }
      return found;
    }""")
    lengths = sorted(heard, key=lambda cue: heard[cue][0])
    assert lengths.index("hit") < lengths.index("sunk")
    ordered = sorted(heard[cue][1] for cue in ("water", "hit", "sunk"))
    far_apart = all(high > 1.3 * low for low, high in pairwise(ordered))
    assert far_apart, heard
    assert all(0.05 < peak <= 1 for _, _, peak in heard.values()), heard
    assert heard["won"] != heard["lost"]


# --- aim, then fire ---


def test_who_aims_first_fires_with_a_button_of_its_own(open_page: OpenPage) -> None:
    page = open_page(size=(360, 640), touch=True)
    prefer(page, play_address(begun(STILL)), aim_first="on")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    button = page.locator("#act-fire")
    expect(button).to_be_hidden()
    boards = page.locator("[data-board]").first.bounding_box()
    for name in ("B7", "D1", "D1"):
        target(page, name).tap()
    expect(button).to_have_text("Fire D1")
    assert not [fields for fields in sent if fields]
    assert page.locator("td.is-cross").get_attribute("data-cell") == "D1"
    assert page.locator("td.is-line").count() == 19
    assert page.locator("[data-board]").first.bounding_box() == boards
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    with answered(page):
        button.tap()
    assert [fields for fields in sent if fields] == ["cell=D1"]
    assert look(page).enemy["D1"] == "hit"
    assert focus(page) == "enemy-D1"
    expect(button).to_be_hidden()
    assert page.locator("td.is-line").count() == 0


def test_who_aims_first_fires_by_keyboard_too(open_page: OpenPage) -> None:
    page = open_page()
    prefer(page, play_address(begun(STILL)), aim_first="on")
    target(page, "C1").focus()
    page.keyboard.press("Enter")
    assert focus(page) == "act-fire"
    page.keyboard.press("Escape")
    assert focus(page) == "enemy-C1"
    expect(page.locator("#act-fire")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    with answered(page):
        page.keyboard.press("Enter")
    assert look(page).enemy["D1"] == "hit"
    assert look(page).enemy["C1"] == "unknown"
    assert focus(page) == "enemy-D1"


def test_where_the_device_decides_the_colours_grid_and_last_shots_are_still_drawn(
    open_page: OpenPage,
) -> None:
    page = open_page(play_address(played(is_firing_late)))
    page.emulate_media(forced_colors="active")
    drawn = page.evaluate("""() => {
      const style = (selector) => getComputedStyle(document.querySelector(selector));
      return [style("[data-board=enemy] [data-state=unknown]").borderTopStyle,
        style("td.is-last").outlineStyle];
    }""")
    assert drawn == ["solid", "solid"]


# --- help and header ---


def test_the_help_opens_by_its_button_or_a_key_and_gives_the_focus_back(
    open_page: OpenPage,
) -> None:
    page = open_page(play_address(begun()))
    dialog = page.locator("#help-dialog")
    page.locator(".menu-button").click()
    page.get_by_role("link", name="Help").click()
    expect(dialog).to_be_visible()
    assert focus(page) == "help-title"
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert focus(page) == "menu-button"
    target(page, "A7").focus()
    page.keyboard.press("ArrowRight")
    ring = page.evaluate("""() => {
      const { outlineWidth, outlineStyle, boxShadow } = getComputedStyle(document.activeElement);
      return [outlineWidth, outlineStyle, boxShadow !== "none"];
    }""")
    assert ring == ["3px", "solid", True]
    page.keyboard.press("?")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    assert focus(page) == "enemy-B7"
    assert cell(page, "enemy", "B7").get_attribute("data-state") == "unknown"
    page.goto("/en/setup/bonn/")
    page.locator("#two summary").click()
    page.locator("input[name=name1]").focus()
    page.keyboard.press("?")
    expect(dialog).to_be_hidden()
    assert page.locator("input[name=name1]").input_value() == "?"
    prefer(page, play_address(begun()), shortcuts="off")
    target(page, "B7").focus()
    page.keyboard.press("?")
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_header_keeps_to_one_line_and_every_page_can_be_reached(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(f"/{language}/about/", language=language)
    names = ["#menu a[href$='/deduction/']", "#menu a[href$='/rules/']", "#help", "#settings"]
    for width in (320, 360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        header, brand = (
            page.locator(".top").bounding_box(),
            page.locator(".brand").bounding_box(),
        )
        assert header is not None
        assert brand is not None
        assert header["height"] <= 64
        assert brand["height"] < 50, "the name is broken over two lines"
        inside = page.evaluate("""() => [...document.querySelectorAll(".top a, .top button")]
          .filter((it) => it.checkVisibility()).every((it) => {
            const box = it.getBoundingClientRect();
            return box.left >= 0 && box.right <= innerWidth;
          })""")
        assert inside, width
        expect(page.locator("#settings")).to_be_hidden()
        page.locator(".menu-button").focus()
        page.keyboard.press("Enter")
        for name in names:
            expect(page.locator(name).first).to_be_visible()
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator(".menu-button").click()
    page.locator("#help").click()
    expect(page.locator("#help-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    assert focus(page) == "menu-button"
    expect(page.locator("#settings")).to_be_hidden()

"""The replay: each step is the same, however one comes to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import nullcontext

import pytest
from playwright.sync_api import Page, expect

from game.matches.saved import SavedMatch
from tests.support.browser import Motion, OpenPage, loaded, look, said
from tests.support.browser_matches import asked_and_ended, ended_soon, replay_address
from tests.support.layout import shifts, watch_for_shifts
from tests.support.replays import more, picture, scrub


def test_nine_steps_on_are_step_nine_and_so_is_the_slider(open_page: OpenPage) -> None:
    address = replay_address(ended_soon())
    page = open_page(f"{address}?step=0")
    forward = page.locator("[data-go=forward]")
    for _ in range(9):
        forward.click()
    expect(page.locator("[data-now]")).to_have_text("9")
    stepped, text = picture(page), said(page)
    page.keyboard.press("End")
    assert picture(page) != stepped
    scrub(page, 9)
    assert picture(page) == stepped
    assert said(page) == text
    more(page)
    page.locator(".steps [data-step='9']").click()
    assert picture(page) == stepped
    page.goto(f"{address}?step=9")
    assert picture(page) == stepped


@pytest.mark.parametrize("saved", [ended_soon, asked_and_ended])
def test_the_script_draws_and_says_of_every_step_what_the_server_does(
    open_page: OpenPage, saved: Callable[[], SavedMatch]
) -> None:
    address = replay_address(saved())
    page = open_page(f"{address}?step=0")
    plain = open_page(script=False)
    more(page)
    last = page.locator(".steps li").count()
    trails = 0
    for step in (*range(0, last, 46 if last > 50 else 1), last):
        for fog in ("off", "on"):
            page.locator(f"label:has([name=fog][value={fog}])").click()
            scrub(page, step)
            plain.goto(f"{address}?step={step}&fog={fog}")
            assert picture(page) == picture(plain), (step, fog)
            trails += plain.locator(".is-trail").count()
        assert said(page) == said(plain)
        assert page.locator("#step").get_attribute("aria-valuetext") == said(plain)
        expect(page.locator("[aria-current=step]")).to_have_count(min(step, 1))
    assert re.fullmatch(rf"Step {last} of {last}\. Turn \d+\. (You|Computer): .+", said(page))
    assert trails or saved is asked_and_ended


def test_what_was_known_then_stays_chosen_from_step_to_step_and_in_the_other_language(
    open_page: OpenPage,
) -> None:
    page = open_page(f"{replay_address(ended_soon())}?step=40", script=False)
    assert "ship" in look(page).enemy.values()
    more(page)
    page.locator("[name=fog][value=on]").check()
    with loaded(page):
        page.locator(".drawer").get_by_role("button", name="Go", exact=True).click()
    with loaded(page):
        page.locator("[data-go=forward]").click()
    assert page.url.endswith("?step=41&fog=on")
    seen = look(page)
    assert "ship" not in seen.enemy.values()
    for script in (False, True):
        there = open_page(page.url, script=script)
        with loaded(there):
            there.get_by_role("link", name="Deutsch").click()
        assert look(there) == seen
    page = open_page(f"{replay_address(ended_soon())}?step=0")
    more(page)
    page.locator("label:has([name=fog][value=on])").click()
    scrub(page, 41)
    assert look(page) == seen
    page.wait_for_url("**?step=41&fog=on")


_LISTEN = """() => {
  window.heard = [];
  const status = document.getElementById("status");
  new MutationObserver(() => heard.push(status.textContent))
    .observe(status, { childList: true, characterData: true, subtree: true });
}"""


def test_a_running_film_tells_only_hits_and_sinkings_and_no_faster_than_one_can_listen(
    open_page: OpenPage,
) -> None:
    page = open_page(motion="no-preference", fresh=True)
    page.clock.install(time=0)
    page.goto(f"{replay_address(ended_soon())}?step=0")
    page.clock.pause_at(1_000_000)
    page.evaluate(_LISTEN)
    page.locator("[data-speed]").select_option("4")
    page.locator("[data-go=play]").click()
    page.clock.run_for("00:15")
    heard = page.evaluate("heard")
    assert 5 < len(heard) <= 10, "more than one can listen to in a quarter of a minute"
    assert all(re.search("hit|sunk", text) for text in heard)
    page.locator("[data-go=play]").click()
    page.locator("[data-go=first]").click()
    page.evaluate("heard.length = 0")
    for _ in range(6):
        page.locator("[data-go=forward]").click()
    told = page.evaluate("heard")
    last = ended_soon().match.ply
    assert [text.split(".")[0] for text in told] == [f"Step {n} of {last}" for n in range(1, 7)]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_film_starts_by_itself_unless_less_motion_is_wished_for(
    open_page: OpenPage, motion: Motion
) -> None:
    page = open_page(motion=motion, fresh=True)
    page.clock.install(time=0)
    page.goto(replay_address(ended_soon()))
    page.clock.pause_at(1_000_000)
    page.clock.run_for(10_000)
    now = int(page.locator("[data-now]").inner_text())
    assert now == 0 if motion == "reduce" else now > 8
    play = page.locator("[data-go=play]")
    expect(play).to_have_text("Play" if motion == "reduce" else "Pause")
    if motion == "reduce":
        play.click()
        page.clock.run_for(10_000)
        assert int(page.locator("[data-now]").inner_text()) > 8
    play.click()
    stopped = page.locator("[data-now]").inner_text()
    page.clock.run_for(10_000)
    expect(page.locator("[data-now]")).to_have_text(stopped)


def test_the_film_runs_at_the_chosen_speed_to_its_end_and_stops_there(open_page: OpenPage) -> None:
    page = open_page(motion="no-preference", fresh=True)
    page.clock.install(time=0)
    page.goto(f"{replay_address(ended_soon())}?step=0")
    page.clock.pause_at(1_000_000)
    last = page.locator(".steps li").count()
    a_minute = 58_000 / last
    assert a_minute < 800, "a short replay takes 800 milliseconds a step"
    steps = {}
    for speed in ("0.5", "1", "2", "4"):
        page.keyboard.press("Home")
        page.locator("[data-speed]").select_option(speed)
        page.locator("[data-go=play]").click()
        page.clock.run_for(round(5 * a_minute))
        steps[speed] = int(page.locator("[data-now]").inner_text())
        page.locator("[data-go=play]").click()
    assert steps == pytest.approx({"0.5": 2.5, "1": 5, "2": 10, "4": 20}, abs=1)
    page.keyboard.press("Home")
    page.locator("[data-speed]").select_option("1")
    page.locator("[data-go=play]").click()
    page.clock.run_for(60_000)
    expect(page.locator("[data-now]")).to_have_text(str(last))
    expect(page.locator("[data-go=play]")).to_have_text("Play")
    page.locator("[data-go=play]").click()  # and from the start again
    page.clock.run_for(500)
    assert int(page.locator("[data-now]").inner_text()) < 5


def test_one_leaps_to_the_next_hit_or_sinking_and_back(open_page: OpenPage) -> None:
    page = open_page(f"{replay_address(ended_soon())}?step=0")
    plain = open_page(f"{replay_address(ended_soon())}?step=0", script=False)
    more(page)
    for wanted in ("hit", "sunk", "sunk", "sunk-back", "hit-back"):
        more(plain)
        page.locator(f"[data-go={wanted}]").click()
        with loaded(plain):
            plain.locator(f"[data-go={wanted}]").click()
        expect(page.locator("[data-now]")).to_have_text(plain.locator("[data-now]").inner_text())
        assert ("sunk" in said(page)) or ("hit" in wanted and "hit" in said(page))
        assert said(page) == said(plain)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_ships_glide_and_sink_by_transform_and_opacity_or_not_at_all(
    open_page: OpenPage, motion: Motion
) -> None:
    page = open_page(f"{replay_address(ended_soon())}?step=0", motion=motion)
    found = {}
    for what, word in ("moves", " moves "), ("sunk", "sunk"):
        step = page.locator(".steps a").evaluate_all(
            "(links, word) => links.findIndex((link) => link.textContent.includes(word))", word
        )
        scrub(page, step)
        found[what] = page.evaluate("""() => {
          document.querySelector("[data-go=forward]").click();
          return document.getAnimations().filter((it) => it.effect.target.matches(".hull"))
            .flatMap((it) => it.effect.getKeyframes().flatMap(Object.keys));
        }""")
    expected = {"moves": {"transform"}, "sunk": {"transform", "opacity"}}
    for what, keys in found.items():
        moved = set(keys) - {"offset", "computedOffset", "easing", "composite"}
        assert moved == (set() if motion == "reduce" else expected[what])


def test_the_address_follows_even_a_slider_that_is_torn_to_and_fro(open_page: OpenPage) -> None:
    page = open_page(f"{replay_address(ended_soon())}?step=0")
    page.evaluate("""() => {
      const slider = document.getElementById("step");
      for (let count = 0; count < 300; count += 1) {
        slider.value = count % 100;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
      }
      slider.value = 42;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }""")
    expect(page.locator("[data-now]")).to_have_text("42")
    page.wait_for_url("**?step=42")
    assert page.locator("#language").get_attribute("href") is not None
    shown = look(page)
    page.reload()
    expect(page.locator("[data-now]")).to_have_text("42")
    assert look(page) == shown


# --- the table ---

SIZES = [(360, 640), (390, 844), (844, 390), (1366, 657), (1920, 947)]
_SEEN = """() => [...document.querySelectorAll(
    "#step, .bar > .button, .bar > button, #more > summary, .sheet.enemy, [data-says]")]
  .filter((it) => it.checkVisibility())
  .map((it) => it.getBoundingClientRect())
  .every((box) => box.left >= 0 && box.top >= 0
    && box.right <= innerWidth && box.bottom <= innerHeight)
"""
_TARGETS = """() => [...document.querySelectorAll(
    "#step, .bar > .button, .bar > button, #more > summary")]
  .map((it) => it.getBoundingClientRect()).map((box) => Math.min(box.width, box.height))"""


@pytest.mark.parametrize("size", SIZES)
def test_everything_to_watch_with_is_on_the_screen_and_nothing_shifts(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(f"{replay_address(ended_soon())}?step=0", size=size)
    watch_for_shifts(page)
    for step in (1, 60, 61, 62, 63):
        scrub(page, step)
        assert page.evaluate(_SEEN), step
        assert page.evaluate("document.documentElement.scrollHeight") == size[1]
    assert min(page.evaluate(_TARGETS)) >= 43.9
    side = page.locator("[data-board=enemy] [data-cell=A1]").bounding_box()
    assert side is not None
    assert side["width"] >= 31
    assert not shifts(page)


def hero(page: Page) -> str:
    """The sheet that lies in full size."""
    found: str = page.evaluate("""() => [...document.querySelectorAll(".sheet")]
      .sort((a, b) => b.getBoundingClientRect().width - a.getBoundingClientRect().width
        || Number(getComputedStyle(b).zIndex) - Number(getComputedStyle(a).zIndex))[0]
      .classList[1]""")
    return found


@pytest.mark.parametrize("script", [True, False])
def test_on_a_phone_the_sheet_of_the_step_is_the_hero_and_the_other_a_press_away(
    open_page: OpenPage, script: bool
) -> None:
    saved = ended_soon()
    shots = [shot for shot in saved.match.shots if shot.ply > 30]
    for side, sheet in enumerate(("enemy", "own")):
        ply = next(shot.ply for shot in shots if shot.side == side)
        page = open_page(
            f"{replay_address(saved)}?step={ply + 1}", size=(360, 640), script=script
        )  # fmt: skip
        assert hero(page) == sheet
        for is_back in (False, True):
            with nullcontext() if script else loaded(page):
                page.locator("[data-look]:visible").click()
            assert (hero(page) == sheet) is is_back

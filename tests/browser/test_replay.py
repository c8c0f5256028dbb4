"""The replay: each step is the same, however one comes to it, and it runs like a film."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from game.display.replay import last_step
from game.matches.saved import SavedMatch
from tests.support import deep
from tests.support.browser import LAPTOP, ONLY_KEYS, PHONE, Motion, OpenPage, Page
from tests.support.layout import faults, shifts, watch_for_shifts
from tests.support.matches import asked_and_ended, ended_soon, replay_address


def choose_fog(page: Page, fog: str) -> None:
    """Shows what was known then, or what there was."""
    page.click(f"label:has([name=fog][value={fog}])")


@pytest.mark.parametrize("saved", [ended_soon, asked_and_ended])
def test_the_script_draws_and_says_of_every_step_what_the_server_does(
    open_page: OpenPage, saved: Callable[[], SavedMatch]
) -> None:
    address = replay_address(saved())
    page = open_page(f"{address}?step=0")
    page.unfold()
    last = page.count(".steps li")
    shown = []
    for fog in ("off", "on"):
        choose_fog(page, fog)
        for step in (0, last // 2, last):
            page.scrub(step)
            drawn = page.picture()
            assert drawn == page.picture(f"{address}?step={step}&fog={fog}"), (step, fog)
            assert page.get_attribute("#step", "aria-valuetext") == page.says
            page.expects("[aria-current=step]").to_have_count(min(step, 1))
            shown.append(str(drawn))
    assert re.fullmatch(rf"Step {last} of {last}\. Turn \d+\. (You|Computer): .+", page.says)
    assert len(set(shown)) > 3
    assert ("is-trail" in "".join(shown)) is (saved is ended_soon)


def test_steps_the_slider_the_list_and_the_address_lead_to_the_same(open_page: OpenPage) -> None:
    address = replay_address(ended_soon())
    page = open_page(f"{address}?step=0")
    for _ in range(9):
        page.click("[data-go=forward]")
    page.expects("[data-now]").to_have_text("9")
    stepped = page.picture()
    page.keys("End")
    assert page.picture() != stepped
    page.scrub(9)
    assert page.picture() == stepped
    page.keys("End")
    page.unfold()
    page.click(".steps [data-step='9']")
    assert page.picture() == stepped
    page.goto(f"{address}?step=9")
    assert page.picture() == stepped


# --- a film; the table ---


def on_a_clock(
    open_page: OpenPage, step: str = "?step=0", motion: Motion = "no-preference"
) -> Page:
    """A replay whose clock stands still unless the test lets it run."""
    page = open_page(motion=motion, fresh=True)
    page.clock.install(time=0)
    page.goto(replay_address(ended_soon()) + step)
    page.clock.pause_at(1_000_000)
    return page


def now(page: Page) -> int:
    return int(page.inner_text("[data-now]"))


@pytest.mark.deep
def test_a_running_replay_tells_only_hits_and_sinkings_and_no_faster_than_one_can_listen(
    open_page: OpenPage,
) -> None:
    page = on_a_clock(open_page)
    page.listen()
    page.select_option("[data-speed]", "4")
    page.click("[data-go=play]")
    page.clock.run_for("00:15")
    heard = page.evaluate("heard")
    assert 5 < len(heard) <= 10, "more than one can listen to in a quarter of a minute"
    assert all(re.search("hit|sunk", text) for text in heard)
    page.click("[data-go=play]")
    page.click("[data-go=first]")
    page.evaluate("heard.length = 0")
    for _ in range(6):
        page.click("[data-go=forward]")
    told = page.evaluate("heard")
    last = last_step(ended_soon().match)
    assert [text.split(".")[0] for text in told] == [f"Step {n} of {last}" for n in range(1, 7)]


@pytest.mark.parametrize("motion", ["no-preference", deep("reduce")])
def test_the_replay_starts_by_itself_unless_less_motion_is_wished_for(
    open_page: OpenPage, motion: Motion
) -> None:
    page = on_a_clock(open_page, "", motion)
    page.clock.run_for(10_000)
    assert now(page) == 0 if motion == "reduce" else now(page) > 8
    play = page.locator("[data-go=play]")
    expect(play).to_have_text("Play" if motion == "reduce" else "Pause")
    if motion == "reduce":
        play.click()
        page.clock.run_for(10_000)
        assert now(page) > 8
    play.click()
    stopped = now(page)
    page.clock.run_for(10_000)
    assert now(page) == stopped


def test_the_replay_obeys_its_keys(open_page: OpenPage) -> None:
    page = open_page(f"{replay_address(ended_soon())}?step=5", init=ONLY_KEYS)
    last = page.count(".steps li")
    play = page.locator("[data-go=play]")

    def see(*steps: tuple[str, int]) -> None:
        for key, step in steps:
            page.keys(key)
            page.expects("[data-now]").to_have_text(str(step))
            expect(play).to_have_text("Play")

    see(("ArrowRight", 6))
    page.tab_to("[data-go=play]")
    page.evaluate("""() => {
      document.querySelector("#game h2").insertAdjacentHTML("beforeend", "<input id='within'>");
      document.body.insertAdjacentHTML("beforeend", "<input id='outside'>");
    }""")
    for elsewhere in (".brand", "#outside", "#within"):  # there they are nobody's keys but its own
        page.focus(elsewhere)
        for key in ("ArrowRight", "j", "k", "0", "$", "Home", "End", "Space"):
            see((key, 6))
    assert page.input_value("#within") == page.input_value("#outside") != ""
    page.focus("#game .phase")
    see(("j", 7), ("ArrowLeft", 6), ("k", 5), ("Home", 0), ("ArrowLeft", 0), ("End", last))
    see(("ArrowRight", last), ("0", 0), ("$", last), ("Home", 0))
    page.keys("Space")
    expect(play).to_have_text("Pause")
    page.expects("[data-now]").not_to_have_text("0")
    page.keys("Space")
    expect(play).to_have_text("Play")
    see(("Home", 0))
    page.tab_to("#step")
    see(("ArrowRight", 1), ("End", last))  # the slider's own keys
    page.tab_to("[data-speed]", back=True)
    see(("ArrowDown", last))


_TARGETS = """() => [...document.querySelectorAll(
    "#step, .bar > .button, .bar > button, #more > summary")]
  .map((it) => it.getBoundingClientRect()).map((box) => Math.min(box.width, box.height))"""
_PLACES = """() => [...document.querySelectorAll(".sheet")]
  .map((it) => it.getBoundingClientRect()).map(({ x, y, width }) => `${x} ${y} ${width}`).sort()"""


@pytest.mark.parametrize("size", [PHONE, deep(LAPTOP)])
def test_everything_to_watch_with_is_on_the_screen_and_nothing_shifts(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(f"{replay_address(ended_soon())}?step=0", size=size, motion="no-preference")
    watch_for_shifts(page)
    places = page.evaluate(_PLACES)
    for step in (1, 60, 61, 62, 63, last_step(ended_soon().match)):
        page.scrub(step)
        assert not faults(page, ("outside", "scrolls", "sideways")), step
        assert page.evaluate(_PLACES) == places, "on its way from one place to the other"
    assert min(page.evaluate(_TARGETS)) >= 43.9
    assert max(page.box(page.cell(kind, "A1")).width for kind in ("enemy", "own")) >= 31
    assert not shifts(page)

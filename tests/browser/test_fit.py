"""The layout: matches fit their window, boards fill their room and stand still."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import expect

from game.display.messages import Status
from game.engine.actions import Reason
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Side
from game.matches.saved import SavedMatch
from tests.support import deep
from tests.support.browser import PHONE, OpenPage, Page
from tests.support.features import brought
from tests.support.layout import LEAST, WINDOWS, misfits, shifts, watch_for_shifts
from tests.support.matches import (
    address,
    begun,
    ended,
    ended_against,
    firing_late,
    opening,
    place_address,
    taught,
    with_setup,
)
from tests.support.site_pages import address_of

LONGEST = "W" * 20
"""A name as wide as a name can be."""


FEW = ("firing, late", "over")
STATES = (
    "placing, part",
    "own waters enlarged",
    "search watched",
    "search shown",
    *(name for names in brought("STATES").values() for name in names),
)
"""Pages of matches in each of their phases, and those that `make test` looks at."""


@pytest.mark.parametrize(
    "state",
    [
        *FEW,
        deep("placing, empty"),
        deep("placing, part"),
        *(pytest.param(it, marks=pytest.mark.long) for it in STATES if it != "placing, part"),
    ],
)
def test_a_match_fits_every_window_in_every_phase(open_page: OpenPage, state: str) -> None:
    assert not misfits(open_page(language="de"), address_of(state, "de"), WINDOWS)


@pytest.mark.parametrize(
    "preset",
    [deep("short"), *(pytest.param(it, marks=pytest.mark.long) for it in PRESETS if it != "short")],
)
def test_every_preset_fits_every_window(open_page: OpenPage, preset: str) -> None:
    page = open_page(language="de")
    for where in (f"/de/new/{preset}/", address(opening(PRESETS[preset].ruleset), language="de")):
        assert not misfits(page, where), where[:20]


def day_cookies() -> dict[str, str]:
    """With what features keep of today's games."""
    return {name: it for found in brought("day_cookies").values() for name, it in found().items()}


@pytest.mark.parametrize(("language", "kept"), [("de", day_cookies), deep("en", dict)])
def test_home_shows_what_can_be_played_today_without_scrolling(
    open_page: OpenPage, language: str, kept: Callable[[], dict[str, str]]
) -> None:
    page = open_page(f"/{language}/", language=language, cookies=kept())
    for goes_on in (False, True):
        if goes_on:
            page.follow("#act-quick")
            page.goto(f"/{language}/")
            page.expects("#act-continue").to_be_visible()
        for width, height in ((320, 568), (360, 640), (844, 390), (1366, 657)):
            page.resize(width, height)
            if page.count("#today"):
                assert page.box("#today").bottom <= height, (goes_on, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width


@cache
def lost_by_turns() -> SavedMatch:
    """A match against the lieutenant that the turn limit decided."""
    saved = ended_against("lieutenant", BONN, 1)
    outcome = saved.match.outcome
    assert (outcome.winner, outcome.reason) == (Side.SECOND, Reason.MORE_AFLOAT)
    return with_setup(saved, preset=PRESETS["bonn"])


ENDS: list[tuple[Callable[[], SavedMatch], Callable[[], dict[str, str]], list[str]]]
ENDS = [
    (lost_by_turns, dict, [".rivals"]),
    (lambda: ended(BONN), dict, []),
    (taught, dict, [".rivals", ".noticed"]),
    *((end, dict, shown) for ends in brought("ENDS").values() for end, shown in ends),
    *(
        (lost_by_turns, kept, [".rivals", *shown])
        for found in brought("AT_A_LOSS").values()
        for kept, shown in found
    ),
]
"""Ends of matches, with which cookies, and what the drawer shows."""
IS_SEEN = "(it) => it.checkVisibility({visibilityProperty: true, opacityProperty: true})"
SMALL = ((320, 568), (360, 640), (360, 740), (667, 375), (844, 390), (1366, 657))


@pytest.mark.parametrize(
    "end", [0, *(pytest.param(it, marks=pytest.mark.long) for it in range(1, len(ENDS)))]
)
def test_the_end_fits_small_phones_and_says_why_and_what_comes_next(
    open_page: OpenPage, end: int
) -> None:
    saved, kept, shown = ENDS[end]
    over = saved()
    page = open_page(over, language="de", cookies=kept())
    for window in (*SMALL, (2560, 1300)):
        found = misfits(page, windows=(window,))
        assert not [fault for fault in found if LONGEST not in fault]
        for each in ("#status", "#phase", "#act-recap"):
            assert page.locator(each).first.evaluate(IS_SEEN), (each, window)
        assert page.box("[data-board=enemy] .hulls").width >= LEAST * min(window), window
        page.click("#more > summary")
        for each in shown:
            assert page.locator(each).first.evaluate(IS_SEEN), (each, window)
        page.click("#more .fold")
        assert not page.count("#game details[open]")
    if saved is lost_by_turns:
        assert "Alle Züge sind gespielt" in page.says


# --- boards stand still ---

_BOXES = """() => Object.fromEntries([...document.querySelectorAll("[data-board]")].map((board) => {
  const box = board.getBoundingClientRect();
  return [board.dataset.board, [box.left + scrollX, box.top + scrollY, box.width, box.height]];
}))"""


def boxes(page: Page) -> Any:
    """Where the boards are on the page."""
    return page.evaluate(_BOXES)


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_nothing_shifts_from_the_first_ship_placed_to_the_tenth_turn(
    open_page: OpenPage, width: int
) -> None:
    page = open_page(
        place_address("B2h5"), size=(width, 740), motion="no-preference", expects="status of 422"
    )
    watch_for_shifts(page)
    page.check("[name=pick][value='3']", force=True)
    for name in ("C3", "C6", "C3"):  # what is told of where it can't lie comes and goes
        page.cell("own", name).hover()
    cells = ("[data-cell=B4] button", "[data-cell=C3] button")
    controls = ("#act-start", "#act-turn", "#act-undo", "#act-random", "#act-clear", "#act-undo")
    for button in (*cells, *controls):
        if button in ("#act-undo", "#act-clear"):
            page.unfold()
        page.act(button, force=True)
    assert not shifts(page)
    page.emulate_media(reduced_motion="reduce")
    page.goto(address(begun(minds=(None, "bonn-hard"))))
    watch_for_shifts(page)
    places = set()
    while (seen := page.seen).turn < 10:
        places.add(str({name: [round(edge) for edge in box] for name, box in boxes(page).items()}))
        if seen.turn % 4:
            page.steer()
        page.fire(page.enemy_water)
    assert len(places) == 1, places
    assert not shifts(page)
    page.evaluate("document.querySelector('.top').style.paddingTop = '40px'")
    page.wait_for_function("() => shifts.length > 0")  # it would have been noticed


# --- on a phone ---


def test_on_a_phone_all_that_one_plays_by_is_in_sight_at_once(open_page: OpenPage) -> None:
    page = open_page(firing_late(), language="de", size=PHONE, touch=True)
    parts = page.locator("#status, [data-board=enemy], .enemy-fleet .fleet, .own-fleet .fleet-ship")
    bottoms = parts.evaluate_all(
        "them => them.map((it) => it.getBoundingClientRect().bottom + scrollY)"
    )
    assert len(bottoms) == 13
    assert max(bottoms) <= page.box("#helping").top, bottoms
    own = page.get_by_role("region", name="Deine Flotte").get_by_role("listitem")
    expect(own).to_have_count(4)
    expect(own.first).to_contain_text("Schlachtschiff")
    for width, least in ((320, 24), (360, 30)):
        page.resize(width, 640)
        sizes = page.evaluate("""() => [...document.querySelectorAll("button[name=cell]")]
          .map((button) => button.getBoundingClientRect()).map((box) => [box.width, box.height])""")
        assert len(sizes) == 100
        assert min(min(size) for size in sizes) >= least, "no finger meets it"


LONG_STATUS = (
    "Du: G7, Wasser. Dein Gegenüber: E10, dein Schlachtschiff, getroffen; H10, dein Zerstörer, "
    "versenkt; J10, Wasser."
)


@pytest.mark.parametrize("size", [PHONE, deep((844, 390))])
def test_a_status_has_one_size_of_letters_and_fits_its_place(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(begun(), touch=True, size=size)
    before = boxes(page)
    cut, sizes = page.locator("#status").evaluate(
        """(it, lines) => {
          const sizes = new Set();
          const cut = lines.filter((html) => {
            it.innerHTML = html.replace(/^<p[^>]*>|<.p>\\s*$/g, "");
            sizes.add(getComputedStyle(it.querySelector("span") ?? it).fontSize);
            return it.scrollHeight > it.clientHeight;
          });
          return [cut, [...sizes]];
        }""",
        [
            render_to_string(
                "game/_status.html", {"status": Status(f"{LONG_STATUS[: length - 1]}.")}
            )
            for length in range(30, len(LONG_STATUS) + 1)
        ],
    )
    assert not cut
    assert len(sizes) == 1
    assert boxes(page) == before

"""Where things lie: boards that stand still, pages that fit, cells that a finger can meet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from game.engine.actions import STAY, Fire
from game.matches.saved import SavedMatch
from game.views.rendering import status_line
from tests.support.browser import OpenPage, answered, cell, fire, focus, look, said, unfold
from tests.support.browser_matches import (
    MINE,
    begun,
    enemy_water,
    is_firing_late,
    place_address,
    play_address,
    played,
)
from tests.support.layout import shifts, watch_for_shifts
from tests.support.site_pages import ADDRESSES, EXPECTS, show

_BOXES = """() => Object.fromEntries([...document.querySelectorAll("[data-board]")].map((board) => {
  const box = board.getBoundingClientRect();
  return [board.dataset.board, [box.left + scrollX, box.top + scrollY, box.width, box.height]];
}))"""
_TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll("body *")]
    .filter((it) => it.getBoundingClientRect().right > width + 0.5)
    .map((it) => `${it.tagName}.${it.getAttribute("class") ?? ""} to ` +
      `${Math.round(it.getBoundingClientRect().right)} of ${width}`)
    .concat(document.documentElement.scrollWidth).slice(0, 8);
}"""


_SPACED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important } p { margin-bottom: 2em !important }`);
  document.adoptedStyleSheets = [sheet];
}"""
"""The spacing that a reader may set by 1.4.12 of WCAG 2.2."""
_CLIPPED = """() => [...document.querySelectorAll("body *")]
  .filter((it) => it.checkVisibility() && it.textContent.trim())
  .filter((it) => !it.closest(".sr-only, svg, [aria-hidden=true]"))
  .filter((it) => /hidden|clip/.test(getComputedStyle(it).overflowX) && it.clientWidth > 2)
  .filter((it) => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1)
  .filter((it) => it.scrollWidth > it.clientWidth + 1 || getComputedStyle(it).overflowY !== "auto")
  .map((it) => `${it.tagName}.${it.className} is cut off`)"""


def boxes(page: Page) -> Any:
    """Where the boards are on the page."""
    return page.evaluate(_BOXES)


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_nothing_shifts_from_the_first_ship_placed_to_the_twentieth_turn(
    open_page: OpenPage, width: int
) -> None:
    page = open_page(
        place_address("B2h5"), size=(width, 740), motion="no-preference", expects="status of 422"
    )
    watch_for_shifts(page)
    page.locator("[name=pick][value='3']").check(force=True)
    for name in ("C3", "C6", "C3"):  # what is told of where it can't lie comes and goes
        cell(page, "own", name).hover()
    cells = ("[data-cell=B4] button", "[data-cell=C3] button")
    controls = ("#act-start", "#act-turn", "#act-undo", "#act-random", "#act-clear", "#act-undo")
    for button in (*cells, *controls):
        if button in ("#act-undo", "#act-clear"):
            unfold(page)
        with answered(page):
            page.locator(button).click(force=True)
    assert not shifts(page)
    page.emulate_media(reduced_motion="reduce")
    page.goto(play_address(replace(before_a_long_reply(), match=begun().match)))
    watch_for_shifts(page)
    places = set()
    while (seen := look(page)).turn < 20:
        places.add(str({name: [round(edge) for edge in box] for name, box in boxes(page).items()}))
        if seen.turn % 4:
            with answered(page):
                page.locator(".steer").first.evaluate("arrow => arrow.click()")
        fire(page, enemy_water(page.url))
    assert len(places) == 1, places
    assert not shifts(page)
    page.evaluate("document.querySelector('.top').style.paddingTop = '40px'")
    page.wait_for_function("() => shifts.length > 0")  # it would have been noticed


def before_a_long_reply() -> SavedMatch:
    """A match in which every ship of the person's has been hit, so that the enemy will go on."""
    saved = begun()
    match, board = saved.match, saved.match.ruleset.board
    match = match.act(Fire(board.parse("A10"))).act(STAY)
    for ship in match.placements(saved.setup.person):
        for hit in ship.cells[:-1]:
            match = match.act(Fire(hit))
    setup = replace(saved.setup, minds=(None, "bonn-hard"))
    return replace(saved, setup=setup, match=match.act(Fire(board.parse("A1"))).act(STAY))


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_a_long_reply_of_the_enemy_does_not_push_the_boards(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(play_address(begun(), language), language=language)
    before = boxes(page)
    page.goto(play_address(before_a_long_reply(), language))
    fire(page, "A10")  # and since no ship can move, the reply follows at once
    text = said(page)
    assert text.count(":") == 2, "in sum"
    for board, box in boxes(page).items():
        assert box == pytest.approx(before[board], abs=1), text


_BUTTONS = """() => {
  const whole = ".top nav > *, .bar summary, .lift .steer";
  const buttons = [...document.querySelectorAll(`main button, main .button, ${whole}`)]
    .filter((it) => (!it.closest("td") || it.matches(whole)) && it.checkVisibility());
  return [buttons.length, buttons.filter((it) => {
    const { width, height } = it.getBoundingClientRect();
    return height < 44 || (it.matches(whole) && width < 44);
  }).map((it) => it.outerHTML)];
}"""
"""The number of buttons that are not cells, and those that are too small for a thumb."""


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_pages_fit_a_thumb_and_never_scroll_sideways_or_lose_anything_when_enlarged(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(language=language, size=(360, 640), touch=True, expects=EXPECTS)
    faults: dict[tuple[str, int | str], list[str]] = {}
    buttons = 0
    for name in ADDRESSES:
        page.set_viewport_size({"width": 360, "height": 640})
        show(page, name, language)
        count, small = page.evaluate(_BUTTONS)
        buttons += count
        if small:
            faults[name, "thumb"] = small
        for width in (768, 320):  # `make long` tries nine
            page.set_viewport_size({"width": width, "height": 800})
            if wide := page.evaluate(_TOO_WIDE):
                faults[name, width] = wide
        page.set_viewport_size({"width": 320, "height": 256})  # 1280 by 1024, enlarged fourfold
        page.evaluate(_SPACED)
        if lost := page.evaluate(_TOO_WIDE) + page.evaluate(_CLIPPED):
            faults[name, "spaced"] = lost
    assert not faults
    assert buttons > 100


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_on_a_phone_all_that_one_plays_by_is_in_sight_at_once(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(language=language, size=(360, 640), touch=True)
    page.goto(play_address(played(is_firing_late), language))
    parts = page.locator("#status, [data-board=enemy], .enemy-fleet .fleet, .own-fleet .fleet-ship")
    bottoms = parts.evaluate_all(
        "them => them.map((it) => it.getBoundingClientRect().bottom + scrollY)"
    )
    assert len(bottoms) == 13
    bar = page.locator("#act-coach").bounding_box()
    assert bar is not None
    assert max(bottoms) <= bar["y"], bottoms
    own = page.get_by_role("region", name={"en": "Your fleet", "de": "Deine Flotte"}[language])
    kinds = {"en": "Battleship", "de": "Schlachtschiff"}[language]
    expect(own.get_by_role("listitem")).to_have_count(4)
    expect(own.get_by_role("listitem").first).to_contain_text(kinds)


LONGEST = "Linienschiff fährt nach rechts. Computer: F6, Wasser; Kreuzer in A10 getroffen, G7."


def test_a_status_of_any_length_fits_its_place_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(play_address(begun()), touch=True)
    status = page.locator("#status")
    for width, height in ((360, 640), (640, 360)):
        page.set_viewport_size({"width": width, "height": height})
        for length in range(60, len(LONGEST) + 1):
            room, needed = status.evaluate(
                "(it, html) => { it.innerHTML = html; return [it.clientHeight, it.scrollHeight]; }",
                status_line(f"{LONGEST[: length - 1]}."),
            )
            assert needed <= room, (width, length)


@pytest.mark.parametrize(("width", "least"), [(320, 24), (360, 30)])
def test_the_cells_to_fire_at_are_large_enough_for_a_finger(
    open_page: OpenPage, width: int, least: int
) -> None:
    page = open_page(play_address(played(is_firing_late)), size=(width, 640), touch=True)
    sizes = page.evaluate("""() => [...document.querySelectorAll("button[name=cell]")]
      .map((button) => button.getBoundingClientRect()).map((box) => [box.width, box.height])""")
    assert len(sizes) == 100
    assert min(min(size) for size in sizes) >= least


def test_the_cell_in_focus_is_never_covered(open_page: OpenPage) -> None:
    page = open_page(place_address(MINE), size=(360, 640))
    page.locator("[data-board=own] button").first.focus()
    covered, visited = [], set()
    for key in [*["ArrowDown"] * 10, *["ArrowRight"] * 10, *["ArrowUp"] * 10]:
        page.keyboard.press(key)
        covered += page.evaluate("""() => {
          const it = document.activeElement, box = it.getBoundingClientRect();
          const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          return top === it ? [] : [`${it.id} by ${top?.outerHTML.slice(0, 60)}`];
        }""")
        visited.add(focus(page))
    assert not covered
    assert len(visited) == 27, "along three edges of the board"

"""Presses in a row, and presses during an answer, on every kind of page: the first one counts."""

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import NamedTuple

import pytest
from playwright.sync_api import Route

from game.matches.saved import SavedMatch
from tests.support import deep
from tests.support.browser import OpenPage
from tests.support.features import merged
from tests.support.matches import (
    MINE,
    STILL,
    address,
    begun,
    fired,
    nearly_won,
    place_address,
    replay_address,
    won,
)
from tests.support.presses import press_by_key, press_by_mouse, reach


class Kind(NamedTuple):
    """What is pressed on a page; its phase after one press, and what has the focus."""

    where: Callable[[], str]
    press: str
    phase: str
    focused: str
    before: tuple[str, ...] = ()
    """What is pressed first."""


def cell(name: str, board: str = "enemy") -> str:
    return f"[data-board={board}] [data-cell={name}] > :is(button, input)"


def at(saved: SavedMatch) -> Callable[[], str]:
    return lambda: address(saved)


ASKING = replace(STILL, questions=5)
ANOTHER = fired("C3 D3", begun(seed=bytes(16)))
"""A match in which the browser has not been asked about a wreck."""
SALVO = begun(replace(STILL, salvo=True, again=False))
TWO = begun(minds=(None, None), person_names=("Anna", "Ben"))
KINDS = {
    "a ship is placed": Kind(place_address, cell("C3", "own"), "placing", "own-C3"),
    "start": Kind(lambda: place_address(MINE), "#act-start", "firing", "enemy-A1"),
    "water": Kind(at(begun(STILL)), cell("E4"), "firing", "enemy-E4"),
    "salvo": Kind(at(SALVO), cell("E4"), "firing", "enemy-E4"),
    "the end": Kind(at(nearly_won(1)), cell("D3"), "over", "phase"),
    "a wreck": Kind(at(fired("C3 D3")), cell("C3"), "firing", "act-spare"),
    "spared": Kind(at(ANOTHER), "#act-spare", "firing", "enemy-C3", (cell("C3"),)),
    "give up?": Kind(at(begun()), "#act-resign", "firing", "act-play-on"),
    "play on": Kind(at(begun()), "#act-play-on", "firing", "enemy-A1", ("#act-resign",)),
    "give up": Kind(at(begun()), "#act-resign-yes", "over", "phase", ("#act-resign",)),
    "steering": Kind(at(begun()), ".steer", "firing", "enemy-A1"),
    "a question": Kind(at(begun(ASKING)), "#act-ask", "firing", "enemy-A1", ("#mode-ask",)),
    "handover": Kind(at(TWO), cell("E4"), "handover", "phase", ("#act-show",)),
    "the curtain": Kind(at(TWO), "#act-show", "firing", "enemy-A1"),
    **{name: Kind(*kind) for name, kind in merged("PRESSES").items()},
}


@pytest.mark.parametrize(
    ("press", "slower"),
    [
        deep(press_by_key, 1),
        *(
            pytest.param(press, slower, marks=pytest.mark.long)
            for press, slower in ((press_by_mouse, 1), (press_by_key, 10), (press_by_mouse, 10))
        ),
    ],
)
def test_of_three_quick_presses_the_first_counts_and_the_focus_follows_its_answer(
    open_page: OpenPage, press: Callable[..., None], slower: int
) -> None:
    """B13: the second press comes during the answer, and the third one was made before it."""
    page = open_page("/en/")
    if slower > 1:
        page.slow_down(slower)
    for name, kind in KINDS.items():
        page.goto(kind.where())
        for selector in kind.before:
            if page.locator(selector).get_attribute("type") in ("checkbox", "radio"):
                page.click(selector)
            else:
                reach(page, selector)
                page.act(selector)
        where = reach(page, kind.press)
        before, now = page.forms_sent, time.time()
        press(page, where, now, 1)
        press(page, where, now + 0.1, 2)
        page.wait_for_function("before => answers > before", arg=before)
        press(page, where, now + 0.2, 3)
        page.expects("[aria-busy=true]").to_have_count(0)
        assert page.forms_sent == before + 1, name
        assert (page.seen.phase, page.focused) == (kind.phase, kind.focused), name


@pytest.mark.parametrize("press", [press_by_key, press_by_mouse])
def test_the_second_of_two_quick_presses_does_nothing_on_the_next_page(
    open_page: OpenPage, press: Callable[..., None]
) -> None:
    page = open_page("/en/")
    place, now = reach(page, "#act-quick"), time.time()
    with page.loaded():
        press(page, place, now, 1)
    page.see(phase="firing")
    press(page, page.middle(page.target("A1")), now + 0.3, 2)
    assert page.forms_sent == 0


def test_a_press_during_an_answer_is_not_for_what_the_answer_brings(open_page: OpenPage) -> None:
    """It is another press, by other means, and the page is told of it late."""
    page = open_page(place_address(MINE))
    place, early = reach(page, "#act-start"), time.time()
    page.act("#act-start")
    for press in (press_by_key, press_by_mouse):
        press(page, place, early, 1)
    assert (page.forms_sent, page.focused) == (1, "enemy-A1")
    page.fire("E4")


def test_what_a_press_leaves_as_it_is_can_be_pressed_quickly(open_page: OpenPage) -> None:
    page = open_page(place_address())
    for selector, where in (("#act-random", ""), ("[data-go=forward]", replay_address(won()))):
        if where:
            page.goto(f"{where}?step=0")
        place, now = reach(page, selector), time.time()
        for press in (press_by_mouse, press_by_key):
            for count in range(1, 4):
                with nullcontext() if where else page.answered():
                    press(page, place, now + count / 10, count)
    page.expects("[data-now]").to_have_text("6")


def test_an_answer_that_a_later_request_has_overtaken_is_not_shown(open_page: OpenPage) -> None:
    page = open_page(begun(STILL))
    older = address(fired("J6", begun(STILL)))
    waiting: list[Route] = []
    page.route("**/asked-by-itself", lambda it: waiting.append(it))
    asked = "htmx.ajax('GET', '/asked-by-itself', { target: '#game', swap: 'morph' }) && 0"
    page.evaluate(asked)
    page.expects("[aria-busy=true]").to_have_count(1)
    page.fire("E4")
    before = page.seen
    late = page.request.get(older, headers={"HX-Request": "true"})
    with page.expect_event("requestfinished"):
        waiting[0].fulfill(response=late)
    page.expects("[aria-busy=true]").to_have_count(0)
    assert page.seen == before

"""Asking whether a ship lies in a rectangle: by taps, mouse, finger, keys and a plain form."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from game.engine.actions import Ask
from game.matches.setup import Assists
from tests.support import deep
from tests.support.browser import LAPTOP, PHONE, OpenPage, Page
from tests.support.matches import EMPTY, STILL, begun

ASKING = replace(STILL, questions=5)
QUESTION = "Is a ship in C2 to E4?"
"""All ask this. The enemy's fleet has a ship at C3 and D3."""


def choose(page: Page) -> None:
    """Chooses to ask, where a box is drawn already."""
    page.click("#mode-ask")
    page.expects("#act-ask").to_have_text("Is a ship in E5 to F6?")


def send(page: Page) -> None:
    page.expects("#act-ask").to_have_text(QUESTION)
    page.act("#act-ask")


def by_taps(page: Page) -> None:
    choose(page)
    page.touch(page.cell("enemy", "E2"))
    page.expects("#act-ask").to_have_text("Is a ship at E2?")
    page.touch(page.cell("enemy", "C4"))
    send(page)


def by_mouse(page: Page) -> None:
    choose(page)
    page.drag(page.middle(page.cell("enemy", "C2")), page.middle(page.cell("enemy", "F5")))
    page.drag(page.middle(page.cell("enemy", "F5")), page.middle(page.cell("enemy", "E4")))
    send(page)


def by_finger(page: Page) -> None:
    choose(page)
    page.finger_drag(page.middle(page.cell("enemy", "C2")), page.middle(page.cell("enemy", "E4")))
    send(page)


def by_keys(page: Page) -> None:
    page.tab_to("#mode-fire")
    page.keys("ArrowRight")
    page.tab_to("[data-board=enemy] button", back=True)
    for name in ("C2", "E4"):
        page.walk_to(name)
        page.keys("Enter")
    assert page.says == QUESTION
    page.tab_to("#act-ask")
    page.act_by_key("Enter")
    assert page.focused == "enemy-E4"


def by_form(page: Page) -> None:
    page.click("#mode-ask")
    page.fill("[name=ask_from]", "e4")
    page.fill("[name=ask_to]", "c2")
    page.act("#act-ask")


@pytest.mark.parametrize("ask", [deep(by_taps), by_mouse, deep(by_finger), by_keys, by_form])
def test_there_are_five_ways_to_the_same_question(
    open_page: OpenPage, ask: Callable[[Page], None]
) -> None:
    is_touch = ask in (by_taps, by_finger)
    page = open_page(
        begun(ASKING), size=PHONE if is_touch else LAPTOP, touch=is_touch, script=ask is not by_form
    )
    ask(page)
    assert f"{QUESTION} Yes." in page.says
    match = page.saved.match
    assert (len(match.questions), len(match.shots)) == (1, 0)
    page.see(questions="4")
    page.expects("[data-question='C2 E4']").to_have_attribute("data-answer", "yes")
    page.expects("#mode-ask").to_be_disabled()
    page.expects("#act-ask").to_be_hidden()


def test_escape_returns_to_firing_and_a_listed_question_marks_its_box(open_page: OpenPage) -> None:
    match = begun(ASKING).match
    parse = match.ruleset.board.parse
    saved = replace(
        begun(ASKING), match=match.act(Ask(parse("C2"), parse("E4"))).fire(parse("A10"))
    )
    page = open_page(saved, size=LAPTOP)
    page.click("#mode-ask")
    before = page.seen
    page.cell("enemy", "J10").click()
    page.keys("Escape")
    page.expects("#mode-fire").to_be_checked()
    assert page.seen == before
    box = page.locator("#box-C2-E4")
    unmarked = box.evaluate("box => getComputedStyle(box).backgroundColor")
    page.click("[data-question]")
    assert box.evaluate("box => getComputedStyle(box).backgroundColor") != unmarked


@pytest.mark.deep
def test_the_coach_proposes_a_question_and_says_how_each_divides(open_page: OpenPage) -> None:
    saved = begun(ASKING, minds=(None, "random"), assists=Assists(coach=True))
    page = open_page(saved, size=LAPTOP)
    page.fire(EMPTY[0])
    share = page.locator("#ask-share")
    expect(share).to_be_empty()
    page.click("#mode-ask")
    expect(share).to_have_text(re.compile(r"yes in (4|5)\d of 100 fleets"))
    proposed = page.inner_text("#act-ask span")
    page.reload()
    page.click("#mode-ask")
    assert page.inner_text("#act-ask span") == proposed
    for name in ("A1", "J10"):
        page.cell("enemy", name).click()
    expect(share).to_have_text("yes in 100 of 100 fleets")
    page.act("#act-ask")
    assert "Is a ship in A1 to J10? Yes. No surprise: the answer was certain." in page.says
    assert proposed != "Is a ship in A1 to J10?"

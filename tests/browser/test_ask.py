"""Asking whether a ship lies in a rectangle: by taps, mouse, finger, keys and a plain form."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from game.matches.setup import Assists
from tests.support.browser import (
    LAPTOP,
    PHONE,
    OpenPage,
    cell,
    click,
    drag,
    finger_drag,
    fire,
    focus,
    look,
    middle,
    press,
    said,
    see,
    tab_to,
    tap,
    walk_to,
)
from tests.support.matches import EMPTY, STILL, address, begun, saved_at

ASKING = replace(STILL, questions=5)
QUESTION = "Is a ship in C2 to E4?"
"""All ask this. The enemy's fleet has a ship at C3 and D3."""


def choose(page: Page) -> None:
    """Chooses to ask, where a box is drawn already."""
    page.locator("#mode-ask").click()
    expect(page.locator("#act-ask")).to_have_text("Is a ship in E5 to F6?")


def send(page: Page) -> None:
    expect(page.locator("#act-ask")).to_have_text(QUESTION)
    click(page, "#act-ask")


def by_taps(page: Page) -> None:
    choose(page)
    tap(page, cell(page, "enemy", "E2"))
    expect(page.locator("#act-ask")).to_have_text("Is a ship at E2?")
    tap(page, cell(page, "enemy", "C4"))
    send(page)


def by_mouse(page: Page) -> None:
    choose(page)
    drag(page, middle(cell(page, "enemy", "C2")), middle(cell(page, "enemy", "F5")))
    drag(page, middle(cell(page, "enemy", "F5")), middle(cell(page, "enemy", "E4")))
    send(page)


def by_finger(page: Page) -> None:
    choose(page)
    finger_drag(page, middle(cell(page, "enemy", "C2")), middle(cell(page, "enemy", "E4")))
    send(page)


def by_keys(page: Page) -> None:
    tab_to(page, "#mode-fire")
    page.keyboard.press("ArrowRight")
    tab_to(page, "[data-board=enemy] button", back=True)
    for name in ("C2", "E4"):
        walk_to(page, name)
        page.keyboard.press("Enter")
    assert said(page) == QUESTION
    tab_to(page, "#act-ask")
    press(page, "Enter")
    assert focus(page) == "enemy-E4"


def by_form(page: Page) -> None:
    page.locator("#mode-ask").click()
    page.locator("[name=ask_from]").fill("e4")
    page.locator("[name=ask_to]").fill("c2")
    click(page, "#act-ask")


@pytest.mark.parametrize("ask", [by_taps, by_mouse, by_finger, by_keys, by_form])
def test_there_are_five_ways_to_the_same_question(
    open_page: OpenPage, ask: Callable[[Page], None]
) -> None:
    is_touch = ask in (by_taps, by_finger)
    page = open_page(
        address(begun(ASKING)),
        size=PHONE if is_touch else LAPTOP,
        touch=is_touch,
        script=ask is not by_form,
    )
    ask(page)
    assert f"{QUESTION} Yes." in said(page)
    match = saved_at(page.url).match
    assert (len(match.questions), len(match.shots)) == (1, 0)
    see(page, questions="4")
    expect(page.locator("[data-question='C2 E4']")).to_have_attribute("data-answer", "yes")
    expect(page.locator("#mode-ask")).to_be_disabled()
    expect(page.locator("#act-ask")).to_be_hidden()


def test_escape_returns_to_firing_and_a_listed_question_marks_its_box(open_page: OpenPage) -> None:
    match = begun(ASKING).match
    parse = match.ruleset.board.parse
    saved = replace(begun(ASKING), match=match.ask(parse("C2"), parse("E4")).fire(parse("A10")))
    page = open_page(address(saved), size=LAPTOP)
    page.locator("#mode-ask").click()
    before = look(page)
    cell(page, "enemy", "J10").click()
    page.keyboard.press("Escape")
    expect(page.locator("#mode-fire")).to_be_checked()
    assert look(page) == before
    box = page.locator("#box-C2-E4")
    assert box.evaluate("box => getComputedStyle(box).fill") == "none"
    page.locator("[data-question]").click()
    assert box.evaluate("box => getComputedStyle(box).fill") != "none"


def test_the_coach_proposes_a_question_and_says_how_each_divides(open_page: OpenPage) -> None:
    saved = begun(ASKING, minds=(None, "random"), assists=Assists(coach=True))
    page = open_page(address(saved), size=LAPTOP)
    fire(page, EMPTY[0])
    share = page.locator("#ask-share")
    expect(share).to_be_empty()
    page.locator("#mode-ask").click()
    expect(share).to_have_text(re.compile(r"yes for (4|5)\d of 100"))
    proposed = page.locator("#act-ask span").inner_text()
    page.reload()
    page.locator("#mode-ask").click()
    assert page.locator("#act-ask span").inner_text() == proposed
    for name in ("A1", "J10"):
        cell(page, "enemy", name).click()
    expect(share).to_have_text("yes for 100 of 100")
    click(page, "#act-ask")
    assert "Is a ship in A1 to J10? Yes. No surprise: the answer was certain." in said(page)
    assert proposed != "Is a ship in A1 to J10?"

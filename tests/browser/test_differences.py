"""Answers that hold what differs: after any action the page is the same as after a reload."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from difflib import unified_diff
from itertools import islice
from random import Random
from typing import Any

import pytest
from playwright import sync_api

from bench import matches as bench
from game.engine.presets import PRESETS
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from tests.support.browser import OpenPage, Page
from tests.support.comparing import SHOWN
from tests.support.matches import address, deployed, searching, with_setup

EXPECTED = "status of 422"

CHOICES = {
    "fire": (12, ".firing button[name=cell]:not([aria-disabled])"),
    "move": (5, ".steer"),
    "ask": (4, "#act-ask"),
    "type": (2, "#act-typed"),
    "mistype": (1, "#act-typed"),
    "help": (2, ".help button"),
    "give up": (2, "#act-resign"),
    "decline": (30, "[data-escape]"),
    "sound": (1, "#switch-sound:not([hidden])"),
    "pick": (2, ".steering td[data-state=ship]"),
    "go on": (99, "#act-go-on"),
    "show": (99, "#act-show"),
}
"""What a player may do, how likely it is, and the controls of which one is pressed."""


def shown(page: sync_api.Page) -> list[str]:
    found: list[str] = page.evaluate(SHOWN)
    return found


def act(page: Page, chance: Random, choices: Sequence[str]) -> str:
    """Does one thing that the page offers, and returns what."""
    offered = {name: page.count(CHOICES[name][1]) for name in choices}
    names = [name for name, count in offered.items() if count]
    what = chance.choices(names, [CHOICES[name][0] for name in names])[0]
    control = page.locator(CHOICES[what][1]).nth(chance.randrange(offered[what]))
    if what in ("type", "mistype"):
        cells = page.locator(CHOICES["fire"][1])
        cell = cells.nth(chance.randrange(cells.count())).get_attribute("value") or "A1"
        page.locator("#typed").evaluate(
            "(it, text) => { it.value = text; }", {"type": cell}.get(what, "Z99")
        )
    if what == "ask" and page.locator("#mode-ask").is_enabled():
        page.locator("#mode-ask").evaluate("it => it.click()")
    if what in ("pick", "sound"):
        control.evaluate("it => it.click()")
        page.wait_for_pictures()
        return what
    before = page.forms_sent
    control.evaluate("it => it.click()")
    page.wait_for_function("before => answers > before", arg=before)
    return what


def matches() -> list[SavedMatch]:
    """Matches of every kind, before their first shots."""
    rows = [row for row in PRESETS.values() if row.name != "own"]
    saved = [bench.begun(Setup(row.ruleset, (None, "random"), preset=row)) for row in rows]
    shared = [
        with_setup(deployed(PRESETS[name].ruleset), minds=(None, None))
        for name in ("short", "salvo")
    ]
    return [*saved, *shared, searching("short"), searching("milton", hints=True)]


def faults(
    open_page: Callable[..., Page],
    saved: SavedMatch,
    chance: Random,
    actions: int,
    language: str = "en",
    choices: Sequence[str] = tuple(CHOICES),
) -> Iterator[str]:
    """Plays on at random, and yields after each action how the page differs from a fresh load."""
    page = open_page(address(saved, language), language=language, expects=EXPECTED)
    fresh = page.context.new_page()
    done = list[str]()
    for _ in range(actions):
        done.append(act(page, chance, choices))
        # The coach proposes a question once Ask is chosen.
        alone = page.count("[data-escape], .refused, .asking[data-coach]")
        if done[-1] not in ("pick", "sound") and not alone:
            fresh.goto(page.url)
            if fresh.locator("#act-show").count() and not page.count("#act-show"):
                fresh.click("#act-show")
                fresh.locator("#act-show").wait_for(state="detached")
            fresh.wait_for_function("document.readyState === 'complete'")
            wanted, found = shown(fresh), shown(page)
            if wanted != found:
                yield f"{saved.setup.preset.name} after {done}: " + "\n".join(
                    unified_diff(wanted, found, "loaded", "answered", lineterm="", n=2)
                )
        if page.count("[data-phase=over]"):
            break
    fresh.close()


@pytest.mark.parametrize("actions", [40, pytest.param(300, marks=pytest.mark.long)])
def test_after_any_action_the_page_is_as_after_a_reload(open_page: OpenPage, actions: int) -> None:
    seed = int(os.environ.get("SEED", "") or Random().randrange(10**6))
    chance = Random(seed)
    kinds = chance.sample(matches(), 4) if actions < 100 else matches()
    for number, saved in enumerate(kinds):
        language = ("en", "de")[number % 2]
        each = actions // len(kinds)
        differences = [*islice(faults(open_page, saved, chance, each, language), 1)]
        assert not differences, f"SEED={seed}: {differences[0]}"


@pytest.mark.parametrize(
    ("left_out", "where"),
    [(r'<p id="turns".*?</p>', "short"), (r'<td role="gridcell".*?</td>', "bonn"),
     (r'<b id="shots-fired".*?</b>', "milton"), (r' data-turn="\d+"', "salvo")],
)  # fmt: skip
def test_what_an_answer_leaves_out_is_noticed(
    open_page: OpenPage, left_out: str, where: str
) -> None:
    chance, row = Random(1), PRESETS[where]
    saved = bench.begun(Setup(row.ruleset, (None, "random"), preset=row))

    def without(text: str) -> str:
        if "data-changes" not in text:
            return text
        return re.sub(left_out, "", text, count=1, flags=re.DOTALL)

    def opened(*given: Any, **how: Any) -> Page:
        page = open_page(*given, **how)
        page.forging("**/play/**", without)
        return page

    assert next(faults(opened, saved, chance, 5, choices=("fire", "go on")), "")

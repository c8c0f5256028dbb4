"""Two persons at two devices, each with a browser of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from playwright.sync_api import APIResponse, Page, expect

from tests.support.browser import (
    WITHOUT_SCRIPT,
    OpenPage,
    answered,
    loaded,
    target,
    unfold,
)

SMALL = "own/?columns=6&rows=6&n5=0&n4=0&n3=0&n2=2&again=off"
"""Two ships of two cells, which may move."""
OWN = {"Sec-Fetch-Site": "same-origin"}
"""The header that browsers send with the site's own forms."""


class Players(NamedTuple):
    """The pages of the two seats."""

    first: Page
    second: Page


@contextmanager
def sent(page: Page) -> Iterator[None]:
    """Waits until the form that is sent within is answered, with and without a script."""
    has_script = page not in WITHOUT_SCRIPT and page.locator("[data-wait]").count()
    with answered(page) if has_script else loaded(page):
        yield


def press(page: Page, button: str) -> None:
    """Presses a button of the match, and waits for the answer."""
    with sent(page):
        page.locator(button).click()


def place(page: Page, name: str = "") -> None:
    """Places a fleet at random, and starts; the page after it is another one."""
    if name:
        page.locator(".own-name input").fill(name)
    has_script = page not in WITHOUT_SCRIPT
    for button in ("#act-random", "#act-start"):
        with answered(page) if has_script else loaded(page):
            page.locator(button).click()


def invite(page: Page, rules: str = "bonn/", *, language: str = "en", name: str = "") -> str:
    """Chooses a game for two devices, and places a fleet; returns the link for the friend."""
    page.goto(f"/{language}/setup/{rules}")
    with loaded(page):
        page.locator("#act-friend").click()
    place(page, name)
    expect(page.locator("#game")).to_have_attribute("data-phase", "waiting")
    link = page.locator("#game").get_attribute("data-invite")
    assert link is not None
    return link


def join(page: Page, link: str, *, language: str = "en") -> None:
    """Opens an invitation in a language, and presses Join."""
    page.goto(link.replace("/invite/", f"/{language}/invite/"))
    with loaded(page):
        page.locator("#act-join").click()
    expect(page.locator("#game")).to_have_attribute("data-phase", "placing")


def begun(
    open_page: OpenPage,
    rules: str = SMALL,
    *,
    languages: tuple[str, str] = ("en", "en"),
    script: bool = True,
    expects: str = "",
    init: str = "",
) -> Players:
    """A match of two before its first shot; the first seat is to fire.

    With a script the way there is the forms' alone: `invite`, `join` and `place` are its buttons.
    """
    pages = [
        open_page(language=language, script=script, expects=expects, init=init)
        for language in languages
    ]
    if script:
        new = f"/{languages[0]}/new/{rules}{'&' if '?' in rules else '?'}opponent=friend"
        waits = begin_at(pages[0], pages[0].request.get(new))
        link = found(r'data-invite="([^"]+)"', waits)
        link = link.replace(f"/{languages[0]}/", f"/{languages[1]}/")
        pages[1].request.get(link)
        joined = pages[1].request.post(link, form={"action": "join"}, headers=OWN)
        pages[1].goto(begin_at(pages[1], joined).url)
        pages[0].goto(waits.url)
    else:
        join(pages[1], invite(pages[0], rules, language=languages[0]), language=languages[1])
        place(pages[1])
    players = Players(*pages)
    see_phase(players.first, "firing")
    return players


def begin_at(page: Page, placing: APIResponse) -> APIResponse:
    """Asks for a random fleet and returns the page that follows."""
    where = found(r'action="(/\w\w/place/[^"]+)"', placing)
    return page.request.post(where, form={"action": "quick"}, headers=OWN)


def found(pattern: str, answer: APIResponse) -> str:
    """The part of a page that matches the pattern's group."""
    match = re.search(pattern, answer.text())
    assert match, (pattern, answer.status, answer.url)
    return match[1]


def see_phase(page: Page, phase: str) -> None:
    """Waits until a page that follows the other one is in that phase."""
    see_phase_in(page, (phase,))


def see_phase_in(page: Page, phases: tuple[str, ...]) -> None:
    """Waits until a page that follows the other one is in one of those phases."""
    if page in WITHOUT_SCRIPT:
        page.reload()
    pattern = re.compile(f"^({'|'.join(phases)})$")
    expect(page.locator("#game")).to_have_attribute("data-phase", pattern)
    page.wait_for_load_state()  # what it follows may have led to another page


def cells_of(page: Page, state: str) -> list[str]:
    """The cells of a player's own waters in that state: what the other one can't know."""
    if page in WITHOUT_SCRIPT:
        page.reload()  # else it may just do so by itself
    cells: list[str] = page.locator(f"[data-board=own] [data-state={state}]").evaluate_all(
        "them => them.map((it) => it.dataset.cell)"
    )
    return cells


def fire_at(page: Page, name: str) -> None:
    """Fires without moving a ship."""
    with sent(page):
        target(page, name).click()


def move(page: Page) -> list[str]:
    """Moves a ship by the first arrow there is, and returns the cells of its player's ships."""
    with sent(page):
        page.locator("button[name=steer]").first.evaluate("arrow => arrow.click()")
    return cells_of(page, "ship")


def give_up(page: Page) -> None:
    """Gives up and confirms it."""
    unfold(page)
    press(page, "#act-resign")
    press(page, "#act-resign-yes")

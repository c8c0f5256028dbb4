"""Two persons at two devices, each with a browser of their own."""

import re

from playwright.sync_api import APIResponse

from tests.support.browser import OpenPage, Page

SMALL = "own/?columns=6&rows=6&n5=0&n4=0&n3=0&n2=2&again=off"
"""Two ships of two cells, which may move."""
ONE_SHIP = SMALL.replace("n2=2", "n2=1")
HASTE = """
{
  const later = setTimeout;
  window.setTimeout = (act, wait) => later(act, wait / 10);
}
"""
"""Has a page ask ten times as often whether the other player has acted."""
OWN = {"Sec-Fetch-Site": "same-origin"}
"""The header that browsers send with the site's own forms."""


def place(page: Page, name: str = "") -> None:
    """Places a fleet at random, and starts; the page after it is another one."""
    if name:
        page.fill(".own-name input", name)
    page.act("#act-random", "#act-start")


def invite(page: Page, rules: str = "bonn/", *, language: str = "en", name: str = "") -> str:
    """Chooses a game for two devices, and places a fleet; returns the link for the friend."""
    page.goto(f"/{language}/setup/{rules}")
    page.follow("#act-friend")
    place(page, name)
    page.see(phase="waiting")
    link = page.get_attribute("#game", "data-invite")
    assert link is not None
    return link


def join(page: Page, link: str, *, language: str = "en") -> None:
    """Opens an invitation in a language, and presses Join."""
    page.goto(link.replace("/invite/", f"/{language}/invite/"))
    page.follow("#act-join")
    page.see(phase="placing")


def begun(
    open_page: OpenPage, *, names: tuple[str, str] = ("", ""), expects: str = "", init: str = ""
) -> tuple[Page, Page]:
    """The pages of the seats in a match before its first shot; the first one is to fire.

    The way there is the forms' alone: `invite`, `join` and `place` are its buttons.
    """
    first, second = (open_page(expects=expects, init=HASTE + init) for _seat in range(2))
    new = first.request.get(f"/en/new/{SMALL}&opponent=friend")
    waits = begin_at(first, new, names[0])
    link = found(r'data-invite="([^"]+)"', waits)
    second.request.get(link)
    joined = second.request.post(link, form={"action": "join"}, headers=OWN)
    second.goto(begin_at(second, joined, names[1]).url)
    first.goto(waits.url)
    see_phase(first, "firing")
    return first, second


def begin_at(page: Page, placing: APIResponse, name: str) -> APIResponse:
    """Asks for a random fleet and returns the page that follows."""
    where = found(r'action="(/\w\w/seat/[^"]+)"', placing)
    return page.request.post(where, form={"action": "quick", "name": name}, headers=OWN)


def found(pattern: str, answer: APIResponse) -> str:
    """The part of a page that matches the pattern's group."""
    match = re.search(pattern, answer.text())
    assert match, (pattern, answer.status, answer.url)
    return match[1]


def see_phase(page: Page, phase: str) -> None:
    """Waits until a page that follows the other one is in that phase."""
    if not page.has_script:
        page.reload()  # else it may just do so by itself
    page.see(phase=phase)
    page.wait_for_load_state()  # what it follows may have led to another page


def cells_of(page: Page, state: str) -> list[str]:
    """The cells of a player's own waters in that state: what the other one can't know."""
    if not page.has_script:
        page.reload()
    cells: list[str] = page.locator(f"[data-board=own] [data-state={state}]").evaluate_all(
        "them => them.map((it) => it.dataset.cell)"
    )
    return cells

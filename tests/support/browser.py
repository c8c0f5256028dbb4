"""Reading a page in the browser, and acting on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, Protocol
from weakref import WeakSet

from django.utils.translation import gettext, override
from playwright.sync_api import Locator, Page, expect

from tests.support.page import Seen

LETTERS = "ABCDEFGHIJ"
MANY_TURNS = 1000
"""More than any match has."""

Scheme = Literal["light", "dark"]
Motion = Literal["no-preference", "reduce"]


class OpenPage(Protocol):
    """Opens a page of a visitor new to the site; it has to stay without errors to the end."""

    def __call__(
        self,
        address: str = "",
        *,
        language: str = "en",
        size: tuple[int, int] = (1280, 800),
        scheme: Scheme = "light",
        motion: Motion = "reduce",
        touch: bool = False,
        script: bool = True,
        expects: str = "",
        init: str = "",
        fresh: bool = False,
    ) -> Page:
        """`expects` is a pattern of the errors that the test provokes, such as `status of 422`.

        A `fresh` page is used by no other test, before or after.

        Nothing moves unless the test is about motion: pictures in motion take most of the time.
        """


COUNTERS = """
const counted = { answers: 0, sent: 0 };
const numbers = new WeakMap();
for (const name of Object.keys(counted)) {
  Object.defineProperty(window, name, { get: () => counted[name] });
}
document.addEventListener("htmx:afterSettle", ({ detail: { xhr } }) => {
  counted.answers = numbers.get(xhr) ?? counted.answers;
});
const send = XMLHttpRequest.prototype.send;
XMLHttpRequest.prototype.send = function (...all) {
  numbers.set(this, counted.sent += 1);
  send.apply(this, all);
};
"""
"""Counts the forms that a page has sent without being left, and tells which one's answer was drawn.

So that the answer to what was sent before is not taken for that to what is done now.
"""

WITHOUT_SCRIPT: WeakSet[Page] = WeakSet()
"""Pages that run no script. Asking a page itself would fail while it is being replaced."""

_LOOK = """() => {
  const game = document.getElementById("game");
  const boards = {};
  for (const board of game.querySelectorAll("[data-board]")) {
    boards[board.dataset.board] = Object.fromEntries([...board.querySelectorAll("[data-cell]")]
      .map((cell) => [cell.dataset.cell, cell.dataset.state]));
  }
  return [game.dataset.phase, Number(game.dataset.turn), game.dataset.outcome ?? null, boards,
    [...game.querySelectorAll("input[name=ship]")].map((input) => input.value)];
}"""


def look(page: Page) -> Seen:
    phase, turn, outcome, boards, ships = page.evaluate(_LOOK)
    return Seen(phase, turn, outcome, boards, tuple(ships))


def may_move(page: Page) -> bool:
    """Whether a ship may move before the next shot."""
    return page.locator("#game[data-may-move=yes]").count() == 1


def said(page: Page) -> str:
    return " ".join(page.locator("[role=status]").inner_text().split())


def words(english: str, language: str) -> str:
    """A sentence of the site in a language."""
    with override(language):
        found = gettext(english)
    assert language == "en" or found != english, f"not in the catalogue: {english!r}"
    return found


@contextmanager
def answered(page: Page) -> Iterator[None]:
    """Waits until what is done within has been answered, and sees that the focus is kept."""
    before = page.evaluate("sent")
    yield
    page.wait_for_function("before => answers > before", arg=before)
    assert focus(page) != "BODY", "the focus is lost"


@contextmanager
def loaded(page: Page) -> Iterator[None]:
    """Waits until what is done within has brought another page, all of it.

    A page that only writes another address, as a replay does, is none.
    """
    with page.expect_event("load"):
        yield


def forms_sent(page: Page) -> int:
    """How many forms the page has sent without being left."""
    count: int = page.evaluate("sent")
    return count


def wait_for_pictures(page: Page) -> None:
    """Waits until the page has been drawn twice: by then whatever was to start has started."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


_FOCUS = """() => {
  const it = document.activeElement;
  if (it === document.body) return "BODY";
  const cell = it.closest("[role=gridcell]")?.dataset.cell;
  if (cell) return `${it.closest("[data-board]").dataset.board}-${cell}`;
  return it.id || it.getAttribute("value") || it.classList[0] || it.tagName;
}"""


def focus(page: Page) -> str:
    """What has the focus: a cell as `enemy-B7`, else by its id if any; `BODY` where nothing has."""
    found: str = page.evaluate(_FOCUS)
    return found


def unfold(page: Page, name: str = "#more") -> None:
    """Opens a `details` element unless it is open."""
    if not page.locator(f"{name}[open]").count():
        page.locator(f"{name} > summary").click()


def cell(page: Page, board: str, name: str) -> Locator:
    return page.locator(f"[data-board={board}] [data-cell={name}]")


def target(page: Page, name: str) -> Locator:
    """The button that fires at a cell."""
    return cell(page, "enemy", name).locator("button")


def middle(found: Locator, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
    """Scrolls to an element and returns a point of it, by default its middle."""
    found.scroll_into_view_if_needed()
    box = found.bounding_box()
    assert box is not None, f"not on the page: {found}"
    return box["x"] + box["width"] * across, box["y"] + box["height"] * down


def play_on(
    page: Page,
    *,
    fire: Callable[[str], None],
    aim: Callable[[Seen], str],
    steer: Callable[[Seen], None] | None = None,
    until: int = MANY_TURNS,
) -> Seen:
    """Plays to the end or until a turn: steers where it may move a ship, fires where `aim` says.

    Returns what was seen last.
    """
    turn = 0
    while (seen := look(page)).outcome is None:
        if seen.turn >= until:
            return seen
        assert seen.turn >= turn
        turn = seen.turn
        if steer and may_move(page):
            steer(seen)
        fire(aim(seen))
    assert seen.phase == "over"
    return seen


def language_of(address: str) -> str:
    found = re.search(r"//[^/]+/(\w\w)/", address)
    assert found is not None, address
    return found[1]


def see_language(page: Page, language: str) -> None:
    """Asserts that the page and its address are in a language."""
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert language_of(page.url) == language


def fire(page: Page, name: str) -> None:
    """Clicks a cell of the enemy's waters, and waits for the answer."""
    with answered(page):
        target(page, name).click()

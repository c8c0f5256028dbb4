"""Reading a page in the browser, and acting on it with mouse, finger and keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, Protocol
from weakref import WeakSet

from django.utils.translation import gettext, override
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.page import Seen

PHONE, LANDSCAPE, LAPTOP = (360, 640), (844, 390), (1366, 657)
"""Windows: width and height in pixels."""
TAB_STOPS = 20
"""More than the tab stops of any page."""
DRAG_STEPS = 8

Point = tuple[float, float]
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
        cookies: Mapping[str, str] = {},
        fresh: bool = False,
        **context: Any,
    ) -> Page:
        """`expects` is a pattern of the errors that the test provokes, such as `status of 422`.

        A `fresh` page is used by no other test, before or after; nor is one of which the browser's
        `context` is told more, such as its time zone.

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
ONLY_KEYS = """
for (const kind of ["pointerdown", "pointerup", "pointermove", "mousedown", "mouseup", "mousemove",
                    "touchstart"]) {
  addEventListener(kind, (event) => {
    const isAtRest = kind.endsWith("move") && !event.movementX && !event.movementY;
    if (event.isTrusted && !isAtRest) throw new Error(`a pointer: ${kind}`);
  }, true);
}
"""
"""Makes every use of a pointer an error, but for moves by nothing, which come with a new page."""
ONLY_TOUCH = """
for (const kind of ["pointerdown", "pointerup"]) {
  addEventListener(kind, (event) => {
    if (event.isTrusted && event.pointerType !== "touch") throw new Error(`not touch: ${kind}`);
  }, true);
}
"""
"""Makes every use of a mouse an error."""

VOICES = """
window.voices = [];
const param = { value: 0, setValueAtTime() {}, exponentialRampToValueAtTime() {} };
class Node {
  gain = param;
  connect(to) { return to; }
  start() {}
  stop() {}
}
class Voice extends Node {
  frequency = { ...param, setValueAtTime(hertz) { voices.push(hertz); } };
}
window.AudioContext = class {
  currentTime = 0;
  sampleRate = 8;
  resume() {}
  createBuffer() { return { getChannelData: () => [0, 0, 0, 0, 0, 0, 0, 0] }; }
  createBufferSource() { return new Node(); }
  createBiquadFilter() { return new Voice(); }
  createGain() { return new Node(); }
  createOscillator() { return new Voice(); }
};
"""
"""Notes the hertz at which each voice begins, and is silent."""

WITHOUT_SCRIPT: WeakSet[Page] = WeakSet()
"""Pages that run no script. Asking a page itself would fail while it is being replaced."""


# --- what a page shows ---

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
_FOCUS = """() => {
  const it = document.activeElement;
  if (it === document.body) return "BODY";
  const cell = it.closest("[role=gridcell]")?.dataset.cell;
  if (cell) return `${it.closest("[data-board]").dataset.board}-${cell}`;
  return it.id || it.getAttribute("value") || it.classList[0] || it.tagName;
}"""
_HEARD = """() => {
  window.heard = [];
  const status = document.getElementById("status");
  new MutationObserver(() => heard.push(status.textContent.trim()))
    .observe(status, { childList: true, characterData: true, subtree: true });
}"""

_PICTURE = """async (address) => {
  const answer = address && await (await fetch(address)).text();
  const page = address ? new DOMParser().parseFromString(answer, "text/html") : document;
  const pick = (from, selector, read) => [...from.querySelectorAll(selector)].map(read);
  const classes = ({ classList }) => [...classList].sort().join(" ");
  return [
    page.getElementById("game").classList.contains("lift"),
    page.querySelector("[role=status]").textContent.replace(/\\s+/g, " ").trim(),
    pick(page, "[data-board]", (board) => [
      pick(board, "[data-cell]", (cell) => [
        ...cell.textContent.split(", ").slice(0, 2), cell.dataset.state, cell.dataset.look,
        classes(cell)].join(" ")),
      pick(board, ".hull", (hull) => `${hull.dataset.hull} ${classes(hull)}`).sort(),
      pick(board, "[data-asked]", (box) => `${box.dataset.asked} ${classes(box)}`),
    ]),
  ];
}"""


def look(page: Page) -> Seen:
    phase, turn, outcome, boards, ships = page.evaluate(_LOOK)
    return Seen(phase, turn, outcome, boards, tuple(ships))


def picture(page: Page, address: str = "") -> Any:
    """All that a step of a replay draws and says; with an address, of what the server sends.

    That is which sheet is in front, the status, and of each board all cells, hulls and questions.
    """
    return page.evaluate(_PICTURE, address)


def see(page: Page, **handles: str | re.Pattern[str]) -> None:
    """Waits until the match has these values in its data- attributes."""
    for name, value in handles.items():
        expect(page.locator("#game")).to_have_attribute(f"data-{name}", value)


def said(page: Page) -> str:
    return " ".join(page.locator("[role=status]").inner_text().split())


def listen(page: Page) -> None:
    """Has the page note from now on in `heard` each change of what is said."""
    page.evaluate(_HEARD)


def words(english: str, language: str) -> str:
    """A sentence of the site in a language."""
    with override(language):
        found = gettext(english)
    assert language == "en" or found != english, f"not in the catalogue: {english!r}"
    return found


def see_language(page: Page, language: str) -> None:
    """Asserts that the page and its address are in a language."""
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert re.search(f"//[^/]+/{language}/", page.url)


def forms_sent(page: Page) -> int:
    """How many forms the page has sent without being left."""
    count: int = page.evaluate("sent")
    return count


def focus(page: Page) -> str:
    """What has the focus: a cell as `enemy-B7`, else by its id if any; `BODY` where nothing has."""
    found: str = page.evaluate(_FOCUS)
    return found


def cell(page: Page, board: str, name: str) -> Locator:
    return page.locator(f"[data-board={board}] [data-cell={name}]")


def target(page: Page, name: str) -> Locator:
    """The button that fires at a cell."""
    return cell(page, "enemy", name).locator("button")


class Box(NamedTuple):
    """Where an element lies in the window, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


def box(found: Locator) -> Box:
    sides = found.bounding_box()
    assert sides is not None, f"not on the page: {found}"
    x, y = sides["x"], sides["y"]
    return Box(x, y, x + sides["width"], y + sides["height"])


def resize(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})


# --- waiting ---


@contextmanager
def answered(page: Page) -> Iterator[None]:
    """Waits until what is done within has been answered, and sees that the focus is kept.

    A page without a script is answered by another one.
    """
    if page in WITHOUT_SCRIPT:
        with loaded(page):
            yield
        return
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


def wait_for_pictures(page: Page) -> None:
    """Waits until the page has been drawn twice: by then whatever was to start has started."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def hold(page: Page) -> list[Route]:
    """Returns a list that holds back the forms sent from now on; `sent_and_held` fills it."""
    waiting: list[Route] = []

    def keep(route: Route) -> None:
        if route.request.method == "POST":
            waiting.append(route)
        else:
            route.continue_()

    page.route("**/*", keep)
    return waiting


@contextmanager
def sent_and_held(page: Page) -> Iterator[None]:
    """Waits until what is done within has sent a form, which is held, and the page shows it."""
    with page.expect_request(lambda request: request.method == "POST"):
        yield
    expect(page.locator("#game")).to_have_attribute("aria-busy", "true")


def forging(page: Page, where: str, change: Callable[[str], str]) -> None:
    """Has the server answer with other texts than it does."""

    def answer(route: Route) -> None:
        fetched = route.fetch()
        route.fulfill(response=fetched, body=change(fetched.text()))

    page.route(where, answer)


# --- mouse ---


def _found(page: Page, what: str | Locator) -> Locator:
    return page.locator(what) if isinstance(what, str) else what


def click(page: Page, *all_of: str | Locator, **how: Any) -> None:
    """Clicks one after the other, and waits each time for the answer."""
    for what in all_of:
        with answered(page):
            _found(page, what).click(**how)


def follow(page: Page, *all_of: str | Locator) -> None:
    """Clicks what brings another page, one after the other, and waits for it."""
    for what in all_of:
        with loaded(page):
            _found(page, what).click()


def fire(page: Page, *names: str) -> None:
    """Clicks cells of the enemy's waters, and waits for each answer."""
    click(page, *(target(page, name) for name in names))


def steer(page: Page) -> None:
    """Moves a ship by the first arrow there is, wherever it lies."""
    with answered(page):
        page.locator(".steer").first.evaluate("arrow => arrow.click()")


def give_up(page: Page) -> None:
    unfold(page)
    click(page, "#act-resign", "#act-resign-yes")


def unfold(page: Page, name: str = "#more") -> None:
    """Opens a `details` element unless it is open."""
    if not page.locator(f"{name}[open]").count():
        page.locator(f"{name} > summary").click()


def middle(found: Locator, across: float = 0.5, down: float = 0.5) -> Point:
    """Scrolls to an element and returns a point of it, by default its middle."""
    found.scroll_into_view_if_needed()
    there = box(found)
    return there.left + there.width * across, there.top + there.height * down


def own_cell(page: Page, name: str) -> Point:
    return middle(cell(page, "own", name))


def bow_in_harbour(page: Page, length: int) -> Point:
    """Where to take a ship in the harbour to hold it by its bow."""
    return middle(page.locator(f".berth[data-length='{length}'] .berth-ship").first, 0.5 / length)


def drag(page: Page, start: Point, end: Point, *, turn: bool = False) -> None:
    """Presses, moves and releases the mouse; `turn` presses R on the way."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    page.mouse.move(*end, steps=3)
    if turn:
        page.keyboard.press("r")
    page.mouse.up()


def scrub(page: Page, step: int) -> None:
    """Moves the slider of a replay to a step."""
    page.locator("#step").fill(str(step))
    expect(page.locator("[data-now]")).to_have_text(str(step))


# --- touch ---


def tap(page: Page, found: Locator) -> None:
    page.touchscreen.tap(*middle(found))


def finger_drag(page: Page, start: Point, end: Point) -> None:
    """Puts a finger down, moves it in small steps and lifts it, as the screen itself reports it."""
    screen = page.context.new_cdp_session(page)

    def point(step: int) -> dict[str, float]:
        x, y = (a + (b - a) * step / DRAG_STEPS for a, b in zip(start, end, strict=True))
        return {"x": x, "y": y}

    def report(kind: str, points: list[dict[str, float]]) -> None:
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    report("touchStart", [point(0)])
    for step in range(1, DRAG_STEPS + 1):
        report("touchMove", [point(step)])
    report("touchEnd", [])
    screen.detach()


# --- keys ---


def press(page: Page, key: str) -> None:
    """Presses a key and waits for the answer."""
    with answered(page):
        page.keyboard.press(key)


def tab_to(page: Page, selector: str, *, back: bool = False) -> int:
    """Presses Tab until that has the focus; how many times it was."""
    for count in range(1, TAB_STOPS + 1):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return count
    raise AssertionError(f"not reached by tab: {selector}; the focus is on {focus(page)}")


def walk_to(page: Page, name: str) -> None:
    """Presses arrows until the cell of that name has the focus."""
    board, here = focus(page).split("-")
    across, down = ord(name[0]) - ord(here[0]), int(name[1:]) - int(here[1:])
    keys = ["ArrowRight" if across > 0 else "ArrowLeft"] * abs(across)
    for key in (*keys, *["ArrowDown" if down > 0 else "ArrowUp"] * abs(down)):
        page.keyboard.press(key)
    assert focus(page) == f"{board}-{name}"

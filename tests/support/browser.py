"""Pages in the browser: how they are opened, what they show, and acting on them like a person."""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from django.utils.translation import gettext, override
from playwright import sync_api
from playwright.sync_api import ConsoleMessage, Error, Locator, Route, expect
from playwright.sync_api._generated import LocatorAssertions

from game.matches.saved import SavedMatch
from tests.support import matches
from tests.support.missing import skip_without
from tests.support.page import Seen
from tests.support.served import PATIENCE

PHONE, LANDSCAPE, LAPTOP = (360, 640), (844, 390), (1366, 657)
"""Windows: width and height in pixels."""
TAB_STOPS = 20
"""More than the tab stops of any page."""
DRAG_STEPS = 8
TAPS_APART = 401  # milliseconds; presses.js and Chromium count quicker ones as a series

Point = tuple[float, float]
Scheme = Literal["light", "dark"]
Motion = Literal["no-preference", "reduce"]

POLICY_ERRORS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`refused by policy: ${event.violatedDirective} ${event.blockedURI}`));
"""
"""Logs violations of the content security policy as errors."""
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
  createWaveShaper() { return new Node(); }
  createGain() { return new Node(); }
  createOscillator() { return new Voice(); }
};
"""
"""Notes the hertz at which each voice begins, and is silent."""

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


def words(english: str, language: str) -> str:
    """A sentence of the site in a language."""
    with override(language):
        found = gettext(english)
    assert language == "en" or found != english, f"not in the catalogue: {english!r}"
    return found


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


class Page(sync_api.Page):
    """Playwright's page, and what a player sees and does there."""

    has_script: bool
    kind: tuple[object, ...]
    """What it was opened with, which pages for later tests must have in common."""
    expected: str
    """A pattern of the errors that the test provokes."""
    errors: list[str]

    def note_exception(self, error: Error) -> None:
        self.errors.append(f"exception: {error.message}")

    def note_console(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.errors.append(f"console: {said.text}")

    @property
    def faults(self) -> list[str]:
        """The errors but for those that are expected."""
        return [it for it in self.errors if not self.expected or not re.search(self.expected, it)]

    # --- what it shows ---

    @property
    def seen(self) -> Seen:
        phase, turn, outcome, boards, ships = self.evaluate(_LOOK)
        return Seen(phase, turn, outcome, boards, tuple(ships))

    @property
    def says(self) -> str:
        return " ".join(self.inner_text("[role=status]").split())

    @property
    def focused(self) -> str:
        """What has the focus: a cell as `enemy-B7`, else by its id if any; `BODY` if nothing."""
        found: str = self.evaluate(_FOCUS)
        return found

    @property
    def forms_sent(self) -> int:
        """How many forms the page has sent without being left."""
        count: int = self.evaluate("sent")
        return count

    def picture(self, address: str = "") -> Any:
        """All that a step of a replay draws and says; with an address, of what the server sends.

        That is which sheet is in front, the status, and of each board all cells, hulls and
        questions.
        """
        return self.evaluate(_PICTURE, address)

    def listen(self) -> None:
        """Has the page note from now on in `heard` each change of what is said."""
        self.evaluate(_HEARD)

    def see(self, **handles: str | re.Pattern[str]) -> None:
        """Waits until the match has these values in its data- attributes."""
        for name, value in handles.items():
            self.expects("#game").to_have_attribute(f"data-{name}", value)

    def see_language(self, language: str) -> None:
        """Asserts that the page and its address are in a language."""
        self.expects("html").to_have_attribute("lang", language)
        assert re.search(f"//[^/]+/{language}/", self.url)

    def expects(self, selector: str) -> LocatorAssertions:
        """What may be asserted of the elements that a selector finds."""
        return expect(self.locator(selector))

    def count(self, selector: str) -> int:
        return self.locator(selector).count()

    def cell(self, board: str, name: str) -> Locator:
        return self.locator(f"[data-board={board}] [data-cell={name}]")

    def target(self, name: str) -> Locator:
        """The button that fires at a cell."""
        return self.cell("enemy", name).locator("button")

    def found(self, what: str | Locator) -> Locator:
        return self.locator(what) if isinstance(what, str) else what

    def box(self, what: str | Locator) -> Box:
        sides = self.found(what).bounding_box()
        assert sides is not None, f"not on the page: {what}"
        x, y = sides["x"], sides["y"]
        return Box(x, y, x + sides["width"], y + sides["height"])

    def middle(self, what: str | Locator, across: float = 0.5, down: float = 0.5) -> Point:
        """Scrolls to an element and returns a point of it, by default its middle."""
        self.found(what).scroll_into_view_if_needed()
        there = self.box(what)
        return there.left + there.width * across, there.top + there.height * down

    def own_cell(self, name: str) -> Point:
        return self.middle(self.cell("own", name))

    def bow_in_harbour(self, length: int) -> Point:
        """Returns the point at which the pointer takes a ship in the harbour by its bow."""
        ship = self.locator(f".berth[data-length='{length}'] .berth-ship").first
        return self.middle(ship, 0.5 / length)

    def resize(self, width: int, height: int) -> None:
        self.set_viewport_size({"width": width, "height": height})

    # --- what only the server knows ---

    @property
    def saved(self) -> SavedMatch:
        """The match in its address."""
        return matches.saved_at(self.url)

    @property
    def enemy_ships(self) -> list[str]:
        """The cells of the enemy's ships that are not yet hit, ship by ship."""
        return matches.enemy_ships(self.url)

    @property
    def enemy_water(self) -> str:
        """A cell that holds no ship of the enemy and has not been fired at."""
        return matches.enemy_water(self.url)

    def go_later(self, *, left: int) -> None:
        """Goes on with the match in which only so many cells of ships are left to be hit."""
        self.goto(matches.later(self.url, left))

    # --- waiting ---

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Waits until what is done within has been answered, and sees that the focus is kept.

        A page without a script is answered by another one.
        """
        if not self.has_script:
            with self.loaded():
                yield
            return
        before = self.forms_sent
        yield
        self.wait_for_function("before => answers > before", arg=before)
        assert self.focused != "BODY", "the focus is lost"

    @contextmanager
    def loaded(self) -> Iterator[None]:
        """Waits until what is done within has brought another page, all of it.

        A page that only writes another address, as a replay does, is none.
        """
        with self.expect_event("load"):
            yield

    def wait_for_pictures(self) -> None:
        """Waits until the page has been drawn twice: by then whatever was to start has started."""
        self.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def hold(self) -> list[Route]:
        """Returns a list that holds back the forms sent from now on; `sent_and_held` fills it."""
        waiting: list[Route] = []

        def keep(route: Route) -> None:
            if route.request.method == "POST":
                waiting.append(route)
            else:
                route.continue_()

        self.route("**/*", keep)
        return waiting

    @contextmanager
    def sent_and_held(self) -> Iterator[None]:
        """Waits until what is done within has sent a form, which is held, and the page shows it."""
        with self.expect_request(lambda request: request.method == "POST"):
            yield
        self.expects("#game").to_have_attribute("aria-busy", "true")

    def forging(self, where: str, change: Callable[[str], str]) -> None:
        """Has the server answer with other texts than it does."""

        def answer(route: Route) -> None:
            fetched = route.fetch()
            route.fulfill(response=fetched, body=change(fetched.text()))

        self.route(where, answer)

    # --- mouse ---

    def slow_down(self, times: int) -> None:
        """Makes the page's processor as many times slower, in Chromium, for good."""
        self.kind = ()  # it is closed after this test
        session = self.context.new_cdp_session(self)
        session.send("Emulation.setCPUThrottlingRate", {"rate": times})

    def press_quickly(self, name: str, *, times: int) -> None:
        """Presses a cell several times in a row."""
        self.mouse.move(*self.middle(self.target(name)))
        for count in range(1, times + 1):
            self.mouse.down(click_count=count)
            self.mouse.up(click_count=count)

    def act(self, *all_of: str | Locator, **how: Any) -> None:
        """Clicks one after the other, and waits each time for the answer."""
        for what in all_of:
            with self.answered():
                self.found(what).click(**how)

    def follow(self, *all_of: str | Locator) -> None:
        """Clicks what brings another page, one after the other, and waits for it."""
        for what in all_of:
            with self.loaded():
                self.found(what).click()

    def fire(self, *names: str) -> None:
        """Clicks cells of the enemy's waters, and waits for each answer."""
        self.act(*(self.target(name) for name in names))

    def steer(self) -> None:
        """Moves a ship by the first arrow there is, wherever it lies."""
        with self.answered():
            self.locator(".steer").first.evaluate("arrow => arrow.click()")

    def give_up(self) -> None:
        self.unfold()
        self.act("#act-resign", "#act-resign-yes")

    def unfold(self, name: str = "#more") -> None:
        """Opens a `details` element unless it is open."""
        if not self.count(f"{name}[open]"):
            self.click(f"{name} > summary")

    def drag(self, start: Point, end: Point, *, turn: bool = False) -> None:
        """Presses, moves and releases the mouse; `turn` presses R on the way."""
        self.mouse.move(*start)
        self.mouse.down()
        self.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
        self.mouse.move(*end, steps=3)
        if turn:
            self.keyboard.press("r")
        self.mouse.up()

    def scrub(self, step: int) -> None:
        """Moves the slider of a replay to a step."""
        self.fill("#step", str(step))
        self.expects("[data-now]").to_have_text(str(step))

    # --- touch ---

    def touch(self, what: str | Locator) -> None:
        """Taps the middle of an element, too late after the last tap for two quick ones."""
        self.wait_for_timeout(TAPS_APART)
        self.touchscreen.tap(*self.middle(what))

    def finger_drag(self, start: Point, end: Point) -> None:
        """Puts a finger down, moves it in small steps and lifts it, as the screen reports it."""
        screen = self.context.new_cdp_session(self)

        def report(kind: str, *steps: int) -> None:
            parts = [step / DRAG_STEPS for step in steps]
            points = [
                {axis: a + (b - a) * part for axis, a, b in zip("xy", start, end, strict=True)}
                for part in parts
            ]
            screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        report("touchStart", 0)
        for step in range(1, DRAG_STEPS + 1):
            report("touchMove", step)
        report("touchEnd")
        screen.detach()

    # --- keys ---

    def keys(self, names: str) -> None:
        """Presses keys one after the other, such as `ArrowDown Enter`, none twice in haste."""
        for name in names.split():
            if name in ("Enter", "Space"):
                self.end_series()
            self.keyboard.press(name)

    def end_series(self) -> None:
        """Presses another key, so that the next press is none of several quick ones."""
        self.keyboard.press("Shift")

    def act_by_key(self, key: str) -> None:
        """Presses a key and waits for the answer."""
        with self.answered():
            self.keys(key)

    def tab_to(self, selector: str, *, back: bool = False) -> None:
        """Presses Tab until that has the focus."""
        for _ in range(TAB_STOPS):
            self.keyboard.press("Shift+Tab" if back else "Tab")
            if self.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"not reached by tab: {selector}; the focus is on {self.focused}")

    def walk_to(self, name: str) -> None:
        """Presses arrows until the cell of that name has the focus."""
        board, here = self.focused.split("-")
        across, down = ord(name[0]) - ord(here[0]), int(name[1:]) - int(here[1:])
        self.keys(abs(across) * (" ArrowRight" if across > 0 else " ArrowLeft"))
        self.keys(abs(down) * (" ArrowDown" if down > 0 else " ArrowUp"))
        assert self.focused == f"{board}-{name}"


# --- opening pages ---

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is installed is used. The shell has the same engine and takes half the time."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]


@contextmanager
def chromium(*more: str, beside: sync_api.Browser | None = None) -> Iterator[sync_api.Browser]:
    """The system's Chromium, or Playwright's own if there is none, with more arguments.

    Playwright runs once in a process: a second browser is started by that of the first.
    """
    names = (os.environ.get("CHROMIUM", ""), *CHROMIUMS)
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    with ExitStack() as stack:
        kind = beside and beside.browser_type
        kind = kind or stack.enter_context(sync_api.sync_playwright()).chromium
        skip_without(found or Path(kind.executable_path).exists(), "Chromium")
        started = kind.launch(executable_path=found, args=[*ARGUMENTS, *more])
        yield started
        started.close()


MOST_IDLE = 6
"""The number of pages that are kept for later tests, those that were used last."""


class OpenPage:
    """Opens pages of visitors new to the site; each has to stay without errors to the end.

    Nothing moves unless the test is about motion: pictures in motion take most of the time.
    """

    def __init__(self, browser: sync_api.Browser, server: str, idle: list[Page]) -> None:
        self._browser, self._server, self._idle = browser, server, idle
        self._opened: list[Page] = []

    def __call__(
        self,
        where: str | SavedMatch = "",
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
        **context_options: Any,
    ) -> Page:
        """`where` is an address or a match; `expects` is a pattern of the errors that the test
        provokes, such as `status of 422`.

        A `fresh` page is used by no other test, before or after; nor is one of which the browser's
        context is told more, such as its time zone.
        """
        kind = () if fresh or context_options else (self._server, language, touch, script, init)
        page = next((it for it in self._idle if it.kind == kind), None)
        if kind and page:
            self._idle.remove(page)
        else:
            page = self._new(language, init, touch=touch, script=script, **context_options)
        page.kind, page.expected, page.errors = kind, expects, []
        self._opened.append(page)
        kept = [{"name": it, "value": cookies[it], "url": self._server} for it in cookies]
        page.context.add_cookies(kept)  # type: ignore[arg-type]
        page.resize(*size)
        page.emulate_media(color_scheme=scheme, reduced_motion=motion, forced_colors="none")
        if where:
            path = where if isinstance(where, str) else matches.address(where, language)
            page.goto(f"{self._server}{path}" if path.startswith("/") else path)
        return page

    def _new(self, language: str, init: str, *, touch: bool, script: bool, **options: Any) -> Page:
        context = self._browser.new_context(
            base_url=self._server,
            locale={"en": "en-GB", "de": "de-DE"}.get(language, language),
            java_script_enabled=script,
            is_mobile=touch,
            has_touch=touch,
            strict_selectors=True,
            **options,
        )
        context.set_default_timeout(PATIENCE)
        context.add_init_script(f"{{{POLICY_ERRORS}{COUNTERS}}}{init}")
        page = context.new_page()
        page.__class__ = Page  # Playwright makes pages itself, and lets nobody name their class
        assert isinstance(page, Page)
        page.has_script = script
        page.on("pageerror", page.note_exception)
        page.on("console", page.note_console)
        return page

    def close(self) -> None:
        """Leaves the pages of a test, some for the next, and asserts that they had no errors."""
        faults = [fault for page in self._opened for fault in page.faults]
        for page in self._opened:
            if page.kind and not faults and renew(page, self._server):
                self._idle.insert(0, page)
            else:
                page.context.close()
        for page in self._idle[MOST_IDLE:]:
            page.context.close()
        del self._idle[MOST_IDLE:]
        assert not faults, "\n".join(faults)


def renew(page: Page, server: str) -> bool:
    """Makes a page that a test has left that of a visitor new to the site; False if it can't.

    A page that has been used before opens the next in half the time of a new one. What it showed
    is left at once, as it would go on to move and to ask the server.
    """
    blank = f"{server}/robots.txt"
    clear = "() => { localStorage.clear(); sessionStorage.clear(); }"
    for _attempt in range(20):
        with suppress(Error):  # what the page's own script is about to open may end an attempt
            page.unroute_all()
            page.context.set_offline(False)
            page.context.clear_cookies()
            page.goto(blank)
            page.evaluate(clear)
            page.mouse.move(0, 0)
            session = page.context.new_cdp_session(page)
            session.send("Page.resetNavigationHistory")
            session.detach()
            if page.url == blank:
                return True
    return False

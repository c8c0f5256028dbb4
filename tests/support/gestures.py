"""What a person does at a page with mouse, finger and keys, and on a slow line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, Route, expect

from tests.support.browser import answered, cell, focus, middle

Point = tuple[float, float]

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

TAB_STOPS = 15
"""More than the tab stops of any page."""
DRAG_STEPS = 8


# --- mouse ---


def drag(page: Page, start: Point, end: Point, *, turn: bool = False) -> None:
    """Presses, moves and releases the mouse; `turn` presses R on the way."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    page.mouse.move(*end, steps=3)
    if turn:
        page.keyboard.press("r")
    page.mouse.up()


def bow_in_harbour(page: Page, length: int) -> Point:
    """Where to take a ship in the harbour to hold it by its bow."""
    return middle(page.locator(f".berth[data-length='{length}'] .berth-ship").first, 0.5 / length)


def own_cell(page: Page, name: str) -> Point:
    return middle(cell(page, "own", name))


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
    for key, count in (
        ("ArrowRight", across), ("ArrowLeft", -across), ("ArrowDown", down), ("ArrowUp", -down),
    ):  # fmt: skip
        for _ in range(count):
            page.keyboard.press(key)
    assert focus(page) == f"{board}-{name}"


# --- a slow line ---


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

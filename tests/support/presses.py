"""Presses at a time of the clock, of which a page on a slow machine is told later, in Chromium."""

from typing import Any

from tests.support.browser import Page


def press_by_key(page: Page, _where: Any, seconds: float, _count: int) -> None:
    """Presses Enter at a time of the clock; a page on a slow machine is told of it later."""
    key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "timestamp": seconds}
    send(page, "Input.dispatchKeyEvent", {"type": "keyDown", "text": "\r", **key})
    send(page, "Input.dispatchKeyEvent", {"type": "keyUp", **key})


def press_by_mouse(page: Page, where: tuple[float, float], seconds: float, count: int) -> None:
    x, y = where
    button = {"button": "left", "clickCount": count, "x": x, "y": y, "timestamp": seconds}
    for what in ("mousePressed", "mouseReleased"):
        send(page, "Input.dispatchMouseEvent", {"type": what, **button})


def send(page: Page, event: str, values: dict[str, Any]) -> None:
    session = page.context.new_cdp_session(page)
    session.send(event, values)
    session.detach()


def reach(page: Page, selector: str) -> tuple[float, float]:
    """Gives something the focus, in a drawer too, and returns its middle."""
    page.end_series()
    what = page.locator(selector).first
    what.evaluate("it => { it.closest('details')?.setAttribute('open', ''); it.focus(); }")
    return page.middle(what)

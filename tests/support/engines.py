"""Firefox, led by WebDriver BiDi.

Playwright can't drive the one that Debian packages: it brings a patched one of its own, and speaks
to a Firefox without a patch in words that the long-lived release doesn't know.
"""

import base64
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.support.missing import skip_without
from tests.support.served import running

PATIENCE = 60
"""Seconds to wait for an answer of a browser."""
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
"""How a Firefox says where it listens."""


def _pointer_click(x: float, y: float, **origin: Any) -> list[dict[str, Any]]:
    """A click as the protocol writes it."""
    move = {"type": "pointerMove", "x": round(x), "y": round(y), **origin}
    press, release = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
    return [{"type": "pointer", "id": "mouse", "actions": [move, press, release]}]


class Firefox:
    """A tab of a Firefox, led over its own socket: w3.org/TR/webdriver-bidi."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._commands = 0
        self._errors: list[str] = []
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        self._tab = self._send("browsingContext.create", type="tab")["context"]

    def _send(self, method: str, **params: Any) -> dict[str, Any]:
        """Sends a command and returns its answer; events that arrive meanwhile are kept."""
        self._commands += 1
        command = {"id": self._commands, "method": method, "params": params}
        self._line.send(json.dumps(command))
        while True:
            said: dict[str, Any] = json.loads(self._line.recv(timeout=PATIENCE))
            if said["type"] == "event":
                if said["params"].get("level") == "error":
                    self._errors.append(said["params"]["text"])
            elif said["id"] == self._commands:
                assert said["type"] == "success", said
                found: dict[str, Any] = said["result"]
                return found

    def open(self, address: str) -> None:
        """Brings a page, and waits until it has loaded."""
        self._send("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def resize(self, width: int, height: int) -> None:
        """Sets the size of the viewport in pixels."""
        size = {"width": width, "height": height}
        self._send("browsingContext.setViewport", context=self._tab, viewport=size)

    def evaluate(self, expression: str) -> Any:
        """Returns the value of a JavaScript expression, which must be JSON."""
        answer = self._send(
            "script.evaluate", expression=f"JSON.stringify({expression})",
            target={"context": self._tab}, awaitPromise=False,
        )  # fmt: skip
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))

    def click(self, x: float, y: float) -> None:
        """Clicks at a point of the viewport."""
        self._send("input.performActions", context=self._tab, actions=_pointer_click(x, y))

    def pdf(self, width: float, height: float) -> bytes:
        """Prints the page on paper of that size in centimetres."""
        paper = {"width": width, "height": height}
        printed = self._send("browsingContext.print", context=self._tab, page=paper)
        return base64.b64decode(printed["data"])

    def errors(self) -> list[str]:
        """Returns the errors that pages have logged so far."""
        self._send("session.status")  # what was logged before has come by now
        return self._errors


@contextmanager
def firefox(
    home: Path, language: str = "en", *, dark: bool = False, least: int = 0
) -> Iterator[Firefox]:
    """A new Firefox with nothing remembered, which keeps its files in that folder.

    `least` is the smallest size of text in pixels.
    """
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    skip_without(found, "Firefox")
    preferences = {
        "intl.accept_languages": language,
        "layout.css.prefers-color-scheme.content-override": 0 if dark else 1,
        "font.minimum-size.x-western": least,
        "browser.shell.checkDefaultBrowser": False,
        "datareporting.policy.dataSubmissionEnabled": False,
    }
    lines = [f'user_pref("{key}", {json.dumps(value)});\n' for key, value in preferences.items()]
    home.mkdir()
    (home / "user.js").write_text("".join(lines))
    log = home / "firefox.log"
    words = [str(found), "--headless", "--no-remote", "--profile", str(home)]
    words += ["--remote-debugging-port", "0"]
    env = {**os.environ, "HOME": str(home)}
    with running(words, log, lambda: LISTENING.search(log.read_text()), env=env):
        [address] = LISTENING.findall(log.read_text())
        with connect(f"{address}/session", max_size=None) as line:
            yield Firefox(line)

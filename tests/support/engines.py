"""Browsers of other engines than Chromium's: Firefox by WebDriver BiDi, WebKit by WebDriver.

Playwright can't drive those that Debian packages: it brings patched ones of its own, and speaks
to a Firefox without a patch in words that the long-lived release doesn't know.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.error import URLError
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect

from tests.support.missing import skip_without
from tests.support.served import wait_until

FIREFOXES = ("firefox-esr", "firefox")
WEBKIT_DRIVER = "WebKitWebDriver"
PATIENCE = 60
"""Seconds to wait for an answer of a browser."""
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""What WebDriver calls the reference to an element, by its specification."""

NOTED_ERRORS = """
window.errors = [];
addEventListener("error", ({ message }) => errors.push(message));
addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  errors.push(`refused by policy: ${violatedDirective} ${blockedURI}`));
const { error } = console;
console.error = (...all) => { errors.push(all.join(" ")); error(...all); };
"""
"""Collects a page's errors for drivers that don't report them."""


class Engine(Protocol):
    """A browser window."""

    def open(self, address: str) -> None:
        """Brings a page, and waits until it has loaded."""

    def resize(self, width: int, height: int) -> None:
        """Sets the size of the viewport in pixels."""

    def evaluate(self, expression: str) -> Any:
        """Returns the value of a JavaScript expression, which must be JSON."""

    def click(self, x: float, y: float) -> None:
        """Clicks at a point of the viewport."""

    def errors(self) -> list[str]:
        """Returns the errors that pages have logged so far."""


def _pointer_click(x: float, y: float, **origin: Any) -> list[dict[str, Any]]:
    """A click as both protocols write it."""
    move = {"type": "pointerMove", "x": round(x), "y": round(y), **origin}
    press, release = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
    return [{"type": "pointer", "id": "mouse", "actions": [move, press, release]}]


@contextmanager
def _running(command: list[str], log: Path, **options: Any) -> Iterator[None]:
    """Runs a program for as long as it is needed; what it says goes to the end of a file."""
    with (
        log.open("ab") as out,
        subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, **options) as process,
    ):
        try:
            yield
        finally:
            process.terminate()


# --- Firefox ---


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
                self._note(said["params"])
            elif said["id"] == self._commands:
                assert said["type"] == "success", said
                found: dict[str, Any] = said["result"]
                return found

    def _note(self, entry: dict[str, Any]) -> None:
        if entry.get("level") == "error":
            self._errors.append(entry["text"])

    def open(self, address: str) -> None:
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

    def errors(self) -> list[str]:
        """Returns the errors that pages have logged so far."""
        self._send("session.status")  # what was logged before has come by now
        return self._errors


def _preferences(language: str, *, dark: bool) -> str:
    """The file that a Firefox reads as it starts: a person's wishes, and no questions."""
    wishes = {
        "intl.accept_languages": language,
        "layout.css.prefers-color-scheme.content-override": 0 if dark else 1,
        "browser.shell.checkDefaultBrowser": False,
        "datareporting.policy.dataSubmissionEnabled": False,
    }
    return "".join(f'user_pref("{key}", {json.dumps(wish)});\n' for key, wish in wishes.items())


@contextmanager
def firefox(home: Path, language: str = "en", *, dark: bool = False) -> Iterator[Firefox]:
    """A new Firefox with nothing remembered, which keeps its files in that folder."""
    found = next((path for name in FIREFOXES if (path := shutil.which(name))), None)
    skip_without(found, "Firefox")
    assert found
    home.mkdir()
    (home / "user.js").write_text(_preferences(language, dark=dark))
    log = home / "firefox.log"
    command = [found, "--headless", "--no-remote", "--profile", str(home)]
    environment = {**os.environ, "HOME": str(home)}
    with (
        _running([*command, "--remote-debugging-port", "0"], log, env=environment),
        connect(f"{_address_in(log)}/session", max_size=None) as line,
    ):
        yield Firefox(line)


def _address_in(log: Path) -> str:
    """Where a Firefox says that it listens."""
    found = wait_until(
        lambda: re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text()),
        lambda: f"Firefox does not listen: {log.read_text()[-2000:]}",
    )
    assert found is not None
    return found[1]


# --- WebKit ---


class WebKit:
    """A window of WebKit's, led by requests: w3.org/TR/webdriver2."""

    def __init__(self, driver: str) -> None:
        self._address = driver
        wishes = {"alwaysMatch": {"webkitgtk:browserOptions": {"args": ["--automation"]}}}
        session = self._ask("POST", "/session", {"capabilities": wishes})["sessionId"]
        self._address = f"{driver}/session/{session}"
        self._errors: list[str] = []

    def _ask(self, method: str, path: str, said: dict[str, Any] | None = None) -> Any:
        body = None if said is None else json.dumps(said).encode()
        with urlopen(Request(self._address + path, body, method=method), timeout=PATIENCE) as it:
            return json.load(it)["value"]

    def open(self, address: str) -> None:
        """Opens a page; its errors count from then on."""
        self._ask("POST", "/url", {"url": address})

    def resize(self, width: int, height: int) -> None:
        """Sets the size of the viewport in pixels; the window also has a frame."""
        for _ in range(2):
            seen = self._ask("GET", "/window/rect")
            inner = self.evaluate("[innerWidth, innerHeight]")
            room = {"width": width - inner[0], "height": height - inner[1]}
            wanted = {side: seen[side] + more for side, more in room.items()}
            self._ask("POST", "/window/rect", wanted)

    def evaluate(self, expression: str) -> Any:
        """Returns the value of a JavaScript expression, which must be JSON."""
        script = f"{{ if (!window.errors) {{ {NOTED_ERRORS} }} }} return {expression}"
        return self._ask("POST", "/execute/sync", {"script": script, "args": []})

    def click(self, x: float, y: float) -> None:
        """Clicks at a point of the viewport."""
        self._ask("POST", "/actions", {"actions": _pointer_click(x, y, duration=0)})

    def errors(self) -> list[str]:
        """Returns the errors that the open page has logged since the first call."""
        found: list[str] = self.evaluate("errors")
        return found

    def close(self) -> None:
        self._ask("DELETE", "")


@contextmanager
def webkit(home: Path) -> Iterator[WebKit]:
    """A new WebKit with nothing remembered, which keeps its files in that folder."""
    found = shutil.which(WEBKIT_DRIVER)
    screens = shutil.which("Xvfb")
    skip_without(found and screens, "WebKit")
    assert found
    assert screens
    home.mkdir()
    log = home / "webkit.log"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    reading, writing = os.pipe()
    screen = [screens, "-displayfd", str(writing), "-screen", "0", "1600x1000x24"]
    with _running(screen, log, pass_fds=(writing,)), os.fdopen(reading) as told:
        os.close(writing)
        shown = {"HOME": str(home), "DISPLAY": f":{told.readline().strip()}"}
        with _running([found, f"--port={port}"], log, env={**os.environ, **shown}):
            window = WebKit(_once_it_answers(f"http://127.0.0.1:{port}"))
            try:
                yield window
            finally:
                window.close()


def _once_it_answers(driver: str) -> str:
    """The same address, once the driver behind it is ready."""

    def is_ready() -> bool:
        try:
            with urlopen(f"{driver}/status", timeout=PATIENCE):
                return True
        except URLError:
            return False

    wait_until(is_ready, lambda: "WebKit's driver does not answer")
    return driver

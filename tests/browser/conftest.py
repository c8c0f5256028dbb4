"""A server and a browser for each worker; a page that logs an error fails the test it is in."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from tests.support.browser import COUNTERS, WITHOUT_SCRIPT, Motion, OpenPage, Scheme
from tests.support.missing import skip_without
from tests.support.served import PATIENCE, served

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Where there are several, the first: the shell is the same engine, at half the time."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
expect.set_options(timeout=PATIENCE)

POLICY_ERRORS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`refused by policy: ${event.violatedDirective} ${event.blockedURI}`));
"""
"""Logs violations of the content security policy as errors."""

Idle = list[tuple[object, Page]]
MOST_IDLE = 6
"""The number of pages that are kept for later tests, those that were used last."""


def renew(page: Page, server: str) -> None:
    """Makes a page that a test has left that of a visitor new to the site.

    A page that has been used before opens the next in half the time of a new one. What it showed
    is left at once, as it would go on to move and to ask the server.
    """
    page.unroute_all()
    page.context.set_offline(False)
    page.context.clear_cookies()
    leave(page, f"{server}/robots.txt")
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.mouse.move(0, 0)
    session = page.context.new_cdp_session(page)
    session.send("Page.resetNavigationHistory")
    session.detach()


def leave(page: Page, address: str) -> None:
    """Opens an address; what the page's own script is about to open may end the first attempt."""
    with suppress(Error):
        page.goto(address)
    if page.url != address:
        page.goto(address)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    ours = str(Path(__file__).parent)
    for item in items:
        if str(item.path).startswith(ours):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server like the one in production, without the slash at its end."""
    ours = tmp_path_factory.getbasetemp()
    match_store = f"sqlite:{ours / 'match_store.sqlite3'}"
    with served(ours, match_store=match_store, match_days="3650") as address:
        yield address


@pytest.fixture
def match_store(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """The match store of the server."""
    path = tmp_path_factory.getbasetemp() / "match_store.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        yield store


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, or Playwright's own if there is none."""
    names = (os.environ.get("CHROMIUM", ""), *CHROMIUMS)
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
        skip_without(found or own.exists(), "Chromium")
        chromium = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def idle(browser: Browser) -> Idle:
    """Pages that earlier tests of this worker have left, each with what it was opened with."""
    return []


@pytest.fixture
def open_page(browser: Browser, server: str, idle: Idle) -> Iterator[OpenPage]:
    """Opens pages of visitors new to the site; each has to stay without errors to the end."""
    opened: list[tuple[Page, object, Any, Any]] = []
    faults: list[str] = []

    def open_page(
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
        **context_options: Any,
    ) -> Page:
        is_kept = not fresh and not context_options
        key = (server, language, touch, script, init) if is_kept else None
        at = next((at for at, (kept, _) in enumerate(idle) if key and kept == key), None)
        if at is not None:
            page = idle.pop(at)[1]
        else:
            context = browser.new_context(
                base_url=server,
                locale={"en": "en-GB", "de": "de-DE"}.get(language, language),
                java_script_enabled=script,
                is_mobile=touch,
                has_touch=touch,
                **context_options,
            )
            context.set_default_timeout(PATIENCE)
            context.add_init_script(f"{{{POLICY_ERRORS}{COUNTERS}}}{init}")
            page = context.new_page()
            if not script:
                WITHOUT_SCRIPT.add(page)
        kept = [{"name": name, "value": value, "url": server} for name, value in cookies.items()]
        page.context.add_cookies(kept)  # type: ignore[arg-type]
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=scheme, reduced_motion=motion, forced_colors="none")

        def blame(kind: str, text: str) -> None:
            if not (expects and re.search(expects, text)):
                faults.append(f"{kind}: {text}")

        def on_error(error: Error) -> None:
            blame("exception", error.message)

        def on_console(said: ConsoleMessage) -> None:
            if said.type == "error":
                blame("console", said.text)

        page.on("pageerror", on_error)
        page.on("console", on_console)
        opened.append((page, key, on_error, on_console))
        if address:
            page.goto(address)
        return page

    yield open_page
    for page, key, on_error, on_console in opened:
        page.remove_listener("pageerror", on_error)
        page.remove_listener("console", on_console)
        if key and not faults:
            renew(page, server)
            idle.insert(0, (key, page))
        else:
            page.context.close()
    for _, page in idle[MOST_IDLE:]:
        page.context.close()
    del idle[MOST_IDLE:]
    assert not faults, "\n".join(faults)

"""A server and a browser for each worker; a page that logs an error fails the test it is in."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.support.browser import OpenPage, Page
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
def idle(browser: Browser) -> list[Page]:
    """Pages that earlier tests of this worker have left."""
    return []


@pytest.fixture
def open_page(browser: Browser, server: str, idle: list[Page]) -> Iterator[OpenPage]:
    opener = OpenPage(browser, server, idle)
    yield opener
    opener.close()

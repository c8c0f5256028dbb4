"""Fixtures of pages, with a server and a browser for each worker.

A page that logs an error fails the test it is in.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from pytest_django import Settings

from tests.support.browser import OpenPage, Page, chromium
from tests.support.device import Device
from tests.support.html_handles import compare_with_html
from tests.support.served import PATIENCE, python, served

expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()) or "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server like the one in production, without the slash at its end."""
    ours = tmp_path_factory.getbasetemp()
    python("manage.py", "deleteold", BATTLESHIP_DATA=str(ours))
    with served(ours, data=str(ours), match_days="3650") as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def idle(browser: Browser) -> list[Page]:
    """Pages that earlier tests of this worker have left."""
    return []


@pytest.fixture
def open_page(browser: Browser, server: str, idle: list[Page]) -> Iterator[OpenPage]:
    opener = OpenPage(browser, server, idle)
    yield opener
    opener.close()


@pytest.fixture
def public_host(settings: Settings, client: Device) -> None:
    """The site is reached by a public name."""
    settings.ALLOWED_HOSTS = ["play.example.org"]
    client.client.defaults["HTTP_HOST"] = "play.example.org"


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Compares JSON with HTML; the addresses of the answers in JSON, as they come."""
    return compare_with_html(monkeypatch)

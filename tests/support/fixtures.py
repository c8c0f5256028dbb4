"""Fixtures of pages, with a server and a browser for each worker.

A page that logs an error fails the test it is in.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import pytest
from playwright.sync_api import Browser, expect
from pytest_django import Settings

from game.ops.match_store_sqlite import MOST_RESERVED, ROOM
from tests.support.browser import OpenPage, Page, chromium
from tests.support.device import Device
from tests.support.html_handles import compare_with_html
from tests.support.match_stores import ROOMS, RedisServer, Store, redis_served
from tests.support.served import PATIENCE, served

expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()) or "tests/browser/" in item.nodeid:
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


# --- match stores ---


@pytest.fixture(scope="module")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_served(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def store_file(tmp_path: Path, settings: Settings) -> Path:
    """The file of the match store that is in use, which isn't there yet."""
    found = tmp_path / "inner" / "match_store.sqlite3"
    settings.MATCH_STORE = f"sqlite:{found}"
    return found


@pytest.fixture
def store_redis(shared_redis: RedisServer, settings: Settings) -> RedisServer:
    """The empty Redis that is in use as the match store."""
    shared_redis.client.flushall()
    settings.MATCH_STORE = shared_redis.url
    return shared_redis


@pytest.fixture(params=["store_file", "store_redis"])
def either(request: pytest.FixtureRequest) -> Store:
    """Each of the two kinds of match store in turn."""
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]


@pytest.fixture
def small(either: Store, settings: Settings) -> Iterator[None]:
    settings.MATCH_STORE_PAGES = 256
    if isinstance(either, RedisServer):
        needed = either.client.info("memory")["used_memory_startup"] + ROOMS * ROOM
        either.client.config_set("maxmemory", int(needed / MOST_RESERVED) + 100)
        yield
        either.client.config_set("maxmemory", "0")
    else:
        yield

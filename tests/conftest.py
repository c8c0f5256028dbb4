"""Fixtures of all tests: the language, the seeds and the client."""

import gc
import os
from collections.abc import Iterator
from datetime import datetime
from hashlib import shake_256
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings as django_settings
from django.utils import translation
from pytest_django import Settings

from game.matches import daily, keyring, tokens
from game.ops import database

# Playwright leaves an event loop running in the thread of the tests, beside which Django would ask
# no database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

pytest.register_assert_rewrite("tests.support")
pytest_plugins = ["tests.support.fixtures"]

# The same examples in every run, and no limit that a busy machine breaks: `make soak` draws others.
hypothesis.settings.register_profile(
    "tests", derandomize=os.environ.get("FUZZ") != "long", deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)  # fmt: skip
hypothesis.settings.load_profile("tests")

from tests.support import days, missing  # noqa: E402 (not before its asserts can explain)
from tests.support.device import Device  # noqa: E402 (not before its asserts can explain)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Collects garbage seldom, as modules and collected tests stay to the end."""
    gc.set_threshold(20_000, 20, 50)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how many tests were skipped for want of a program."""
    skipped = terminalreporter.getreports("skipped")
    for line in missing.counts(str(report.longrepr) for report in skipped):
        terminalreporter.section(line, sep="!", red=True, bold=True)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Puts the database of each worker's tests into a file of its own, as a site's is one."""
    default = django_settings.DATABASES["default"]
    if default["ENGINE"].endswith(".sqlite3"):
        path = tmp_path_factory.getbasetemp() / "tests.sqlite3"
        default.setdefault("TEST", {})["NAME"] = str(path)


@pytest.fixture(autouse=True)
def _nothing_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets no test leave the database at rest for the next one."""
    monkeypatch.setattr(database, "_rests_until", 0.0)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Activates English, as Django's client leaves the language of its last page active."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def _drawn_seeds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the seeds that pages draw the same in every run, so that a failure repeats."""
    if os.environ.get("FUZZ") == "long":
        return
    numbers = count()

    def drawn(length: int) -> bytes:
        return shake_256(f"{request.node.nodeid} {next(numbers)}".encode()).digest(length)

    monkeypatch.setattr(os, "urandom", drawn)


@pytest.fixture(autouse=True)
def _nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switches off the cache of recent tokens, so that each token a test opens is decoded."""
    monkeypatch.setattr(tokens, "MOST_RECENT", 0)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The server's time, which a test sets."""
    shown = [days.NOON]
    monkeypatch.setattr(daily, "now", lambda: shown[0])
    return shown


@pytest.fixture
def chain_file(tmp_path: Path, settings: Settings) -> Path:
    """The site's secrets file, with keys of its own and the chain of tests.support.days."""
    settings.SECRETS_FILE = days.with_chain(tmp_path / "secrets.json")
    return tmp_path / "secrets.json"


@pytest.fixture
def secrets_reread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets files are read again at each request."""
    readings = iter(range(0, 10**9, keyring.REREAD_SECONDS + 1))
    monkeypatch.setattr(keyring, "monotonic", lambda: next(readings))


@pytest.fixture
def client() -> Device:
    """A visitor without cookies."""
    return Device()

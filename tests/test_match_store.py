"""The match store: the first writer wins, failures are told, and nothing in it can run code."""

import base64
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from prometheus_client import REGISTRY
from pytest_django import Settings

from game import checks
from game.ops import match_store, match_store_sqlite
from tests.support.device import Device
from tests.support.match_stores import ROOMS, RedisServer, Store, reserved, seconds_left
from tests.support.matches import address, opening
from tests.support.memory import MemoryStore
from tests.support.served import ROOT, site_settings

ID = "AzZ09_-" * 3 + "A"
LATER = "2999-01-01 00:00:00"


def plant(where: Store, key: str, value: bytes | str, expires: str = LATER) -> None:
    """Puts a value there behind the site's back."""
    if isinstance(where, RedisServer):
        where.client.set(f"battleship:1:{key}", value)
        return
    match_store.read(["makes-the-table"])
    with closing(sqlite3.connect(where)) as file, file:
        row = f"battleship:1:{key}", value, expires
        file.execute("INSERT INTO register (cache_key, value, expires) VALUES (?, ?, ?)", row)


# --- what it promises ---


def test_it_keeps_what_was_added_first_until_it_is_put_anew_or_forgotten(either: Store) -> None:
    assert match_store.is_on()
    assert match_store.read("ab") == match_store.read([]) == {}
    assert match_store.add("a", "1")
    assert not match_store.add("a", "2")
    assert match_store.read("ab") == {"a": "1"}
    match_store.put({"a": "3", "b": "4"})
    match_store.put({})
    assert match_store.read("abc") == {"a": "3", "b": "4"}
    match_store.forget(["a", "none"])
    match_store.forget([])
    with pytest.raises(UnicodeEncodeError):
        match_store.put({"b": "ä"})
    assert match_store.read("ab") == {"b": "4"}
    assert match_store.add("a", "5")


def test_each_write_keeps_a_value_for_ten_days_or_as_long_as_it_says(either: Store) -> None:
    assert match_store.add("a", "1", 1_000)
    assert 990 < seconds_left(either, "a") <= 1_000
    match_store.put({"a": "1"})
    assert match_store.add("c", "1")
    for key in "ac":
        assert 863_990 < seconds_left(either, key) <= 864_000


def test_what_has_expired_is_not_there_is_not_renewed_and_may_be_added(either: Store) -> None:
    assert match_store.add("a", "1", 1)
    time.sleep(1.1)
    for key in "ab":
        match_store.renew(key, 100)
    assert match_store.read("ab") == {}
    assert match_store.add("a", "2")
    assert match_store.read("ab") == {"a": "2"}


def test_of_four_threads_one_writes_each_key(either: Store) -> None:
    with ThreadPoolExecutor(4) as threads:
        added = threads.map(lambda number: match_store.add(f"{number // 4}", "1"), range(100))
        assert sum(added) == 25


def test_a_pickle_that_was_planted_there_is_never_loaded(either: Store, tmp_path: Path) -> None:
    marker = tmp_path / "it ran"

    class Planted:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (marker,)

    data = pickle.dumps(Planted())
    for key, value in ("a", data), ("b", base64.b64encode(data)), ("c", pickle.dumps(Planted(), 0)):
        plant(either, key, value)
    found = match_store.read("abc")
    assert not match_store.add("a", "1")
    assert sorted(found) == [*"abc"]
    assert all(isinstance(text, str) for text in found.values())
    assert not marker.exists()
    pickle.loads(data)
    assert marker.exists(), "the planted one does something when it is loaded"


def test_an_add_that_wrote_nothing_where_nothing_stands_is_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MemoryStore, "add", lambda *words: False)
    with pytest.raises(match_store.MatchStoreDown):
        match_store.add("a", "1")
    match_store.put({"a": "2"})
    assert not match_store.add("a", "1")


def test_a_match_against_the_computer_never_reaches_for_it(
    client: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = list[str]()
    monkeypatch.setattr(match_store, "opened", lambda where, _pages: opened.append(where))
    played = client.post(address(opening()), {"cell": "B7"})
    pages = [played.location, "/en/", "/en/new/bonn/", "/readyz"]
    assert [client.get(page).status for page in pages] == 4 * [200]
    assert opened == []


# --- the file ---


@pytest.mark.parametrize("is_there", [False, True])
def test_the_file_and_its_folder_are_its_owners_alone(store_file: Path, is_there: bool) -> None:
    if is_there:
        store_file.parent.mkdir(0o700)
        store_file.touch(0o644)
    match_store.put({"a": "1"})
    assert store_file.stat().st_mode & 0o777 == 0o600
    assert store_file.parent.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in store_file.parent.iterdir()} == {0o600}


def test_what_is_written_is_on_the_disk(store_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, connect = list[sqlite3.Connection](), sqlite3.connect

    def connected(*words: Any, **options: Any) -> sqlite3.Connection:
        made.append(connect(*words, **options))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", connected)
    match_store.put({"a": "1"})
    modes = [made[0].execute(f"PRAGMA {of}").fetchone() for of in ("journal_mode", "synchronous")]
    assert modes == [("wal",), (2,)]  # FULL


def test_a_full_disk_is_told_and_what_was_there_stays(store_file: Path, settings: Settings) -> None:
    settings.MATCH_STORE_PAGES = 20
    match_store.put({"a": "1"})
    with pytest.raises(match_store.MatchStoreDown, match="full"):
        match_store.put({"b": 100_000 * "x"})
    assert match_store.read("ab") == {"a": "1"}
    assert match_store.add("b", "there is room for this")


def test_expired_values_are_swept_a_bounded_number_at_a_time(
    store_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_store_sqlite, "SWEEP_EVERY", 3)
    monkeypatch.setattr(match_store_sqlite, "SWEEP_ROWS", 2)
    for number in range(5):
        plant(store_file, f"old:{number}", b"1", expires="2020-01-01 00:00:00")
    left = list[int]()
    for number in range(7):
        match_store.add(f"new:{number}", "1")
        with closing(sqlite3.connect(store_file)) as file:
            (old,) = file.execute("SELECT count(*) FROM register WHERE cache_key LIKE '%old%'")
        left += old
    assert left == [3, 3, 3, 1, 1, 1, 0]
    assert len(match_store.read(f"new:{number}" for number in range(7))) == 7


HOLDER = """
import django, sys
django.setup()
from game.ops import match_store

print(match_store.read("a"), flush=True)
sys.stdin.readline()
print(match_store.read("a"))
match_store.put({"c": "3"})
"""


@pytest.mark.parametrize("whole", [True, False], ids=["with its log", "without its log"])
def test_a_deleted_file_is_made_anew_by_whoever_comes_next(store_file: Path, whole: bool) -> None:
    match_store.put({"a": "1", "b": 3_000 * "x"})
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDER], cwd=ROOT, text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=os.environ | {
            "BATTLESHIP_MATCH_STORE": settings.MATCH_STORE,
            "DJANGO_SETTINGS_MODULE": "battleships_site.settings",
        },
    )  # fmt: skip
    assert other.stdout
    assert other.stdout.readline() == "{'a': '1'}\n"
    for end in ("", "-wal", "-shm") if whole else ("",):
        Path(f"{store_file}{end}").unlink()
    assert match_store.read("ab") == {}
    assert match_store.add("a", "2")
    assert other.communicate("go on\n", timeout=100) == ("{'a': '2'}\n", "")
    assert match_store.read("abc") == {"a": "2", "c": "3"}
    assert store_file.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(store_file)) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("is_file", [True, False])
def test_a_file_that_is_none_of_sqlites_or_can_not_be_made_is_told_and_counted(
    store_file: Path, is_file: bool
) -> None:
    def counted() -> float:
        return REGISTRY.get_sample_value("battleship_match_store_failures_total") or 0

    if is_file:
        store_file.parent.mkdir()
    other = store_file if is_file else store_file.parent
    other.write_text("something else " * 1_000)
    before = counted()
    with pytest.raises(match_store.MatchStoreDown):
        match_store.add("a", "1")
    assert counted() == before + 1
    match_store.forget(["a"])
    other.unlink()
    assert match_store.add("a", "1")


# --- faults ---


@contextmanager
def locked(store_file: Path) -> Iterator[None]:
    with closing(sqlite3.connect(store_file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


@contextmanager
def full(store_redis: RedisServer) -> Iterator[None]:
    store_redis.client.config_set("maxmemory", "1")
    yield
    store_redis.client.config_set("maxmemory", "0")


@contextmanager
def killed(store_redis: RedisServer) -> Iterator[None]:
    store_redis.kill()
    yield
    store_redis.start()


@contextmanager
def stopped(store_redis: RedisServer) -> Iterator[None]:
    """As a machine that is switched off."""
    os.kill(store_redis.process, signal.SIGSTOP)
    yield
    os.kill(store_redis.process, signal.SIGCONT)


@pytest.mark.parametrize(
    ("store", "fault", "is_read"),
    [
        ("store_file", locked, True),
        ("store_redis", full, True),
        ("store_redis", killed, False),
        ("store_redis", stopped, False),
    ],
)
def test_a_fault_is_told_soon_and_what_was_there_stays(
    store: str, fault: Any, is_read: bool, request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(match_store_sqlite, "PATIENCE", 0.2)
    monkeypatch.setattr(match_store, "REST", 0.5)
    found = request.getfixturevalue(store)
    match_store.put({"a": "1"})
    with fault(found):
        began = time.monotonic()
        with pytest.raises(match_store.MatchStoreDown):
            match_store.add("b", "2")
        with pytest.raises(match_store.MatchStoreDown):
            match_store.put({"b": "2"})
        match_store.forget(["b"])
        with nullcontext() if is_read else pytest.raises(match_store.MatchStoreDown):
            assert match_store.read("a") == {"a": "1"}
        assert time.monotonic() - began < 4
    time.sleep(match_store.REST if fault is stopped else 0)
    assert match_store.read("a") == {"a": "1"}
    assert match_store.add("c", "3")


# --- a store that fills up ---


@pytest.mark.usefixtures("small")
def test_four_threads_reserve_no_more_room_than_there_is() -> None:
    assert reserved(0)
    with ThreadPoolExecutor(4) as threads:
        for which in ("new", "their own"):
            assert sum(threads.map(reserved, range(1, 2 * ROOMS))) == ROOMS - 1, which
    assert not match_store.has_room()
    assert reserved(0, lifetime=1)
    time.sleep(1.1)
    assert match_store.has_room()
    assert reserved(0)
    assert not match_store.has_room()


# --- settings and checks ---


NEITHER = "BATTLESHIP_MATCH_STORE is neither"


@pytest.mark.parametrize(
    "url",
    ["redis:/host", "redis://", "redis://a/0,redis://b/0", "mysql://host/0", "sqlite:", "on"],
)
def test_a_match_store_that_is_neither_a_file_nor_a_redis_is_refused(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    with pytest.raises(SystemExit, match=NEITHER):
        site_settings(monkeypatch, BATTLESHIP_MATCH_STORE=url)


LIVE = {"ENV": "production", "HOSTS": "play.example.org"}


@pytest.mark.parametrize(
    ("environment", "url", "pages"),
    [
        ({"MATCH_STORE": "sqlite:/new", "MATCH_STORE_MB": "1"}, "sqlite:/new", 256),
        (LIVE, "", 131_072),
        (LIVE | {"MATCH_STORE": "redis://host:6379/0"}, "redis://host:6379/0", 131_072),
        (LIVE | {"MATCH_STORE": "rediss://:word@host/0"}, "rediss://:word@host/0", 131_072),
    ],
)
def test_the_match_store_is_set_by_its_address(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], url: str, pages: int
) -> None:
    given = {f"BATTLESHIP_{name}": text for name, text in environment.items()}
    found = site_settings(monkeypatch, **given)
    assert (found["MATCH_STORE"], found["MATCH_STORE_PAGES"]) == (url, pages)


def test_a_file_is_refused_as_the_match_store_of_several_machines(settings: Settings) -> None:
    for url, is_one_machine, expected in (
        ("sqlite:var/match_store.sqlite3", False, ["game.E003"]),
        ("sqlite:var/match_store.sqlite3", True, []),
        ("redis://host:6379/0", False, []),
        ("", False, []),
    ):
        settings.MATCH_STORE, settings.IS_ONE_MACHINE = url, is_one_machine
        assert [error.id for error in checks.check_match_store(None)] == expected

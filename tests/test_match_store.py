"""The match store: the first writer wins, failures are told, and nothing in it can run code."""

import base64
import os
import pickle
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from prometheus_client import REGISTRY
from pytest_django import Settings

from game import checks
from game.engine.actions import Fire
from game.engine.chance import Chance
from game.engine.fleets import complete
from game.engine.rules import Ruleset, Side
from game.matches import duel_store, presence
from game.matches.duel import Duel, opened, poll_key
from game.matches.setup import Setup
from game.ops import match_store, match_store_sqlite
from game.ops.match_store_sqlite import MOST_RESERVED, ROOM
from tests.support import duels
from tests.support.device import Device
from tests.support.match_stores import RedisServer, redis_served
from tests.support.matches import address, opening
from tests.support.memory import MemoryStore
from tests.support.page import Page
from tests.support.served import ROOT, site_settings

ID = "AzZ09_-" * 3 + "A"
LATER = "2999-01-01 00:00:00"
Store = Path | RedisServer
"""The file of the match store in use, or its server."""


@pytest.fixture(scope="module")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_served(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def path(tmp_path: Path, settings: Settings) -> Path:
    """The file of the match store that is in use, which isn't there yet."""
    found = tmp_path / "inner" / "match_store.sqlite3"
    settings.MATCH_STORE = f"sqlite:{found}"
    return found


@pytest.fixture
def server(shared_redis: RedisServer, settings: Settings) -> RedisServer:
    """The empty Redis that is in use as the match store."""
    shared_redis.client.flushall()
    settings.MATCH_STORE = shared_redis.url
    return shared_redis


@pytest.fixture(params=["path", "server"])
def either(request: pytest.FixtureRequest) -> Store:
    """Each of the two kinds of match store in turn."""
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]


def plant(where: Store, key: str, value: bytes | str, expires: str = LATER) -> None:
    """Puts a value there behind the site's back."""
    if isinstance(where, RedisServer):
        where.client.set(f"battleship:1:{key}", value)
        return
    match_store.read(["makes-the-table"])
    with closing(sqlite3.connect(where)) as file, file:
        row = f"battleship:1:{key}", value, expires
        file.execute("INSERT INTO register (cache_key, value, expires) VALUES (?, ?, ?)", row)


def empty(where: Store) -> None:
    if isinstance(where, RedisServer):
        where.client.flushall()
        return
    with closing(sqlite3.connect(where)) as file, file:
        file.execute("DELETE FROM register")


def seconds_left(where: Store, key: str) -> float:
    if isinstance(where, RedisServer):
        return float(where.client.ttl(f"battleship:1:{key}"))
    with closing(sqlite3.connect(where)) as file:
        ((text,),) = file.execute(
            "SELECT expires FROM register WHERE cache_key = ?", (f"battleship:1:{key}",)
        )
    return datetime.fromisoformat(f"{text}+00:00").timestamp() - time.time()


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
    pages = [played.location, "/en/", "/en/new/bonn/", "/en/deduction/", "/readyz"]
    assert [client.get(page).status for page in pages] == 5 * [200]
    assert opened == []


# --- the file ---


@pytest.mark.parametrize("is_there", [False, True])
def test_the_file_and_its_folder_are_its_owners_alone(path: Path, is_there: bool) -> None:
    if is_there:
        path.parent.mkdir(0o700)
        path.touch(0o644)
    match_store.put({"a": "1"})
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}


def test_what_is_written_is_on_the_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, connect = list[sqlite3.Connection](), sqlite3.connect

    def connected(*words: Any, **options: Any) -> sqlite3.Connection:
        made.append(connect(*words, **options))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", connected)
    match_store.put({"a": "1"})
    modes = [made[0].execute(f"PRAGMA {of}").fetchone() for of in ("journal_mode", "synchronous")]
    assert modes == [("wal",), (2,)]  # FULL


def test_a_full_disk_is_told_and_what_was_there_stays(path: Path, settings: Settings) -> None:
    settings.MATCH_STORE_PAGES = 20
    match_store.put({"a": "1"})
    with pytest.raises(match_store.MatchStoreDown, match="full"):
        match_store.put({"b": 100_000 * "x"})
    assert match_store.read("ab") == {"a": "1"}
    assert match_store.add("b", "there is room for this")


def test_expired_values_are_swept_a_bounded_number_at_a_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_store_sqlite, "SWEEP_EVERY", 3)
    monkeypatch.setattr(match_store_sqlite, "SWEEP_ROWS", 2)
    for number in range(5):
        plant(path, f"old:{number}", b"1", expires="2020-01-01 00:00:00")
    left = list[int]()
    for number in range(7):
        match_store.add(f"new:{number}", "1")
        with closing(sqlite3.connect(path)) as file:
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
def test_a_deleted_file_is_made_anew_by_whoever_comes_next(path: Path, whole: bool) -> None:
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
        Path(f"{path}{end}").unlink()
    assert match_store.read("ab") == {}
    assert match_store.add("a", "2")
    assert other.communicate("go on\n", timeout=100) == ("{'a': '2'}\n", "")
    assert match_store.read("abc") == {"a": "2", "c": "3"}
    assert path.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("is_file", [True, False])
def test_a_file_that_is_none_of_sqlites_or_can_not_be_made_is_told_and_counted_by_both_names(
    path: Path, is_file: bool
) -> None:
    def counted() -> list[float]:
        names = ("battleship_match_store_failures_total", "battleship_register_failures_total")
        return [REGISTRY.get_sample_value(name) or 0 for name in names]

    if is_file:
        path.parent.mkdir()
    other = path if is_file else path.parent
    other.write_text("something else " * 1_000)
    before = counted()
    with pytest.raises(match_store.MatchStoreDown):
        match_store.add("a", "1")
    assert counted() == [number + 1 for number in before]
    match_store.forget(["a"])
    other.unlink()
    assert match_store.add("a", "1")


# --- faults ---


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


@contextmanager
def full(server: RedisServer) -> Iterator[None]:
    server.client.config_set("maxmemory", "1")
    yield
    server.client.config_set("maxmemory", "0")


@contextmanager
def killed(server: RedisServer) -> Iterator[None]:
    server.kill()
    yield
    server.start()


@contextmanager
def stopped(server: RedisServer) -> Iterator[None]:
    """As a machine that is switched off."""
    os.kill(server.process, signal.SIGSTOP)
    yield
    os.kill(server.process, signal.SIGCONT)


@pytest.mark.parametrize(
    ("store", "fault", "is_read"),
    [
        ("path", locked, True),
        ("server", full, True),
        ("server", killed, False),
        ("server", stopped, False),
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


ROOMS = 76
"""How many matches there is room for in a small store."""
LARGEST = Ruleset(15, 15, (3,) * 16, again=False, turns=None)
"""Rules with the longest tokens that a page can ask for."""


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


def reserved(number: int, lifetime: int = 1_000) -> bool:
    try:
        match_store.reserve(f"{number:032}", lifetime)
    except match_store.MatchStoreFull:
        return False
    return True


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


@pytest.mark.deep
@pytest.mark.usefixtures("small")
def test_the_largest_matches_of_strangers_fit_into_the_room_that_they_have_reserved(
    either: Store,
) -> None:
    def used() -> int:
        if isinstance(either, RedisServer):
            return int(either.client.info("memory")["used_memory"])
        with closing(sqlite3.connect(either)) as file:
            [pages], [free] = (
                file.execute(f"PRAGMA {name}_count").fetchone() for name in ("page", "freelist")
            )
        return int(4096 * (pages - free))

    match_store.read(["makes-the-table"])
    before, chance = used(), random.Random(7)
    fleets = [complete(LARGEST, (), Chance(bytes(16), "fleet", side)) for side in Side]
    setup = Setup(LARGEST, (None, None), remote=True)
    found = list[Duel]()
    while match_store.has_room():
        duel = opened(setup, os.urandom(16), b"a" * 16, fleets[0], "n" * 32)
        found.append(duel_store.write(duel))
    assert len(found) == ROOMS
    for at, duel in enumerate(found):
        joined = duel_store.write(duel.joined(b"b" * 16))
        found[at] = duel_store.write(joined.placed(Side.SECOND, fleets[1], "n" * 32))
    for _turn in range(4 * ROOMS):
        at = chance.randrange(ROOMS)
        side = found[at].match.side
        moved = duel_store.decide(found[at].acted(side, found[at].match.steers(side)[0]))
        cell = chance.choice([*set(LARGEST.board.cells) - moved.match.spent(side.opponent)])
        found[at] = duel_store.write(moved.acted(side, Fire(cell)))
    for duel in found:
        duel_store.decide(duel.acted(duel.match.side, duel.match.steers(duel.match.side)[0]))
        for side in Side:
            presence.ask(poll_key(duel.id, side))
            assert presence.nudge(duel, side)
    assert ROOMS * 9_000 < used() - before < ROOMS * ROOM


@pytest.mark.usefixtures("small")
def test_a_full_store_takes_no_invitation_and_has_room_for_every_step_of_the_matches_in_it(
    either: Store,
) -> None:
    ended, _other = duels.begun()
    ended.press("resign-yes")
    empty(either)
    first, second = duels.begun()
    host, stranger, late = duels.inviting(), duels.Seat(), duels.Seat()
    late.open("/en/new/friend/milton/")
    stranger.open("/en/new/friend/milton/")
    stranger.send({"action": "random"})
    fleet = stranger.page.ships
    assert sum(map(reserved, range(2 * ROOMS))) == ROOMS - 2
    stranger.send({"action": "start", "ship": fleet})
    sentence = "There is no room for another match just now. Try again later."
    assert (stranger.status, stranger.page.says, stranger.page.ships) == (409, sentence, fleet)
    late.open("/en/new/friend/milton/")
    assert (late.status, late.page.says) == (503, sentence)
    assert late.page.headers["Retry-After"]
    ended.open()
    assert (ended.status, ended.phase) == (200, "over"), "it is seen, though it is in no store"
    ended.press("rematch")
    assert (ended.status, ended.page.says) == (503, sentence)
    friend = duels.joining(host)
    duels.place(friend)
    assert friend.phase in ("firing", "waiting"), "the invitation had reserved the room"
    while "over" not in (first.phase, second.phase):
        duels.fire(duels.mover(first, second), hits=True)
        assert 303 in (first.status, second.status)
        duels.reload(first, second)
    assert first.page.attribute("data-reason") == "all-sunk"
    duels.rematch(first, second)
    duels.play_turn(first, second)


def test_an_invitation_is_kept_for_two_days_which_the_open_page_begins_anew(either: Store) -> None:
    first = duels.inviting()
    key = f"{first.duel.id.hex()}:0"
    wait = f"wait:{first.wait.split('/')[2]}"
    two_days = 2 * 24 * 60 * 60
    assert two_days - 10 < seconds_left(either, key) <= two_days
    assert seconds_left(either, wait) <= two_days / 2
    assert first.waits() == 204
    match_store.renew(key, 100)
    match_store.forget([wait])  # as after a day
    assert seconds_left(either, key) <= 100
    assert first.waits() == 200
    first.open()
    assert first.phase == "waiting"
    assert two_days - 10 < seconds_left(either, key) <= two_days
    assert first.waits() == 204
    second = duels.joining(first)
    assert two_days - 10 < seconds_left(either, key.replace(":0", ":1")) <= two_days
    duels.place(second)
    assert two_days - 10 < seconds_left(either, key.replace(":0", ":2")) <= two_days
    first.open()
    duels.play_turn(first, second)
    for running in (key.replace(":0", ":3"), wait):
        assert match_store.LIFETIME - 10 < seconds_left(either, running) <= match_store.LIFETIME
    first.press("leave")
    assert two_days - 10 < seconds_left(either, key.replace(":0", ":4")) <= two_days


# --- waiting ---


def wait(client: Device, step: str = "7", name: str = ID, method: str = "GET") -> Page:
    return client.request(method, f"/wait/{name}/{step}/", headers={"host": "any.proxy"})


def test_waiting_is_told_whether_the_step_has_changed(either: Store, client: Device) -> None:
    gone = wait(client)
    match_store.put({f"wait:{ID}": "7"})
    steps = [wait(client, step) for step in ("7", "8", "07")]
    answers = [gone, *steps, wait(client, name=ID[::-1])]
    assert [answer.status for answer in answers] == [200, 204, 200, 200, 200]
    for answer in (*answers, wait(client, "x")):
        assert answer.content == b""
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert not answer.cookies


@pytest.mark.parametrize(
    "path",
    [f"/wait/{ID}/", f"/wait/{ID}/x/", f"/wait/{ID}/-1/", f"/wait/{ID}/7", f"/wait/{ID}x/7/",
     f"/wait/{ID[1:]}/7/", f"/wait/{ID[1:]}./7/", f"/wait/{ID}/٧/", f"/wait/{ID}/7/7/", "/wait/",
     f"/en/wait/{ID}/7/"],
)  # fmt: skip
def test_what_is_no_address_of_waiting_is_not_found(client: Device, path: str) -> None:
    assert client.get(path).status == 404


@pytest.mark.parametrize("method", ["HEAD", "PUT", "OPTIONS"])
def test_waiting_is_only_asked_and_ended(client: Device, method: str) -> None:
    answer = wait(client, method=method)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, POST")


# --- settings and checks ---


NEITHER = "BATTLESHIP_MATCH_STORE is neither"
TWO = "BATTLESHIP_MATCH_STORE and its old name BATTLESHIP_REG"


@pytest.mark.parametrize(
    ("url", "old", "says"),
    [
        *((url, {}, NEITHER) for url in ("redis:/host", "redis://", "redis://a/0,redis://b/0")),
        *((url, {}, NEITHER) for url in ("mysql://host/0", "sqlite:", "on")),
        *(("sqlite:/a", {"BATTLESHIP_REGISTER": old}, TWO) for old in ("sqlite:/old", "")),
    ],
)
def test_a_match_store_that_is_neither_a_file_nor_a_redis_or_is_set_twice_is_refused(
    monkeypatch: pytest.MonkeyPatch, url: str, old: dict[str, str], says: str
) -> None:
    with pytest.raises(SystemExit, match=says):
        site_settings(monkeypatch, BATTLESHIP_MATCH_STORE=url, **old)


def test_development_has_a_match_store_whose_file_keeps_the_name_that_1_0_gave_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("match_store.sqlite3", "register.sqlite3"):
        found = site_settings(monkeypatch, BATTLESHIP_DATA=str(tmp_path))
        assert found["MATCH_STORE"] == f"sqlite:{tmp_path / name}"
        (tmp_path / "register.sqlite3").touch()


LIVE = {"ENV": "production", "HOSTS": "play.example.org"}


@pytest.mark.parametrize(
    ("environment", "url", "pages"),
    [
        ({"MATCH_STORE": "sqlite:/new", "MATCH_STORE_MB": "1"}, "sqlite:/new", 256),
        ({"REGISTER": "sqlite:/old", "REGISTER_MB": "2"}, "sqlite:/old", 512),
        ({"REGISTER": "sqlite:/one", "MATCH_STORE": "sqlite:/one"}, "sqlite:/one", 131_072),
        (LIVE, "", 131_072),
        (LIVE | {"MATCH_STORE": "redis://host:6379/0"}, "redis://host:6379/0", 131_072),
        (LIVE | {"MATCH_STORE": "rediss://:word@host/0"}, "rediss://:word@host/0", 131_072),
    ],
)
def test_the_match_store_is_set_by_its_name_or_by_that_of_1_0(
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

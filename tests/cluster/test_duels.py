"""Matches at two devices while servers are killed, and while what they share is lost.

Whatever happens, all steps that any page has shown are of one match.
"""

import random
import shutil
import sqlite3
from base64 import urlsafe_b64decode
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from django.test import override_settings

from game.ops import secrets
from tests.cluster.copies import Cluster, Copy, running
from tests.cluster.players import Device, Duellists, playing, see_few_failures
from tests.support import times
from tests.support.match_stores import RedisServer
from tests.support.missing import needs
from tests.support.served import wait_until

Duel: TypeAlias = Any
unseal_duel = pytest.importorskip("game.features.duel.parts").unseal_duel
pytestmark = [pytest.mark.cluster, needs("Redis", "redis-server", "valkey-server")]
needs_haproxy = needs("HAProxy", "haproxy")
LONG = "/en/new/friend/own/?columns=8&rows=8&fleet=4-3-3-2-2"
"""Rules by which no match is over after a few shots."""
PAIRS = 3
MOST_FAILED = 0.02
"""The part of all requests that may fail for good at the first try, the match store's too."""


class File:
    """A match store in an SQLite file; its writers are its only processes."""

    process = 0

    def __init__(self, folder: Path) -> None:
        self.path, self.kept = folder / "match_store.sqlite3", folder / "kept.sqlite3"
        self.url = f"sqlite:{self.path}"

    def keep(self) -> None:
        copy_database(self.path, self.kept)

    def restore(self) -> None:
        copy_database(self.kept, self.path)

    def revive(self) -> None:
        """Nothing is started again after a fault."""

    close = revive


def copy_database(one: Path, other: Path) -> None:
    with closing(sqlite3.connect(one)) as source, closing(sqlite3.connect(other)) as target:
        source.backup(target)


class Server(RedisServer):
    """A match store in a Redis, which can be put back to an older copy."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "redis")
        self.kept = folder / "kept"
        self.start()

    def keep(self) -> None:
        shutil.rmtree(self.kept, ignore_errors=True)
        shutil.copytree(self.folder, self.kept)

    def restore(self) -> None:
        self.kill()
        shutil.rmtree(self.folder)
        shutil.copytree(self.kept, self.folder)
        self.start()

    def revive(self) -> None:
        self.kill()
        self.start()

    def close(self) -> None:
        self.kill()


Store = File | Server


@pytest.fixture(scope="module", params=[File, Server])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    found: Store = request.param(tmp_path_factory.mktemp("match_store"))
    with closing(found):
        yield found


def see_one_line(seen: list[Duel]) -> None:
    """Sees that of each match all steps that were shown lie on the way to the last."""
    matches = defaultdict(list)
    for duel in seen:
        if not any(duel.wishes):  # a wish may be lost
            matches[duel.setup.tally.rounds].append(duel)
    for steps in matches.values():
        last = max(steps, key=lambda duel: duel.step)
        assert all(last.includes(step) for step in steps)


# --- behind the proxy ---


def have_all_gone_on(cluster: Cluster, pairs: list[Duellists]) -> bool:
    """Whether all that any device holds is sealed by the key in use, so that others may go."""
    held = [
        token
        for pair in pairs
        if pair.is_alive()
        for device in pair.devices
        for token in (device.token, device.cookies["seats"])
    ]
    return all(urlsafe_b64decode(token)[1:5].hex() == cluster.used for token in held)


@needs_haproxy
def test_no_duel_is_lost_or_forked_while_servers_die_and_keys_change(
    older: Path, tmp_path: Path
) -> None:
    server = Server(tmp_path)
    cluster = Cluster(tmp_path, older, server.url)
    with closing(server), cluster.running() as port:
        pairs = [Duellists(port, number) for number in range(PAIRS)]
        a, b, old = cluster.copies
        with playing(pairs):
            for _ in range(times(1, 1, 10)):
                b.kill_worker()
                cluster.rotate("add")
                server.revive()
                a.reload()
                old.kill()
                cluster.rotate("use")
                a.kill_worker()
                b.kill()
                wait_until(lambda: have_all_gone_on(cluster, pairs), lambda: "a match stands still")
                cluster.rotate("drop")
    devices = [device for pair in pairs for device in pair.devices]
    see_few_failures(pairs, 3, MOST_FAILED)
    assert not [conflict for device in devices for conflict in device.conflicts]
    assert sum(device.losses for device in devices) == 0
    with override_settings(SECRETS_FILE=cluster.secrets_of([*cluster.tokens])):
        for pair in pairs:
            seen = [[unseal_duel(token) for token in device.tokens] for device in pair.devices]
            see_one_line(seen[0] + seen[1])
            assert seen[0][-1] == seen[1][-1]


# --- when the match store loses something ---


@pytest.fixture(scope="module")
def one(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    """A server whose match store fails."""
    copy = Copy("one", tmp_path_factory.mktemp("one"), match_store=store.url, workers=2)
    secrets.write(copy.secrets, secrets.make())
    with running(copy), override_settings(SECRETS_FILE=copy.secrets):
        yield copy


@pytest.fixture
def chance() -> random.Random:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    return random.Random(seed)


Pair = tuple[Device, Device]


@pytest.fixture
def devices(one: Copy, chance: random.Random) -> Iterator[Callable[[], Pair]]:
    """Makes two devices on which nothing is open yet."""
    with ExitStack() as made:

        def make() -> Pair:
            pair = Device(one.port, chance, new=LONG), Device(one.port, chance, new=LONG)
            for device in pair:
                made.callback(device.close)
            return pair

        yield make


def duel_of(device: Device) -> Duel:
    return unseal_duel(device.token)


def begun(pair: Pair) -> Pair:
    """Two devices whose match has begun, and can't be over after a few shots."""
    first, second = pair
    second.join(first.invite())
    first.open()
    return pair


def mover_and_other(pair: Pair) -> Pair:
    first, second = pair
    return (first, second) if first.said("phase") == "firing" else (second, first)


def play(pair: Pair, steps: int) -> None:
    """Makes some steps, each of which both see."""
    for _ in range(steps):
        mover, other = mover_and_other(pair)
        assert mover.act()
        other.follow()


def go_on(pair: Pair) -> None:
    """Runs what the scripts of both pages do until neither waits for the other."""
    for _ in range(6):
        for device in pair:
            device.open()
            device.follow()
    assert not any("data-lost" in device.page for device in pair)


def see_same(pair: Pair, step: int) -> None:
    """Asserts that both are led to that step and that the match continues from it."""
    for device in pair:
        device.open()
    first, second = pair
    assert duel_of(first).without_move() == duel_of(second).without_move()
    assert duel_of(first).step == step


def see_all(pair: Pair) -> None:
    """Asserts that all steps that the two were shown belong to one history."""
    see_one_line([unseal_duel(token) for device in pair for token in device.tokens])


@pytest.mark.parametrize("is_store_killed", [False, True])
def test_what_was_written_when_its_writer_or_the_match_store_was_killed_stands(
    one: Copy,
    store: Store,
    devices: Callable[[], Pair],
    chance: random.Random,
    is_store_killed: bool,
) -> None:
    if is_store_killed and not store.process:
        pytest.skip("a file has no process of its own")
    first, second = pair = devices()

    def press(device: Device, *, is_killed: bool, after: str = "step", **fields: str) -> None:
        """Presses a button, and again where no answer came, or reloads the page.

        If its writer or the match store is killed, that is once the step or move is written, and
        nobody was told.
        """
        if is_killed:
            one.fate.write_text(f"{store.process if is_store_killed else 0} {after}")
            assert device.press_once(**fields) in (0, 503)
            assert not one.fate.exists()
            if is_store_killed:
                store.revive()
            one.wait()
        if not is_killed or "/duel/" not in device.where or chance.random() < 0.5:
            device.press(**fields)
        else:
            device.open()
        assert device.page.status == 200

    def see_step(device: Device, other: Device, *, spared: bool = True, **fields: str) -> None:
        step = duel_of(device).step if "/duel/" in device.where else -1
        # A server needs longer to start anew.
        press(device, is_killed=is_store_killed or not spared, **fields)
        assert other.has_news()
        other.open()
        if "/duel/" in device.where and "/duel/" in other.where:
            assert duel_of(device) == duel_of(other)
        if "/duel/" in device.where and step >= 0:
            assert duel_of(device).step == step + 1

    def see_move(device: Device, other: Device) -> None:
        before = duel_of(device)
        press(device, is_killed=True, after="move", **device.button("steer"))
        assert duel_of(device).has_moved
        assert duel_of(device).without_move() == before
        assert not other.has_news()

    first.open_new()
    press(first, is_killed=is_store_killed, action="quick")
    second.open(first.invitation())
    see_step(second, first, spared=False, action="join")
    see_step(second, first, action="quick")
    for shot in range(4):
        mover, other = mover_and_other(pair)
        if shot == 2 and 'name="steer"' in mover.page:
            see_move(mover, other)
        see_step(mover, other, spared=shot != 2, **mover.button())
    see_step(first, second, action="resign-yes")
    see_step(second, first, spared=False, action="rematch")
    see_step(first, second, action="rematch")
    press(first, is_killed=is_store_killed, action="quick")
    see_step(second, first, action="quick")
    see_all(pair)


def test_after_an_older_copy_is_put_back_the_match_goes_on_where_it_was(
    store: Store, devices: Callable[[], Pair], chance: random.Random
) -> None:
    pair = begun(devices())
    for _ in range(6):
        store.keep()
        play(pair, chance.randrange(1, 6))
        if duel_of(pair[0]).step > 30:
            see_all(pair)
            pair = begun(devices())
            store.keep()
            play(pair, 2)
        step, (mover, _other) = duel_of(pair[0]).step, mover_and_other(pair)
        if 'name="steer"' in mover.page and chance.random() < 0.5:
            mover.press(**mover.button("steer"))
        moved = duel_of(mover)
        store.restore()
        go_on(pair)
        see_same(pair, step)
        assert duel_of(mover) == moved
        play(pair, 1)
        see_same(pair, step + 1)
    see_all(pair)

"""A key-value store for matches at two devices.

    match_store.add("3Jc…:7", token)      True if written, False if the key had a value
    match_store.read(["3Jc…", "3Jc…:7"])  {"3Jc…": "7", "3Jc…:7": "AQ4x…"}

Keys and values are ASCII text. BATTLESHIP_MATCH_STORE names an SQLite file or a Redis (or Valkey)
server, which all processes of the site share. Values may be lost at any time.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from django.conf import settings

from game.ops import metrics
from game.ops.match_store_sqlite import SqliteStore

if TYPE_CHECKING:
    from game.ops.match_store_redis import RedisStore

    Store: TypeAlias = SqliteStore | RedisStore

logger = logging.getLogger(__name__)

DAY = 24 * 60 * 60
LIFETIME = 10 * DAY
"""The time to live of a value, in seconds, if none is given."""
SILENCE, REST = 0.9, 2.0
"""A Redis that has failed after so many seconds isn't asked in the next ones: proxies send what has
failed to other copies, up to twenty times, and all of those have the same store."""
_rests_until: dict[str, float] = {}
_PREFIX = "battleship:1:"
"""The start of every key, as in the stores of 1.0."""


class MatchStoreDown(RuntimeError):
    """The match store can't be reached, is locked or is full; the call may be repeated later."""


class MatchStoreFull(MatchStoreDown):
    """All room of the match store is reserved for the matches in it."""


def is_on() -> bool:
    """Whether a match store is configured; otherwise the functions below must not be called."""
    return bool(settings.MATCH_STORE)


def read(keys: Iterable[str]) -> dict[str, str]:
    """The values of those keys that have one, in one round trip; raises MatchStoreDown."""
    names = [_PREFIX + key for key in keys]
    if not names:
        return {}
    with _working() as store:
        found = store.read(names)
    return {name.removeprefix(_PREFIX): value for name, value in found.items()}


def read_one(key: str) -> str | None:
    """The value of a key, or None; raises MatchStoreDown."""
    return read([key]).get(key)


def has_room() -> bool:
    """Whether there is room for one more match; raises MatchStoreDown."""
    with _working() as store:
        return store.has_room()


def reserve(room: str, lifetime: int) -> None:
    """Reserves room for a match, or renews that; raises MatchStoreFull or MatchStoreDown.

    Counting all reservations and adding one is atomic.
    """
    with _working() as store:
        is_reserved = store.reserve(room, lifetime)
    if not is_reserved:
        raise MatchStoreFull("all room is reserved")


def add(key: str, value: str, lifetime: int = LIFETIME) -> bool:
    """Writes a value if the key has none, atomically; returns whether it was written.

    Raises MatchStoreDown if nothing was written although the key has no value.
    """
    with _working() as store:
        if store.add(_PREFIX + key, value, lifetime):
            return True
    if key not in read([key]):
        raise MatchStoreDown("nothing was written")
    return False


def put(pairs: Mapping[str, str], lifetime: int = LIFETIME, rooms: Mapping[str, int] = {}) -> None:
    """Writes all values or none, replacing older ones; raises MatchStoreDown.

    `rooms` are the seconds for which each reservation is renewed, even if the store is full.
    """
    named = {_PREFIX + key: value for key, value in pairs.items()}
    if named:
        with _working() as store:
            store.put(named, lifetime, rooms)


def renew(key: str, lifetime: int) -> None:
    """Restarts the time to live of a value, if there is one; raises MatchStoreDown."""
    with _working() as store:
        store.renew(_PREFIX + key, lifetime)


def forget(keys: Iterable[str]) -> None:
    """Deletes values; one that can't be deleted now expires by itself."""
    names = [_PREFIX + key for key in keys]
    if names:
        with suppress(MatchStoreDown), _working() as store:
            store.forget(names)


@contextmanager
def _working() -> Iterator[Store]:
    """Yields the configured store; counts its failures, and raises MatchStoreDown instead."""
    address, began = settings.MATCH_STORE, monotonic()
    store = opened(address, settings.MATCH_STORE_PAGES)
    if began < _rests_until.get(address, 0.0):
        raise MatchStoreDown("it was silent a moment ago")
    try:
        yield store
    except store.failures as error:
        if monotonic() - began > SILENCE and address.startswith("redis"):
            _rests_until[address] = monotonic() + REST
        metrics.count_match_store_failure()
        logger.warning("the match store failed: %s", type(error).__name__)
        raise MatchStoreDown(str(error)) from error


@lru_cache(maxsize=1)
def opened(address: str, pages: int) -> Store:
    """Returns the store at an address; an SQLite file may have so many pages."""
    if not address.startswith("redis"):
        return SqliteStore(address.removeprefix("sqlite:"), pages)
    from game.ops.match_store_redis import RedisStore  # importing redis takes half a second

    return RedisStore(address)

"""A key-value store for matches at two devices, built on Django's cache framework.

    match_store.add("3Jc…:7", token)      True if written, False if the key had a value
    match_store.read(["3Jc…", "3Jc…:7"])  {"3Jc…": "7", "3Jc…:7": "AQ4x…"}

Keys and values are ASCII text. BATTLESHIP_MATCH_STORE names an SQLite file or a Redis (or Valkey)
server, which all processes of the site share. Values may be lost at any time.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.db import Error as DatabaseError

from game.ops import metrics

logger = logging.getLogger(__name__)

DAY = 24 * 60 * 60
LIFETIME = 30 * DAY
"""The time to live of a value, in seconds, if none is given."""
NEARLY_FULL = 0.9
"""The used share of the room from which on there is none for new matches."""


class MatchStoreDown(RuntimeError):
    """The match store can't be reached, is locked or is full; the call may be repeated later."""


class Text:
    """Serializes values as ASCII.

    Django's default is pickle, which would let anybody who can write to the store run code here.
    """

    def dumps(self, value: str) -> bytes:
        """Raises UnicodeEncodeError for text that is not ASCII."""
        return value.encode("ascii")

    def loads(self, data: bytes) -> str:
        """Bytes that are not ASCII become characters that no token contains."""
        return data.decode("ascii", "replace")


def is_on() -> bool:
    """Whether a match store is configured; otherwise the functions below must not be called."""
    return bool(settings.MATCH_STORE)


def read(keys: Iterable[str]) -> dict[str, str]:
    """The values of those keys that have one, in one round trip; raises MatchStoreDown."""
    wanted = list(keys)
    if not wanted:
        return {}
    with _failures_told():
        found: dict[str, str] = _cache().get_many(wanted)
        return found


def read_one(key: str) -> str | None:
    """The value of a key, or None; raises MatchStoreDown."""
    with _failures_told():
        found: str | None = _cache().get(key)
        return found


def is_nearly_full() -> bool:
    """Whether the room that is left is for matches under way; raises MatchStoreDown."""
    with _failures_told():
        used: float = _cache().used_share()
        return used > NEARLY_FULL


def add(key: str, value: str, lifetime: int | None = None) -> bool:
    """Writes a value if the key has none, atomically; returns whether it was written.

    Raises MatchStoreDown if nothing was written although the key has no value.
    """
    with _failures_told():
        if _cache().add(key, value, LIFETIME if lifetime is None else lifetime):
            return True
    if key not in read([key]):
        raise MatchStoreDown("nothing was written")
    return False


def put(pairs: Mapping[str, str], lifetime: int | None = None) -> None:
    """Writes all values or none, replacing older ones; raises MatchStoreDown."""
    with _failures_told():
        _cache().set_many(dict(pairs), LIFETIME if lifetime is None else lifetime)


def renew(key: str, lifetime: int) -> None:
    """Begins the time to live of a value anew, if there is one; raises MatchStoreDown."""
    with _failures_told():
        _cache().touch(key, lifetime)


def forget(keys: Iterable[str]) -> None:
    """Deletes values; one that can't be deleted now expires by itself."""
    with suppress(MatchStoreDown), _failures_told():
        _cache().delete_many(list(keys))


def _cache() -> Any:
    """The backend: a BaseCache with `used_share`, which Django's backends don't have."""
    return caches["match_store"]


@contextmanager
def _failures_told() -> Iterator[None]:
    try:
        yield
    except _failures() as error:
        metrics.count_match_store_failure()
        logger.warning("the match store failed: %s", type(error).__name__)
        raise MatchStoreDown(str(error)) from error


def _failures() -> tuple[type[Exception], ...]:
    """The exceptions by which the configured store reports a failure."""
    if not settings.MATCH_STORE.startswith("redis"):
        return (DatabaseError, OSError)
    from redis import RedisError  # importing it takes half a second

    return (RedisError, OSError)

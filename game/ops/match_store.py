"""The match store: the little that the server remembers, in Django's cache framework.

    match_store.add("3Jc…:7", token)      True: written; False: another value stands there
    match_store.read(["3Jc…", "3Jc…:7"])  {"3Jc…": "7", "3Jc…:7": "AQ4x…"}

Keys and values are ASCII text. It is an SQLite file or a Redis (or Valkey), as BATTLESHIP_REGISTER
says, and all processes that serve the site share it. What it remembers may be lost at any time.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

from django.conf import settings
from django.core.cache import BaseCache, caches
from django.db import Error as DatabaseError

from game.ops import metrics

logger = logging.getLogger(__name__)

LIFETIME = 30 * 24 * 60 * 60
"""Seconds for which a value is kept after it was written."""


class MatchStoreDown(RuntimeError):
    """The match store can't be reached, is locked or full: the same may be tried again later."""


class Text:
    """Values as bytes: whoever can write to the match store must not be able to run code here.

    Django's own serializer is pickle, which runs what it reads.
    """

    def dumps(self, value: str) -> bytes:
        """The bytes of a text; raises UnicodeEncodeError if it is not ASCII."""
        return value.encode("ascii")

    def loads(self, data: bytes) -> str:
        """The text of bytes; what `dumps` can't have written has signs that no token has."""
        return data.decode("ascii", "replace")


def is_on() -> bool:
    """Whether the site has a match store; without one, the functions below must not be called."""
    return bool(settings.MATCH_STORE)


def read(keys: Iterable[str]) -> dict[str, str]:
    """The values of those keys that have one, in one round trip; raises MatchStoreDown."""
    wanted = list(keys)
    if not wanted:
        return {}
    with _failures_told():
        return _cache().get_many(wanted)


def read_one(key: str) -> str | None:
    """The value of a key, or None; raises MatchStoreDown."""
    with _failures_told():
        found: str | None = _cache().get(key)
        return found


def add(key: str, value: str) -> bool:
    """Writes a value unless the key has one: of several writers only one is told True.

    Raises MatchStoreDown if the value is not written and no other stands there.
    """
    with _failures_told():
        if _cache().add(key, value, LIFETIME):
            return True
    if key not in read([key]):
        raise MatchStoreDown("nothing was written")
    return False


def put(pairs: Mapping[str, str]) -> None:
    """Writes the values over whatever the keys have, all or none; raises MatchStoreDown."""
    with _failures_told():
        _cache().set_many(dict(pairs), LIFETIME)


def forget(keys: Iterable[str]) -> None:
    """Deletes the keys' values; what can't be deleted now ends with its lifetime."""
    with suppress(MatchStoreDown), _failures_told():
        _cache().delete_many(list(keys))


def _cache() -> BaseCache:
    return caches["match_store"]


@contextmanager
def _failures_told() -> Iterator[None]:
    try:
        yield
    except _failures() as error:
        metrics.MATCH_STORE_FAILURES.inc()
        logger.warning("the match store failed: %s", type(error).__name__)
        raise MatchStoreDown(str(error)) from error


def _failures() -> tuple[type[Exception], ...]:
    """What the match store in use raises when it fails."""
    if not settings.MATCH_STORE.startswith("redis"):
        return (DatabaseError, OSError)
    from redis import RedisError  # costs half a second, so only where it is used

    return (RedisError, OSError)

"""The match store in Redis or Valkey."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from time import time
from typing import Any

from redis import Redis, RedisError

from game.ops.match_store_sqlite import MOST_RESERVED, ROOM

_ROOMS = "battleship:1:rooms"
"""A sorted set: the reservations by the time at which they expire."""
PATIENCE = 1
"""The seconds that a connection, or an answer, may take."""


class RedisStore:
    """The values at an address, with the methods of SqliteStore.

    `failures` is what they raise if the server doesn't answer.
    """

    failures = (RedisError, OSError)

    def __init__(self, address: str) -> None:
        self._client: Any = Redis.from_url(
            address, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE
        )

    def read(self, keys: Sequence[str]) -> dict[str, str]:
        found = zip(keys, self._client.mget(keys), strict=True)
        return {key: data.decode("ascii", "replace") for key, data in found if data is not None}

    def add(self, key: str, value: str, lifetime: int) -> bool:
        return bool(self._client.set(key, value.encode("ascii"), ex=lifetime, nx=True))

    def put(self, pairs: Mapping[str, str], lifetime: int, rooms: Mapping[str, int]) -> None:
        with self._client.pipeline() as transaction:
            for key, value in pairs.items():
                transaction.set(key, value.encode("ascii"), ex=lifetime)
            for key, seconds in rooms.items():
                transaction.zadd(_ROOMS, {key: time() + seconds})
            transaction.execute()

    def renew(self, key: str, lifetime: int) -> None:
        self._client.expire(key, lifetime)

    def forget(self, keys: Sequence[str]) -> None:
        self._client.delete(*keys)

    def has_room(self) -> bool:
        """Whether one more reservation fits into `maxmemory`, if the server has that limit."""
        with self._client.pipeline() as transaction:
            transaction.zremrangebyscore(_ROOMS, "-inf", time())
            transaction.zcard(_ROOMS).info("memory")
            _expired, reserved, memory = transaction.execute()
        is_unused: bool = memory["used_memory"] < _reservable(memory)
        return is_unused and reserved + 1 <= _most(memory)

    def reserve(self, key: str, lifetime: int) -> bool:
        with self._client.pipeline() as transaction:
            transaction.zremrangebyscore(_ROOMS, "-inf", time())
            transaction.zadd(_ROOMS, {key: time() + lifetime}).zcard(_ROOMS).info("memory")
            _expired, is_new, reserved, memory = transaction.execute()
        if not is_new or reserved <= _most(memory):
            return True
        self._client.zrem(_ROOMS, key)
        return False


def _most(memory: Mapping[str, int]) -> float:
    """Returns how many reservations fit."""
    return (_reservable(memory) - memory["used_memory_startup"]) / ROOM


def _reservable(memory: Mapping[str, int]) -> float:
    return MOST_RESERVED * (memory["maxmemory"] or inf)

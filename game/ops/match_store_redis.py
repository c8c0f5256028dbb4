"""The match store in Redis or Valkey."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from redis import Redis, RedisError

PATIENCE = 1
"""The seconds that a connection, or an answer, may take."""


class RedisStore:
    """The values at an address. `failures` is what methods raise if the server doesn't answer."""

    failures = (RedisError, OSError)

    def __init__(self, address: str) -> None:
        self._client: Any = Redis.from_url(
            address, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE
        )

    def read(self, keys: Sequence[str]) -> dict[str, str]:
        """Returns the values by key; keys without a value are left out."""
        found = zip(keys, self._client.mget(keys), strict=True)
        return {key: data.decode("ascii", "replace") for key, data in found if data is not None}

    def add(self, key: str, value: str, lifetime: int) -> bool:
        """Writes a value if there is none; returns whether it was written."""
        return bool(self._client.set(key, value.encode("ascii"), ex=lifetime, nx=True))

    def put(self, pairs: Mapping[str, str], lifetime: int) -> None:
        """Writes all values or none."""
        with self._client.pipeline() as transaction:
            for key, value in pairs.items():
                transaction.set(key, value.encode("ascii"), ex=lifetime)
            transaction.execute()

    def renew(self, key: str, lifetime: int) -> None:
        """Restarts the time to live of a value, if there is one."""
        self._client.expire(key, lifetime)

    def forget(self, keys: Sequence[str]) -> None:
        """Deletes values."""
        self._client.delete(*keys)

    def used_share(self) -> float:
        """Returns the used share of `maxmemory`, from 0 to 1; 0 if the server has no limit."""
        memory = self._client.info("memory")
        most = memory["maxmemory"]
        return memory["used_memory"] / most if most else 0.0

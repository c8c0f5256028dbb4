"""The match store in Redis or Valkey: Django's Redis cache, reusing one client.

Django creates a client for each command, which takes three times as long as the command itself.
"""

from __future__ import annotations

from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.utils.functional import cached_property


class _OneClient(RedisCacheClient):
    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        return self._only_client

    @cached_property
    def _only_client(self) -> Any:
        return super().get_client(write=True)


class OneClientCache(RedisCache):
    """A backend for CACHES."""

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _OneClient

    def used_share(self) -> float:
        """The used share of `maxmemory`, from 0 to 1; 0 if the server has no limit."""
        memory: Any = self._cache.get_client().info("memory")
        most = memory["maxmemory"]
        return memory["used_memory"] / most if most else 0.0

    def validate_key(self, key: str) -> None:
        """Accepts every key; Django checks each character for what memcached would refuse."""

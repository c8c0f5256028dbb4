"""A match store in memory, which tests can look into, copy and put back."""

from __future__ import annotations

from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache

KEPT: dict[str, str] = {}


class MemoryCache(BaseCache):
    """For CACHES: the same for all threads of a process; nothing in it expires."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> bool:  # fmt: skip
        return KEPT.setdefault(key, value) is value

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return KEPT.get(key, default)

    def set(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:  # fmt: skip
        KEPT[key] = value

    def delete(self, key: str, version: int | None = None) -> bool:
        return KEPT.pop(key, None) is not None

    def touch(
        self, key: str, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return key in KEPT

    def used_share(self) -> float:
        return 0.0

    def clear(self) -> None:
        KEPT.clear()

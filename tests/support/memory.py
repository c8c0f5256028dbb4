"""A match store in memory, which tests can look into, copy and put back."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import override_settings

from game.ops import match_store

KEPT: dict[str, str] = {}


class MemoryStore:
    """The same for all threads of a process; nothing in it expires."""

    failures = (OSError,)

    def read(self, keys: Sequence[str]) -> dict[str, str]:
        return {key: KEPT[key] for key in keys if key in KEPT}

    def add(self, key: str, value: str, lifetime: int) -> bool:
        return KEPT.setdefault(key, value) is value

    def put(self, pairs: Mapping[str, str], lifetime: int, rooms: Mapping[str, int]) -> None:
        KEPT.update(pairs)

    def renew(self, key: str, lifetime: int) -> None:
        pass

    def forget(self, keys: Sequence[str]) -> None:
        for key in keys:
            KEPT.pop(key, None)

    def has_room(self) -> bool:
        return True

    def reserve(self, key: str, lifetime: int) -> bool:
        return True


@contextmanager
def in_memory() -> Iterator[None]:
    """Keeps matches in memory wherever no other match store is set up."""
    store, opened = MemoryStore(), match_store.opened

    def found(address: str, pages: int) -> Any:
        return store if address == "memory" else opened(address, pages)

    with pytest.MonkeyPatch.context() as patch, override_settings(MATCH_STORE="memory"):
        patch.setattr(match_store, "opened", found)
        yield

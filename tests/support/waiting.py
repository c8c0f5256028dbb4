"""Waiting for what another process does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 120
"""Seconds to wait at most."""
PAUSE = 0.05

Answer = TypeVar("Answer")


def wait_until(ask: Callable[[], Answer], complaint: Callable[[], str]) -> Answer:
    """Asks until the answer is true, and returns it; fails with the complaint when it's late."""
    until = time.monotonic() + PATIENCE
    while not (answer := ask()):
        assert time.monotonic() < until, complaint()
        time.sleep(PAUSE)
    return answer

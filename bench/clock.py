"""The cost of a call: CPU time, and calls of functions, whose number is the same in each run."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from time import process_time_ns


def cpu_milliseconds(act: Callable[[], object]) -> float:
    """The CPU time of one call."""
    before = process_time_ns()
    act()
    return (process_time_ns() - before) / 1e6


def calls_of(act: Callable[[], object]) -> int:
    """The number of calls to Python, NumPy and built-in functions that `act` makes."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    # The garbage collector calls its listeners at times that have nothing to do with `act`.
    gc.disable()
    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls

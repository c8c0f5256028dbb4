"""The cost of a call: CPU time, and calls of functions, whose number is the same in each run."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import process_time_ns
from types import FrameType


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


def game_calls(act: Callable[[], object]) -> Counter[str]:
    """The functions of the game that `act` calls, such as `game/engine/match.py:133 turn`."""
    root, calls = str(Path(__file__).parents[1]), Counter[str]()

    def count(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(f"{root}/game/"):
            where = code.co_filename.removeprefix(f"{root}/")
            calls[f"{where}:{code.co_firstlineno} {code.co_name}"] += 1

    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
    return calls

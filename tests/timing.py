"""Measures whether the time of an answer depends on hidden things, by pairs of clicks.

    .venv/bin/python -m tests.timing                    (which is what `make timing` calls)
    .venv/bin/python -m tests.timing admiral alone      only the pairs with one of these words

The two clicks of a pair differ only in what is hidden. Each is sent REPEATS times, in the order
ABBA, with the garbage collector off. Welch's t is the difference of the means in standard errors,
for CPU time and for the wall clock. With so many pairs, one sometimes reaches LIMIT by chance: it
is measured again, and fails if it reaches LIMIT again. The calls of functions are counted too,
since their number has no noise.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from math import sqrt
from statistics import fmean, variance
from time import perf_counter_ns, process_time_ns
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tests.support.timing import Clicks

REPEATS = 200
LIMIT = 4.0
CLOCKS: tuple[Callable[[], int], ...] = (process_time_ns, perf_counter_ns)
"""The clocks of CPU time and of real time, in nanoseconds."""


class Compared(NamedTuple):
    """The difference of the times of two clicks, by one of the clocks."""

    mean: float
    """The mean of the first click, in milliseconds."""
    difference: float
    """The second click's mean less the first one's, in milliseconds."""
    error: float
    """The standard error of the difference, in milliseconds."""

    @property
    def t(self) -> float:
        """Welch's t (1947): the difference in standard errors."""
        return self.difference / self.error if self.error else 0.0


def compared(one: list[int], other: list[int]) -> Compared:
    """The difference of two samples of nanoseconds."""
    error = sqrt(variance(one) / len(one) + variance(other) / len(other))
    return Compared(fmean(one) / 1e6, (fmean(other) - fmean(one)) / 1e6, error / 1e6)


def measured(clicks: Clicks, repeats: int = REPEATS) -> list[Compared]:
    """The difference of two clicks by each of CLOCKS; preparing them is not measured."""
    times: list[tuple[list[int], list[int]]] = [([], []) for _clock in CLOCKS]
    gc.collect()
    gc.disable()
    try:
        for number in range(repeats):
            for which in (0, 1) if number % 2 else (1, 0):
                clicks[which].prepare()
                before = [clock() for clock in CLOCKS]
                clicks[which].send()
                after = [clock() for clock in CLOCKS]
                for pair, start, end in zip(times, before, after, strict=True):
                    pair[which].append(end - start)
    finally:
        gc.enable()
    return [compared(*pair) for pair in times]


def is_told(found: list[Compared], *, is_filled_up: bool = False) -> bool:
    """Whether the times differ; only the wall clock counts if the answer waits for a fixed time."""
    return any(abs(one.t) >= LIMIT for one in (found[1:] if is_filled_up else found))


def main(words: list[str]) -> int:
    """Prints a line for each measurement of a pair; returns the number of pairs that failed."""
    # Not above: these modules need Django, which is set up below.
    from tests.support.timing import FILLED_UP, calls, match_store_in_memory, pairs, warmed

    print(f"{'':46}{'calls':>7}{'more':>6} | {'CPU ms':>7}{'more':>8}{'error':>7}{'t':>6} | wall t")
    failed = 0
    with match_store_in_memory():
        for name, make in pairs().items():
            if words and not any(word in name for word in words):
                continue
            clicks = warmed(make())
            counted = calls(clicks)
            found = measured(clicks)
            _print(name, counted, found)
            if is_told(found, is_filled_up=FILLED_UP in name):
                found = measured(clicks)
                _print("   once more", counted, found)
            failed += is_told(found, is_filled_up=FILLED_UP in name)
    print(f"{failed} pairs differ by {LIMIT:g} standard errors or more, twice")
    return failed


def _print(name: str, counted: tuple[int, int], found: list[Compared]) -> None:
    first, second = counted
    cpu, wall = found
    print(
        f"{name:46}{first:7}{second - first:+6} | {cpu.mean:7.2f}{cpu.difference:+8.3f}"
        f"{cpu.error:7.3f}{cpu.t:+6.1f} | {wall.t:+6.1f}",
        flush=True,
    )


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    sys.exit(1 if main(sys.argv[1:]) else 0)

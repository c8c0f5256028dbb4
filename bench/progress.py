"""The progress of a measurement: a bar on a terminal, and plain lines where there is none."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from datetime import timedelta
from time import monotonic
from typing import TypeVar, overload

INTERVAL = 10.0
"""Seconds between two plain lines of progress."""

Item = TypeVar("Item")


@overload
def track(items: Collection[Item], what: str) -> Iterator[Item]: ...
@overload
def track(items: Iterable[Item], what: str, total: int) -> Iterator[Item]: ...
def track(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """The items, while standard error shows how many are done and how much time is left.

    The time left follows from the mean time of the items so far. `total` is needed if the items
    have no length.
    """
    count: int = len(items) if total is None else total  # type: ignore[arg-type]
    if sys.stderr.isatty():
        from tqdm import tqdm  # only a terminal needs it

        yield from tqdm(items, what, count, leave=False)
        return
    begin = last = monotonic()
    for done, item in enumerate(items):
        now = monotonic()
        if done and now - last >= INTERVAL:
            left = timedelta(seconds=round((now - begin) / done * max(0, count - done)))
            print(f"{what}: {done} of {count}, {left} left", file=sys.stderr, flush=True)
            last = now
        yield item


def say(line: str) -> None:
    """Prints a line of the result, above the bars if there are any."""
    if sys.stderr.isatty():
        from tqdm import tqdm

        tqdm.write(line)
    else:
        print(line, flush=True)

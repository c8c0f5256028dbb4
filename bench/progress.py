"""The progress of a measurement on standard error, with the time left."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TypeVar

from tqdm import tqdm

INTERVAL = 10.0
"""Seconds between two lines of progress if standard error is no terminal."""

Item = TypeVar("Item")


def track(items: Iterable[Item], what: str, total: int | None = None) -> Iterable[Item]:
    """The items, while a bar shows how many are done; `total` if they have no length."""
    is_terminal = sys.stderr.isatty()
    bar: Iterable[Item] = tqdm(
        items, what, total, leave=False,
        delay=0 if is_terminal else INTERVAL, mininterval=0.1 if is_terminal else INTERVAL,
    )  # fmt: skip
    return bar


def say(line: str) -> None:
    """Prints a line of the result, above the bars."""
    if sys.stderr.isatty():
        tqdm.write(line)
    else:
        print(line, flush=True)

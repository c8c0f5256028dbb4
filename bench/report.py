"""What measurements report: samples with their statistics, lines, tables, and their progress."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median, stdev
from typing import TypeVar

from tqdm import tqdm

INTERVAL = 10.0
"""Seconds between two lines of progress if standard error is no terminal."""

Item = TypeVar("Item")


def track(items: Iterable[Item], what: str, total: int | None = None) -> Iterable[Item]:
    """Returns the items, while a bar shows how many are done; `total` if they have no length."""
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


class Table:
    """A table that prints its heads at once, and each row when it is known.

    Each column is given by its head and the format of its values, which has a width:

        table = Table("mind:12, shots:>16.2f, median:>8.1f")
        table.say("admiral", shots, shots.median)
    """

    def __init__(self, columns: str) -> None:
        split = [column.rsplit(":", 1) for column in columns.split(", ")]
        self._formats = [form for _, form in split]
        # Heads are texts, so their format has no precision and no type.
        heads = (format(head, re.sub(r"\.\d+|[a-z%]", "", form)) for head, form in split)
        say("".join(heads).rstrip())

    def say(self, *values: object) -> None:
        """Prints a row."""
        cells = zip(values, self._formats, strict=True)
        say("".join(format(value, form) for value, form in cells).rstrip())


class NotAMeasure(ValueError):
    """What was asked for can't be measured."""


@dataclass(frozen=True)
class Sample:
    """Measured numbers, such as one from each game; raises NotAMeasure for fewer than two."""

    numbers: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.numbers) < 2:
            raise NotAMeasure(f"no standard error without two results: {self.numbers!r}")

    @property
    def mean(self) -> float:
        return fmean(self.numbers)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return stdev(self.numbers) / sqrt(len(self.numbers))

    @property
    def median(self) -> float:
        return median(self.numbers)

    def percentile(self, percent: int) -> float:
        """The least number that at least so many percent don't exceed, percent from 1 to 100."""
        return sorted(self.numbers)[max(0, -(-percent * len(self.numbers) // 100) - 1)]

    @property
    def worst(self) -> float:
        return max(self.numbers)

    def __format__(self, form: str) -> str:
        """Returns the mean and its standard error; `.2f` is the format of both, `>16.2f` of all."""
        width, point, digits = form.partition(".")
        return format(f"{self.mean:{point}{digits}} ± {self.error:{point}{digits}}", width)

    def __sub__(self, other: Sample) -> Sample:
        """The differences, game by game."""
        pairs = zip(self.numbers, other.numbers, strict=True)
        return Sample(tuple(mine - theirs for mine, theirs in pairs))

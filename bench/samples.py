"""Samples of measured numbers, and their statistics."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median, stdev


class NotAMeasure(ValueError):
    """What was asked for can't be measured."""


def check_games(games: int) -> None:
    """Raises NotAMeasure for fewer than two games, which have no standard error."""
    if games < 2:
        raise NotAMeasure(f"not a number of games from 2: {games!r}")


@dataclass(frozen=True)
class Sample:
    """One number from each of at least two games."""

    numbers: tuple[float, ...]

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

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.error:.2f}"

    def __sub__(self, other: Sample) -> Sample:
        """The differences, game by game."""
        pairs = zip(self.numbers, other.numbers, strict=True)
        return Sample(tuple(mine - theirs for mine, theirs in pairs))

"""Results of the games of a day, and days in a row."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

SEA = 0
"""The code of searches alone whose setup has a day."""


class DayResult(NamedTuple):
    """The result of one game of a day on a device."""

    date: date
    kind: int
    """Which game it is: a code that its feature keeps for ever."""
    shots: int
    """Shots, guesses or the like, of which fewer are better: from 1 to 255, which also stands for
    more."""
    par: int
    """What the computer needed; 0 if not known."""
    is_sunk: bool = True
    """Whether all was found in the end."""
    is_helped: bool = False
    """Whether hints, the coach or an older address were used."""

    @property
    def grade(self) -> str:
        """`par`, `over`, `lost`, or `open` if par was not counted."""
        if not self.is_sunk:
            return "lost"
        if not self.par:
            return "open"
        return "over" if self.shots > self.par else "par"


class Streak(NamedTuple):
    now: int
    longest: int


def streak(dates: Iterable[date], oldest_open: date) -> Streak:
    """Returns the days in a row up to now, and the most ever.

    A row goes on as long as its next day can still be played; `oldest_open` is the oldest date
    that a clock somewhere shows.
    """
    run, longest, last = 0, 0, None
    for day in sorted(set(dates)):
        run = run + 1 if last is not None and day - last == timedelta(days=1) else 1
        longest, last = max(longest, run), day
    goes_on = last is not None and last + timedelta(days=1) >= oldest_open
    return Streak(run if goes_on else 0, longest)

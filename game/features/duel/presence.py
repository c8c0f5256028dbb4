"""Whether the players are there, as the pages say that wait.

Only asking records presence, never an action: its times tell nothing of what a player does.
"""

from __future__ import annotations

import re
from time import time
from typing import NamedTuple

EVERY = 10
"""Seconds between two records of a seat's polls at the least."""
VISIBLE, CLOSED, SILENT = 40, EVERY + 3, 120
"""For how many seconds a player counts as there whose page was visible, was closed (one that is
loaded again, or another one of the seat, asks before that), or doesn't say. A hidden page counts
for as long as a silent one, from the moment when it was hidden."""
ABANDONED = 600
"""Seconds of absence after which the other player may end the match."""
CALLS = ("nudge", "good-shot", "ouch", "good-game")
"""What a seat can call to the other one; their order never changes."""
NUDGE_EVERY, CALL_EVERY = 60, 10
"""Seconds before a nudge, or another call, in which the seat has called nothing. Each call is news
for as long as a nudge can't be repeated."""
_KINDS = 8
"""A call is kept as its time in seconds since 1970, times 8, plus its index in CALLS."""
_HIDDEN = re.compile(r"hidden (\d{1,6})", re.ASCII)


class Presence(NamedTuple):
    """What a page knows of the other player; neither here nor away if nothing is known."""

    is_here: bool = False
    minutes_away: int | None = None
    """10 for all that is longer, None if not away."""
    call: int = 0
    """The other player's last call, as the row has it, if it is news."""

    @property
    def is_away(self) -> bool:
        return self.minutes_away is not None

    @property
    def may_end(self) -> bool:
        """Whether the player has been away for so long that the other one may end the match."""
        return self.minutes_away == ABANDONED // 60

    def __str__(self) -> str:
        """Returns it as the header of an answer to a page that waits: `here` or `away 3`."""
        if self.is_away:
            return f"away {self.minutes_away}"
        return "here" if self.is_here else ""


UNKNOWN = Presence()


class Seen(NamedTuple):
    """What a row has of a seat's presence."""

    until: int
    """When the player stops to count as there, in seconds since 1970."""
    is_shown: bool
    """Whether the other player is shown this."""
    called: int
    """The player's last call; see call_now."""

    @property
    def presence(self) -> Presence:
        """What the other player is shown; that a match may be ended is always shown."""
        now = int(time())
        away = min(now - self.until, ABANDONED)
        is_away = away >= (0 if self.is_shown else ABANDONED)
        news = self.called if 0 <= now - self.called // _KINDS < NUDGE_EVERY else 0
        return Presence(self.is_shown and away < 0, away // 60 if is_away else None, news)

    def after(self, state: str, *, is_shown: bool) -> Seen:
        """Returns it after a page has asked, which says `visible`, `hidden 90` or nothing.

        It only changes if the last change is ten seconds old, and for a page that is open.
        """
        now, left = int(time()), SILENT
        if state == "visible" or not is_shown:
            left = VISIBLE
        elif hidden := _HIDDEN.fullmatch(state):
            left = SILENT - int(hidden[1])
        is_due = self.until - now <= VISIBLE - EVERY and left >= VISIBLE
        return self._replace(until=now + left, is_shown=is_shown) if is_due else self

    def closed(self) -> Seen:
        """Returns it after the seat's page was closed."""
        return self._replace(until=min(self.until, int(time()) + CLOSED))


NEVER = Seen(0, True, 0)


def call_now(call: str) -> tuple[int, int]:
    """Returns how a call is kept, and the newest other call that it may follow."""
    now = int(time())
    every = NUDGE_EVERY if call == "nudge" else CALL_EVERY
    return now * _KINDS + CALLS.index(call), (now - every) * _KINDS + _KINDS - 1


def call_of(kept: int) -> int:
    """Returns the index in CALLS of a call, as it is kept."""
    return kept % _KINDS

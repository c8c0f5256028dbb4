"""Which players are there: what the pages that wait leave behind in the row of their duel.

    seen        look   the page of that seat
    1763930400  v      was visible then
    1763930400  h      was hidden then, for the first time
    1763930400  x      was closed then
    1763930400         didn't say whether it is visible
    1763930400  -      the same, and the player doesn't show their presence
    1763930400  ?      none has asked since the seat was taken then

Only asking records presence, never an action: its times tell nothing of what a player does.
"""

from __future__ import annotations

import re
from contextlib import suppress
from hmac import compare_digest
from time import time
from typing import NamedTuple

from game.engine.rules import Side
from game.features.duel.models import Duel
from game.features.duel.state import DuelState, poll_key
from game.ops import database
from game.ops.database import DatabaseDown

EVERY = 10
"""Seconds between two records of a seat at the least."""
AWAY = 120
"""Seconds without a record after which the player counts as away."""
VISIBLE, HIDDEN, CLOSED, SILENT, SECRET, UNSEEN = "v", "h", "x", "", "-", "?"
_AWAY = {VISIBLE: 40, CLOSED: EVERY + 3}
"""The same for a page that was visible, and for a closed one: one that is loaded again, or another
one of the seat, asks before that."""
ABANDONED = 600
"""Seconds without a record after which the other player may end the match."""
NUDGE_EVERY = 60
"""Seconds between two nudges of a seat at the least; for as long a nudge is news."""
_STATE = re.compile(r"visible|hidden (\d{1,6})", re.ASCII)
_MINUTE = 60
_READ = """SELECT step, first_seat, second_seat, first_seen, second_seen, first_look, second_look,
    first_nudge, second_nudge FROM duel_duel WHERE id = %s"""


class Presence(NamedTuple):
    """What a page knows of the other player; neither here nor away if nothing is known."""

    is_here: bool = False
    minutes_away: int | None = None
    """10 for all that is longer, None if not away."""
    nudge: int = 0
    """The time of the other player's last nudge, in seconds since 1970, if it is news."""

    @property
    def is_away(self) -> bool:
        return self.minutes_away is not None

    @property
    def may_end(self) -> bool:
        """Whether the player has been away for so long that the other one may end the match."""
        return bool(self.minutes_away and self.minutes_away >= ABANDONED // _MINUTE)

    def __str__(self) -> str:
        """Returns it as the header of an answer to a page that waits: `here` or `away 3`."""
        if self.is_away:
            return f"away {self.minutes_away}"
        return "here" if self.is_here else ""


NOBODY = Presence()


class Seen(NamedTuple):
    """What a row tells a seat's page."""

    step: int
    side: Side
    own: tuple[int, str]
    """When the seat itself was last seen, and its look."""
    other: Presence


def read(duel_id: str, key: str) -> Seen | None:
    """Returns what the row of a duel tells the seat with that poll key; None without the row.

    Raises PermissionError if the key is of no seat, or DatabaseDown.
    """
    row = database.select(_READ, [duel_id])
    if row is None:
        return None
    step, *columns = row
    seats, seen, looks, nudges = (columns[at : at + 2] for at in range(0, 8, 2))
    for side in Side:
        if seats[side] and compare_digest(poll_key(seats[side]), key):
            other = side.opponent
            is_joined = bool(seats[other])
            there = _presence(seen[other], looks[other], nudges[other]) if is_joined else NOBODY
            return Seen(step, side, (seen[side], looks[side]), there)
    raise PermissionError("no such key")


def record(duel_id: str, seen: Seen, state: str = "", *, is_shown: bool = True) -> None:
    """Records that a seat's page asks; `state` is what it says of itself, `visible` or `hidden 90`.

    Nothing is written more often than every ten seconds.
    """
    now, (last, known) = int(time()), seen.own
    said = _STATE.fullmatch(state) if is_shown else None
    look = (HIDDEN if said[1] else VISIBLE) if said else SILENT if is_shown else SECRET
    if look == HIDDEN and said:
        # It is recorded once, and not while another page of the seat is visible.
        is_other_visible = known == VISIBLE and last > now - int(said[1])
        if known == HIDDEN or is_other_visible:
            return
    if known == UNSEEN or now - last >= EVERY:
        _write(duel_id, seen.side, now, look)


def close(duel_id: str, seen: Seen) -> None:
    """Records that a seat's page was closed, if the player was there."""
    now, (last, look) = int(time()), seen.own
    if _is_here(last, look, now):
        _write(duel_id, seen.side, now, CLOSED)


def of(duel: DuelState, side: Side) -> Presence:
    """Returns what the pages of a seat show of the other player; nothing once one has left."""
    if duel.is_open or duel.is_closed:
        return NOBODY
    with suppress(DatabaseDown, PermissionError):
        seen = read(duel.id, poll_key(duel.seat_hashes[side]))
        return seen.other if seen else NOBODY
    return NOBODY


def record_visit(duel: DuelState, side: Side, *, is_shown: bool) -> None:
    """Records that a seat's page was loaded again while it waits, as pages without script do."""
    with suppress(DatabaseDown, PermissionError):
        if seen := read(duel.id, poll_key(duel.seat_hashes[side])):
            record(duel.id, seen, is_shown=is_shown)


def nudge(duel: DuelState, side: Side) -> bool:
    """Nudges the other player, at most once in a minute; returns whether it did."""
    now, column = int(time()), f"{side.name.lower()}_nudge"
    last = {f"{column}__lte": now - NUDGE_EVERY}
    same = Duel.objects.filter(id=duel.id, **last)
    return bool(database.run(lambda: same.update(**{column: now})))


def _write(duel_id: str, side: Side, seen: int, look: str) -> None:
    name = side.name.lower()
    values = {f"{name}_seen": seen, f"{name}_look": look}
    with suppress(DatabaseDown):
        database.run(lambda: Duel.objects.filter(id=duel_id).update(**values))


def _is_here(seen: int, look: str, now: int) -> bool:
    return look not in (SECRET, UNSEEN) and now < seen + _AWAY.get(look, AWAY)


def _presence(seen: int, look: str, nudge: int) -> Presence:
    now = int(time())
    news = nudge if 0 <= now - nudge < NUDGE_EVERY else 0
    minutes = min(max(now - seen, 0), ABANDONED) // _MINUTE
    is_long = minutes >= ABANDONED // _MINUTE
    is_away = now >= seen + _AWAY.get(look, AWAY) and (look != SECRET or is_long)
    return Presence(_is_here(seen, look, now), minutes if is_away else None, news)

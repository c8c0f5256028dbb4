"""Which players are there: what the pages that wait leave behind in the match store.

    here:KEY     1763930400v        a visible page of that seat asked in the 5 seconds from then on
                 1763930400h        the page was hidden then
                 1763930400x        the page was closed then
                 1763930400         a page that says neither asked in the 30 seconds from then on
                 1763930400-        the same, but the player doesn't show their presence
                 1763930400?        nobody has asked since then; written by the other seat's page
    nudged:KEY   1763930391         that seat nudged the other one then; kept for a minute

KEY follows from the seat's poll key, so neither tells a seat's page the other's poll key. Only
asking records presence, never an action: its times tell nothing of what a player does. All of this
may be lost at any time.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from contextlib import suppress
from time import time
from typing import NamedTuple

from game.engine.rules import Side
from game.features.duel.model import Duel, poll_key
from game.ops import match_store
from game.ops.match_store import MatchStoreDown

EVERY = 30
"""Seconds between two records of a seat whose pages don't say whether they are visible."""
AWAY = 120
"""Seconds without a record after which the player of such a seat counts as away."""
VISIBLE, HIDDEN, CLOSED = "v", "h", "x"
_EVERY = {VISIBLE: 5, HIDDEN: 5, CLOSED: 1}
_AWAY = {VISIBLE: 40, CLOSED: 9}
"""The same for the pages that do. A page that is loaded again, or another one of the seat, asks
before a closed one counts as away."""
ABANDONED = 600
"""Seconds without a record after which the other player may end the match."""
NUDGE_EVERY = 60
"""Seconds between two nudges of a seat at the least; for as long a nudge is news."""
LIFETIME = match_store.DAY
"""Seconds for which a record is kept."""
_RECORD = re.compile(r"(\d{1,10})([vhx?-]?)", re.ASCII)
_STATE = re.compile(r"visible|hidden (\d{1,6})", re.ASCII)
_MINUTE = 60


class Record(NamedTuple):
    """What the match store knows of a seat's presence."""

    at: int
    kind: str
    """`-` if the player doesn't show their presence, `?` if no page of the seat has asked."""

    def __str__(self) -> str:
        return f"{self.at}{self.kind}"

    @property
    def ends(self) -> int:
        """The time from which the player counts as away."""
        return self.at + _AWAY.get(self.kind, AWAY)

    def is_here(self, now: int) -> bool:
        return self.kind not in ("-", "?") and now < self.ends

    def minutes_away(self, now: int) -> int | None:
        """For how many whole minutes the player has been away; None if present or unknown."""
        minutes = min(max(now - self.at, 0), ABANDONED) // _MINUTE
        if now < self.ends or (self.kind == "-" and minutes < ABANDONED // _MINUTE):
            return None
        return minutes


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


def here_key(poll_key: str) -> str:
    """Returns the key under which a seat's presence is kept, without its `here:`."""
    digest = hashlib.sha256(b"here" + poll_key.encode()).digest()[:16]
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def ask(
    poll_key: str, other: str = "", *, is_shown: bool = True, state: str = ""
) -> tuple[str | None, Presence]:
    """Records that a seat's page has asked; returns the newest step as text, and who is there.

    `other` is the here_key of the other seat, if it is taken, and `state` what the page says of
    itself: `visible`, or `hidden 90` for the seconds since then; older pages say nothing. A poll
    key that this site hasn't written records nothing. Raises MatchStoreDown.
    """
    wait, own, now = f"wait:{poll_key}", f"here:{here_key(poll_key)}", int(time())
    found = match_store.read([wait, own, *_keys(other)] if other else [wait, own])
    hint = found.get(wait)
    if hint is None:
        return None, NOBODY
    _record(own, _parse(found.get(own)), _of_page(state, now, is_shown=is_shown))
    return hint, _presence(found, other, now)


def close(poll_key: str) -> None:
    """Records that a seat's page was closed, if the player shows their presence.

    Raises MatchStoreDown.
    """
    wait, own, now = f"wait:{poll_key}", f"here:{here_key(poll_key)}", int(time())
    found = match_store.read([wait, own])
    known = _parse(found.get(own))
    if wait in found and known is not None and known.is_here(now):
        _record(own, known, Record(now, CLOSED))


def of(duel: Duel, side: Side) -> Presence:
    """Returns what the pages of a seat show of the other player; nothing if the store is down.

    Nothing is asked once a player has left. If nothing is known, the other player's absence counts
    from now.
    """
    if duel.is_open or duel.is_closed:
        return NOBODY
    other, now = _here_key(duel, side.opponent), int(time())
    here, nudged = _keys(other)
    with suppress(MatchStoreDown):
        found = match_store.read([here, nudged])
        if _parse(found.get(here)) is None:
            match_store.add(here, str(Record(now, "?")), LIFETIME)
        return _presence(found, other, now)
    return NOBODY


def record(duel: Duel, side: Side, *, is_shown: bool) -> None:
    """Records that a seat's page was loaded again while it waits, as pages without script do."""
    key, _nudged = _keys(_here_key(duel, side))
    with suppress(MatchStoreDown):
        known = _parse(match_store.read_one(key))
        _record(key, known, _of_page("", int(time()), is_shown=is_shown))


def nudge(duel: Duel, side: Side) -> bool:
    """Nudges the other player, at most once in a minute; returns whether it did.

    Raises MatchStoreDown.
    """
    _here, nudged = _keys(_here_key(duel, side))
    return match_store.add(nudged, str(int(time())), NUDGE_EVERY)


def _here_key(duel: Duel, side: Side) -> str:
    return here_key(poll_key(duel.id, side))


def _keys(here_key: str) -> tuple[str, str]:
    """The keys of a seat's presence, and of its last nudge."""
    return f"here:{here_key}", f"nudged:{here_key}"


def _parse(text: str | None) -> Record | None:
    found = _RECORD.fullmatch(text or "")
    return found and Record(int(found[1]), found[2])


def _of_page(state: str, now: int, *, is_shown: bool) -> Record:
    said = _STATE.fullmatch(state) if is_shown else None
    kind = (HIDDEN if said[1] else VISIBLE) if said else "" if is_shown else "-"
    at = max(now - int(said[1] or 0), 0) if said else now
    # Whole spans, so that a record tells no more of when a page has asked.
    return Record(at - at % _EVERY.get(kind, EVERY), kind)


def _record(key: str, known: Record | None, new: Record) -> None:
    # A hidden page says for how long it has been, and another page of the seat may be visible.
    if known == new or (new.kind == HIDDEN and known is not None and known.ends >= new.ends):
        return
    with suppress(MatchStoreDown):
        match_store.put({key: str(new)}, LIFETIME)


def _presence(found: Mapping[str, str], other: str, now: int) -> Presence:
    here, nudged = _keys(other)
    known, nudge = _parse(found.get(here)), _parse(found.get(nudged))
    is_news = nudge is not None and 0 <= now - nudge.at < NUDGE_EVERY
    sent = nudge.at if nudge and is_news else 0
    if known is None:
        return Presence(nudge=sent)
    return Presence(known.is_here(now), known.minutes_away(now), sent)

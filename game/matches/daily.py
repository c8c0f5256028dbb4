"""Today's sea: one hidden fleet a day, the same for everybody on a site and on all its copies.

    s[i] = SHA-256("battleship-daily-1" + s[i + 1])        the seed of a fleet: seed_of(s[k], name)

The end of the chain, s[length], is in the site's secrets, and its first link, s[0], is public. Day
k, counted from 1, has the link s[k]. One who knows a link can compute those of all earlier days,
and none of a later one (a hash chain: Lamport, 1981), so the first link fixes the fleets of all
days. A day's link is published once no clock in the world shows that day.
"""

import base64
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any

from game.engine.chance import SEED_BYTES
from game.engine.rules import Ruleset
from game.matches import keyring
from game.ops.secrets import MOST_DAYS

LABEL = b"battleship-daily-1"
LAST_CLOCK, FIRST_CLOCK = timedelta(hours=-12), timedelta(hours=14)
"""The time zones farthest behind UTC and farthest ahead of it."""

WEEK: tuple[tuple[str, ...], ...] = (
    *6 * (("milton",),),
    ("bonn-still", "pencil", "salvo", "uppsala", "camlship", "bonn"),
)
"""The presets of each weekday from Monday on. Several presets of one weekday take turns from week
to week. Copies of a site must have the same rows, or their seas differ."""


class NoSuchDay(ValueError):
    """The day is before the first or after the last day of the chain."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A hash chain: its end, which is secret, its length in days, and its first day."""

    end: bytes = field(repr=False)
    length: int
    first: date

    @property
    def first_link(self) -> bytes:
        """The public link before that of the first day."""
        return _links(self.end, self.length)[0]

    @property
    def last(self) -> date:
        return self.first + timedelta(days=self.length - 1)

    def open_days(self, now: datetime) -> tuple[date, ...]:
        """Returns the days of the chain that it is now in some time zone, the oldest first."""
        return tuple(day for day in open_days(now) if self.first <= day <= self.last)

    def number(self, day: date) -> int:
        """Returns the number of a day, from 1; raises NoSuchDay."""
        number = (day - self.first).days + 1
        if not 1 <= number <= self.length:
            raise NoSuchDay(f"not a day of the chain: {day}")
        return number

    def link(self, day: date) -> bytes:
        """Returns the link of a day, 32 bytes; raises NoSuchDay. It is secret until published."""
        return _links(self.end, self.length)[self.number(day)]


@lru_cache(maxsize=4)
def _links(end: bytes, length: int) -> tuple[bytes, ...]:
    """Returns all links from s[0] to s[length]; ten years take a few milliseconds."""
    links = [end]
    for _ in range(length):
        links.append(sha256(LABEL + links[-1]).digest())
    return tuple(reversed(links))


def chain() -> Chain | None:
    """Returns the chain of the site's secrets; without one (None) the site offers no daily."""
    return read(keyring.daily())


def is_offered() -> bool:
    """Whether the site has games of a day, and logbooks: the chain is also what seals these."""
    return chain() is not None


def read(daily: Mapping[str, Any] | None) -> Chain | None:
    """Returns the chain in "daily" of the secrets, which game.ops.secrets has checked."""
    if daily is None:
        return None
    first = date.fromisoformat(daily["first"])
    return Chain(base64.b64decode(daily["end"]), daily["length"], first)


def now() -> datetime:
    """Returns the time in UTC by the server's clock, the only clock that today's sea uses."""
    return datetime.now(UTC)


def open_days(now: datetime) -> tuple[date, ...]:
    """Returns the two or three dates of all time zones now, the oldest first."""
    utc = now.astimezone(UTC)
    oldest, newest = (utc + LAST_CLOCK).date(), (utc + FIRST_CLOCK).date()
    return tuple(oldest + timedelta(days) for days in range((newest - oldest).days + 1))


def is_running(chain: Chain | None, now: datetime) -> bool:
    """Whether it is a day of the chain in some time zone."""
    return chain is not None and bool(chain.open_days(now))


def newest_published(chain: Chain, now: datetime) -> date | None:
    """Returns the newest day of the chain that has ended in all time zones, or None."""
    ended = open_days(now)[0] - timedelta(days=1)
    return min(ended, chain.last) if ended >= chain.first else None


def published_link(chain: Chain, day: date, now: datetime) -> bytes | None:
    """Returns the link of a day; None if the chain has none, or if it is still secret."""
    newest = newest_published(chain, now)
    return chain.link(day) if newest is not None and chain.first <= day <= newest else None


def seed_of(link: bytes, name: str) -> bytes:
    """Returns the seed of a day's hidden fleet, 16 bytes."""
    return hmac.digest(link, name.encode("ascii"), "sha256")[:SEED_BYTES]


def check_link(link: bytes, number: int, first_link: bytes) -> bool:
    """Whether a link is that of the day with that number, in the chain with that first link."""
    if not 1 <= number <= MOST_DAYS:
        return False
    for _ in range(number):
        link = sha256(LABEL + link).digest()
    return link == first_link


SIDE, MOST_SHIPS, FLEET_OF_FIVE = 8, 5, (4, 3, 3, 2, 2)


def sea_rules(rules: Ruleset) -> Ruleset:
    """Returns the rules of a day's sea for those of its preset: a sea for about four minutes.

    It has 8 by 8 cells, the preset's fleet if that has at most five ships, a shot at a time, and
    ships that lie still.
    """
    fleet = rules.fleet if len(rules.fleet) <= MOST_SHIPS else FLEET_OF_FIVE
    return replace(rules, columns=SIDE, rows=SIDE, fleet=fleet, salvo=False, moving=False)


def preset_of(day: date) -> str:
    """Returns the name of the preset of a day, which is the same on every site."""
    names = WEEK[day.weekday()]
    return names[day.toordinal() // 7 % len(names)]

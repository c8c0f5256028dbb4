"""The logbook: what a player's device remembers of its matches, as a value and as a sealed text.

    zlib( this device's id 3 | recent ends u8: 3 each | devices u8: id 3, cells u8: 19 each
          | days u16: the gap of each to the one before u16, then each u8: flags, shots, pars
          | days of five shots, likewise )

Two logbooks merge into their union, so copies of up to eight devices may be merged in any order and
any number of times. Each device has counts of its own: the later of two copies has more matches.
Each date has one entry for each kind.
"""

from __future__ import annotations

import base64
import struct
import zlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from game.engine.codec import Reader
from game.matches import daily
from game.matches.day_results import DayResult as Day
from game.matches.keyring import OVERHEAD, BadToken, Keyring

PURPOSE = "logbook"
VERSION = 2
"""The version of sealed logbooks, which outlive any version of tokens."""
EPOCH = date(2026, 1, 1)
MOST_DEVICES = 8
"""The most devices with counts of their own: this one, and those with the most matches."""
MOST_RECENT = 16
ID_BYTES = 3
MOST_COUNT = 0xFFFF
"""A device stops counting here."""
MOST_TEXT = 64 * 1024
"""The longest logbook as a text, in characters."""


# --- days ---


_MOST_KEY = 0xFFFF
_LOST, _HELPED = 1, 2


def is_a_day(day: Day) -> bool:
    """Whether a logbook can hold the date, from 2026 to 2115. Others come from a wrong clock."""
    return 0 <= _key(day) <= _MOST_KEY


_IN_A_BLOCK = 2
"""The kinds of days that are written together."""
_BLOCKS = 2
"""A logbook without five shots has only the first."""


def _key(day: Day) -> int:
    """Returns the number of a day and kind in its block, by which it is sorted there."""
    return _IN_A_BLOCK * (day.date - EPOCH).days + day.kind % _IN_A_BLOCK


def _encode_days(days: Sequence[Day]) -> bytes:
    # Columns of similar bytes compress best.
    keys = list(map(_key, days))
    gaps = [key - before for key, before in zip(keys, (0, *keys), strict=False)]
    flags = bytes(_LOST * (not day.is_sunk) | _HELPED * day.is_helped for day in days)
    results = bytes(day.shots for day in days) + bytes(day.par for day in days)
    return struct.pack(f">H{len(days)}H", len(days), *gaps) + flags + results


def _decode_days(reader: Reader, block: int) -> tuple[Day, ...]:
    count = reader.number(2)
    keys = list(accumulate(struct.unpack(f">{count}H", reader.take(2 * count))))
    columns = (reader.take(count) for _ in range(3))
    first = _IN_A_BLOCK * block
    return tuple(
        Day(
            EPOCH + timedelta(key // _IN_A_BLOCK), first + key % _IN_A_BLOCK, shots, par,
            not flags & _LOST, bool(flags & _HELPED),
        )
        for key, flags, shots, par in zip(keys, *columns, strict=True)
    )  # fmt: skip


# --- counts ---


class Cell(NamedTuple):
    """The codes of the preset and of the opponent, 0 for none."""

    preset: int
    mind: int


class Count(NamedTuple):
    """Results against one opponent in one game. All numbers but the best only grow."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    shots: int = 0
    """The player's shots in the matches won."""
    best: int = 0
    """The fewest shots of a match won, or 0."""
    skill: int = 0
    """The sum of known skills, each from 0 to 100."""
    judged: int = 0
    """The number of matches whose skill is known."""

    def __add__(self, other: Count) -> Count:  # type: ignore[override]  # of counts, not of tuples
        sums = Count(*(one + two for one, two in zip(self, other, strict=True)))
        bests = [best for best in (self.best, other.best) if best]
        return sums._replace(best=min(bests, default=0))


Counts: TypeAlias = Mapping[Cell, Count]


def _rank(counts: Counts) -> tuple[int, list[tuple[Cell, Count]]]:
    """Returns a sort key of devices: the number of their matches."""
    return sum(count.games for count in counts.values()), sorted(counts.items())


# --- the logbook ---


class Ended(NamedTuple):
    """An ended match, as the logbook counts it."""

    marks: tuple[bytes, ...]
    """The mark of the seed, after that of the server's share of it if it has one; see mark_of.

    Matches with the same first mark are counted once.
    """
    cell: Cell
    shots: int
    is_won: bool = False
    is_drawn: bool = False
    day: Day | None = None


def mark_of(seed: bytes) -> bytes:
    """Returns 3 bytes of the hash of a match's seed, or of the server's share of it.

    With it the same end isn't counted twice.
    """
    mark = sha256(seed).digest()[:ID_BYTES]
    return mark[:-1] + bytes((mark[-1] & ~_JUDGED,))


_JUDGED = 1
"""The bit of a mark that says that the skill of its match has been counted, too."""


def _marked_judged(mark: bytes) -> bytes:
    return mark[:-1] + bytes((mark[-1] | _JUDGED,))


@dataclass(frozen=True, slots=True)
class Logbook:
    days: tuple[Day, ...] = ()
    """The results in order, at most one for each date and kind."""
    devices: Mapping[bytes, Counts] = field(default_factory=dict)
    """The counts of each device, by its id."""
    device: bytes = bytes(ID_BYTES)
    """This device's id; zeros before its first match."""
    recent: tuple[bytes, ...] = ()
    """The marks of the last matches on this device, the newest last."""

    @property
    def is_empty(self) -> bool:
        return not self.days and not self.devices

    @property
    def counts(self) -> dict[Cell, Count]:
        """The sums of all devices."""
        total: dict[Cell, Count] = {}
        for counts in self.devices.values():
            for cell, count in counts.items():
                total[cell] = total.get(cell, Count()) + count
        return total

    def with_match(self, ended: Ended, drawn: bytes) -> Logbook:
        """Returns the logbook with one more match, unless it or its day is counted already.

        `drawn` is a random id for a device that has none. Where there is no room for another
        device, this one goes on with the counts of the one that has the fewest matches.
        """
        days = self if ended.day is None else self.with_day(ended.day)
        is_known = {ended.marks[0], _marked_judged(ended.marks[0])} & {*self.recent}
        if is_known or (ended.day is not None and days is self):
            return self
        device = self.device if self.device in self.devices else drawn
        if device not in self.devices and len(self.devices) >= MOST_DEVICES:
            device = min(self.devices, key=lambda it: (_rank(self.devices[it]), it))
        counts = dict(self.devices.get(device, {}))
        before = counts.get(ended.cell, Count())
        if before.games < MOST_COUNT:
            shots = ended.shots if ended.is_won else 0
            counts[ended.cell] = before + Count(
                1, int(ended.is_won), int(ended.is_drawn), shots, min(shots, 255)
            )
        return replace(
            days, devices={**self.devices, device: counts}, device=device,
            recent=(*self.recent, *ended.marks)[-MOST_RECENT:],
        )  # fmt: skip

    def with_skill(self, mark: bytes, cell: Cell, skill: int) -> Logbook:
        """Returns the logbook with the skill of a recent match, which its review has found.

        `mark` is that of the match's own seed.
        """
        counts = dict(self.devices.get(self.device, {}))
        if mark not in self.recent or cell not in counts:
            return self
        before = counts[cell]
        counts[cell] = before._replace(skill=before.skill + skill, judged=before.judged + 1)
        recent = tuple(_marked_judged(one) if one == mark else one for one in self.recent)
        return replace(self, devices={**self.devices, self.device: counts}, recent=recent)

    def with_day(self, day: Day) -> Logbook:
        """Returns the logbook with the result of a day, unless it has one; is_a_day must be so."""
        at = bisect_left(self.days, day[:2])
        if at < len(self.days) and self.days[at][:2] == day[:2]:
            return self
        day = day._replace(shots=min(max(day.shots, 1), 255), par=min(max(day.par, 0), 255))
        return replace(self, days=(*self.days[:at], day, *self.days[at:]))

    def merged(self, other: Logbook) -> Logbook:
        """Returns the union with another logbook, on this device.

        Of days that both have, the better result; of counts that both have, the later ones.
        Of more devices than are counted apart, this one and those with the most matches.
        """
        # The best result of a day comes last, and an unknown par before the known ones.
        days = sorted(
            (*self.days, *other.days),
            key=lambda day: (day.is_sunk, not day.is_helped, -day.shots, -(day.par or 256)),
        )
        best = {day[:2]: day for day in days}
        devices = dict(self.devices)
        for device, two in other.devices.items():
            own = devices.get(device, {})
            devices[device] = {  # of two copies of a cell, the later one has more matches
                cell: max(own.get(cell, Count()), two.get(cell, Count()))
                for cell in own.keys() | two.keys()
            }
        order = sorted(devices, key=lambda it: (it == self.device, _rank(devices[it]), it))
        kept = {device: devices[device] for device in order[-MOST_DEVICES:]}
        return replace(self, days=tuple(sorted(best.values())), devices=kept)


# --- bytes ---


_CELL = struct.Struct(">BBHHHIBIH")
"""A cell and its count."""


def encode(book: Logbook) -> bytes:
    return zlib.compress(_packed(book), level=9)


def _packed(book: Logbook) -> bytes:
    parts = [book.device, bytes((len(book.recent),)), *book.recent, bytes((len(book.devices),))]
    for device in sorted(book.devices):
        counts = book.devices[device]
        parts += (device, bytes((len(counts),)))
        parts += (_CELL.pack(*cell, *count) for cell, count in sorted(counts.items()))
    for block in range(_BLOCKS):
        days = [day for day in book.days if day.kind // _IN_A_BLOCK == block]
        parts += [_encode_days(days)] if days or not block else []
    return b"".join(parts)


def decode(data: bytes) -> Logbook:
    """Returns the logbook in those bytes. Twin of encode."""
    reader = Reader(zlib.decompress(data))
    device = reader.take(ID_BYTES)
    recent = tuple(reader.take(ID_BYTES) for _ in range(reader.number()))
    devices = {reader.take(ID_BYTES): _decode_counts(reader) for _ in range(reader.number())}
    days = _decode_days(reader, 0)
    if reader.left:
        days = tuple(sorted((*days, *_decode_days(reader, 1))))
    return Logbook(days, devices, device, recent)


def _decode_counts(reader: Reader) -> dict[Cell, Count]:
    rows = _CELL.iter_unpack(reader.take(reader.number() * _CELL.size))
    return {Cell(*row[:2]): Count(*row[2:]) for row in rows}


def fitted(book: Logbook, most: int) -> Logbook:
    """Returns the logbook in at most so many bytes, without the oldest days.

    If that is not enough, other devices' counts are left out too, the fewest matches first.
    """
    while (excess := len(encode(book)) - most) > 0 and book.days:
        book = replace(book, days=book.days[1 + excess // _DAY_BYTES :])
    others = sorted(
        book.devices.keys() - {book.device}, key=lambda it: (_rank(book.devices[it]), it)
    )
    for least in others:
        if len(encode(book)) <= most:
            break
        book = replace(book, devices={it: book.devices[it] for it in book.devices if it != least})
    return book


_DAY_BYTES = 4
"""A day takes at most about this much after zlib, so `fitted` leaves out few days too many."""


# --- sealed ---


def seal(book: Logbook, most: int = MOST_TEXT) -> str:
    """Returns the logbook as a text of at most so many characters; see fitted.

    The key is derived from the end of the daily's chain. That is never rotated with the site's
    keys, so the text opens after any rotation.
    """
    return _ring().seal(PURPOSE, encode(fitted(book, most * 3 // 4 - OVERHEAD)))


def unseal(text: str) -> Logbook:
    """Returns the logbook of a text, whose lines may be broken anywhere; raises BadToken."""
    return decode(_ring().unseal(PURPOSE, "".join(text.split())))


def _ring() -> Keyring:
    chain = daily.chain()
    if chain is None:
        raise BadToken("the site has no daily")
    return _derived(chain.end)


@lru_cache(maxsize=2)
def _derived(end: bytes) -> Keyring:
    root = base64.b64encode(end).decode()
    return Keyring({"keys": [{"root": root, "state": "use"}]}, VERSION, longest=MOST_TEXT)

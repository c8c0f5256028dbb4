"""The logbook: what a player's device remembers of its matches, as a value and as a sealed text.

    version 1 | this device's id 3 | recent ends u8: 3 each | devices u8: id 3, cells u8: 19 each
    if there are days: the first one's key u16, for each day 3

Two logbooks merge into their union, so nothing is counted twice however often and in whatever order
copies of them meet, of at most eight devices. Each device counts for itself alone: of two copies of
a count the later one has more matches. A day is one entry for each kind.
"""

from __future__ import annotations

import base64
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import IntEnum
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from operator import lt
from struct import Struct
from typing import Any, NamedTuple, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from game.engine.codec import BadEncoding, Reader
from game.engine.presets import PRESETS
from game.matches import daily
from game.players.registry import CODES, RANK_NAMES

VERSION = 1
EPOCH = date(2026, 1, 1)
MOST_DEVICES = 8
"""The most devices that are counted apart: one's own, and those with the most matches."""
MOST_RECENT = 16
ID_BYTES = 3
MOST_COUNT = 0xFFFF
"""Where a device stops to count."""
MOST_BYTES = 48 * 1024
MOST_TEXT = 64 * 1024
"""The longest logbook in bytes, and as a text in characters."""


# --- days ---


class Kind(IntEnum):
    """What was played of a day."""

    SEA = 0
    DEDUCTION = 1


class Day(NamedTuple):
    """The result of a day."""

    date: date
    kind: Kind
    shots: int
    """Shots or guesses, from 1; 255 stands for more, too."""
    par: int
    """What the computer needed, or 0 where that is not known."""
    is_sunk: bool = True
    """Whether all was found in the end."""
    is_helped: bool = False
    """Whether hints, the coach or an older address were used."""


# A day is a number: key, then lost, helped, shots, par. The smaller of two with one key is the
# better result, so the one rule of a union is the smaller number; but for a par of 0, see _order.
_KEY_BITS = 18
_RESULT = (1 << _KEY_BITS) - 1
_LOST, _HELPED = 1 << 17, 1 << 16
_MOST_KEY = 0xFFFF


def is_a_day(day: Day) -> bool:
    """Whether a logbook has room for the date, from 2026 to 2115: others are a wrong clock's."""
    return 0 <= _key(day) <= _MOST_KEY


def _key(day: Day) -> int:
    return 2 * (day.date - EPOCH).days + day.kind


def word_of(day: Day) -> int:
    """A day as a number; days are in the order of these. Raises ValueError unless is_a_day."""
    key = _key(day)
    if not is_a_day(day):
        raise ValueError(f"not a day of a logbook: {day.date}")
    lost, helped = _LOST * (not day.is_sunk), _HELPED * day.is_helped
    shots, par = min(max(day.shots, 1), 255), min(max(day.par, 0), 255)
    return key << _KEY_BITS | lost | helped | shots << 8 | par


def day_of(word: int) -> Day:
    """The day of a number; twin of word_of."""
    key = word >> _KEY_BITS
    when = EPOCH + timedelta(days=key >> 1)
    shots, par = word >> 8 & 255, word & 255
    return Day(when, Kind(key & 1), shots, par, not word & _LOST, bool(word & _HELPED))


def _order(word: int) -> tuple[int, int]:
    """What the smaller one of is the better result: a par that isn't known comes last."""
    return word >> 8, word & 255 or 256


# Packed days: the first key, then for each day three bytes, in which the gap to the key before
# stands in the place of the key. A pause is three bytes without a result: 63 keys, a month.
_PAUSE_KEYS = 63
_PAUSE = (_PAUSE_KEYS << _KEY_BITS).to_bytes(3, "big")
_PACKED = re.compile(
    rb"(?s:..[\x00-\x03][^\x00].(?:[\x04-\xfb][^\x00].|(?:\xfc\x00\x00)+[\x00-\xfb][^\x00].)*)?"
)
"""The only way to write each list of days."""
_GAP_OF_HEAD = bytes(head >> 2 for head in range(256))


def _pack(words: Sequence[int]) -> bytes:
    if not words:
        return b""
    keys = [word >> _KEY_BITS for word in words]
    gaps = (key - last for key, last in zip(keys, (keys[0], *keys), strict=False))
    days = (_packed_day(gap, word) for gap, word in zip(gaps, words, strict=True))
    return keys[0].to_bytes(2, "big") + b"".join(days)


def _packed_day(gap: int, word: int) -> bytes:
    pauses, gap = divmod(gap, _PAUSE_KEYS)
    return pauses * _PAUSE + (gap << _KEY_BITS | word & _RESULT).to_bytes(3, "big")


def _appended(packed: bytes, word: int) -> bytes:
    """The packed days with a later one."""
    if not packed:
        return _pack((word,))
    return packed + _packed_day((word >> _KEY_BITS) - _last_key(packed), word)


def _unpack(packed: bytes) -> tuple[int, ...]:
    days = packed[2:]
    keys = accumulate(days[::3].translate(_GAP_OF_HEAD), initial=_first_key(packed))
    next(keys)
    numbers = zip(keys, days[::3], days[1::3], days[2::3], strict=True)
    return tuple(
        key << _KEY_BITS | (head & 3) << 16 | shots << 8 | par
        for key, head, shots, par in numbers
        if shots
    )


def _first_key(packed: bytes) -> int:
    return int.from_bytes(packed[:2], "big")


def _last_key(packed: bytes) -> int:
    return _first_key(packed) + sum(packed[2::3].translate(_GAP_OF_HEAD))


def _without_oldest(packed: bytes, excess: int) -> bytes:
    """The packed days, at least that many bytes shorter."""
    at = 2 + 3 * math.ceil(excess / 3)
    while packed[at : at + 3] == _PAUSE:
        at += 3
    if at >= len(packed):
        return b""
    key = _last_key(packed[: at + 3])
    return key.to_bytes(2, "big") + bytes((packed[at] & 3,)) + packed[at + 1 :]


# --- counts ---


class Cell(NamedTuple):
    """What matches are counted by: the codes of the preset and of the opponent, 0 for none."""

    preset: int
    mind: int


class Count(NamedTuple):
    """What is counted: numbers that only grow, but for the best."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    shots: int = 0
    """One's own shots in the matches won."""
    best: int = 0
    """The fewest shots of a match won, or 0."""
    skill: int = 0
    """The sum of the skills, from 0 to 100 each, of the matches whose skill is known."""
    judged: int = 0
    """The number of those matches."""

    def __add__(self, other: Count) -> Count:  # type: ignore[override]  # of counts, not of tuples
        sums = Count(*(one + two for one, two in zip(self, other, strict=True)))
        bests = [best for best in (self.best, other.best) if best]
        return sums._replace(best=min(bests, default=0))


Counts: TypeAlias = Mapping[Cell, Count]


def _later(one: Counts, two: Counts) -> Counts:
    """Of two copies of one device's counts: in each cell the later one, which has more matches."""
    cells = one.keys() | two.keys()
    return {cell: max(one.get(cell, Count()), two.get(cell, Count())) for cell in cells}


def _rank(counts: Counts) -> tuple[int, list[tuple[Cell, Count]]]:
    """Orders devices by their matches."""
    return sum(count.games for count in counts.values()), sorted(counts.items())


def _bounded(devices: Mapping[bytes, Counts], *, keep: bytes) -> dict[bytes, Counts]:
    """The device to keep, and of the others those with the most matches, by their ids."""
    if len(devices) <= MOST_DEVICES:
        return dict(devices)
    order = sorted(devices, key=lambda it: (it == keep, _rank(devices[it]), it))
    return {device: devices[device] for device in order[-MOST_DEVICES:]}


# --- the logbook ---


class Ended(NamedTuple):
    """An ended match, as the logbook counts it."""

    mark: bytes
    """What tells it from other matches; see mark_of."""
    cell: Cell
    shots: int
    is_won: bool = False
    is_drawn: bool = False
    skill: int | None = None
    day: Day | None = None
    seed_mark: bytes | None = None
    """Of the match's own seed, where `mark` is that of the server's half."""


def mark_of(seed: bytes) -> bytes:
    """What a logbook keeps of a match's seed, or of the server's half of it: 3 bytes.

    With it the same end isn't counted twice.
    """
    mark = sha256(seed).digest()[:ID_BYTES]
    return mark[:-1] + bytes((mark[-1] & ~_JUDGED,))


_JUDGED = 1
"""The bit of a mark that says that the skill of its match has been counted, too."""


def _judged(mark: bytes) -> bytes:
    return mark[:-1] + bytes((mark[-1] | _JUDGED,))


def _marks(ended: Ended) -> tuple[bytes, ...]:
    """The marks that are kept of a match; the last is that of its own seed."""
    before, own = ((), ended.mark) if ended.seed_mark is None else ((ended.mark,), ended.seed_mark)
    return *before, own if ended.skill is None else _judged(own)


@dataclass(frozen=True, slots=True)
class Logbook:
    """What a device remembers."""

    packed: bytes = b""
    """The results of days: no two with the same date and kind."""
    devices: Mapping[bytes, Counts] = field(default_factory=dict)
    """The counts of each device by its id."""
    device: bytes = bytes(ID_BYTES)
    """The id under which this device counts; zeros before its first match."""
    recent: tuple[bytes, ...] = ()
    """The marks of the matches that ended last on this device, the newest last."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.packed and not self.devices

    @property
    def days(self) -> tuple[Day, ...]:
        """The days in order, the sea before the deduction."""
        return tuple(map(day_of, _unpack(self.packed)))

    @property
    def counts(self) -> dict[Cell, Count]:
        """What all devices have counted together."""
        total: dict[Cell, Count] = {}
        for counts in self.devices.values():
            for cell, count in counts.items():
                total[cell] = total.get(cell, Count()) + count
        return total

    def with_match(self, ended: Ended, drawn: bytes) -> Logbook:
        """The logbook with one more match, unless that or its day is in it already.

        `drawn` is a random id for a device that has none. Where there is no room for another
        device, this one goes on with the counts of the one that has the fewest matches.
        """
        days = self if ended.day is None else self.with_day(ended.day)
        is_known = {ended.mark, _judged(ended.mark)} & {*self.recent}
        if is_known or (ended.day is not None and days is self):
            return self
        device = self.device if self.device in self.devices else drawn
        if device not in self.devices and len(self.devices) >= MOST_DEVICES:
            device = min(self.devices, key=lambda it: (_rank(self.devices[it]), it))
        counts = dict(self.devices.get(device, {}))
        before = counts.get(ended.cell, Count())
        if before.games < MOST_COUNT:
            counts[ended.cell] = before + _counted(ended)
        return replace(
            days, devices={**self.devices, device: counts}, device=device,
            recent=(*self.recent, *_marks(ended))[-MOST_RECENT:],
        )  # fmt: skip

    def with_skill(self, mark: bytes, cell: Cell, skill: int) -> Logbook:
        """The logbook with the skill of a recent match, which only its review finds out; once.

        `mark` is that of the match's own seed.
        """
        counts = dict(self.devices.get(self.device, {}))
        if mark not in self.recent or cell not in counts:
            return self
        before = counts[cell]
        counts[cell] = before._replace(skill=before.skill + skill, judged=before.judged + 1)
        recent = tuple(_judged(one) if one == mark else one for one in self.recent)
        return replace(self, devices={**self.devices, self.device: counts}, recent=recent)

    def with_day(self, day: Day) -> Logbook:
        """The logbook with the result of a day; the first on this device stays."""
        word = word_of(day)
        if not self.packed or word >> _KEY_BITS > _last_key(self.packed):
            return replace(self, packed=_appended(self.packed, word))
        words = _unpack(self.packed)
        if any(one >> _KEY_BITS == word >> _KEY_BITS for one in words):
            return self
        return replace(self, packed=_pack(sorted((*words, word))))

    def with_par(self, day: Day) -> Logbook:
        """The logbook with the par of a day's result that was kept before its par was known."""
        known = word_of(day)
        words = _unpack(self.packed)
        for at, word in enumerate(words):
            is_same = (
                word >> _KEY_BITS == known >> _KEY_BITS and word >> 8 & 255 == known >> 8 & 255
            )
            if is_same and not word & 255:
                filled = (*words[:at], word | known & 255, *words[at + 1 :])
                return replace(self, packed=_pack(filled))
        return self

    def merged(self, other: Logbook) -> Logbook:
        """The union with another logbook, on this device.

        Of days that both have, the better result; of counts that both have, the later ones.
        Of more devices than are counted apart, this one and those with the most matches.
        """
        words = sorted((*_unpack(self.packed), *_unpack(other.packed)), key=_order, reverse=True)
        best = {word >> _KEY_BITS: word for word in words}
        devices = dict(self.devices)
        for device, counts in other.devices.items():
            devices[device] = _later(devices.get(device, {}), counts)
        packed = _pack(sorted(best.values()))
        return replace(self, packed=packed, devices=_bounded(devices, keep=self.device))


def _counted(ended: Ended) -> Count:
    shots = ended.shots if ended.is_won else 0
    skill = () if ended.skill is None else (ended.skill, 1)
    return Count(1, int(ended.is_won), int(ended.is_drawn), shots, min(shots, 255), *skill)


class Streak(NamedTuple):
    """Days in a row."""

    now: int
    longest: int


def streak(dates: Iterable[date], oldest_open: date) -> Streak:
    """The days in a row up to now, and the most ever.

    A row goes on as long as its next day can still be played; `oldest_open` is the oldest date
    that a clock somewhere shows.
    """
    run, longest, last = 0, 0, None
    for day in sorted(set(dates)):
        run = run + 1 if last is not None and day - last == timedelta(days=1) else 1
        longest, last = max(longest, run), day
    goes_on = last is not None and last + timedelta(days=1) >= oldest_open
    return Streak(run if goes_on else 0, longest)


# --- the rank that suits the player ---

_STRENGTHS = {True: (0.0, 2.0, 3.1, 3.9, 5.0, 6.6), False: (0.0, 1.3, 1.8, 1.9, 2.0, 2.3)}
"""How strong the ranks are, in log odds of a match between two, where ships move and where not:
from the matches in docs/strength.md."""


def proposed_rank(book: Logbook, preset: str) -> str | None:
    """The rank that this player beats in about half of the matches, or None before the first.

    It is the likeliest strength of a logistic model (Bradley and Terry, 1952) if one more match had
    been won, and one lost, against the mean of the ranks played; at most a rank beyond those.
    """
    strengths = _STRENGTHS[PRESETS[preset].ruleset.moving]
    counts = book.counts
    cells = [Cell(PRESETS[preset].code, CODES[name]) for name in RANK_NAMES]
    played = [(at, counts[cell]) for at, cell in enumerate(cells) if cell in counts]
    if not played:
        return None
    games = sum(count.games for _, count in played)
    mean = sum(count.games * strengths[at] for at, count in played) / games
    points = 1 + sum(count.wins + count.draws / 2 for _, count in played)
    faced = [(2, mean), *((count.games, strengths[at]) for at, count in played)]
    strength = _likeliest(points, faced)
    reach = range(max(played[0][0] - 1, 0), min(played[-1][0] + 2, len(RANK_NAMES)))
    return RANK_NAMES[min(reach, key=lambda at: abs(strengths[at] - strength))]


def _likeliest(points: float, faced: Sequence[tuple[int, float]]) -> float:
    """The strength whose expected points are those, by bisection."""
    low, high = -20.0, 20.0
    for _ in range(40):
        middle = (low + high) / 2
        expected = sum(games / (1 + math.exp(it - middle)) for games, it in faced)
        low, high = (middle, high) if expected < points else (low, middle)
    return low


# --- bytes ---


_CELL = Struct(">BBHHHIBIH")
"""A cell and its count."""


def encode(book: Logbook) -> bytes:
    """The logbook as bytes, of which it has only one form."""
    parts = [
        bytes((VERSION,)), book.device, bytes((len(book.recent),)), *book.recent,
        bytes((len(book.devices),)),
    ]  # fmt: skip
    for device in sorted(book.devices):
        counts = book.devices[device]
        parts += (device, bytes((len(counts),)))
        parts += (_CELL.pack(*cell, *count) for cell, count in sorted(counts.items()))
    return b"".join((*parts, book.packed))


def decode(data: bytes) -> Logbook:
    """The logbook of those bytes; raises BadEncoding. Twin of encode."""
    if len(data) > MOST_BYTES:
        raise BadEncoding("too long")
    reader = Reader(data)
    if reader.number() != VERSION:
        raise BadEncoding("not a version of a logbook")
    device = reader.take(ID_BYTES)
    recent = tuple(reader.take(ID_BYTES) for _ in range(reader.number()))
    devices = [(reader.take(ID_BYTES), _decode_counts(reader)) for _ in range(reader.number())]
    if len(recent) > MOST_RECENT or len(devices) > MOST_DEVICES or not _is_in_order(devices):
        raise BadEncoding("not as a logbook is written")
    packed = reader.rest()
    if not _PACKED.fullmatch(packed) or _last_key(packed) > _MOST_KEY:
        raise BadEncoding("not as days are written")
    return Logbook(packed, dict(devices), device, recent)


def _decode_counts(reader: Reader) -> dict[Cell, Count]:
    rows = [*_CELL.iter_unpack(reader.take(reader.number() * _CELL.size))]
    counts = [(Cell(*row[:2]), Count(*row[2:])) for row in rows]
    if not counts or not _is_in_order(counts) or not all(count.games for _, count in counts):
        raise BadEncoding("not as counts are written")
    return dict(counts)


def _is_in_order(rows: Sequence[tuple[Any, object]]) -> bool:
    keys = [key for key, _ in rows]
    return all(map(lt, keys, keys[1:]))


def fitted(book: Logbook, most: int) -> Logbook:
    """The logbook in at most so many bytes: the oldest days are left out.

    If that is not enough, other devices' counts go as well, the fewest matches first.
    """
    excess = len(encode(book)) - most
    if excess <= 0:
        return book
    book = replace(book, packed=_without_oldest(book.packed, excess))
    others = book.devices.keys() - {book.device}
    while len(encode(book)) > most and others:
        least = min(others, key=lambda it: (_rank(book.devices[it]), it))
        others.remove(least)
        kept = {device: book.devices[device] for device in book.devices if device != least}
        book = replace(book, devices=kept)
    return book


# --- sealed ---

_NONCE, _TAG = 12, 16
_PURPOSE = b"battleship-logbook"
_TEXT = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


class BadLogbook(ValueError):
    """The text is no logbook of this site; the message says no more than that."""


def is_offered() -> bool:
    """Whether the site can seal logbooks: its secrets have a chain."""
    return daily.chain() is not None


def seal(book: Logbook, most: int = MOST_TEXT) -> str:
    """The logbook as a text: letters, digits, hyphens and underscores, at most so many.

    What has no room is left out; see fitted.

    The key is derived from the end of the daily's chain, not from the keyring, so the text opens
    after any change of keys.
    """
    nonce = os.urandom(_NONCE)
    content = encode(fitted(book, most * 3 // 4 - _NONCE - _TAG))
    sealed = nonce + _cipher().encrypt(nonce, content, _PURPOSE)
    return base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()


def unseal(text: str) -> Logbook:
    """The logbook of a text, wherever its lines were broken; raises BadLogbook."""
    if len(text) > 2 * MOST_TEXT:
        raise BadLogbook("too long")
    text = "".join(text.split())
    if not _TEXT.fullmatch(text):
        raise BadLogbook("not a text of a logbook")
    try:
        sealed = base64.urlsafe_b64decode(text + -len(text) % 4 * "=")
        content = _cipher().decrypt(sealed[:_NONCE], sealed[_NONCE:], _PURPOSE)
        return decode(content)
    except (ValueError, InvalidTag, BadEncoding) as error:
        raise BadLogbook("not a logbook") from error


def _cipher() -> AESGCMSIV:
    chain = daily.chain()
    if chain is None:
        raise BadLogbook("the site has no daily")
    return _derived(chain.end)


@lru_cache(maxsize=2)
def _derived(end: bytes) -> AESGCMSIV:
    # Without a salt: the end is uniformly random already.
    info = f"battleship/logbook/v{VERSION}".encode()
    return AESGCMSIV(HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(end))

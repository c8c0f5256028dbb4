"""What a browser remembers of puzzles, challenges and days of puzzles, as one cookie holds it.

    entries, the oldest first: kind u8 | 8 bytes of the hash of its name | result u16

The first result of something stays, so that a page can say that a later one is a second try.
"""

from __future__ import annotations

import struct
from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256
from typing import NamedTuple

from game.engine.codec import BadEncoding
from game.matches import keyring
from game.matches.keyring import BadToken, Purpose

MOST_ENTRIES = 32
MARK_BYTES = 8
MOST_RESULT = 0xFFFF
_ENTRY = struct.Struct(f">B{MARK_BYTES}sH")


class Kind(IntEnum):
    """What a result belongs to; each kind has a meaning of its own for the number."""

    DAY = 0
    PUZZLE = 1
    CHALLENGE = 2


class Entry(NamedTuple):
    kind: Kind
    mark: bytes
    """8 bytes of the hash of what was opened or answered; see mark_of."""
    result: int = 0
    """From 0 to 65,535."""


def mark_of(name: bytes | str) -> bytes:
    """Returns 8 bytes of the hash of a puzzle's name, of a challenge's token, and so on."""
    return sha256(name.encode() if isinstance(name, str) else name).digest()[:MARK_BYTES]


@dataclass(frozen=True, slots=True)
class Results:
    """The newest entries, the oldest first, at most one for each kind and mark."""

    entries: tuple[Entry, ...] = ()

    def of(self, kind: Kind, name: bytes | str) -> int | None:
        """Returns the result of what has that name; None if there is none."""
        mark = mark_of(name)
        return next((it.result for it in self.entries if it[:2] == (kind, mark)), None)

    def with_first(self, kind: Kind, name: bytes | str, result: int = 0) -> Results:
        """Returns the results with one more, unless there is one of that name already."""
        return self if self.of(kind, name) is not None else self.with_result(kind, name, result)

    def with_result(self, kind: Kind, name: bytes | str, result: int) -> Results:
        """Returns the results with that one as the newest, in place of an earlier one.

        Beyond 32 entries the oldest of the kind that has the most is dropped, so that many puzzles
        don't displace a challenge or a day.
        """
        entry = Entry(kind, mark_of(name), min(max(result, 0), MOST_RESULT))
        entries = [it for it in self.entries if it[:2] != entry[:2]] + [entry]
        while len(entries) > MOST_ENTRIES:
            [(most, _count)] = Counter(it.kind for it in entries).most_common(1)
            entries.remove(next(it for it in entries if it.kind is most))
        return Results(tuple(entries))


def seal(results: Results) -> str:
    content = b"".join(_ENTRY.pack(*entry) for entry in results.entries)
    return keyring.seal(Purpose.RESULTS, content)


def unseal(text: str) -> Results:
    """Returns the results of a text; raises BadToken."""
    try:
        return _decode(keyring.unseal(Purpose.RESULTS, text))
    except BadEncoding as error:
        raise BadToken from error


def _decode(content: bytes) -> Results:
    try:
        entries = tuple(
            Entry(Kind(kind), mark, result) for kind, mark, result in _ENTRY.iter_unpack(content)
        )
    except (struct.error, ValueError) as error:
        raise BadEncoding("not results") from error
    if len(entries) > MOST_ENTRIES or len({entry[:2] for entry in entries}) < len(entries):
        raise BadEncoding("not as results are written")
    return Results(entries)

"""What a browser remembers of what it has done in features, as one cookie holds it.

The first result of something stays, so that a page can say that a later one is a second try.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from game.matches.fields import fixed, number, record, to_the_end
from game.matches.keyring import Purpose, Sealed

MOST_ENTRIES = 32
MARK_BYTES = 8
MOST_RESULT = 0xFFFF


class Entry(NamedTuple):
    kind: int
    """The code of its feature, which gives the result its meaning. Those of features that this site
    doesn't have are kept as they are."""
    mark: bytes
    """8 bytes of the hash of what was opened or answered; see mark_of."""
    result: int = 0
    """From 0 to 65,535."""


def mark_of(name: bytes | str) -> bytes:
    """Returns 8 bytes of the hash of the name of what a result is of."""
    return sha256(name.encode() if isinstance(name, str) else name).digest()[:MARK_BYTES]


@dataclass(frozen=True, slots=True)
class Results:
    """The newest entries, the oldest first, at most one for each kind and mark."""

    entries: tuple[Entry, ...] = ()

    def __post_init__(self) -> None:
        if len({entry[:2] for entry in self.entries}) < len(self.entries):
            raise ValueError("two results of the same")

    def of(self, kind: int, name: bytes | str) -> int | None:
        """Returns the result of what has that name; None if there is none."""
        mark = mark_of(name)
        return next((it.result for it in self.entries if it[:2] == (kind, mark)), None)

    def with_first(self, kind: int, name: bytes | str, result: int = 0) -> Results:
        """Returns the results with one more, unless there is one of that name already."""
        return self if self.of(kind, name) is not None else self.with_result(kind, name, result)

    def with_result(self, kind: int, name: bytes | str, result: int) -> Results:
        """Returns the results with that one as the newest, in place of an earlier one.

        Beyond 32 entries the oldest of the kind that has the most is dropped, so that many of one
        kind don't displace others.
        """
        entry = Entry(kind, mark_of(name), min(max(result, 0), MOST_RESULT))
        entries = [it for it in self.entries if it[:2] != entry[:2]] + [entry]
        while len(entries) > MOST_ENTRIES:
            [(most, _count)] = Counter(it.kind for it in entries).most_common(1)
            entries.remove(next(it for it in entries if it.kind == most))
        return Results(tuple(entries))


_ENTRY = record(Entry, kind=number(), mark=fixed(MARK_BYTES), result=number(2))
_RESULTS = record(Results, entries=to_the_end(_ENTRY, MOST_ENTRIES))
_SEALED = Sealed(Purpose.RESULTS, _RESULTS.write, _RESULTS.decode)
seal, unseal = _SEALED.seal, _SEALED.unseal

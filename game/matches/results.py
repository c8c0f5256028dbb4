"""What a browser remembers of what it has done in features, as one cookie holds it.

The first result of something stays, so that a page can say that a later one is a second try.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

MOST_ENTRIES = 32
MOST_RESULT = 0xFFFF


class Entry(NamedTuple):
    kind: int
    """The code of its feature, which gives the result its meaning. Those of features that this site
    doesn't have are kept as they are."""
    mark: str
    """A hash of what was opened or answered; see mark_of."""
    result: int = 0
    """From 0 to 65,535."""


def mark_of(name: bytes | str) -> str:
    """Returns 12 hexadecimal digits of the hash of the name of what a result is of."""
    return sha256(name.encode() if isinstance(name, str) else name).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Results:
    """The newest entries, the oldest first, at most one for each kind and mark."""

    entries: tuple[Entry, ...] = ()

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

"""The header of tokens of both games: when a match began, whose day it is, and its switches.

    started hour u32 | day u32 | switches u16

The hour counts from 1970-01-01T00:00Z, the day is a date's ordinal, and 0 stands for none. The
first switch is the lowest bit. The version and the purpose of a token are the keyring's.
"""

from __future__ import annotations

from datetime import date
from struct import Struct
from typing import NamedTuple

from game.engine.codec import BadEncoding, Reader

_HEADER = Struct(">IIH")


class TokenHeader(NamedTuple):
    """What the tokens of all matches begin with."""

    started_hour: int | None
    day: date | None
    switches: tuple[bool, ...]
    """At most 16, in an order that each game decides for itself."""

    def encode(self) -> bytes:
        bits = sum(1 << bit for bit, is_on in enumerate(self.switches) if is_on)
        ordinal = 0 if self.day is None else self.day.toordinal()
        return _HEADER.pack(self.started_hour or 0, ordinal, bits)


def decode_header(reader: Reader, *, switches: int) -> TokenHeader:
    """The header that the reader comes to next, with that many switches; raises BadEncoding."""
    hour, ordinal, bits = _HEADER.unpack(reader.take(_HEADER.size))
    if bits >> switches or ordinal > date.max.toordinal():
        raise BadEncoding("an unknown switch, or not a day")
    day = date.fromordinal(ordinal) if ordinal else None
    return TokenHeader(hour or None, day, tuple(bool(bits >> bit & 1) for bit in range(switches)))

"""What features add to matches: values that travel in tokens beside the setup and the record.

A feature registers the kinds of its parts in the ROW of the module that its class names as `part`:

    ROW = Model([Kind(Axes, 1, encode, decode)])

A part of a setup stays from round to round, in a replay and in a challenge; one of a match or a
draft belongs to that alone. In a token it is its code u8, the number of its bytes u16, and these,
behind the number of parts u8. A kind without a code is of a value of the core, such as a setup's
day: the feature is called for matches that have it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from game import feature_list
from game.engine.codec import Reader
from game.matches.draft import Draft
from game.matches.saved import SavedMatch

P = TypeVar("P")


@dataclass(frozen=True)
class Kind(Generic[P]):
    """A kind of parts: the type of its values, and how they are written."""

    of: type[P]
    code: int = 0
    """Its number in tokens, from 1; another feature never has the same."""
    encode: Callable[[P], bytes] | None = None
    decode: Callable[[bytes], P] | None = None


@dataclass(frozen=True)
class Model:
    """What a feature brings to matches and tokens. All of it is optional."""

    kinds: Sequence[Kind[Any]] = ()
    load: Callable[[str], Draft | SavedMatch] | None = None
    """Returns the game that a token of the feature leads to, for the terminal; raises BadToken."""
    prepare: Callable[[], object] | None = None
    """Loads the files that an answer may need, once when a process starts."""
    ended: Callable[[str], SavedMatch] | None = None
    """Returns the ended match in a token of the feature; raises BadToken."""


@cache
def models() -> dict[str, Model]:
    """Returns the model of each feature that has one, by its name."""
    return dict(feature_list.parts())


@cache
def kinds() -> dict[type[Any], tuple[str, Kind[Any]]]:
    """Returns the kinds of parts by their types, each with the name of its feature."""
    return {kind.of: (name, kind) for name, row in models().items() for kind in row.kinds}


@cache
def _decoders() -> dict[int, Callable[[bytes], object]]:
    found = (kind for _name, kind in kinds().values())
    return {kind.code: kind.decode for kind in found if kind.decode}


def encode_parts(parts: Sequence[object]) -> bytes:
    content = bytes((len(parts),))
    for part in parts:
        kind = kinds()[type(part)][1]
        written = kind.encode(part) if kind.encode else b""
        content += bytes((kind.code,)) + len(written).to_bytes(2, "big") + written
    return content


def decode_parts(reader: Reader) -> tuple[object, ...]:
    """Reads parts; raises a KeyError for that of a feature that isn't there."""
    found = []
    for _ in range(reader.number()):
        decode = _decoders()[reader.number()]
        found.append(decode(reader.take(reader.number(2))))
    return tuple(found)

"""What features add to matches: values that travel in tokens beside the setup and the record.

A feature says how its parts are written in the PART of the module that its class names as `part`:

    PART = FeaturePart([PartFormat(Axes, 1, encode, decode)])

A part of a setup stays from round to round, in a replay and in a challenge; one of a match or a
draft belongs to that alone. In a token it is its code u8, the number of its bytes u16, and these,
behind the number of parts u8. A format without a code is of a value of the core, such as a setup's
day: the feature is called for matches that have it.
"""

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
class PartFormat(Generic[P]):
    """How the parts of a type are written."""

    part_type: type[P]
    code: int = 0
    """Its number in tokens, from 1; another feature never has the same."""
    encode: Callable[[P], bytes] | None = None
    decode: Callable[[bytes], P] | None = None


@dataclass(frozen=True)
class FeaturePart:
    """What a feature brings to matches and tokens. All of it is optional."""

    formats: Sequence[PartFormat[Any]] = ()
    load: Callable[[str], Draft | SavedMatch] | None = None
    """Returns the game that a token of the feature leads to, for the terminal; raises BadToken."""
    prepare: Callable[[], object] | None = None
    """Loads the files that an answer may need, once when a process starts."""


@cache
def part_formats() -> dict[type[Any], tuple[str, PartFormat[Any]]]:
    """Returns the formats of parts by their types, each with the name of its feature."""
    return {
        form.part_type: (name, form)
        for name, part in feature_list.parts().items()
        for form in part.formats
    }


@cache
def _decoders() -> dict[int, Callable[[bytes], object]]:
    return {form.code: form.decode for _name, form in part_formats().values() if form.decode}


def encode_parts(parts: Sequence[object]) -> bytes:
    content = bytes((len(parts),))
    for part in parts:
        form = part_formats()[type(part)][1]
        written = form.encode(part) if form.encode else b""
        content += bytes((form.code,)) + len(written).to_bytes(2, "big") + written
    return content


def decode_parts(reader: Reader) -> tuple[object, ...]:
    """Reads parts; raises a KeyError for that of a feature that isn't there."""
    parts = []
    for _ in range(reader.number()):
        decode = _decoders()[reader.number()]
        parts.append(decode(reader.take(reader.number(2))))
    return tuple(parts)

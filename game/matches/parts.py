"""What features add to a match: values that travel in its token beside the setup and the record.

A feature registers the kinds of its parts in the ROW of the module that its class names as `part`:

    ROW = Model([Kind(Flag, _FLAG, bit=12)])

A part with a bit belongs to the setup: it is written behind the setup's own values, and stays from
round to round, in a replay and in a challenge. A part with `of_draft` is in each draft whose setup
says so. A kind with nothing of that is of a value of the core, such as a setup's day: the feature
is called for matches that have it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from game import feature_list
from game.matches.fields import NOTHING, Field

if TYPE_CHECKING:
    from game.engine.fleets import Fleet
    from game.engine.rules import Side
    from game.matches.draft import Draft
    from game.matches.saved import SavedMatch
    from game.matches.setup import Setup

P = TypeVar("P")
BITS = range(12, 16)
"""The switches in the header of a setup that are left for features."""


@dataclass(frozen=True)
class Kind(Generic[P]):
    """A kind of parts: the type of its values, and how they are written."""

    of: type[P]
    field: Field[P] = NOTHING
    bit: int | None = None
    """Its switch, one of BITS."""
    is_at_end: bool = False
    """Whether it is all that follows a match or a draft, as only one feature's can: tokens of 1.0
    end with a challenge."""
    start: Callable[[P, Fleet, int | None], SavedMatch] | None = None
    """What begins the match of a draft that has the part, if the core doesn't: it receives the
    part, the fleet and the hour."""
    of_draft: Callable[[Setup], bool] | None = None
    """Whether a draft of that setup has the part, which is written before all that follows it."""
    seat: Callable[[P], Side] | None = None
    """The side for which somebody at a device of their own places a draft that has the part."""


@dataclass(frozen=True)
class Model:
    """What a feature brings to matches and tokens. All of it is optional."""

    kinds: Sequence[Kind[Any]] = ()
    load: Callable[[str], Draft | SavedMatch] | None = None
    """Returns the game that a token of the feature leads to, for the terminal; raises BadToken."""
    opens: Callable[[str], object] | None = None
    """Opens a token whose key isn't of the keyring, such as a logbook; raises BadToken."""
    prepare: Callable[[], object] | None = None
    """Loads the files that an answer may need, once when a process starts."""
    ended: Callable[[str], SavedMatch] | None = None
    """Returns the ended match in a token of the feature; raises BadToken."""
    names: Mapping[str, Callable[[str], object]] = field(default_factory=dict)
    """Whether there is a page for the part of an address that has this name in the URLconf."""


@cache
def models() -> dict[str, Model]:
    """Returns the model of each feature that has one, by its name."""
    return dict(feature_list.parts())


@cache
def kinds() -> dict[type[Any], tuple[str, Kind[Any]]]:
    """Returns the kinds of parts by their types, each with the name of its feature."""
    return {kind.of: (name, kind) for name, row in models().items() for kind in row.kinds}


def kind_of(part: object) -> Kind[Any]:
    return kinds()[type(part)][1]


@cache
def with_bits() -> tuple[Kind[Any], ...]:
    """Returns the kinds that belong to a setup, in the order of their bits."""
    found = [kind for _name, kind in kinds().values() if kind.bit is not None]
    return tuple(sorted(found, key=lambda kind: kind.bit or 0))


def of_draft(setup: Setup) -> list[Kind[Any]]:
    """Returns the kinds that a draft has because its setup says so."""
    found = (kind for _name, kind in kinds().values())
    return [kind for kind in found if kind.of_draft and kind.of_draft(setup)]


@cache
def at_end() -> Kind[Any] | None:
    """Returns the kind that follows a match or a draft."""
    return next((kind for _name, kind in kinds().values() if kind.is_at_end), None)


def part_of(kind: type[P], parts: tuple[object, ...]) -> P | None:
    """Returns the part of that type; None if there is none."""
    return next((part for part in parts if isinstance(part, kind)), None)

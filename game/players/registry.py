"""Every mind there is, by its name."""

from __future__ import annotations

from game.players import ranks
from game.players.mind import Mind
from game.players.originals import bonn, camlship
from game.players.originals.drifter import Drifter
from game.players.originals.uppsala import Uppsala

_ALL: tuple[Mind, ...] = (
    *ranks.RANKS, bonn.EASY, bonn.MEDIUM, bonn.HARD, camlship.HARD, camlship.EASY, Uppsala(),
    Drifter(),
)  # fmt: skip

MINDS: dict[str, Mind] = {one.name: one for one in _ALL}
"""The minds under the names that stand in addresses and records."""


MINDS_VERSION = 1
"""Counts up whenever any mind would place, fire or steer otherwise than before: matches name the
edition they began with, so that none of a former one is called unfair. Tokens have room for 8.
"""


class NoSuchMind(ValueError):
    """The name is no mind's."""


def mind(name: str) -> Mind:
    """The mind of that name; raises NoSuchMind for any other."""
    try:
        return MINDS[name]
    except KeyError:
        raise NoSuchMind(f"no such mind: {name!r}") from None

"""All minds by name. What only needs names, codes or titles takes them from the registry."""

from __future__ import annotations

from game.players.mind import Mind
from game.players.originals import bonn, camlship
from game.players.originals.random_player import RandomPlayer
from game.players.originals.uppsala import Uppsala
from game.players.ranks import RANKS

MINDS: dict[str, Mind] = {
    mind.name: mind
    for mind in (
        *RANKS,
        bonn.EASY,
        bonn.MEDIUM,
        bonn.HARD,
        camlship.HARD,
        camlship.EASY,
        Uppsala(),
        RandomPlayer(),
    )
}
"""In the order of the registry."""


class NoSuchMind(ValueError):
    """The name is no mind's."""


def mind(name: str) -> Mind:
    """The mind of that name; raises NoSuchMind for any other."""
    try:
        return MINDS[name]
    except KeyError:
        raise NoSuchMind(f"no such mind: {name!r}") from None

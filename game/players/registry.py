"""Every mind there is: one row each."""

from __future__ import annotations

from typing import NamedTuple

from game.engine.translation import gettext_noop
from game.players import ranks
from game.players.mind import Mind
from game.players.originals import bonn, camlship
from game.players.originals.random_player import RandomPlayer
from game.players.originals.uppsala import Uppsala


class Row(NamedTuple):
    """A mind as pages and tokens know it."""

    mind: Mind
    code: int
    """What names it in tokens, from 1: never changed, never given to another."""
    title: str
    learns: bool = False
    """Whether it uses what earlier rounds taught of how the enemy places its fleets."""
    beside: tuple[str, str] = ("", "")
    """The next easier and the next harder opponent where those aren't the ranks beside it."""


_RECRUIT, _SAILOR, _LIEUTENANT, _CAPTAIN, _COMMODORE, _ADMIRAL = ranks.RANKS

ROWS = (
    Row(_RECRUIT, 5, gettext_noop("Recruit"), beside=("random", "sailor")),
    Row(_SAILOR, 6, gettext_noop("Sailor")),
    Row(_LIEUTENANT, 7, gettext_noop("Lieutenant")),
    Row(_CAPTAIN, 8, gettext_noop("Captain")),
    Row(_COMMODORE, 13, gettext_noop("Commodore"), learns=True),
    Row(_ADMIRAL, 9, gettext_noop("Admiral"), learns=True),
    Row(bonn.EASY, 1, gettext_noop("Bonn, easy"), beside=("sailor", "lieutenant")),
    Row(bonn.MEDIUM, 2, gettext_noop("Bonn, medium"), beside=("lieutenant", "captain")),
    Row(bonn.HARD, 3, gettext_noop("Bonn, hard"), beside=("lieutenant", "commodore")),
    Row(camlship.HARD, 10, gettext_noop("Camlship, hard"), beside=("camlship-easy", "sailor")),
    Row(camlship.EASY, 11, gettext_noop("Camlship, easy"), beside=("random", "recruit")),
    Row(Uppsala(), 12, gettext_noop("Uppsala"), beside=("random", "recruit")),
    Row(RandomPlayer(), 4, gettext_noop("Drifter"), beside=("", "recruit")),
)
"""In the order in which they are offered: the ranks of the strength slider first, weakest first."""

MINDS: dict[str, Mind] = {row.mind.name: row.mind for row in ROWS}
"""The minds under the names that stand in addresses and records."""
TITLES: dict[str, str] = {row.mind.name: row.title for row in ROWS}
"""What each is called, in English."""
CODES: dict[str, int] = {row.mind.name: row.code for row in ROWS}
LEARNERS = frozenset(row.mind.name for row in ROWS if row.learns)
"""The minds that learn, from round to round, how a person places fleets."""
RANK_NAMES = tuple(mind.name for mind in ranks.RANKS)


def neighbours(name: str | None) -> tuple[str, str]:
    """The next easier and harder opponents after a mind; each empty where there is none.

    For the originals by matches against the ranks in their own games: see docs/strength.md.
    """
    found = next((row.beside for row in ROWS if row.mind.name == name), ("", ""))
    if any(found) or name not in RANK_NAMES:
        return found
    at = RANK_NAMES.index(name)
    return RANK_NAMES[at - 1] if at else "", "".join(RANK_NAMES[at + 1 : at + 2])


"""The minds of the strength slider, the weakest first."""

MINDS_VERSION = 5
"""Goes up whenever any mind places, fires or steers otherwise than before: a match names the
version it began with, so that none is called unfair for what an earlier one did. Tokens have room
for 255.
"""


class NoSuchMind(ValueError):
    """The name is no mind's."""


def mind(name: str) -> Mind:
    """The mind of that name; raises NoSuchMind for any other."""
    try:
        return MINDS[name]
    except KeyError:
        raise NoSuchMind(f"no such mind: {name!r}") from None

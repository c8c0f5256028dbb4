"""The names, codes and titles of all minds: one row each. The minds are in `game.players.minds`."""

from __future__ import annotations

from typing import NamedTuple

from game.engine.translation import gettext_noop


class Row(NamedTuple):
    """A mind as pages and tokens know it."""

    name: str
    """What names it in addresses and records: never changed."""
    code: int
    """What names it in tokens, from 1: never changed, never given to another."""
    title: str
    learns: bool = False
    """Whether it uses what earlier rounds taught of how the enemy places its fleets."""
    beside: tuple[str, str] = ("", "")
    """The next easier and the next harder opponent where those aren't the ranks beside it."""


ROWS = (
    Row("recruit", 5, gettext_noop("Recruit"), beside=("random", "sailor")),
    Row("sailor", 6, gettext_noop("Sailor")),
    Row("lieutenant", 7, gettext_noop("Lieutenant")),
    Row("captain", 8, gettext_noop("Captain")),
    Row("commodore", 13, gettext_noop("Commodore"), learns=True),
    Row("admiral", 9, gettext_noop("Admiral"), learns=True),
    Row("bonn-easy", 1, gettext_noop("Bonn, easy"), beside=("sailor", "lieutenant")),
    Row("bonn-medium", 2, gettext_noop("Bonn, medium"), beside=("lieutenant", "captain")),
    Row("bonn-hard", 3, gettext_noop("Bonn, hard"), beside=("lieutenant", "commodore")),
    Row("camlship", 10, gettext_noop("Camlship, hard"), beside=("camlship-easy", "sailor")),
    Row("camlship-easy", 11, gettext_noop("Camlship, easy"), beside=("random", "recruit")),
    Row("uppsala", 12, gettext_noop("Uppsala"), beside=("random", "recruit")),
    Row("random", 4, gettext_noop("Drifter"), beside=("", "recruit")),
)
"""In the order in which they are offered: the ranks of the strength slider first, weakest first."""

TITLES: dict[str, str] = {row.name: row.title for row in ROWS}
"""What each is called, in English."""
CODES: dict[str, int] = {row.name: row.code for row in ROWS}
LEARNERS = frozenset(row.name for row in ROWS if row.learns)
"""The minds that learn, from round to round, how a person places fleets."""
RANK_NAMES = ("recruit", "sailor", "lieutenant", "captain", "commodore", "admiral")
"""The minds of the strength slider, the weakest first."""


def neighbours(name: str | None) -> tuple[str, str]:
    """The next easier and harder opponents after a mind; each empty where there is none.

    For the originals by matches against the ranks in their own games: see docs/strength.md.
    """
    found = next((row.beside for row in ROWS if row.name == name), ("", ""))
    if any(found) or name not in RANK_NAMES:
        return found
    at = RANK_NAMES.index(name)
    return RANK_NAMES[at - 1] if at else "", "".join(RANK_NAMES[at + 1 : at + 2])


MINDS_VERSION = 5
"""Goes up whenever any mind places, fires or steers otherwise than before: a match names the
version it began with, so that none is called unfair for what an earlier one did. Tokens have room
for 255.
"""

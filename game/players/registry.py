"""The names, codes and titles of all minds. The minds themselves are in `game.players.minds`."""

from typing import NamedTuple

from game.engine.presets import gettext_noop


class MindInfo(NamedTuple):
    name: str
    """What names it in addresses and records: never changed."""
    code: int
    """What names it in tokens, from 1: never changed, never given to another."""
    title: str
    easier: str = ""
    """The next easier mind, or empty; docs/research/strength.md has the matches that decided it."""
    harder: str = ""
    learns: bool = False
    """Whether it uses what earlier rounds taught of how the enemy places its fleets."""


class Proposed(NamedTuple):
    """The rank that suits a player."""

    rank: str
    is_even: bool
    """Whether the player beats it in about half of the matches; else it is only a weaker one."""


MIND_INFO = (
    MindInfo("recruit", 5, gettext_noop("Recruit"), "random", "sailor"),
    MindInfo("sailor", 6, gettext_noop("Sailor"), "recruit", "lieutenant"),
    MindInfo("lieutenant", 7, gettext_noop("Lieutenant"), "sailor", "captain"),
    MindInfo("captain", 8, gettext_noop("Captain"), "lieutenant", "commodore"),
    MindInfo("commodore", 13, gettext_noop("Commodore"), "captain", "admiral", learns=True),
    MindInfo("admiral", 9, gettext_noop("Admiral"), "commodore", "", learns=True),
    MindInfo("bonn-easy", 1, gettext_noop("Bonn, easy"), "sailor", "lieutenant"),
    MindInfo("bonn-medium", 2, gettext_noop("Bonn, medium"), "lieutenant", "captain"),
    MindInfo("bonn-hard", 3, gettext_noop("Bonn, hard"), "lieutenant", "commodore"),
    MindInfo("camlship", 10, gettext_noop("Camlship, hard"), "camlship-easy", "sailor"),
    MindInfo("camlship-easy", 11, gettext_noop("Camlship, easy"), "", "recruit"),
    MindInfo("uppsala", 12, gettext_noop("Uppsala"), "", "recruit"),
    MindInfo("random", 4, gettext_noop("Drifter"), "", "recruit"),
)
"""In the order in which they are offered: the ranks of the rank slider first, weakest first."""

TITLES: dict[str, str] = {info.name: info.title for info in MIND_INFO}
"""What each is called, in English."""
CODES: dict[str, int] = {info.name: info.code for info in MIND_INFO}
LEARNERS = frozenset(info.name for info in MIND_INFO if info.learns)
"""The minds that learn, from round to round, how a person places fleets."""
HABITS = ("edge", "inland", "corners", "across", "down", "clustered", "unlikely")
"""What learners notice of how a person places fleets: along the edge; off the edge; near corners;
across; down; all ships near one another; and where uniform fleets rarely are. The order never
changes."""
RANK_NAMES = ("recruit", "sailor", "lieutenant", "captain", "commodore", "admiral")
"""The minds of the rank slider, the weakest first."""
_STILL_RANKS = ("recruit", "sailor", "captain", "admiral")
"""Those that are offered where ships lie still, as chance leaves the other steps too small."""


def offered_ranks(*, moving: bool) -> tuple[str, ...]:
    """The ranks that differ enough where ships move or not, the weakest first."""
    return RANK_NAMES if moving else _STILL_RANKS


def neighbours(name: str | None, *, moving: bool) -> tuple[str, str]:
    """The next easier and the next harder mind that is offered; each empty if there is none."""
    easier = {one.name: one.easier for one in MIND_INFO}
    harder = {one.name: one.harder for one in MIND_INFO}
    hidden = set(RANK_NAMES).difference(offered_ranks(moving=moving))

    def next_in(steps: dict[str, str]) -> str:
        name_found = steps.get(name or "", "")
        while name_found in hidden:
            name_found = steps[name_found]
        return name_found

    return next_in(easier), next_in(harder)


MINDS_VERSION = 10
"""Goes up whenever any mind places, fires or steers otherwise than before: a match names the
version it began with, so that none is called unfair for what an earlier one did. Tokens have room
for 255.
"""

"""The setup of a match: rules, players, help and the score of earlier rounds."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from game.engine.actions import Outcome
from game.engine.codec import LAYOUT
from game.engine.presets import OWN, Preset
from game.engine.rules import Pair, Ruleset, Side
from game.matches.seed_shares import SeedShares
from game.players.registry import LEARNERS, MINDS_VERSION

LONGEST_NAME = 20
"""The longest name of a player, in characters."""
MOST_NAME_BYTES = 32
"""The most bytes of a name at a device of one's own, in UTF-8: beside the longest record there is
no more room in an address."""
MOST_LEARNT = 127
"""The largest number that is learnt of a habit: a token has a signed byte for each."""
_MOST_ROUNDS = 255
_DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", re.ASCII)
_FORMER_LIMIT = 75
"""Bonn's turn limit, of both sides, in the matches of layout 1."""
ASSISTS = ("hints", "coach", "back")
"""The kinds of help that a person may use, in the order in which records and results name them.
The last is an older address of today's sea: whoever goes back there knows more than it says."""
LINK_BYTES = 32
"""The length of a link of the chain that the seas of all days follow from."""
SEARCHED = "random"
"""Who places the fleet that one searches alone, and moves it where ships move."""


_PERSONS: dict[Pair[bool], tuple[Side, ...]] = {
    (False, False): (), (True, False): (Side.FIRST,), (False, True): (Side.SECOND,),
    (True, True): tuple(Side),
}  # fmt: skip
"""The sides of persons, by whether each is one: a page asks twenty times."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The rounds so far: won by each side, and drawn."""

    wins: Pair[int] = (0, 0)
    draws: int = 0

    @property
    def rounds(self) -> int:
        """The number of rounds that are over."""
        return sum(self.wins) + self.draws

    def with_round(self, winner: Side | None) -> Tally:
        """The tally with one more round. Counts stop at 255: a token has one byte for each."""
        first, second = self.wins
        match winner:
            case Side.FIRST:
                return replace(self, wins=(min(first + 1, _MOST_ROUNDS), second))
            case Side.SECOND:
                return replace(self, wins=(first, min(second + 1, _MOST_ROUNDS)))
        return replace(self, draws=min(self.draws + 1, _MOST_ROUNDS))


class Day(NamedTuple):
    """The day of a sea that everybody on a site searches."""

    date: str
    """As `2026-11-22`."""
    number: int
    """Of its link in the site's chain, from 1."""
    first_link: bytes
    """Of that chain, which commits the site to the fleet of every day."""

    def __str__(self) -> str:
        return f"day {self.date} {self.number} {self.first_link.hex()}"


def is_date(text: str) -> bool:
    """Whether a text is a date, though perhaps of a month that is shorter."""
    return _DATE.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Setup:
    """The rules, the players, and what the page shows.

    Help stays marked after it is switched off.
    """

    ruleset: Ruleset
    minds: Pair[str | None] = (None, "sailor")
    hints: bool = False
    coach: bool = False
    was_hinted: bool = False
    was_coached: bool = False
    went_back: bool = False
    """Whether today's sea went on at an older address than the player's device had seen."""
    preset: Preset = OWN
    loser_begins: bool = False
    names: Pair[str] = ("", "")
    """The names of two persons at one device; empty if they gave none."""
    tally: Tally = Tally()
    minds_version: int = MINDS_VERSION
    """The version of the minds when the match began."""
    layout: int = LAYOUT
    """The layout of its tokens and its record: the one that the match began with."""
    learns: bool = False
    """Whether the computer learns, from round to round, how the person places fleets."""
    learnt: tuple[int, ...] = ()
    """What the rounds before this one taught it: a number for each of HABITS, or nothing."""
    forgets: bool = False
    """Whether nothing of it goes on to the next round."""
    remote: bool = False
    """Whether two persons play at two devices."""
    day: Day | None = None
    """Of today's sea; None in every other match."""
    started_hour: int | None = None
    """When the match began, in whole hours since 1970 in UTC; None before, and where none told."""
    seed_shares: SeedShares | None = None
    """Of the seed, where a placing page has shown the hash of the server's."""
    seat: Side | None = None
    """Of two persons at two devices, the one a page is for; never in a token, which both have."""

    @property
    def persons(self) -> tuple[Side, ...]:
        """The sides played by persons."""
        first, second = self.minds
        return _PERSONS[first is None, second is None]

    @property
    def is_solo(self) -> bool:
        """Whether one person fires and nobody fires back."""
        return self.ruleset.solo

    @property
    def may_have_seed_shares(self) -> bool:
        """Whether a person who places a fleet can answer for one half of the seed."""
        return self.layout > 1 and len(self.persons) == 1 and not self.is_solo

    @property
    def is_shared(self) -> bool:
        """Whether two persons share the device."""
        return len(self.persons) == 2 and not self.remote

    @property
    def is_personal(self) -> bool:
        """Whether pages speak to one person, as "you"."""
        return len(self.persons) == 1 or self.seat is not None

    @property
    def assists(self) -> tuple[str, ...]:
        """The help used so far, from MARKS."""
        used = (self.hints or self.was_hinted, self.coach or self.was_coached, self.went_back)
        return tuple(assist for assist, is_used in zip(ASSISTS, used, strict=True) if is_used)

    def switched(self, *, hints: bool | None = None, coach: bool | None = None) -> Setup:
        """The setup with help switched on or off; None leaves it, and what was on stays marked."""
        return replace(
            self,
            hints=self.hints if hints is None else hints,
            coach=self.coach if coach is None else coach,
            was_hinted=self.hints or self.was_hinted,
            was_coached=self.coach or self.was_coached,
        )

    def marked_as(self, other: Setup) -> Setup:
        """The setup with the marks of another one, too."""
        return replace(
            self,
            was_hinted=self.was_hinted or other.hints or other.was_hinted,
            was_coached=self.was_coached or other.coach or other.was_coached,
            went_back=self.went_back or other.went_back,
        )

    @property
    def person(self) -> Side:
        """The side of the person that pages are for, else the first."""
        if self.seat is not None:
            return self.seat
        return Side.SECOND if self.persons == (Side.SECOND,) else Side.FIRST

    @property
    def opponent(self) -> str:
        """The name of the only person's opponent, or empty."""
        return self.minds[self.person.opponent] or ""

    def next_round(self, outcome: Outcome) -> Setup:
        """The setup of the next round after one with that outcome."""
        if self.is_solo:
            return self.renewed()
        rules = self.ruleset
        if self.loser_begins and outcome.winner is not None:
            rules = replace(rules, begins=outcome.winner.opponent)
        tally = self.tally.with_round(outcome.winner)
        return replace(self, ruleset=rules, tally=tally).renewed()

    def against(self, opponent: str) -> Setup:
        """The setup against another mind, from the first round; for a single person."""
        minds = (None, opponent) if self.minds[0] is None else (opponent, None)
        return replace(self, minds=minds, tally=Tally()).renewed()

    def renewed(self) -> Setup:
        """The setup of a new match with the same switches: no marks, today's layout and minds.

        What was learnt goes on, as the tally does. Where a preset's rules have changed since layout
        1, today's.
        """
        rules, today = self.ruleset, self.preset.ruleset
        if self.layout == 1 and self.preset is not OWN:
            turns = today.turns if rules.turns == _FORMER_LIMIT else rules.turns
            rules = replace(rules, turns=turns, named=today.named)
        learns = len(self.persons) == 1 and self.opponent in LEARNERS
        return replace(
            self, ruleset=rules, was_hinted=False, was_coached=False, went_back=False, day=None,
            started_hour=None, seed_shares=None, minds_version=MINDS_VERSION, layout=LAYOUT,
            learns=learns, learnt=self.learnt if learns and not self.forgets else (), forgets=False,
        )  # fmt: skip


def solo(rules: Ruleset, preset: Preset, *, hints: bool = False) -> Setup:
    """The setup for one person who searches alone: by these rules, but nobody fires back."""
    rules = replace(rules, solo=True, begins=Side.FIRST)
    return Setup(rules, (None, SEARCHED), hints=hints, preset=preset)

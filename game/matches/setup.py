"""The setup of a match: rules, players, assists and the score of earlier rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cached_property
from typing import NamedTuple, TypeVar

from game.engine.actions import Outcome
from game.engine.presets import OWN, Preset
from game.engine.rules import Pair, Ruleset, Side
from game.matches import daily
from game.matches.cell_names import CellNames, MatchPart, lettered
from game.matches.seed_shares import SeedShares
from game.players.registry import LEARNERS, MINDS_VERSION

P = TypeVar("P")
LONGEST_NAME = 20
LONGEST_TITLE, LONGEST_TASK = 40, 160
"""The most characters of what a teacher says of a match."""
MOST_NAME_BYTES = 32
"""The most bytes of a name at two devices, in UTF-8: an address with the longest record has no more
room."""
MOST_LEARNT = 127
"""The largest number that is learnt of a habit, because a token has a signed byte for each."""
_MOST_ROUNDS = 255
ASSISTS = ("hints", "coach", "back")
"""The kinds of help in the order of records and results. `back` means that a player has gone on
from an older address of today's sea, and so may have known more than that address shows."""
LINK_BYTES = 32
SEARCHED = "random"
"""The mind that places the fleet of a solo match, and moves it where ships move."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The rounds so far: won by each side, and drawn."""

    wins: Pair[int] = (0, 0)
    draws: int = 0

    @property
    def rounds(self) -> int:
        return sum(self.wins) + self.draws

    def with_round(self, winner: Side | None) -> Tally:
        """Returns the tally with one more round. Counts stop at 255, the largest byte."""
        first, second, draws = (
            min(count + (winner is side), _MOST_ROUNDS)
            for side, count in zip((*Side, None), (*self.wins, self.draws), strict=True)
        )
        return Tally((first, second), draws)


class Day(NamedTuple):
    """The day of a sea that everybody on a site searches."""

    date: date
    number: int
    """The number of its link in the site's chain, from 1."""
    first_link: bytes
    """The first link of that chain, which commits the site to the fleet of every day."""

    def __str__(self) -> str:
        return f"day {self.date} {self.number} {self.first_link.hex()}"


class Assists(NamedTuple):
    """The help that is switched on, and the help that was used before."""

    hints: bool = False
    coach: bool = False
    was_hinted: bool = False
    was_coached: bool = False
    went_back: bool = False
    """Whether today's sea went on at an older address than the player's device had seen."""

    @property
    def used(self) -> tuple[str, ...]:
        """All help used so far, from ASSISTS."""
        used = (self.hints or self.was_hinted, self.coach or self.was_coached, self.went_back)
        return tuple(assist for assist, is_used in zip(ASSISTS, used, strict=True) if is_used)

    def with_help(self, *, hints: bool | None = None, coach: bool | None = None) -> Assists:
        """The assists with hints or the coach switched on or off; None leaves them as they are."""
        return self.with_used(self)._replace(
            hints=self.hints if hints is None else hints,
            coach=self.coach if coach is None else coach,
        )

    def with_used(self, other: Assists) -> Assists:
        """The assists, with the help that was used in another state of the match."""
        return self._replace(
            was_hinted=self.was_hinted or other.hints or other.was_hinted,
            was_coached=self.was_coached or other.coach or other.was_coached,
            went_back=self.went_back or other.went_back,
        )


NO_HELP = Assists()


class Learning(NamedTuple):
    """What a computer that learns knows of how the person places fleets."""

    learnt: tuple[int, ...] = ()
    """What earlier rounds taught it: a number for each of HABITS, or nothing."""
    forgets: bool = False
    """Whether the next round begins without it."""


def part_of(kind: type[P], parts: tuple[object, ...]) -> P | None:
    """Returns what a feature has added of that type; None if there is none."""
    return next((part for part in parts if isinstance(part, kind)), None)


@dataclass(frozen=True)
class Setup:
    """The rules, the players, and what the page shows."""

    ruleset: Ruleset
    minds: Pair[str | None] = (None, "sailor")
    preset: Preset = OWN
    loser_begins: bool = False
    person_names: Pair[str] = ("", "")
    """The names of two persons, empty if they gave none."""
    tally: Tally = Tally()
    assists: Assists = NO_HELP
    learning: Learning | None = None
    """None if the computer doesn't learn."""
    remote: bool = False
    """Whether two persons play at two devices."""
    seat: Side | None = None
    """At two devices the side that a page is for; never in a token, which both sides have."""
    day: Day | None = None
    """The day of today's sea; None in every other match."""
    started_hour: int | None = None
    """When the match began, in whole hours since 1970 in UTC; None before it begins."""
    is_dealt: bool = False
    """Whether the person's fleet was dealt at random, not placed by hand."""
    seed_shares: SeedShares | None = None
    """The shares of the seed, if a placing page has shown the hash of the server's."""
    minds_version: int = MINDS_VERSION
    """The version of the minds when the match began."""
    title: str = ""
    task: str = ""
    """What a teacher calls the match, and what pupils do in it; empty in other matches."""
    parts: tuple[object, ...] = ()
    """What features have added; see game.matches.parts."""

    def part(self, kind: type[P]) -> P | None:
        return part_of(kind, self.parts)

    def with_part(self, part: object) -> Setup:
        """The setup with a part, in place of an earlier one of that kind."""
        others = (one for one in self.parts if type(one) is not type(part))
        return replace(self, parts=(*others, part))

    @cached_property
    def cell_names(self) -> CellNames:
        """How pages call the cells of the board."""
        for part in self.parts:
            if isinstance(part, MatchPart) and (names := part.cell_names):
                return names
        return lettered(self.ruleset.board)

    @cached_property
    def public(self) -> Setup:
        """The setup without what is hidden until the end."""
        return replace(self, seed_shares=None, learning=None)

    @cached_property
    def persons(self) -> tuple[Side, ...]:
        return tuple(side for side in Side if self.minds[side] is None)

    @property
    def is_solo(self) -> bool:
        """Whether one person fires and nobody fires back."""
        return self.ruleset.solo

    @property
    def may_have_seed_shares(self) -> bool:
        """Whether a person who places a fleet can answer with a share of the seed."""
        return len(self.persons) == 1 and not self.is_solo

    @cached_property
    def is_shared(self) -> bool:
        return len(self.persons) == 2 and not self.remote

    @property
    def is_personal(self) -> bool:
        """Whether pages speak to one person, as "you"."""
        return len(self.persons) == 1 or self.seat is not None

    @property
    def learnt(self) -> tuple[int, ...]:
        """What the computer has learnt of the person; empty if nothing."""
        return () if self.learning is None else self.learning.learnt

    @property
    def is_late(self) -> bool:
        """Whether the match of a day began when no clock showed that day any more."""
        if self.day is None or self.started_hour is None:
            return False
        started = datetime.fromtimestamp(self.started_hour * 60 * 60, UTC)
        return self.day.date < daily.open_days(started)[0]

    def with_help(self, *, hints: bool | None = None, coach: bool | None = None) -> Setup:
        """The setup with help switched on or off, as Assists.with_help does."""
        return replace(self, assists=self.assists.with_help(hints=hints, coach=coach))

    @cached_property
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
            return self.for_new_match()
        rules = self.ruleset
        if self.loser_begins and outcome.winner is not None:
            rules = replace(rules, begins=outcome.winner.opponent)
        tally = self.tally.with_round(outcome.winner)
        return replace(self, ruleset=rules, tally=tally).for_new_match()

    def against(self, opponent: str) -> Setup:
        """The setup against another mind, from the first round; for a single person."""
        minds = (None, opponent) if self.minds[0] is None else (opponent, None)
        return replace(self, minds=minds, tally=Tally()).for_new_match()

    def for_new_match(self) -> Setup:
        """The setup of a new match with the same switches and tally.

        What was learnt stays, unless it is to be forgotten. No help has been used yet.
        """
        learning = None
        if len(self.persons) == 1 and self.opponent in LEARNERS:
            is_kept = self.learning is not None and not self.learning.forgets
            learning = Learning(self.learnt if is_kept else ())
        return replace(
            self, assists=Assists(self.assists.hints, self.assists.coach), learning=learning,
            day=None, started_hour=None, seed_shares=None, minds_version=MINDS_VERSION,
        )  # fmt: skip


def solo(rules: Ruleset, preset: Preset, *, hints: bool = False) -> Setup:
    """The setup of a solo match by these rules, in which nobody fires back."""
    rules = replace(rules, solo=True, begins=Side.FIRST)
    return Setup(rules, (None, SEARCHED), preset=preset, assists=Assists(hints=hints))

"""A match with its setup: what a token holds and every page of a match shows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from game.engine.codec import LAYOUT
from game.engine.fleets import Fleet
from game.engine.match import Match
from game.engine.rules import Side
from game.matches import referee
from game.matches.record import Record
from game.matches.setup import Setup
from game.players.registry import MINDS


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match and its setup."""

    setup: Setup
    match: Match

    @property
    def viewer(self) -> Side:
        """The side that the page is drawn for; of two persons, the one to act."""
        takes_turns = self.setup.is_shared and self.match.outcome is None
        return self.match.side if takes_turns else self.setup.person

    def with_minds_played(self, *, most: int | None = None) -> SavedMatch:
        """The saved match after minds have acted, at most `most` times; see referee.play_minds."""
        first, second = self.setup.minds
        minds = (MINDS[first] if first else None, MINDS[second] if second else None)
        return replace(self, match=referee.play_minds(self.match, minds, most=most))

    def resigned(self, side: Side) -> SavedMatch:
        """The saved match after a side has given up; raises MatchOver.

        In today's layout: the first has no room for it.
        """
        return SavedMatch(replace(self.setup, layout=LAYOUT), self.match.resign(side))

    @property
    def record(self) -> Record:
        """The record to export."""
        setup = self.setup
        return Record(self.match, setup.minds, setup.marks, setup.minds_version, setup.layout)


def begin(setup: Setup, seed: bytes, *, first: Fleet = (), second: Fleet = ()) -> SavedMatch:
    """A match before its first shot; raises DoesNotFit.

    `first` and `second` are persons' fleets; a mind always places its own.
    """
    fleets = _fleet(setup, Side.FIRST, seed, first), _fleet(setup, Side.SECOND, seed, second)
    return SavedMatch(setup, Match(setup.ruleset, fleets, seed))


def _fleet(setup: Setup, side: Side, seed: bytes, placed: Fleet) -> Fleet:
    name = setup.minds[side]
    return placed if name is None else referee.deploy(MINDS[name], setup.ruleset, side, seed)

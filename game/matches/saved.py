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
from game.players.belief.habits import learn
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
        match = referee.play_minds(self.match, minds, learnt=self.setup.learnt, most=most)
        return replace(self, match=match)

    def resigned(self, side: Side) -> SavedMatch:
        """The saved match after a side has given up; raises MatchOver.

        In today's layout: the first has no room for it.
        """
        return SavedMatch(replace(self.setup, layout=LAYOUT), self.match.resign(side))

    def next_round(self) -> Setup:
        """The setup of the next round; raises ValueError before the end.

        The end has revealed both fleets, so a computer that learns knows how the person placed.
        """
        setup, outcome = self.setup, self.match.outcome
        if outcome is None:
            raise ValueError("a match that goes on has no next round")
        following = setup.next_round(outcome)
        if setup.forgets or not following.learns:
            return following
        fleet = self.match.fleets[setup.person]
        learnt = learn(setup.learnt, self.match.ruleset, fleet)
        # A token writes zeros for nothing, and a commitment has to be the same after it.
        return replace(following, learnt=learnt if any(learnt) else ())

    def forgetting(self) -> SavedMatch:
        """The ended match, of which nothing that was learnt goes on to the next round.

        What the computer knew in it stays, for its decisions followed from that. In today's
        layout, as `resigned` is. Raises ValueError before the end.
        """
        if not self.next_round().learns:
            return self
        return replace(self, setup=replace(self.setup, layout=LAYOUT, learns=True, forgets=True))

    @property
    def record(self) -> Record:
        """The record to export."""
        setup = self.setup
        return Record(
            self.match, setup.minds, setup.marks, setup.minds_version, setup.layout, setup.learnt
        )


def begin(setup: Setup, seed: bytes, *, first: Fleet = (), second: Fleet = ()) -> SavedMatch:
    """A match before its first shot; raises DoesNotFit.

    `first` and `second` are persons' fleets; a mind always places its own.
    """
    fleets = _fleet(setup, Side.FIRST, seed, first), _fleet(setup, Side.SECOND, seed, second)
    return SavedMatch(setup, Match(setup.ruleset, fleets, seed))


def _fleet(setup: Setup, side: Side, seed: bytes, placed: Fleet) -> Fleet:
    name = setup.minds[side]
    return placed if name is None else referee.deploy(MINDS[name], setup.ruleset, side, seed)

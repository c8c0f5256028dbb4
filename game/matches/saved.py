"""A match with its setup: what a token holds and every page of a match shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from game.engine.actions import Action
from game.engine.fleets import Fleet
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.rules import Side
from game.matches import referee
from game.matches.par import SECONDS, Par, work_out_par
from game.matches.record import Record
from game.matches.setup import Day, Learning, Setup, part_of
from game.players.roster import mind_of

P = TypeVar("P")


@dataclass(frozen=True)
class SavedMatch:
    setup: Setup
    match: Match
    par: Par | None = None
    """Only a search alone has a par. That of today's sea is known from the start."""
    parts: tuple[object, ...] = ()
    """What features have added to this match alone; see game.matches.parts."""

    @property
    def all_parts(self) -> tuple[object, ...]:
        """What features have a say in: the parts of match and setup, and the day."""
        setup = self.setup
        parts = self.parts + setup.parts
        return parts if setup.day is None else (*parts, setup.day)

    def part(self, kind: type[P]) -> P | None:
        return part_of(kind, self.parts + self.setup.parts)

    @property
    def viewer(self) -> Side:
        """The side that the page is drawn for; at a shared device the side to act."""
        takes_turns = self.setup.is_shared and self.match.outcome is None
        return self.match.side if takes_turns else self.setup.person

    @cached_property
    def seen(self) -> Observation:
        """What the viewer may know."""
        return observe(self.match, self.viewer)

    @property
    def day_key(self) -> Day | None:
        """The day of today's sea, its date first; None in every other match, and in a late one."""
        return None if self.setup.is_late else self.setup.day

    @property
    def history(self) -> tuple[object, ...]:
        """The actions, and at the end whether it was cut short, as that shows the ships too."""
        match = self.match
        return (*match.actions, match.outcome) if match.is_cut_short else match.actions

    def marked_as(self, other: SavedMatch, *, went_back: bool = False) -> SavedMatch:
        """Returns the saved match, with the help that was used in another state of it."""
        assists = self.setup.assists.with_used(other.setup.assists)
        assists = assists._replace(went_back=assists.went_back or went_back)
        return replace(self, setup=replace(self.setup, assists=assists))

    def acted(self, action: Action) -> SavedMatch:
        """Returns the saved match after a person's action; raises an IllegalAction or NotACell.

        Raises ValueError if a mind is to act.
        """
        if self.is_minds_turn:
            raise ValueError("a mind is to act")
        return replace(self, match=self.match.act(action))

    def with_minds_played(self, *, most: int | None = None) -> SavedMatch:
        """Returns the saved match after at most `most` actions of minds; see play_minds."""
        first, second = self.setup.minds
        minds = (mind_of(first) if first else None, mind_of(second) if second else None)
        match = referee.play_minds(self.match, minds, learnt=self.setup.learnt, most=most)
        return replace(self, match=match)

    def play_ai_batch(self) -> SavedMatch:
        """Returns the saved match after as many actions of minds as one answer waits for.

        `is_minds_turn` says whether there are more. Usually the person is to act.
        """
        return self.with_minds_played(most=referee.most_at_once(self.match.ruleset))

    @property
    def is_minds_turn(self) -> bool:
        match = self.match
        return match.outcome is None and self.setup.minds[match.side] is not None

    @property
    def is_par_due(self) -> bool:
        """Whether the player has searched alone to the end, and par isn't known yet."""
        return self.setup.is_solo and self.par is None and self.match.outcome is not None

    def with_par(self, seconds: float = SECONDS) -> SavedMatch:
        """Returns the saved match with its par if that is due, and found in that time."""
        if not self.is_par_due:
            return self
        return replace(self, par=work_out_par(self.match, seconds))

    def resigned(self, side: Side) -> SavedMatch:
        """Returns the saved match after a side has given up; raises MatchOver."""
        return replace(self, match=self.match.resign(side))

    def next_round(self) -> Setup:
        """Returns the setup of the next round; raises ValueError before the end.

        The end has revealed both fleets, so a computer that learns adds the person's.
        """
        setup, outcome = self.setup, self.match.outcome
        if outcome is None:
            raise ValueError("a match that goes on has no next round")
        following = setup.next_round(outcome)
        if following.learning is None or (setup.learning is not None and setup.learning.forgets):
            return following
        from game.players.belief.rounds import learn_round  # loads NumPy

        fleet = self.match.fleets[setup.person]
        learnt = learn_round(setup.learnt, self.match.ruleset, fleet)
        return replace(following, learning=Learning(learnt))

    def forgetting(self) -> SavedMatch:
        """Returns the ended match, after which the computer forgets all that it has learnt.

        What it knew stays in this match, because its decisions followed from that. Raises
        ValueError before the end.
        """
        if self.next_round().learning is None:
            return self
        learning = Learning(self.setup.learnt, forgets=True)
        return replace(self, setup=replace(self.setup, learning=learning))

    @property
    def record(self) -> Record:
        setup, seed_shares = self.setup, self.setup.seed_shares
        return Record(
            self.match, setup.minds, setup.assists.used, setup.minds_version, setup.learnt,
            setup.day, seed_shares and seed_shares.with_fleet(self.match.fleets[setup.person]),
        )  # fmt: skip

    @property
    def commitment(self) -> str:
        """The hash of the computer's commitment; empty without a computer."""
        return self.record.commitment or ""


def begin(
    setup: Setup, seed: bytes, *, first: Fleet = (), second: Fleet = (), hour: int | None = None
) -> SavedMatch:
    """Returns a match before its first shot; raises DoesNotFit.

    `first` and `second` are persons' fleets; a mind always places its own. `hour` becomes
    Setup.started_hour.
    """
    setup = replace(setup, started_hour=hour)
    first, second = (
        placed if name is None else referee.deploy(mind_of(name), setup.ruleset, side, seed)
        for side, name, placed in zip(Side, setup.minds, (first, second), strict=True)
    )
    return SavedMatch(setup, Match(setup.ruleset, (first, second), seed))

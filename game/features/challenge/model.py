"""A challenge: an ended match whose hidden fleet and seed a friend plays as well."""

from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple

from game.engine.actions import Result
from game.engine.codec import encode_actions, encode_rules, encode_ships
from game.engine.fleets import Fleet
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.rules import Side
from game.matches.results import MOST_RESULT
from game.matches.saved import SavedMatch
from game.matches.setup import NO_HELP, Learning, Setup, Tally
from game.players.registry import LEARNERS

KIND = 2
"""The code of challenges among the results that a browser keeps."""
LONGEST_ADDRESS = 4000
"""The most characters of a challenge's whole address. A longer one is not offered."""


class Score(NamedTuple):
    """How a player fared in a challenge."""

    name: str
    """Empty if the player gave none."""
    total: int
    """The shots of a search alone, else the player's turns."""
    is_won: bool
    assists: tuple[str, ...] = ()
    """All help used, from ASSISTS."""
    is_known: bool = False
    """Whether the player's device had opened the challenge before."""


@dataclass(frozen=True)
class Challenge:
    """An ended match with its seed, and who played it."""

    setup: Setup
    match: Match
    name: str = ""
    """The challenger's name, empty if they gave none."""
    was_known: bool = False
    """Whether the challenger's device had opened the same challenge before."""
    is_known: bool = False
    """In a friend's match, whether the friend's device had opened the challenge before."""
    answers: Score | None = None
    """The result that this match answers, if the challenge is sent back."""

    @property
    def score(self) -> Score:
        return score_of(self.setup, self.match, self.name, is_known=self.was_known)

    @property
    def key(self) -> bytes:
        """The rules, the hidden fleet and the seed, which a challenge sent back has as well."""
        hidden = self.match.fleets[self.setup.person.opponent]
        rules = self.match.ruleset
        return encode_rules(rules) + encode_ships(rules, hidden) + self.match.seed

    @cached_property
    def _hits(self) -> tuple[int, ...]:
        """The challenger's hits after each number of shots, from none on."""
        shots = observe(self.match, self.setup.person).counted
        hits = (shot.result is not Result.WATER for shot in shots)
        return tuple(accumulate(map(int, hits), initial=0))

    @property
    def shots(self) -> int:
        """The number of the challenger's shots."""
        return len(self._hits) - 1

    def pace(self, shots: int) -> int:
        """Returns the challenger's hits after so many shots, or at the end of fewer."""
        return self._hits[min(shots, self.shots)]

    def start(self, fleet: Fleet, hour: int | None) -> SavedMatch:
        """Returns the match of the draft that takes the challenge up; see Draft.start."""
        return take_up(self, fleet, hour)

    @property
    def for_friend(self) -> Setup:
        """The setup in which a friend plays the challenge.

        The version of the minds is that which placed the fleet, so that no other version is asked
        to place it again.
        """
        learns = self.setup.opponent in LEARNERS
        return replace(
            self.setup.for_new_match(), assists=NO_HELP, tally=Tally(),
            learning=Learning() if learns else None, minds_version=self.setup.minds_version,
        )  # fmt: skip


def challenge_of(
    setup: Setup, match: Match, name: str = "", *, was_known: bool = False,
    answers: Score | None = None,
) -> Challenge:  # fmt: skip
    """Returns the challenge of an ended match, without what was learnt of its player."""
    setup = replace(
        setup, learning=None, seed_shares=None, started_hour=None, is_dealt=False, tally=Tally()
    )
    return Challenge(setup, match, name, was_known=was_known, answers=answers)


def take_up(challenge: Challenge, fleet: Fleet = (), hour: int | None = None) -> SavedMatch:
    """Returns a challenge's match before its first shot, with the same hidden fleet and seed.

    `fleet` is the person's, empty in a search alone. No mind is asked to place its fleet again, so
    the challenge stays the same when minds change.
    """
    setup, fleets = replace(challenge.for_friend, started_hour=hour), challenge.match.fleets
    first, second = (fleet if side is setup.person else fleets[side] for side in Side)
    match = Match(setup.ruleset, (first, second), challenge.match.seed)
    return SavedMatch(setup, match, parts=(challenge,))


def may_challenge(setup: Setup, match: Match) -> bool:
    """Whether one person has played the match to its end, alone or against a mind."""
    return match.outcome is not None and len(setup.persons) == 1 and not setup.remote


def score_of(setup: Setup, match: Match, name: str, *, is_known: bool = False) -> Score:
    """Returns the person's score in an ended match; raises ValueError before the end."""
    if match.outcome is None:
        raise ValueError("a match that goes on has no score")
    seen = observe(match, setup.person)
    total = len(seen.counted) if setup.is_solo else seen.rounds_begun
    is_won = match.outcome.winner is setup.person
    return Score(name, total, is_won, setup.assists.used, is_known)


# --- what a device remembers of a challenge ---

ENDED = MOST_RESULT
"""The result of a challenge whose fleet this device has been shown, or that was made here. Of one
under way, the result is its number of actions and 5 bits of their hash."""
_HASH_BITS = 5


def progress(match: Match, plies: int) -> int:
    """Returns the result of a match under way after so many actions."""
    actions = encode_actions(match.ruleset, match.actions[:plies])
    return plies << _HASH_BITS | sha256(actions).digest()[0] >> 8 - _HASH_BITS


def is_newer(match: Match, seen: int) -> bool:
    """Whether a match has more actions than a result under way."""
    return match.ply > seen >> _HASH_BITS


def goes_on_from(match: Match, seen: int) -> bool:
    """Whether a match has begun with the actions of a result under way."""
    plies = seen >> _HASH_BITS
    return plies <= match.ply and seen == progress(match, plies)

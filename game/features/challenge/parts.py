"""How a challenge is written: in its own token, and behind the match or draft that takes it up."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from game.engine import codec
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.features.challenge.model import Challenge, Score, challenge_of, may_challenge, take_up
from game.matches import keyring
from game.matches.draft import Draft
from game.matches.fields import NOTHING, Field, Values, fixed, flags, number, table
from game.matches.keyring import Sealed
from game.matches.parts import Kind, Model
from game.matches.setup import ASSISTS
from game.matches.token_format import NAME, SAVED, SETUP, with_rules

PURPOSE = "challenge"

_SCORE = table(
    lambda it: Score(
        it.name, it.total, it.is_won, tuple(one for one in ASSISTS if getattr(it, one)), it.is_known
    ),
    lambda score: {one: one in score.assists for one in ASSISTS},
    name=NAME,
    total=number(2),
    marks=flags(*ASSISTS, "is_won", "is_known"),
)


def _ended(seed: bytes) -> Field[Match]:
    """Returns the field of an ended match: its bytes u16, these, and zeros to the most of them.

    So the length of a challenge depends on the number of its actions alone.
    """

    def write(match: Match) -> bytes:
        ended = codec.encode_ended(match)
        return len(ended).to_bytes(2, "big") + ended.ljust(codec.most_ended_bytes(match), b"\0")

    return Field(write, lambda reader: codec.decode_ended(reader.take(reader.number(2)), seed))


def _challenge(it: Values) -> Challenge:
    setup = with_rules(it.setup, it.match.ruleset)
    if not may_challenge(setup, it.match):
        raise codec.BadEncoding("nobody to challenge there")
    challenge = challenge_of(setup, it.match, it.name, was_known=it.was_known, answers=it.answers)
    return replace(challenge, is_known=it.is_known)


CHALLENGE = table(
    _challenge,
    lambda challenge: {"seed": challenge.match.seed},
    setup=SETUP,
    seed=fixed(SEED_BYTES),
    name=NAME,
    switches=flags("was_known", "is_known", "answers"),
    answers=lambda it: _SCORE if it.answers else NOTHING,
    match=lambda it: _ended(it.seed),
)
# Each shot of a friend brings the same one; 30 kB each.
_decode = lru_cache(maxsize=32)(CHALLENGE.decode)
unseal_challenge = Sealed(PURPOSE, CHALLENGE.write, _decode).unseal


def seal_challenge(challenge: Challenge) -> str:
    """Returns a challenge's token.

    Raises ValueError if it is too long for an address, or a match that takes it up.
    """
    fleet = challenge.match.fleets[challenge.setup.person]
    if not keyring.fits(SAVED.write(take_up(challenge, fleet))):
        raise ValueError("too long for an address: a match that takes up the challenge")
    return keyring.seal(PURPOSE, CHALLENGE.write(challenge))


def load(token: str) -> Draft:
    """Returns the draft that takes up the challenge in a token; raises BadToken."""
    challenge = replace(unseal_challenge(token), answers=None)
    return Draft(challenge.for_friend, parts=(challenge,))


_AT_END = Field(CHALLENGE.write, lambda reader: _decode(reader.rest()))
ROW = Model([Kind(Challenge, _AT_END, is_at_end=True, start=take_up)], load)

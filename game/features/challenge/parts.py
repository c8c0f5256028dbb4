"""How a challenge is written: in its own token, and in the match or draft that takes it up."""

from dataclasses import replace
from functools import lru_cache

from game.engine import codec
from game.engine.codec import Reader, encode_flags, encode_text
from game.features.challenge.model import Challenge, Score, challenge_of, take_up
from game.matches import keyring
from game.matches.draft import Draft
from game.matches.keyring import Sealed
from game.matches.parts import FeaturePart, PartFormat
from game.matches.setup import ASSISTS
from game.matches.token_format import decode_setup, encode_saved, encode_setup

PURPOSE = "challenge"


def encode(challenge: Challenge) -> bytes:
    """Returns a challenge; its length depends on the players and the number of actions alone."""
    answers = challenge.answers
    return b"".join((
        encode_setup(challenge.setup), codec.encode(challenge.match), encode_text(challenge.name),
        encode_flags(challenge.was_known, challenge.is_known, answers),
        _encode_score(answers) if answers else b"",
    ))  # fmt: skip


@lru_cache(maxsize=32)  # each shot of a friend brings the same one; 30 kB each
def decode(content: bytes) -> Challenge:
    """Returns the challenge in these bytes; raises a ValueError or LookupError."""
    reader = Reader(content)
    setup = decode_setup(reader)
    match, name = codec.decode(reader, setup.ruleset), reader.text()
    was_known, is_known, has_answers = reader.flags(3)
    answers = _decode_score(reader) if has_answers else None
    challenge = challenge_of(setup, match, name, was_known=was_known, answers=answers)
    return replace(challenge, is_known=is_known)


def _encode_score(score: Score) -> bytes:
    flags = encode_flags(*(one in score.assists for one in ASSISTS), score.is_won, score.is_known)
    return encode_text(score.name) + score.total.to_bytes(2, "big") + flags


def _decode_score(reader: Reader) -> Score:
    name, total = reader.text(), reader.number(2)
    *used, is_won, is_known = reader.flags(len(ASSISTS) + 2)
    assists = (one for one, is_used in zip(ASSISTS, used, strict=True) if is_used)
    return Score(name, total, is_won, tuple(assists), is_known)


unseal_challenge = Sealed(PURPOSE, encode, decode).unseal


def seal_challenge(challenge: Challenge) -> str:
    """Returns a challenge's token.

    Raises ValueError if it is too long for an address, or a match that takes it up.
    """
    rules, fleet = challenge.match.ruleset, challenge.match.fleets[challenge.setup.person]
    begun = encode_saved(take_up(challenge, fleet))
    if not keyring.fits(len(begun) + codec.action_bytes(rules, rules.most_actions)):
        raise ValueError("too long for an address: a match that takes up the challenge")
    return keyring.seal(PURPOSE, encode(challenge))


def load(token: str) -> Draft:
    """Returns the draft that takes up the challenge in a token; raises BadToken."""
    challenge = replace(unseal_challenge(token), answers=None)
    return Draft(challenge.for_friend, parts=(challenge,))


PART = FeaturePart([PartFormat(Challenge, 2, encode, decode)], load)

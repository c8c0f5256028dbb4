"""Drafts, matches and replays as tokens in addresses, and back."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from game.engine.codec import BadEncoding
from game.engine.match import Match
from game.matches import keyring, review_progress, token_format
from game.matches.challenge import Challenge
from game.matches.draft import Draft
from game.matches.duel import DUEL_ID_BYTES, Duel
from game.matches.keyring import BadToken, Purpose
from game.matches.review_progress import ReviewProgress
from game.matches.saved import SavedMatch, take_up
from game.matches.seats import Seats, decode_seats

T = TypeVar("T")

MOST_RECENT = 16
"""How many matches a process caches, each until its token is opened. A match takes 16 kB after 80
actions, and at most 150 kB. The cache saves a tenth of the time of a shot."""
recent: OrderedDict[bytes, SavedMatch] = OrderedDict()
"""The matches sealed last, by the content of their tokens. A token is unsealed before the lookup,
so a token whose key was dropped is refused."""


def _unseal(purpose: Purpose, token: str, decode: Callable[[bytes], T]) -> T:
    """Returns what a token holds; raises BadToken for any fault."""
    try:
        return decode(keyring.unseal(purpose, token))
    except BadEncoding as error:
        raise BadToken from error


def seal_match(saved: SavedMatch, nonce: bytes | None = None) -> str:
    content = token_format.encode_saved(saved)
    token = keyring.seal(Purpose.PLAY, content, nonce)
    if saved.match.outcome is None:
        recent[content] = saved
        recent.move_to_end(content)
        if len(recent) > MOST_RECENT:
            recent.popitem(last=False)
    return token


def unseal_match(token: str) -> SavedMatch:
    """Returns the saved match in a token; raises BadToken.

    Every action is judged again, unless this process has just sealed the match.
    """
    return _unseal(Purpose.PLAY, token, _decode_match)


def _decode_match(content: bytes) -> SavedMatch:
    return recent.pop(content, None) or token_format.decode_saved(content)


def seal_replay(saved: SavedMatch) -> str:
    """Returns a token with which an ended match can only be watched; twin of unseal_replay.

    It doesn't hold the seed. Raises ValueError before the end.
    """
    return keyring.seal(Purpose.REPLAY, token_format.encode_replay(saved))


def unseal_replay(token: str) -> SavedMatch:
    """Returns the ended match in a replay's token, with a seed of zeros; raises BadToken."""
    return _unseal(Purpose.REPLAY, token, token_format.decode_replay)


def unseal_ended(token: str) -> SavedMatch:
    """Returns the match in a token of a match, or of a duel that is over; raises BadToken."""
    try:
        return unseal_match(token)
    except BadToken:
        ended = unseal_duel(token).saved(None)
        if ended is None or ended.match.outcome is None:
            raise
        return ended


def seal_review_progress(match: Match, so_far: ReviewProgress) -> str:
    """Returns a review's progress as text; twin of unseal_review_progress.

    Raises ValueError if that is too long for an address.
    """
    return keyring.seal(Purpose.REVIEW_PROGRESS, review_progress.encode(match, so_far))


def unseal_review_progress(match: Match, text: str) -> ReviewProgress:
    """Returns the progress of that match's review; raises BadToken."""
    return _unseal(
        Purpose.REVIEW_PROGRESS, text, lambda content: review_progress.decode(match, content)
    )


def seal_draft(draft: Draft, nonce: bytes | None = None) -> str:
    return keyring.seal(Purpose.DRAFT, token_format.encode_draft(draft), nonce)


def unseal_draft(token: str) -> Draft:
    """Returns the draft in a token; raises BadToken."""
    return _unseal(Purpose.DRAFT, token, token_format.decode_draft)


def seal_challenge(challenge: Challenge) -> str:
    """Returns a challenge's token; twin of unseal_challenge.

    Raises ValueError if it is too long for an address, or a match that takes it up.
    """
    fleet = challenge.match.fleets[challenge.setup.person]
    if not keyring.fits(token_format.encode_saved(take_up(challenge, fleet))):
        raise ValueError("too long for an address: a match that takes up the challenge")
    return keyring.seal(Purpose.CHALLENGE, token_format.encode_challenge(challenge))


def unseal_challenge(token: str) -> Challenge:
    """Returns the challenge in a token, after judging every action; raises BadToken."""
    return _unseal(Purpose.CHALLENGE, token, token_format.decode_challenge)


# --- two persons at two devices ---


def seal_duel(duel: Duel) -> str:
    return keyring.seal(Purpose.DUEL, token_format.encode_duel(duel))


def unseal_duel(token: str) -> Duel:
    """Returns the duel in a token, after judging every action again; raises BadToken."""
    return _unseal(Purpose.DUEL, token, token_format.decode_duel)


def seal_invite(duel_id: bytes) -> str:
    """Returns the token of an invitation to a duel; twin of unseal_invite."""
    return keyring.seal(Purpose.INVITE, duel_id)


def unseal_invite(token: str) -> bytes:
    """Returns the id of the duel that an invitation is for; raises BadToken."""
    return keyring.unseal(Purpose.INVITE, token)


def seal_kept_seat(duel_id: bytes, seat_secret: bytes) -> str:
    """Returns a token that brings a seat to another device; twin of unseal_kept_seat."""
    return keyring.seal(Purpose.KEEP, duel_id + seat_secret)


def unseal_kept_seat(token: str) -> tuple[bytes, bytes]:
    """Returns the id of the duel and the secret of the seat; raises BadToken."""
    content = keyring.unseal(Purpose.KEEP, token)
    return content[:DUEL_ID_BYTES], content[DUEL_ID_BYTES:]


def seal_seats(seats: Seats) -> str:
    """Returns the seats of a browser as its cookie holds them; twin of unseal_seats."""
    return keyring.seal(Purpose.SEATS, seats.device + b"".join(seats.brought))


def unseal_seats(text: str) -> Seats:
    """Returns the seats in a cookie; raises BadToken."""
    return _unseal(Purpose.SEATS, text, decode_seats)

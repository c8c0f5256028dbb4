"""Drafts, matches and replays as tokens in addresses, and back.

Each `seal_…` returns the token of a value. Its twin `unseal_…` returns the value in a token, after
judging every action again; it raises BadToken.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

from game.matches import keyring
from game.matches.duel import DUEL_ID_BYTES
from game.matches.keyring import BadToken, Purpose, Sealed
from game.matches.saved import SavedMatch
from game.matches.seats import SEATS
from game.matches.token_format import DRAFT, DUEL, REPLAY, SAVED

MOST_RECENT = 16
"""How many matches a process caches, each until its token is opened. A match takes 16 kB after 80
actions, and at most 150 kB. The cache saves a tenth of the time of a shot."""
recent: OrderedDict[bytes, SavedMatch] = OrderedDict()
"""The matches sealed last, by the content of their tokens. A token is unsealed before the lookup,
so a token whose key was dropped is refused."""


def seal_match(saved: SavedMatch, nonce: bytes | None = None) -> str:
    content = SAVED.write(saved)
    token = keyring.seal(Purpose.PLAY, content, nonce)
    if saved.match.outcome is None:
        recent[content] = saved
        recent.move_to_end(content)
        if len(recent) > MOST_RECENT:
            recent.popitem(last=False)
    return token


def _decode_match(content: bytes) -> SavedMatch:
    # It isn't written again for comparison, which would take a third of the time.
    return recent.pop(content, None) or SAVED.decode(content, is_exact=False)


unseal_match = Sealed(Purpose.PLAY, SAVED.write, _decode_match).unseal
"""Actions are judged again, unless this process has just sealed the match."""
_REPLAYS = Sealed(Purpose.REPLAY, REPLAY.write, REPLAY.decode)
unseal_replay = _REPLAYS.unseal
"""The ended match has a seed of zeros."""


def seal_replay(saved: SavedMatch) -> str:
    """Returns a token with which an ended match can only be watched.

    It doesn't hold the seed, what was learnt of the person, or when the match began. Raises
    ValueError before the end.
    """
    setup = replace(saved.setup, learning=None, started_hour=None, seed_shares=None, is_dealt=False)
    return _REPLAYS.seal(replace(saved, setup=setup))


_DRAFTS = Sealed(Purpose.DRAFT, DRAFT.write, DRAFT.decode)
seal_draft, unseal_draft = _DRAFTS.seal, _DRAFTS.unseal


def unseal_ended(token: str) -> SavedMatch:
    """Returns the match in a token of a match, or of a duel that is over; raises BadToken."""
    try:
        return unseal_match(token)
    except BadToken:
        ended = unseal_duel(token).saved(None)
        if ended is None or ended.match.outcome is None:
            raise
        return ended


# --- two persons at two devices ---


_DUELS = Sealed(Purpose.DUEL, DUEL.write, DUEL.decode)
seal_duel, unseal_duel = _DUELS.seal, _DUELS.unseal
_INVITES = Sealed(Purpose.INVITE, bytes, bytes)
seal_invite, unseal_invite = _INVITES.seal, _INVITES.unseal
"""The id of the duel that an invitation is for."""
_SEATS = Sealed(Purpose.SEATS, SEATS.write, SEATS.decode)
seal_seats, unseal_seats = _SEATS.seal, _SEATS.unseal
"""The seats of a browser, as its cookie holds them."""


def seal_kept_seat(duel_id: bytes, seat_secret: bytes) -> str:
    """Returns a token that brings a seat to another device."""
    return keyring.seal(Purpose.KEEP, duel_id + seat_secret)


def unseal_kept_seat(token: str) -> tuple[bytes, bytes]:
    """Returns the id of the duel and the secret of the seat; raises BadToken."""
    content = keyring.unseal(Purpose.KEEP, token)
    return content[:DUEL_ID_BYTES], content[DUEL_ID_BYTES:]

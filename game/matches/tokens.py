"""Drafts, matches and replays as tokens in addresses, and back.

Each `seal_…` returns the token of a value. Its twin `unseal_…` returns the value in a token, after
judging every action again; it raises BadToken.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

from game.matches import keyring, parts
from game.matches.keyring import BadToken, NewerToken, Purpose, Sealed
from game.matches.saved import SavedMatch
from game.matches.token_format import DRAFT, REPLAY, SAVED

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
    """Returns the match in a token of a match, or the ended one in a token of a feature.

    Raises BadToken.
    """
    faults = list[BadToken]()
    for opened in (unseal_match, *(row.ended for row in parts.models().values() if row.ended)):
        try:
            return opened(token)
        except BadToken as error:
            faults.append(error)
    raise next((it for it in faults if isinstance(it, NewerToken)), faults[0])

"""Drafts, matches and replays as tokens in addresses, and back.

Each `seal_…` returns the token of a value. Its twin `unseal_…` returns the value in a token, after
judging every action again; it raises BadToken.
"""

from collections import OrderedDict

from game.matches import keyring
from game.matches.keyring import Purpose, Sealed
from game.matches.saved import SavedMatch
from game.matches.token_format import (
    decode_draft,
    decode_replay,
    decode_saved,
    encode_draft,
    encode_replay,
    encode_saved,
)

MOST_RECENT = 16
"""How many matches a process caches, each until its token is opened. A match takes 16 kB after 80
actions, and at most 150 kB. The cache saves a tenth of the time of a shot."""
recent: OrderedDict[bytes, SavedMatch] = OrderedDict()
"""The matches sealed last, by the content of their tokens. A token is unsealed before the lookup,
so a token whose key was dropped is refused."""


def seal_match(saved: SavedMatch, nonce: bytes | None = None) -> str:
    content = encode_saved(saved)
    token = keyring.seal(Purpose.PLAY, content, nonce)
    if saved.match.outcome is None:
        saved.match.keep_state()  # the next answer asks for it before and after the action
        recent[content] = saved
        recent.move_to_end(content)
        if len(recent) > MOST_RECENT:
            recent.popitem(last=False)
    return token


def _decode_match(content: bytes) -> SavedMatch:
    return recent.pop(content, None) or decode_saved(content)


unseal_match = Sealed(Purpose.PLAY, encode_saved, _decode_match).unseal
"""Actions are judged again, unless this process has just sealed the match."""
_REPLAYS = Sealed(Purpose.REPLAY, encode_replay, decode_replay)
seal_replay, unseal_replay = _REPLAYS.seal, _REPLAYS.unseal
"""With such a token an ended match can only be watched. It has a seed of zeros."""
_DRAFTS = Sealed(Purpose.DRAFT, encode_draft, decode_draft)
seal_draft, unseal_draft = _DRAFTS.seal, _DRAFTS.unseal

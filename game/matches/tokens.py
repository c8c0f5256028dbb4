"""Drafts, matches and replays as tokens in addresses, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from game.engine.codec import BadEncoding
from game.matches import keyring, token_format
from game.matches.draft import Draft
from game.matches.keyring import BadToken, Purpose
from game.matches.saved import SavedMatch

T = TypeVar("T")


def _unseal(purpose: Purpose, token: str, decode: Callable[[bytes], T]) -> T:
    """Whatever is wrong with a token, the error is the same."""
    try:
        return decode(keyring.unseal(purpose, token))
    except BadEncoding as error:
        raise BadToken from error


def seal_match(saved: SavedMatch) -> str:
    """The token of a saved match; twin of unseal_match."""
    return keyring.seal(Purpose.PLAY, token_format.encode_saved(saved))


def unseal_match(token: str) -> SavedMatch:
    """The saved match in a token, every action judged again; raises BadToken."""
    return _unseal(Purpose.PLAY, token, token_format.decode_saved)


def seal_replay(saved: SavedMatch) -> str:
    """A token that lets an ended match be watched and nothing else; twin of unseal_replay.

    It leaves the seed out. Raises ValueError before the end.
    """
    return keyring.seal(Purpose.REPLAY, token_format.encode_replay(saved))


def unseal_replay(token: str) -> SavedMatch:
    """The ended match in a replay's token, its seed all zeros; raises BadToken."""
    return _unseal(Purpose.REPLAY, token, token_format.decode_replay)


def seal_draft(draft: Draft) -> str:
    """The token of a draft; twin of unseal_draft."""
    return keyring.seal(Purpose.DRAFT, token_format.encode_draft(draft))


def unseal_draft(token: str) -> Draft:
    """The draft in a token; raises BadToken."""
    return _unseal(Purpose.DRAFT, token, token_format.decode_draft)

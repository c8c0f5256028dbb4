"""The tokens in what people paste or open, which messengers may have spoilt on the way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from game.matches import keyring
from game.matches.keyring import BadToken
from game.matches.parts import models
from game.ops.addresses import PossibleToken, possible_tokens


def tokens(text: str) -> Iterator[PossibleToken]:
    """Yields the tokens of this site in a text, and what is around each, the likeliest first."""
    seen = set[tuple[str, ...]]()
    for found in possible_tokens(text):
        if found[:3] not in seen and opens(found.token):
            seen.add(found[:3])
            yield found


def token_in(text: str) -> str:
    """Returns the token of this site in a text; empty if it has none."""
    return next((it.token for it in tokens(text)), "")


def opens(token: str) -> bool:
    """Returns whether this site has sealed a token, for whatever purpose."""
    for purpose in keyring.PURPOSES:
        try:
            keyring.unseal(purpose, token)
        except BadToken as error:
            if error.reason in ("spelling", "version", "key"):  # for every purpose
                break
        else:
            return True
    for model in models().values():
        with suppress(BadToken):
            if model.opens:
                model.opens(token)
                return True
    return False

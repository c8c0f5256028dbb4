"""Fuzzing guided by coverage (atheris): what a token may hold, opened, acted on and sealed again.

    .venv/bin/python -m tests.coverage_fuzz tests/corpus -max_total_time=600

The first byte of the input says whether the rest is a match, a draft or a film, and the second what
is clicked. Only what is no record is refused, by one error; whatever is taken is written the same
way.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace

import atheris

with atheris.instrument_imports(include=["game"]):
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    from game.engine import codec
    from game.engine.actions import STAY, Fire, IllegalAction
    from game.engine.geometry import Cell
    from game.matches import keyring, tokens


def clear(purpose: keyring.Purpose, token: str) -> bytes:
    """In place of opening: what is fuzzed is what a good seal may hold."""
    return bytes.fromhex(token)


def legible(purpose: keyring.Purpose, content: bytes) -> str:
    """In place of sealing."""
    return content.hex()


def try_one(data: bytes) -> None:
    """One input; raises for any fault."""
    if len(data) < 2:
        return
    content = data[2:]
    try:
        if data[0] == 2:
            public_replay = tokens.unseal_replay(content.hex())
            assert bytes.fromhex(tokens.seal_replay(public_replay)) == content
            return
        if data[0] % 2:
            draft = tokens.unseal_draft(content.hex())
            assert bytes.fromhex(tokens.seal_draft(draft)) == content
            return
        saved = tokens.unseal_match(content.hex())
    except keyring.BadToken:
        return
    assert bytes.fromhex(tokens.seal_match(saved)) == content
    try:
        action = STAY if data[1] == 255 else Fire(Cell(data[1]))
        acted = replace(saved, match=saved.match.act(action))
    except IllegalAction:
        return
    again = bytes.fromhex(tokens.seal_match(acted))
    assert len(again) == len(content)
    assert codec.decode(codec.encode(acted.match)) == acted.match


if __name__ == "__main__":
    keyring.seal, keyring.unseal = legible, clear
    atheris.Setup(sys.argv, try_one)
    atheris.Fuzz()

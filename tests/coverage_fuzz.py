"""Fuzzing guided by coverage (atheris): what a token may hold, opened, acted on and sealed again.

    .venv/bin/python -m tests.coverage_fuzz var/corpus -max_total_time=600

The first byte of the input says whether the rest is a match, a draft or a replay, and the second
what is clicked. Only what is no record is refused, by one error; whatever is taken is written the
same way. The golden tokens are the first inputs.
"""

import os
import sys
from dataclasses import replace
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["game"]):
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    from game.engine import codec
    from game.engine.actions import STAY, Fire, IllegalAction
    from game.engine.geometry import Cell
    from game.matches import keyring, tokens
    from tests.support import golden


def clear(purpose: str, token: str) -> bytes:
    """In place of opening: what is fuzzed is what a good seal may hold."""
    return bytes.fromhex(token)


def legible(purpose: str, content: bytes, nonce: bytes | None = None) -> str:
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
    assert codec.decode(codec.Reader(codec.encode(acted.match))) == acted.match


def write_corpus(folder: Path) -> None:
    """Writes what the golden tokens hold as inputs."""
    kinds: dict[str, int] = {
        keyring.Purpose.PLAY: 0,
        keyring.Purpose.DRAFT: 1,
        keyring.Purpose.REPLAY: 2,
    }
    for number, (name, [*_, token]) in enumerate(golden.tokens().items()):
        purpose = golden.purpose_of(name)
        if purpose is not None and purpose in kinds:
            content = golden.RING.unseal(purpose, token)
            (folder / f"golden-{number}.bin").write_bytes(bytes((kinds[purpose], 0)) + content)


if __name__ == "__main__":
    write_corpus(Path(sys.argv[1]))
    keyring.seal, keyring.unseal = legible, clear
    atheris.Setup(sys.argv, try_one)
    atheris.Fuzz()

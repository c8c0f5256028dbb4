"""Bad input is answered in sentences: without a traceback, and not in Python's spelling."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from game.engine.presets import PRESETS
from game.matches.record import write
from tests.support.bad_input import FUZZED, TYPED, is_plain
from tests.support.matches import ended

pytestmark = pytest.mark.fuzz

RECORD = write(ended(replace(PRESETS["bonn-still"].ruleset, turns=6)).record)
LINES = RECORD.splitlines()


def changed(at: int, part: int, text: str) -> str:
    """The record with a word of a line replaced."""
    words = LINES[at % len(LINES)].split(" ")
    words[part % len(words)] = text
    return "\n".join([*LINES[: at % len(LINES)], " ".join(words), *LINES[at % len(LINES) + 1 :]])


DAMAGED = st.one_of(
    st.text(max_size=80).map(str.encode),
    st.binary(max_size=80),
    st.builds(changed, st.integers(0), st.integers(0), TYPED).map(str.encode),
    st.integers(0, len(RECORD) - 2).map(lambda end: RECORD[:end].encode()),
    st.integers(0, len(LINES) - 1).map(lambda at: "\n".join(LINES[:at] + LINES[at + 1 :]).encode()),
).filter(lambda it: it.strip() != RECORD.strip().encode() and is_plain(it.decode(errors="replace")))


def refusal(command: str, *words: Any, **options: Any) -> str:
    """The one printable sentence by which a command refuses."""
    with pytest.raises(CommandError) as refused:
        call_command(command, *words, stdout=io.StringIO(), **options)
    says = str(refused.value)
    assert says.isprintable()
    return says


@FUZZED
@given(DAMAGED)
def test_verify_refuses_what_is_no_record_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "record.txt"
    path.write_bytes(content)
    assert is_plain(refusal("verify", str(path)))


@FUZZED
@given(st.text(min_size=1).filter(lambda text: not text.startswith("-")))
def test_verify_refuses_what_names_no_match(text: str) -> None:
    says = refusal("verify", text)
    assert says in (f"there is no file {text!r}", "neither a file nor a token of this site's keys")

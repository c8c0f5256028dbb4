"""What the documents show is true: transcripts, records, answers, and a match by curl.

`make examples` renews them. tests/test_documents.py checks the names and options of all commands.
"""

import io
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from django.core.management import call_command

from game.matches.seed_shares import SeedShares
from game.matches.tokens import seal_match
from tests.support import shown
from tests.support.documents import BLOCKS, DOCUMENTS, Block, code_of
from tests.support.matches import opening
from tests.support.served import served

PATIENCE = 120
"""Seconds after which a command counts as hung."""


def the_block(beginning: str) -> Block:
    (block,) = (block for block in BLOCKS if re.match(beginning, block.first))
    return block


@pytest.mark.deep
@pytest.mark.parametrize(
    "block", [block for block in BLOCKS if shown.kind_to_renew(block)], ids=str
)
def test_it_is_what_the_program_says_today(block: Block) -> None:
    assert block.text == shown.renewed(block), "`make examples` renews it"


def test_commands_that_read_a_match_accept_the_one_that_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "battleship.txt"
    record.write_text(the_block("battleship-record").text + "\n")
    shares = shown.example().record.seed_shares or SeedShares("")
    names = {
        "FILE": str(record), "battleship.txt": str(record),
        "HASH": shares.server_seed_hash, "SHARE": shares.client,
        "TOKEN": seal_match(opening()),
    }  # fmt: skip
    documents = "\n\n".join(DOCUMENTS.values())
    found = sorted(set(re.findall(r"manage\.py (.*)", "\n".join(code_of(documents)))))
    asked = [words for words in map(shlex.split, found) if not names.keys().isdisjoint(words)]
    assert len(asked) > 2
    for words in asked:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
        call_command(*(names.get(word, word) for word in words), stdout=io.StringIO())


@pytest.mark.deep
def test_a_whole_match_is_played_by_curl(tmp_path: Path) -> None:
    with served(tmp_path) as site:
        script = the_block("site=http").text.replace("http://localhost:8000", site)
        done = subprocess.run(
            ["sh", "-eu", "-c", script], capture_output=True, text=True, timeout=PATIENCE,
            check=True,
        )  # fmt: skip
    *told, outcome = done.stdout.splitlines()
    assert outcome in ("won", "lost", "draw")
    assert len(told) > 3
    assert not done.stderr

"""What the documents show is true: each of their blocks is of a kind, and each kind is tested.

`make examples` renews transcripts, records and answers. tests/test_documents.py checks the names
and options of all commands.
"""

import io
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from django.core.management import call_command, get_commands, load_command_class
from django.core.management.base import BaseCommand

from game.engine.rules import Side
from game.matches.seed_shares import SeedShares
from game.matches.tokens import seal_match
from game.players import minds
from tests.support import golden, shown
from tests.support.documents import BLOCKS, DOCUMENTS, Block, blocks_of, code_of, inline_code
from tests.support.features import merged
from tests.support.matches import opening
from tests.support.served import served

PATIENCE = 120
"""Seconds after which a command counts as hung."""

OTHERS = {
    r"(make [a-z]|\.venv/bin/\S+ (?!.*# measured))": "tests/test_documents.py checks options",
    r"\(?(sudo|docker|umask) ": "tests/test_service.py runs those of systemd",
    r"sed -i ": "tests/test_proxies.py changes nginx's example so",
    r"git pull": "tests/test_service.py takes the steps with systemd",
    r"\.venv/bin/python -m \S.*  # measured \d{4}-\d\d-\d\d$": "`make figures` measures it again",
    r"\w+ += +\"": "the grammar, whose words are tested below",
    r"site=http": "a match by curl, played below",
    r"POST /en/play/": "tests/web/test_pages.py sends such forms",
    r"cores = ": "a formula for operators",
    r"┌ features": "tests/test_features.py compares the drawing",
    **merged("SHOWN"),
}
"""By the beginning of a block that isn't renewed, why it is true."""


def kinds_of(block: Block) -> list[str]:
    kinds = [kind for kind in (shown.kind_to_renew(block),) if kind]
    kinds += [kind for kind in OTHERS if re.match(kind, block.first)]
    is_added = block.document == "docs/adding.md"  # tests/test_adding.py adds these to a copy
    is_formula = block.document == "docs/belief.md"
    return kinds or ["added"] * is_added or ["formula"] * is_formula


def test_each_block_is_of_one_kind() -> None:
    kinds = {block: kinds_of(block) for block in BLOCKS}
    assert [str(block) for block, found in kinds.items() if len(found) != 1] == []
    assert set(OTHERS) <= {kind for found in kinds.values() for kind in found}
    (unknown,) = blocks_of("docs/x.md", "Look:\n\n    SELECT 1;\n")
    assert kinds_of(unknown) == []


def the_block(beginning: str) -> Block:
    (block,) = (block for block in BLOCKS if re.match(beginning, block.first))
    return block


# --- what can be renewed ---


@pytest.mark.parametrize(
    "block", [block for block in BLOCKS if shown.kind_to_renew(block)], ids=str
)
def test_it_is_what_the_program_says_today(block: Block) -> None:
    assert block.text == shown.renewed(block), "`make examples` renews it"


def test_the_record_is_of_a_match_that_a_person_has_won() -> None:
    assert shown.example().match.outcome.winner is Side.FIRST
    hashed = the_block(r"\$ printf").text.splitlines()[1].split()[0]
    assert f"commitment {hashed}" in the_block("battleship-record").text.splitlines()


# --- commands; the grammar of records ---


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


TABLES = merged("TABLES")
"""The documents with a table of options, and their commands."""


def options_of(document: str) -> dict[str, list[list[str]]]:
    """The options in a document's table, each with the arguments that its row shows."""
    found: dict[str, list[list[str]]] = {}
    for row in re.findall(r"^\| (`--.*) \|$", DOCUMENTS[document], re.MULTILINE):
        codes = [shlex.split(code) for code in inline_code(row)]
        option = codes[0][0]
        whole = [words if words[0].startswith("--") else [option, *words] for words in codes]
        found[option] = [
            words for words in whole if not any(re.fullmatch("[A-Z_]+", word) for word in words)
        ]
    return found


@pytest.mark.parametrize("document", TABLES)
def test_each_option_of_a_table_does_what_is_shown(
    document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown_arguments = [words for rows in options_of(document).values() for words in rows]
    assert len(shown_arguments) > 5
    for words in shown_arguments:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
        call_command(TABLES[document], *words, stdout=io.StringIO())


@pytest.mark.parametrize("document", TABLES)
def test_a_table_names_each_option(document: str) -> None:
    name = TABLES[document]
    own = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    every = BaseCommand().create_parser("manage.py", name)
    options = [set(re.findall(r"--[a-z-]+", parser.format_help())) for parser in (own, every)]
    assert options[0] - options[1] == set(options_of(document))


def test_the_grammar_names_each_word_of_a_record() -> None:
    quoted = re.findall(r'"([^"]*)"', the_block(r"\w+ += +\"").text)
    kept = golden.read().items()
    written = "".join(texts[-1] for name, texts in kept if name.startswith("record, "))
    said = set(re.findall(r"(?<![0-9A-Za-z])[a-z]+(?![0-9a-z])", written))
    assert said - set(re.findall("[a-z]+", " ".join(quoted))) <= set(minds.MINDS)
    assert len(said) > 20


# --- other kinds ---


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

"""Commands where Python has only what it has on Windows."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.support.device import asked
from tests.support.documents import BLOCKS
from tests.support.features import brought
from tests.support.served import ROOT, environment, free_port, is_open, python, running

WINDOWS = {"PYTHONPATH": str(ROOT / "tests/support/windows")}
RECORD = next(block.text for block in BLOCKS if block.first == "battleship-record 5")
ROWS = """-c 'import battleships_site.wsgi; from game.ops import database
database.prepare(); print("windows")'"""
COMMANDS = [row for rows in brought("COMMANDS").values() for row in rows]


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "typed", "says"),
    [
        ("manage.py check", "", "no issues"),
        ("manage.py keys make", "", "first link"),
        ("manage.py verify -", RECORD, "The computer played fair."),
        (ROWS, "", "windows"),
        *((f"manage.py {words}", *others) for words, *others in COMMANDS),
    ],
)
def test_a_command_needs_no_more(words: str, typed: str, says: str, tmp_path: Path) -> None:
    done = python(*shlex.split(words), lines=typed, BATTLESHIP_DATA=str(tmp_path), **WINDOWS)
    assert (says in done.stdout, done.returncode) == (True, 0), done.stderr


@pytest.mark.long
def test_it_is_served_there_by_a_process_that_ends_with_the_command(tmp_path: Path) -> None:
    log, port = tmp_path / "log", free_port()
    words, env = [sys.executable, "manage.py", "serve", f"--port={port}"], environment() | WINDOWS
    with running(words, log, lambda: "http://" in log.read_text(), cwd=ROOT, env=env):
        assert asked(port, "/en/").status == 200
    assert not is_open(port)

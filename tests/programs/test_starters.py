"""Starters play by the rules, and `check-engine` says what is wrong with other engines."""

import re
import shlex
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.programs import samples
from tests.support.documents import ROOT
from tests.support.missing import skip_without

STARTERS = ROOT / "docs/starters"
PROGRAMS = {"thirty.py": sys.executable, "starter.js": "node", "Starter.java": "java"}


def checked(command: str, **options: str) -> str:
    out = StringIO()
    call_command("check_engine", command, stdout=out, **options)
    return out.getvalue()


@pytest.mark.parametrize("name", ["thirty.py", "starter.js", "Starter.java", "starter.c"])
def test_a_starter_plays_by_the_rules_of_every_preset(name: str, tmp_path: Path) -> None:
    file = STARTERS / name
    assert len(file.read_text().splitlines()) <= 40
    program = PROGRAMS.get(name, "gcc")
    skip_without(shutil.which(program), program, is_demanded=False)
    if name == "starter.c":
        file = tmp_path / "starter"
        subprocess.run(["gcc", "-O2", "-o", file, STARTERS / name], check=True)
    said = checked(str(file))
    assert re.fullmatch(rf"{file.name} plays by the rules: \d+ games, .* took \d+ ms\.\n", said)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"aim": fire', '"aim": lambda: "fire b7"',
         r"Line 5: the engine answered aim with 'fire b7': not a cell: 'b7'\."),
        ('"hello 1 thirty"', '"Thirty 1.0"',
         r"Line 1: the engine answered hello 1 with 'Thirty 1.0': not hello 1 NAME\."),
        ("flush=True", "", r"Line 1: the engine gave no answer to hello 1 within 30 s\. Does it "
                           r"flush each answer\?"),
        ('"quit": sys.exit', '"quit": lambda: "bye"',
         r"Line 2: the engine answered quit with 'bye', where it should end\."),
        ('"deploy": fleet', '"deploy": lambda: "fleet A1h5"', r"Line 3: the engine answered deploy "
         r"with 'fleet A1h5': missing ships of length: 4, 4, .*"),
    ],
)  # fmt: skip
def test_it_says_what_is_wrong_at_which_line(
    old: str, new: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "flush" in old:
        monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
        monkeypatch.setattr("game.features.programs.engine_referee.START_SECONDS", 1)
        fault = fault.replace("30 s", "1 s")
    text = samples.THIRTY.read_text()
    assert old in text
    file = tmp_path / "engine.py"
    file.write_text(text.replace(old, new))
    with pytest.raises(CommandError) as refused:
        checked(shlex.join([sys.executable, str(file)]))
    assert re.fullmatch(fault, str(refused.value)), str(refused.value)

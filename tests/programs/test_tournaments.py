"""`manage.py tournament`: it goes on after an interruption, and no engine stops it."""

import csv
import re
import shlex
import sys
from html.parser import HTMLParser
from io import StringIO
from math import log10
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from game.features.programs.crosstable import ratings
from tests.programs import samples

MINDS = ("mind:random", "mind:bonn-easy", "<b>=mind:random")


def tabled(folder: Path, *engines: str, **options: str) -> list[list[str]]:
    """The rows of the table as CSV, without the times."""
    usual = {"games": "2", "preset": "short", "seed": "1", "jobs": "1", "verbosity": 0}
    call_command("tournament", *engines, stdout=StringIO(), results=str(folder), **usual | options)
    rows = list(csv.reader((folder / "table.csv").read_text().splitlines()))
    return [row[:-1] for row in rows]


def test_it_goes_on_after_an_interruption_and_gives_the_same_table(tmp_path: Path) -> None:
    engines = (*MINDS[:2], "rook=mind:random")
    whole = tabled(tmp_path / "whole", *engines)
    assert [row[1] for row in whole[1:]] == ["bonn-easy", "random", "rook"] or len(whole) == 4
    lines = (tmp_path / "whole/results.jsonl").read_text().splitlines(keepends=True)
    assert len(lines) == 1 + 3
    cut = tmp_path / "cut"
    cut.mkdir()
    (cut / "results.jsonl").write_text("".join(lines[:2]) + lines[2][:40])
    assert tabled(cut, *engines, jobs="2") == whole
    assert (cut / "results.jsonl").read_text().splitlines()[1] == lines[1].strip()
    assert tabled(cut, *engines) == whole, "nothing is left to be played"


def engine(folder: Path, name: str, old: str, new: str) -> str:
    text = samples.THIRTY.read_text()
    assert old in text
    file = folder / f"{name}.py"
    file.write_text(text.replace(old, new))
    return shlex.join([sys.executable, str(file)])


def test_engines_that_crash_cheat_keep_silent_or_flood_lose_and_the_tournament_goes_on(
    tmp_path: Path,
) -> None:
    bad = {
        "crashes": "lambda: 1 / 0",
        "cheats": 'lambda: "fire A1"',
        "silent": 'lambda: __import__("time").sleep(60)',
        "floods": 'lambda: "x" * 10**6',
    }
    commands = [engine(tmp_path, name, '"aim": fire', f'"aim": {new}') for name, new in bad.items()]
    engines = ("mind:random", *commands, "gone=/no/such/engine", "hello=echo hi")
    rows = tabled(tmp_path, *engines, games="4", seconds="0.5")
    heads, best, *others = rows
    assert best[1] == "random"
    assert best[2] == "1.000"
    fouls = {row[1]: int(row[heads.index("fouls")]) for row in others}
    assert all(fouls.values())
    text = (tmp_path / "table.txt").read_text()
    for name, said in {
        "crashes.py": "ended with status 1: ZeroDivisionError: division by zero",
        "cheats.py": "broke a rule: nothing new to learn there: A1",
        "silent.py": "gave no answer to aim within 0.5 s",
        "floods.py": "answered with a line of more than 16384 bytes",
        "gone": "can't be started: No such file or directory: /no/such/engine",
        "hello": "answered hello 1 with 'hi': not hello 1 NAME",
    }.items():
        pattern = rf"^{re.escape(name)} lost (?:a game|\d+ games) by fouls, first to \S+: it .*\.$"
        assert re.findall(pattern, text, re.MULTILINE), text
        assert said in text, text


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.names = set[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)


def test_the_page_shows_names_as_text_and_has_no_script(tmp_path: Path) -> None:
    named = tmp_path / "<b>.py"
    named.write_text(samples.THIRTY.read_text())
    tabled(tmp_path, str(named), "mind:random")
    page = (tmp_path / "table.html").read_text()
    assert "&lt;b&gt;.py" in page
    assert not {"b", "script", "link", "img"} & Tags(page).names


def test_elo_is_what_the_points_of_two_engines_say() -> None:
    pytest.importorskip("choix")
    (one, error), (other, _) = ratings(np.array([[0.0, 70.5], [28.5, 0.0]]))  # type: ignore[misc]
    assert one == pytest.approx(200 * log10(71 / 29))
    assert other == pytest.approx(-one)
    # The error of a difference d of logits is 1 / sqrt(n p q); each engine has half of it.
    assert error == pytest.approx(400 / np.log(10) / np.sqrt(100 * 0.71 * 0.29) / 2)
    assert ratings(np.array([[0.0, 9.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])) == [None] * 3


@pytest.mark.parametrize(
    ("engines", "options"),
    [
        ([], {}),
        (["mind:random"], {}),
        (["mind:random", "mind:nobody"], {}),
        (["mind:random", ""], {}),
        (["mind:random", "it's"], {}),
        (["mind:random", "{folder}"], {}),
        (["mind:random"] * 2, {"preset": "chess"}),
        (["mind:random"] * 2, {"games": "3"}),
        (["mind:random"] * 2, {"games": "0"}),
        (["mind:random"] * 2, {"jobs": "many"}),
        (["mind:random"] * 2, {"seconds": "nan"}),
        (["mind:random"] * 2, {"seed": "x"}),
        (["mind:random"] * 2, {"list": "/no/such/list"}),
        (["mind:random"] * 2, {"results": "/dev/null/there"}),
    ],
)
def test_a_bad_command_line_gets_one_sentence(
    engines: list[str], options: dict[str, str], tmp_path: Path
) -> None:
    named = [name.format(folder=tmp_path) for name in engines]
    with pytest.raises(CommandError) as refused:
        tabled(Path(options.pop("results", tmp_path)), *named, **options)
    assert re.fullmatch(r"[A-Z/-][^\n]+\.", str(refused.value)), str(refused.value)


def test_results_of_other_terms_or_of_something_else_are_refused(tmp_path: Path) -> None:
    tabled(tmp_path, "mind:random", "mind:bonn-easy")
    with pytest.raises(CommandError, match=r"has a tournament with other terms: preset short"):
        tabled(tmp_path, "mind:random", "mind:bonn-easy", games="4")
    for text in ("no JSON\n", "[]\n", "{}\n"):
        (tmp_path / "results.jsonl").write_text(text)
        with pytest.raises(CommandError, match=r"is no file of a tournament\.$"):
            tabled(tmp_path, "mind:random", "mind:bonn-easy")

"""What the documents show is true: each of their blocks is run.

Every block is of one kind, and each kind has a test. `make examples` renews transcripts, records
and answers.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command, load_command_class
from django.core.management.base import BaseCommand
from django.test import Client

from bench.__main__ import main, parser_of
from game.deduction import referee
from game.deduction.match import MOST_GUESSES, Mode
from game.deduction.rules import MELBOURNE
from game.deduction.searchers import SEARCHERS
from game.deduction.terminal import Terminal
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Side
from game.matches.keyring import kid_of
from game.matches.record import Record, write
from game.matches.seed_shares import SeedShares
from game.matches.setup import Day
from game.matches.tokens import seal_challenge, seal_match, unseal_match
from game.ops import secrets
from game.players import minds
from game.players.protocol_rules import terms_from_json
from tests.support import shown
from tests.support.documents import BLOCKS, DOCUMENTS, ROOT, Block, blocks_of, inline_code
from tests.support.matches import address, ended, opening, played, searching
from tests.support.served import served

PATIENCE = 120
"""Seconds after which a command counts as hung."""
MEASURED = re.compile(r"\.venv/bin/python -m (\S.*)  # measured \d{4}-\d\d-\d\d$")
PROGRAM = re.compile(r"(make [a-z]|\.venv/bin/\S+ \S)")

KINDS: dict[str, Callable[[Block], Any]] = {
    "commands": lambda block: all(map(PROGRAM.match, block.text.splitlines())),
    "dialogue": lambda block: shown.kind_to_renew(block) == "dialogue",
    "record": lambda block: shown.kind_to_renew(block) == "record",
    "session": lambda block: shown.kind_to_renew(block) == "session",
    "page": lambda block: shown.kind_to_renew(block) == "page",
    "transcript": lambda block: shown.kind_to_renew(block) == "transcript",
    "grammar": lambda block: re.match(r"\w+ +=  *\"", block.first),
    "rules": lambda block: block.first.startswith('{"columns"'),
    "added": lambda block: block.document == "docs/adding.md" and not PROGRAM.match(block.first),
    "facts": lambda block: re.match(r"0,2,1 {2,}", block.first),
    "click": lambda block: block.first.startswith("POST "),
    "tree": lambda block: re.match(r"\w+/ {2,}", block.first),
    "capacity": lambda block: block.first.startswith("cores = "),
    "operator": lambda block: re.match(r"\(?(sudo|docker|umask) ", block.first),
    "measured": lambda block: MEASURED.match(block.first),
    "curl": lambda block: block.first.startswith("site=http"),
    "engine": lambda block: block.first == "import json, random, sys",
    "mathematics": lambda block: (
        block.document == "docs/belief.md" and not PROGRAM.match(block.first)
    ),
}
"""How each kind of block begins. A block of no kind fails."""
NOT_RUN = {
    "added": "tests/test_adding.py adds them to a copy of the project",
    "engine": "tests/test_match.py has it play",
    "operator": "tests/test_image.py and tests/test_service.py run them",
    "mathematics": "definitions for readers; tests/test_belief.py counts what they say",
}


def kinds_of(block: Block) -> list[str]:
    return [kind for kind, is_one in KINDS.items() if is_one(block)]


def of_kind(kind: str) -> pytest.MarkDecorator:
    blocks = [block for block in BLOCKS if kind in kinds_of(block)]
    return pytest.mark.parametrize("block", blocks, ids=str)


def test_each_block_is_of_one_kind() -> None:
    for block in BLOCKS:
        assert len(kinds_of(block)) == 1, block


def test_each_kind_is_shown_somewhere_and_has_a_test() -> None:
    source = Path(__file__).read_text()
    for kind in KINDS:
        assert any(kind in kinds_of(block) for block in BLOCKS), kind
        is_asked = kind == "commands" or kind in shown.RENEWED
        assert is_asked or kind in NOT_RUN or f'@of_kind("{kind}")' in source, kind


@pytest.mark.parametrize(
    "text",
    ["Look:\n\n    SELECT 1;\n", "1. Look:\n\n       x = 1\n", "\n    make run\n    rm -r /\n"],
)
def test_a_block_of_no_kind_is_seen(text: str) -> None:
    (block,) = blocks_of("docs/x.md", text)
    assert kinds_of(block) == []


# --- what can be renewed ---


@pytest.mark.parametrize(
    "block", [block for block in BLOCKS if shown.kind_to_renew(block)], ids=str
)
def test_it_is_what_the_program_says_today(block: Block) -> None:
    assert block.text == shown.renewed(block), "`make examples` renews it"


@of_kind("record")
def test_the_record_is_of_a_match_that_a_person_has_won(block: Block) -> None:
    record = shown.example().record
    assert record.match.outcome.winner is Side.FIRST
    assert f"commitment {_hash_of_statement()}" in block.text.splitlines()


def _hash_of_statement() -> str:
    (session,) = (block for block in BLOCKS if "session" in kinds_of(block))
    return session.text.splitlines()[1].split()[0]


# --- commands ---

SERVERS = {
    "make run": "make --old-file .venv/.ready run",
    ".venv/bin/python manage.py runserver": "{} --noreload 127.0.0.1:$PORT",
}
"""Commands that serve until they are stopped, and how to start each on a port of its own."""
QUICKLY = {
    "-m bench selfplay": "--games 2 --preset camlship",
    "-m bench calibration --of belief": "--shots 20 --seas bonn-moving",
    "-m bench calibration --of review": "--matches 1",
    "-m bench deduction": "--most 3",
    "-m bench manner --presets": "--presets short --matches 2",
    "-m bench manner --draw": "--draw 2",
    "-m bench ask": "--boards 0 --games 2",
    "-m bench habits": "--games 2 --seas five-apart --families edge",
    "-m bench worst": "--only robots",
    "manage.py keys daily": "--anew",
}
"""Arguments that make a command end soon, write to no folder of the project, fail instead of
warning, or repeat what `keys make` has done."""
BENCH = ".venv/bin/python -m bench"
RUN = (".venv/bin/python manage.py ", BENCH, "make help")
"""Commands that begin like this end soon by themselves, unless a table lists them."""
ONLY_PARSED = {
    "manage.py match": "needs the file of another block; tests/test_match.py runs the command",
    "make setup": "fetches packages into .venv",
    "make static": "clears the folder that other tests read",
    "make t": "runs a test",
    "make test": "runs this test",
    "make test-fast": "runs this test",
    "make check": "runs this test",
    "make lint": "takes minutes; tests/test_makefile.py runs what it calls",
    "make fuzz": "takes minutes",
    "make cluster-test": "takes minutes, and needs HAProxy",
    "make wheel": "clears its folder; tests/test_wheel.py builds the same",
    "make wheel-test": "runs a test",
    "make long": "takes minutes",
    "make soak": "takes hours",
    "make bench": "takes an hour",
    "-m bench puzzles --matches": "takes an hour; tests/puzzles makes some",
    "-m bench puzzles --check": "recounts 1,500 puzzles; tests/puzzles recounts 100",
    "-m bench puzzles --solve": "takes minutes; tests/puzzles/test_making.py has a mind answer",
    "-m bench strength --ladder": "takes half an hour; tests/test_ladder.py prints a part",
    "-m bench strength --games": "takes half an hour; tests/test_ladder.py draws a part",
    "make calibration": "takes an hour; `-m bench calibration` is run",
    "make worst": "takes an hour; `-m bench worst` is run",
    "make timing": "takes minutes; tests/test_timing.py counts the calls of the same pairs",
    "tests.timing admiral alone": "the same",
    "make match-store-bench": "takes a minute; tests/test_match_store.py runs what it measures",
    "make memory": "takes a quarter of an hour; tests/test_bench.py runs the command",
    "make lighthouse": "needs Node.js",
    "make lock": "asks for the newest packages",
    "make messages": "writes the catalogue; .ci/messages runs it and compares",
    "make figures": "takes an hour; the test of its blocks looks at their commands",
    "-m bench figures": "writes the document; tests/test_bench.py renews a block",
    "make examples": "writes the documents; the test above compares",
    "tests.support.editions": "writes the editions; tests/test_adding.py runs it",
    "tests.support.golden": "writes the samples; tests/web/test_golden.py reads them",
    "make compiled": "writes the program; tests/test_compiled.py compares",
    "make pictures": "needs a server, and writes the pictures",
}
"""Commands that are shown but not run, and why. Targets of `make` get a dry run."""


def commands_of(document: str) -> list[str]:
    """The commands that a document shows, those of blocks first, in their order."""
    set_in = [
        line
        for block in BLOCKS
        if block.document == document and "commands" in kinds_of(block)
        for line in block.text.splitlines()
    ]
    inline = [code for code in inline_code(DOCUMENTS[document]) if PROGRAM.match(code)]
    return [re.sub(r" {2,}#.*", "", command) for command in (*set_in, *inline)]


def listed(command: str, table: dict[str, str]) -> str | None:
    """The entry for a command in a table of parts of commands, such as `-m bench worst`."""
    words = f"{command} "
    return next((says for part, says in table.items() if f"{part} " in words), None)


class Desk:
    """Runs the commands of a document in order; files are kept between them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.secrets = Path(shutil.copy(settings.SECRETS_FILE, folder / "secrets.json"))
        self.environment = {**shown.PLAIN, "BATTLESHIP_SECRETS_FILE": str(self.secrets)}
        self.record = folder / "battleship.txt"
        (block,) = (block for block in BLOCKS if "record" in kinds_of(block))
        self.record.write_text(block.text + "\n")

    def prepared(self, command: str) -> str:
        """Replaces placeholders in the command by real names."""
        names = {
            "FILE": str(self.record), "battleship.txt": str(self.record),
            "TOKEN": seal_match(opening()),
            shown.LINK: f"/challenge/{seal_challenge(shown.challenge())}/",
            "HASH": SEED_SHARES.server_seed_hash, "SHARE": SEED_SHARES.client,
            "5d0e8c1f": self.other_key(), "1a2b3c4d": self.other_key(),
        }  # fmt: skip
        for name, true in names.items():
            command = re.sub(rf"(?<=[ =]){re.escape(name)}(?= |$)", true, command)
        return command

    def other_key(self) -> str:
        """The id of a key that doesn't seal."""
        keys = secrets.load(self.secrets, may_create=False)["keys"]
        return next((kid_of(key) for key in keys if key["state"] == "accept"), "")

    def types(self, command: str) -> None:
        """Runs or parses the command, as if a minute after the one before it."""
        os.utime(self.secrets, (time.time() - 300, time.time() - 300))
        command = self.prepared(command)
        if listed(command, ONLY_PARSED):
            if command.startswith("make "):
                self.runs(f"make --dry-run {command.removeprefix('make ')}")
        elif how := listed(command, SERVERS):
            self.serves(how.format(command))
        else:
            assert command.startswith(RUN), f"a table has to say how this is run: {command}"
            more = listed(command, QUICKLY)
            self.runs(f"{command} {more}" if more else command)

    def runs(self, command: str) -> None:
        if command.startswith(f"{BENCH} "):  # without a name it is a process below
            main(shlex.split(command.removeprefix(BENCH)))
            return
        done = subprocess.run(
            ["sh", "-c", command], cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"

    def serves(self, command: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = subprocess.Popen(
            ["sh", "-c", f"exec {command}"], cwd=ROOT, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=self.environment
            | {"PORT": str(port), "BIND": f"127.0.0.1:{port}", "WEB_CONCURRENCY": "1"},
        )  # fmt: skip
        try:
            assert answers(f"http://127.0.0.1:{port}/healthz", process), command
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(PATIENCE)


def answers(where: str, process: subprocess.Popen[bytes]) -> bool:
    """Whether the server answers before it ends and before PATIENCE is over."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(where, timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    return False


SEED_SHARES = shown.example().record.seed_shares or SeedShares("")
"""Those of the record that is shown."""
SHOWING = [name for name in DOCUMENTS if name != "CHANGELOG.md" and commands_of(name)]


def shown_first(document: str) -> list[str]:
    """The commands of a document that no document before it shows."""
    before = SHOWING[: SHOWING.index(document)]
    known = {command for name in before for command in commands_of(name)}
    return [command for command in dict.fromkeys(commands_of(document)) if command not in known]


@pytest.mark.parametrize("document", SHOWING)
def test_each_command_works_as_it_is_shown(document: str, tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for command in shown_first(document):
        desk.types(command)


def test_the_tables_of_commands_hold_what_is_shown_and_no_more() -> None:
    commands = [command for name in SHOWING for command in commands_of(name)]
    for table in (SERVERS, QUICKLY, ONLY_PARSED):
        for part in table:
            assert any(f"{part} " in f"{command} " for command in commands), part


def test_a_command_that_fails_is_seen(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for wrong in (
        ".venv/bin/python manage.py verify nothing",
        ".venv/bin/python manage.py play --preset chess",
        "make nothing",
        ".venv/bin/python -m http.server",
    ):
        with pytest.raises(AssertionError):
            desk.types(wrong)


# --- options in tables ---

TABLES = {"docs/terminal.md": "play", "docs/deduction.md": "deduction"}
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
        with open(os.devnull) as nothing:
            monkeypatch.setattr("sys.stdin", nothing)
            call_command(TABLES[document], *words, stdout=io.StringIO())


@pytest.mark.parametrize("document", TABLES)
def test_a_table_names_each_option(document: str) -> None:
    name = TABLES[document]
    own = load_command_class("game", name).create_parser("manage.py", name)
    every = BaseCommand().create_parser("manage.py", name)
    options = [set(re.findall(r"--[a-z-]+", parser.format_help())) for parser in (own, every)]
    assert options[0] - options[1] == set(options_of(document))


# --- the grammar of records ---


def pattern_of(grammar: str) -> re.Pattern[str]:
    """The grammar as a regular expression."""
    rules: dict[str, str] = {}
    name = ""
    for line in grammar.splitlines():
        found = re.match(r"(\w+) += (.*)", line)
        name, text = (found[1], found[2]) if found else (name, line)
        rules[name] = rules.get(name, "") + " " + re.sub(r" {4,}.*", "", text.strip())

    def expanded(name: str) -> str:
        if name in ("SP", "LF"):
            return {"SP": " ", "LF": "\n"}[name]
        if name == "mind":
            return f"(?:{'|'.join(minds.MINDS)})"
        if name == "letter":
            return "[A-O]"
        if name == "date":
            return "[0-9]{4}-[0-9]{2}-[0-9]{2}"
        if name not in rules:
            return "(?:0|[1-9][0-9]*)"
        digits = re.match(r" (\d+) hexadecimal digits, lower case", rules[name])
        return f"[0-9a-f]{{{digits[1]}}}" if digits else f"(?:{translated(rules[name])})"

    def translated(text: str) -> str:
        signs = {"{": "(?:", "}": ")*", "[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|"}
        parts = re.findall(r'"[^"]*"|\w+|[{}\[\]()|]', text)
        return "".join(
            re.escape(part[1:-1]) if part[0] == '"' else signs.get(part) or expanded(part)
            for part in parts
        )

    return re.compile(expanded("record"))


@of_kind("grammar")
def test_the_grammar_is_that_of_records(block: Block) -> None:
    pattern = pattern_of(block.text)
    moving = replace(BONN, turns=30)
    matches = [
        shown.example(), ended(moving), ended(moving, mind="sailor"), played(opening(), 20),
        played(opening(PRESETS["salvo"].ruleset), 7), ended(PRESETS["cmu"].ruleset),
    ]  # fmt: skip
    records = [saved.record for saved in matches]
    records += [replace(records[0], minds_version=2), replace(records[1], assists=())]
    records.append(Record(records[1].match, (None, None)))
    records.append(replace(records[1], learnt=(127, -24, 0, -9, 1, -2, 13)))
    own = records[0].match.fleets[Side.FIRST]
    records.append(replace(records[0], seed_shares=SeedShares("0" * 32).with_fleet(own)))
    solo = played(searching(), 7)
    records.append(solo.record)
    records.append(
        replace(solo.record, day=Day(date(2026, 11, 22), 1, bytes(32)), assists=("back",))
    )
    for record in records:
        text = write(record)
        assert pattern.fullmatch(text), text
        for old, new in ((" ", "  "), ("\n", "\n\n"), ("first", "third"), ("rules", "rule")):
            assert not pattern.fullmatch(text.replace(old, new, 1))


# --- other kinds ---


@of_kind("rules")
def test_the_rules_of_the_protocol_are_those_of_bonn(block: Block) -> None:
    assert terms_from_json(" ".join(block.text.split())).rules == BONN


@of_kind("curl")
def test_a_whole_match_is_played_by_curl(block: Block, tmp_path: Path) -> None:
    with served(tmp_path) as site:
        script = block.text.replace("site=http://localhost:8000", f"site={site}")
        assert script != block.text
        done = subprocess.run(
            ["sh", "-eu", "-c", script], capture_output=True, text=True, timeout=PATIENCE,
            check=True,
        )  # fmt: skip
    *told, outcome = done.stdout.splitlines()
    assert outcome in ("won", "lost", "draw")
    assert len(told) > 3
    assert not done.stderr


@of_kind("facts")
def test_the_facts_of_the_deduction_game_are_those_it_prints(block: Block) -> None:
    facts = [re.split(" {2,}", line)[0] for line in block.text.splitlines()]
    shapes = {_shape(fact) for fact in facts} | {"lost", _shape("found 5 computer")}
    assert "`computer`; `lost`" in block.text
    said = set()
    for mode in Mode:
        for lines in (
            ["A1 B2 C3", "0,0,1", "9", "3,0,0"], ["A1 B2 C3", "3,0,0"], ["A1 B2 C3"] * MOST_GUESSES,
            [MELBOURNE.names(referee.hiding_place(MELBOURNE, bytes(16)))], ["0,0,0"] * 9,
        ):  # fmt: skip
            game = Terminal(MELBOURNE, mode, SEARCHERS["strong"], bytes(16), terse=True)
            said |= set(game.greeting())
            for line in lines:
                said |= set() if game.is_over else set(map(str, game.answer(line)))
    assert {_shape(line) for line in said} == shapes


def _shape(line: str) -> str:
    if line.startswith("? "):
        return "?"
    return re.sub(r"\d+", "0", re.sub(r"[A-H]\d", "A1", line))


@of_kind("click")
def test_a_click_travels_as_it_is_drawn(block: Block, client: Client) -> None:
    _post, where, form = block.first.split()
    (name, value), htmx = form.split("="), {"hx-request": "true"}
    assert where == "/en/play/TOKEN/"
    assert {"400", "422", "#game", "HX-Replace-Url", "303"} <= set(
        re.findall(r"[\w#-]+", block.text)
    )
    saved = opening()
    assert client.post(where.replace("TOKEN", "x"), {name: value}).status_code == 400
    plain = client.post(address(saved), {name: value})
    assert (plain.status_code, plain["Location"][:9]) == (303, "/en/play/")
    swap = client.post(address(saved), {name: value}, headers=htmx)
    tokens = (plain["Location"], swap["HX-Replace-Url"])
    one, other = (unseal_match(token.split("/")[3]) for token in tokens)
    assert one == other != saved
    assert 'id="game"' in swap.content.decode()
    assert "<html" not in swap.content.decode()
    assert client.post(address(saved), {"steer": "stay"}).status_code == 422


@of_kind("tree")
def test_the_tree_names_the_packages_that_there_are(block: Block) -> None:
    inner = [line for line in block.text.splitlines() if line.startswith("  ")]
    named = {
        name
        for line in inner
        for name in re.findall(r"(?<=[ ])(\w+)/", re.split(r"\w {2,}(?=\w+ )", line)[0])
    }
    there = {path.parent.name for path in (ROOT / "game").glob("*/__init__.py")}
    assert named == there


@of_kind("capacity")
def test_the_players_of_a_core_follow_from_the_formula(block: Block) -> None:
    _cores, formula = block.text.split(" = ")
    assert formula == "players / 5 s × CPU of a click / 60 % use"
    ((shown_cost, players),) = re.findall(
        r"with (\d+) ms a core is enough for (\d+) players", DOCUMENTS[block.document]
    )
    assert int(players) == 5 * 1000 / int(shown_cost) * 0.6


@of_kind("measured")
def test_what_was_measured_is_shown_below_its_command(block: Block) -> None:
    first, *printed = block.text.splitlines()
    assert block.document == "docs/figures.md"
    assert printed
    module, *words = MEASURED.sub(r"\1", first).split()
    if module == "bench":
        assert parser_of(words[0]).parse_args(words[1:])
    else:
        assert (ROOT / module.replace(".", "/")).with_suffix(".py").exists()

"""docs/adding.md is followed to the letter: what it adds joins a copy of the project.

The blocks and the commands come from the document. Then the copy has to pass the checks that such
a change meets, and a match is played.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.documents import DOCUMENTS, ROOT, blocks_of, inline_code
from tests.support.missing import needs
from tests.support.served import copy_of_project, environment

pytestmark = needs("gettext", "xgettext")
DOCUMENT = "docs/adding.md"
PLACE = re.compile(r"above\s+the\s+(line|row\s+of)\s+`([^`]+)`")
COMMAND = re.compile(r"make messages$|\.venv/bin/python -m ")
TESTS = (
    ".venv/bin/python -m pytest -n 0 -q -p no:cacheprovider tests/test_editions.py "
    "tests/test_documents.py tests/test_translation.py tests/web/test_presets.py "
    "tests/web/test_pages.py tests/web/test_weight.py tests/web/test_home.py "
    "tests/test_features.py "
    "-m 'not deep' -k 'sprint or sweeper or not (rows_say or numbers or address_of_rules)'"
)
"""Those of `make test` that a new preset or mind can fail."""
GOLDEN = ".venv/bin/python -m pytest -n 0 -q -p no:cacheprovider tests/web/test_golden.py"
FEATURE = (
    ".venv/bin/python -m pytest -n 0 -q -p no:cacheprovider tests/flag tests/test_features.py "
    "tests/test_documents.py tests/test_translation.py tests/web/test_golden.py "
    "-m 'not deep and not long'"
)
"""The feature's own tests, and those of the core that a new feature can fail."""
LANGUAGE = (
    "sh .ci/messages && .venv/bin/python manage.py translations --shares && "
    ".venv/bin/python -m pytest -n 0 -q -p no:cacheprovider tests/test_checks.py "
    "tests/test_translation.py tests/web -m 'not deep' "
    "-k 'language or menu or listed or checks or whole_address or translation'"
)
"""Those of `make test` that a new language can fail."""
SECTIONS = {
    ("A preset", "A mind"): TESTS,
    ("A rule switch",): f"{GOLDEN} tests/engine/test_match.py -k 'not json'",
    ("A language",): LANGUAGE,
}
"""What has to pass once the steps of these sections have been followed."""


def steps_of(title: str) -> Iterator[str]:
    """The numbered steps of a section of the document."""
    section = re.split(r"^## ", DOCUMENTS[DOCUMENT], flags=re.MULTILINE)
    (text,) = (part for part in section if part.startswith(f"{title}\n"))
    for step in re.split(r"^\d+\. ", text, flags=re.MULTILINE)[1:]:
        yield re.split(r"\n(?=\S)", step)[0]


class Follower:
    """Does what the steps say, in a copy of the project."""

    def __init__(self, folder: Path) -> None:
        self.copy = copy_of_project(folder, has_static=True)
        self.free = ""
        """The free code that was printed last."""
        # With these options `make` takes the project for set up.
        made = ".venv/.ready", ".venv/.test-ready", "locale/de/LC_MESSAGES/django.mo"
        self.make = " ".join(["make", *(f"--old-file {path}" for path in made), ""])

    def follow(self, step: str) -> None:
        """Runs the commands of a step, and then sets its blocks into the file that it names."""
        for command in filter(COMMAND.match, inline_code(step)):
            printed = self.run(command.replace("make ", self.make))
            self.free = printed.strip() if "support.free" in command else self.free
        name = re.findall(r"^\*\*`([^`]+)`\*\*", step)[0].replace("FREE", self.free)
        path = self.copy / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = step.splitlines()
        end = 0
        for block in blocks_of(DOCUMENT, step):
            said = "\n".join(lines[end : block.line - 1])
            place = PLACE.findall(said)
            end = block.line - 1 + len(block.text.splitlines())
            text = block.text.replace("FREE", self.free)
            if path.suffix == ".po" and path.exists():
                translate(path, text)
            elif place:
                insert(path, text, *place[-1])
            elif path.exists():
                assert "at the end" in said, f"{name} is there, and no line is named"
                path.write_text(f"{path.read_text()}\n{text}\n")
            else:
                path.write_text(f"{text}\n")

    def run(self, command: str) -> str:
        done = subprocess.run(
            ["sh", "-c", command], cwd=self.copy, env=environment(data=str(self.copy / "var")),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        return done.stdout


def insert(path: Path, block: str, kind: str, named: str) -> None:
    """Inserts a block above a line, or the beginning of one, that is there once."""
    lines = path.read_text().splitlines(keepends=True)
    begin = named if kind == "line" else f"| `{named}` |"
    (at,) = [at for at, line in enumerate(lines) if line.strip().startswith(begin)]
    margin = " " * (len(lines[at]) - len(lines[at].lstrip()))
    lines[at:at] = [f"{margin}{line}\n" for line in block.splitlines()]
    path.write_text("".join(lines))


def translate(path: Path, block: str) -> None:
    """Writes translations of messages that were collected, in place of what gettext suggests."""
    text = re.sub(r"#, fuzzy\n(?:#\|.*\n)*(msgid .*\nmsgstr ).*", r'\1""', path.read_text())
    for message, german in re.findall(r"(msgid .*)\nmsgstr (.*)", block):
        empty = f'{message}\nmsgstr ""\n'
        assert text.count(empty) == 1, message
        text = text.replace(empty, f"{message}\nmsgstr {german}\n")
    path.write_text(text)


@pytest.mark.deep
def test_a_feature_is_added_and_changes_nothing_of_the_core_but_rows(tmp_path: Path) -> None:
    follower = Follower(tmp_path)
    steps = [step for step in steps_of("A feature") if list(blocks_of(DOCUMENT, step))]
    for step in steps:
        follower.follow(step)
    changed = changed_files(follower.copy)
    assert {name for name in changed if "flag" not in name} == ROWS
    follower.run(".venv/bin/lint-imports --no-logo")
    follower.run(FEATURE)


ROWS = {"game/feature_list.py", "docs/architecture.md"}


def changed_files(copy: Path) -> set[str]:
    """The files that a copy has otherwise than the project, by their paths in it."""
    files = [path for path in copy.rglob("*") if path.is_file() and not path.is_symlink()]
    names = {str(path.relative_to(copy)) for path in files}
    kept = {name for name in names if not re.match(r"var/|\.|.*(\.mo$|__pycache__|_cache/)", name)}
    return {name for name in kept if not is_same(copy / name, ROOT / name)}


def is_same(one: Path, other: Path) -> bool:
    """Whether two files have the same text, but for the date in a catalogue."""
    if not other.exists():
        return False
    texts = [re.sub(rb'"POT-Creation-Date.*', b"", path.read_bytes()) for path in (one, other)]
    return texts[0] == texts[1]


@pytest.mark.long
@pytest.mark.parametrize("titles", SECTIONS, ids=" and ".join)
def test_what_a_section_adds_passes_its_tests(titles: tuple[str, ...], tmp_path: Path) -> None:
    follower = Follower(tmp_path)
    for title in titles:
        for step in steps_of(title):
            if list(blocks_of(DOCUMENT, step)) or COMMAND.search(step):
                follower.follow(step)
    follower.run(SECTIONS[titles])

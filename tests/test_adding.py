"""docs/adding.md is followed to the letter: what it adds joins a copy of the project.

The blocks and the commands come from the document. Then the copy has to pass the checks that such
a change meets, and a match is played.
"""

import re
import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.support.documents import DOCUMENTS, ROOT, blocks_of, inline_code
from tests.support.features import brought
from tests.support.missing import needs
from tests.support.served import LINT_CHECKS, copy_of_project, environment

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
PLAY = """
import re
from game.engine.presets import PRESETS
from game.players.registry import CODES
from tests.support.device import Device

for name, codes in ("sprint", {n: p.code for n, p in PRESETS.items()}), ("sweeper", CODES):
    assert codes[name] == max({**codes, name: 0}.values()) + 1
client = Device()
german = client.get("/de/games/")
assert "Drei Schiffe auf kleinem Brett" in german
where = client.post("/de/new/sprint/?opponent=sweeper", {"action": "quick"}).location
page = client.get(where)
assert "Minensucher" in page
while 'data-phase="over"' not in page:
    cell = re.search(r'name="cell" value="(\\w+)"(?! aria-disabled)', page)[1]
    where = client.post(where, {"cell": cell}).location
    page = client.get(where)
assert client.get(where.replace("/play/", "/replay/")).status == 200
assert "second sweeper" in client.get(where.replace("/play/", "/record/"))
print("played")
"""
SWITCH = """
from urllib.parse import parse_qsl
from game.display.choices import rules_query
from game.engine.codec import Reader, decode_rules, encode_rules
from game.engine.notation import parse_rules, rules_text
from game.engine.presets import BONN
from game.web.forms import rules_from_fields
from tests.support.device import Device

rules = rules_from_fields(BONN, {"pausing": "on"})
assert rules.pausing and not BONN.pausing
assert rules_from_fields(BONN, dict(parse_qsl(rules_query(rules)))) == rules
assert decode_rules(Reader(encode_rules(rules))) == rules
assert parse_rules(rules_text(rules)) == rules
client = Device()
assert "Wer ein Schiff versenkt, beendet den Zug." in client.get("/de/new/own/?pausing=on")
choice = client.get("/de/setup/own/?pausing=on").first("(?s)Nach dem Versenken.*?</fieldset>")
assert 'name="pausing" value="on" checked' in choice and "geht er weiter" in choice
print("known")
"""
LANGUAGE = (
    ".venv/bin/python -m pytest -n 0 -q -p no:cacheprovider tests/test_checks.py "
    "tests/test_translation.py tests/web -m 'not deep' "
    "-k 'language or menu or listed or checks or whole_address or translation'"
)
"""Those of `make test` that a new language can fail."""
TWO_FORMS = "nplurals=2; plural=(n != 1)"
THREE_FORMS = (
    "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"
)
SHOW = """
from django.utils import translation
from tests.support.device import Device

see, languages = Device().see, "{languages}".split()
for language in languages:
    with translation.override(language):
        assert translation.gettext("No account, no profile.") == "No account, no profile."
        assert translation.ngettext("%(count)s hit", "%(count)s hits", 2) == "%(count)s hits"
    home = see(f"/{{language}}/")
    for text in (f'<html lang="{{language}}"', "Ludi nun", "Menu", "Deutsch", "English"):
        assert text in home, text
    assert "Random" in see(f"/{{language}}/new/milton/")
    assert "Nur akvo" in Device().get(f"/{{language}}/nowhere/")
    for page, sentence in (see("/en/"), "partly translated"), (see("/de/"), "teilweise"):
        assert sentence in page.split(f'hreflang="{{language}}">')[1].split("</a>")[0]
        assert page.count('hreflang="') >= len(languages) + 1
print("shown")
"""


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
        self.modules: list[str] = []
        """The Python modules that were changed or written."""
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
        self.modules += [name] if path.suffix == ".py" else []

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
    for command in LINT_CHECKS:
        follower.run(f"{command} {' '.join(follower.modules)}" if "mypy" in command else command)
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
def test_a_preset_and_a_mind_are_added_as_the_document_says(tmp_path: Path) -> None:
    follower = Follower(tmp_path)
    for title in ("A preset", "A mind"):
        for step in steps_of(title):
            follower.follow(step)
    assert len(follower.modules) == 4
    for command in (*LINT_CHECKS, TESTS):
        # mypy takes a minute for all modules.
        follower.run(f"{command} {' '.join(follower.modules)}" if "mypy" in command else command)
    script = tmp_path / "play.py"
    script.write_text(PLAY)
    said = follower.run(f".venv/bin/python manage.py shell --no-imports < {script}")
    assert said.endswith("played\n")


@pytest.mark.long
def test_a_switch_is_added_as_the_document_says_and_tokens_are_still_read(tmp_path: Path) -> None:
    follower = Follower(tmp_path)
    for step in steps_of("A rule switch"):
        if list(blocks_of(DOCUMENT, step)):
            follower.follow(step)
    assert len(follower.modules) == 4
    follower.run(f"{GOLDEN} tests/engine/test_match.py -k 'not json'")
    script = tmp_path / "switch.py"
    script.write_text(SWITCH)
    said = follower.run(f".venv/bin/python manage.py shell --no-imports < {script}")
    assert said.endswith("known\n")
    rules = follower.copy / "game/engine/rules.py"
    rules.write_text(re.sub(r'"pausing"\), \d+', '"pausing"), 6', rules.read_text()))
    with pytest.raises(AssertionError, match="FAILED"):
        follower.run(f"{GOLDEN} -k 'not json'")


@pytest.mark.long
def test_two_languages_are_added_as_the_document_says(tmp_path: Path) -> None:
    follower, added = Follower(tmp_path), list[str]()
    for name, plurals in (("The first", TWO_FORMS), ("The second", THREE_FORMS)):
        for step in steps_of("A language"):
            if list(blocks_of(DOCUMENT, step)):
                follower.follow(step.replace("Esperanto", name).replace(TWO_FORMS, plurals))
        added.append(follower.free)
    assert len(set(added)) == 2
    shares = follower.run("sh .ci/messages && .venv/bin/python manage.py translations --shares")
    assert [code for code in ("de", *added) if f"{code}: " not in shares] == []
    script = tmp_path / "show.py"
    script.write_text(SHOW.format(languages=" ".join(added)))
    said = follower.run(f".venv/bin/python manage.py shell --no-imports < {script}")
    assert said.endswith("shown\n")
    for command, typed, unsaid in chain(*brought("IN_A_NEW_LANGUAGE").values()):
        for language in added:
            line = f".venv/bin/python manage.py {command} {language}"
            assert unsaid not in follower.run(f"printf {typed!r} | {line}")
    follower.run(LANGUAGE)

"""The documents name only what exists: links, paths, targets, commands, handles, licences."""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentTypeError
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from django.core.management import CommandError, get_commands, load_command_class
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bench.__main__ import COMMANDS, parser_of
from game.engine.presets import PRESETS
from tests.support.documents import DOCUMENTS, ROOT, code_of

EVERY = pytest.mark.parametrize("name", sorted(DOCUMENTS))

LONGEST_README = 110
LONGEST_OPERATIONS = 1_800
"""Words."""
PYTHON = ".venv/bin/python"

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_BLOCK_LINE = re.compile(r"^ {4,}(\S.*)$", re.MULTILINE)
_FOLDERS = sorted(path.name for path in ROOT.iterdir() if path.is_dir())
_PATH = re.compile(rf"(?<![\w./…-])(?:{'|'.join(map(re.escape, _FOLDERS))})/[\w./-]*")
_MADE_LATER = (".venv/", "var/", "deploy/secrets/", "game/players/originals/sweeper.py")
"""Paths that a clone doesn't have: what is set up or kept there, and the mind of adding.md."""


def prose_of(text: str) -> str:
    """The document without its blocks, whose brackets are no links."""
    return _BLOCK_LINE.sub("", text)


def anchors_of(text: str) -> set[str]:
    """The anchors of the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(name: str, text: str) -> list[str]:
    found = []
    for link in _LINK.findall(prose_of(text)):
        path, _hash, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = ((ROOT / name).parent / path if path else ROOT / name).resolve()
        is_there = target.exists() and (not anchor or anchor in anchors_of(target.read_text()))
        if not is_there:
            found.append(link)
    return found


def missing_paths(text: str) -> list[str]:
    """The named paths that don't exist; one with a word in capitals is only an example."""
    named = {path.rstrip(".") for code in code_of(text) for path in _PATH.findall(code)}
    return sorted(
        path
        for path in named
        if not path.startswith(_MADE_LATER)
        and not re.search(r"\b[A-Z]{2,}\b(?!\.md)", path)
        and not (ROOT / path).exists()
    )


def missing_targets(text: str) -> list[str]:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        target
        for code in code_of(text)
        for target in re.findall(r"(?:^|\s)make ([a-z][a-z-]*)", code)
    }
    return sorted(named - targets)


def commands_of(text: str) -> Iterator[str]:
    """Yields the arguments of `manage.py` or `python -m bench` in each command shown."""
    for code in code_of(text):
        for found in re.findall(r"(?:manage\.py|python(?= -m bench )) ((?:(?!&&| {2,}#).)+)", code):
            yield re.sub(r" [<>|] ?.*", "", found).strip()


def wrong_commands(text: str) -> list[str]:
    """The commands that don't exist, or don't accept the arguments that are shown."""
    return [shown for shown in commands_of(text) if not is_command(shown)]


def is_command(shown: str) -> bool:
    name, *options = shlex.split(shown)
    if name == "help" or shown == "-m bench NAME":
        return True
    if shown.startswith("-m bench "):
        return is_measurement(options[1], options[2:])
    app = get_commands().get(name)
    if app is None:
        return False
    if not options:
        return True
    command = load_command_class(app, name) if isinstance(app, str) else app
    parser = command.create_parser("manage.py", name)
    try:
        parser.parse_args(options)
    except (CommandError, ArgumentTypeError, SystemExit):
        return False
    return True


def is_measurement(name: str, options: list[str]) -> bool:
    try:
        return name in COMMANDS and bool(parser_of(name).parse_args(options))
    except SystemExit:
        return False


def bare_commands(text: str) -> list[str]:
    """The commands that fail in a fresh clone as typed, since only .venv has Django."""
    return [
        code
        for code in code_of(text)
        for found in re.finditer(
            r"(\S+ )?manage\.py \w|(?<![\w/.-])(?:gunicorn|pytest|ruff) -", code
        )
        if found[1] != f"{PYTHON} "
    ]


# --- what is named exists ---


@EVERY
def test_each_link_leads_somewhere(name: str) -> None:
    assert broken_links(name, DOCUMENTS[name]) == []


@EVERY
def test_each_path_that_is_named_is_there(name: str) -> None:
    assert missing_paths(DOCUMENTS[name]) == []


@EVERY
def test_each_target_of_make_that_is_named_is_there(name: str) -> None:
    assert missing_targets(DOCUMENTS[name]) == []


@EVERY
def test_each_command_that_is_shown_takes_its_options(name: str) -> None:
    assert wrong_commands(DOCUMENTS[name]) == []


@EVERY
def test_each_command_works_in_a_fresh_clone_as_it_is_typed(name: str) -> None:
    if name != "CHANGELOG.md":  # it only names commands
        assert bare_commands(DOCUMENTS[name]) == []


def test_the_readme_is_short() -> None:
    assert len(DOCUMENTS["README.md"].splitlines()) <= LONGEST_README


def test_operations_are_short() -> None:
    assert len(DOCUMENTS["docs/operations.md"].split()) <= LONGEST_OPERATIONS


def test_the_index_lists_every_document() -> None:
    for path in ROOT.glob("docs/*.md"):
        if path.name != "README.md":
            assert f"]({path.name})" in DOCUMENTS["docs/README.md"]


def test_the_table_of_games_lists_every_preset() -> None:
    rows = re.findall(r"^\| `(\S+)` \| ([^|]+) \|", DOCUMENTS["docs/rules.md"], re.MULTILINE)
    assert sorted(rows) == sorted((name, preset.title) for name, preset in PRESETS.items())


_VARIABLE = re.compile(r"BATTLESHIP_[A-Z_]+")


def test_operations_name_the_variables_that_are_read_and_no_others() -> None:
    files = (ROOT / "deploy/gunicorn.conf.py", ROOT / "compose.yaml")
    sources = [*ROOT.glob("battleships_site/*.py"), *files]
    read = {name for path in sources for name in _VARIABLE.findall(path.read_text())}
    set_for_workers = {"BATTLESHIP_SLOT"}
    assert set(_VARIABLE.findall(DOCUMENTS["docs/operations.md"])) == read - set_for_workers


def test_operations_name_the_counters_that_there_are_and_no_others() -> None:
    source = (ROOT / "game/ops/metrics.py").read_text()
    kinds = re.findall(r'(Counter|Histogram)\("(battleship_\w+)"|Histogram\(\s+"(\w+)"', source)
    there = {f"{name}_total" if kind == "Counter" else name or other for kind, name, other in kinds}
    named = set(re.findall(r"battleship_\w+", DOCUMENTS["docs/operations.md"]))
    assert len(there) > 3
    assert named == there


def test_the_belief_names_what_the_code_has() -> None:
    paths = [*ROOT.glob("game/players/**/*.[pc]*"), *ROOT.glob("tests/test_*.py")]
    sources = "\n".join(path.read_text() for path in paths if path.suffix in (".py", ".c"))
    named = set(re.findall(r"`(\w{2,})`", DOCUMENTS["docs/belief.md"]))
    assert len(named) > 30
    assert {name for name in named if not re.search(rf"\b{name}\b", sources)} == set()


@pytest.mark.parametrize("name", ["docs/handles.md", "docs/deduction.md"])
def test_pages_have_each_handle_that_is_promised(name: str) -> None:
    """Only looks for each handle somewhere; the tests of the pages test which page has which."""
    sources = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("game/**/*.py")]
    written = "\n".join(path.read_text() for path in sources)
    cues = {"data-you", "data-foe"}  # `data-{{ who }}`
    promised = set(re.findall(r"data-[a-z]+", DOCUMENTS[name])) - cues
    assert len(promised) > 5
    assert {handle for handle in promised if not re.search(rf"{handle}\b", written)} == set()


# --- licences ---


def required(path: Path) -> set[str]:
    """The packages in a file of requirements and in the files that it includes."""
    names: set[str] = set()
    for line in path.read_text().splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("-r "):
            names |= required(path.parent / text.removeprefix("-r "))
        elif text:
            names.add(canonicalize_name(Requirement(text).name))
    return names


def with_what_they_need(names: set[str]) -> set[str]:
    """The packages and their installed dependencies."""
    known: set[str] = set()
    ahead = set(names)
    while ahead:
        name = ahead.pop()
        known.add(name)
        try:
            needs = [Requirement(text) for text in metadata.requires(name) or ()]
        except metadata.PackageNotFoundError:
            continue  # only `make soak` needs it
        ahead |= {
            canonicalize_name(need.name)
            for need in needs
            if need.marker is None or need.marker.evaluate({"extra": ""})
        } - known
    return known


def licences(text: str) -> dict[str, str]:
    """The rows of the tables: parts and their licences."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", text, re.MULTILINE)
    return {part.lower(): licence for part, licence in rows}


def wrong_licences(text: str, names: set[str]) -> list[str]:
    """The packages that aren't listed, or with another licence than they declare."""
    listed, wrong = licences(text), []
    for name in sorted(names):
        try:
            (declared,) = metadata.metadata(name).get_all("License-Expression") or [None]
        except metadata.PackageNotFoundError:
            declared = None
        if name not in listed or (declared and listed[name] != declared):
            wrong.append(f"{name}: {declared}")
    return wrong


REQUIREMENTS = ["requirements.txt", "tests/requirements.txt", "tests/soak-requirements.txt"]


@pytest.mark.parametrize("path", REQUIREMENTS)
def test_each_package_is_listed_under_the_licence_that_it_declares(path: str) -> None:
    names = with_what_they_need(required(ROOT / path))
    assert wrong_licences(DOCUMENTS["docs/licences.md"], names) == []


def test_what_visitors_are_sent_is_listed_too() -> None:
    parts = licences(DOCUMENTS["docs/licences.md"])
    (script,) = re.findall(r"brings (htmx \S+)", (ROOT / "requirements.txt").read_text())
    assert parts[script] == "0BSD"
    assert parts["noto serif, by the noto project"] == "OFL-1.1"


# --- each check can fail ---


def test_what_is_not_there_is_seen() -> None:
    links = "[a](rules.md) [b](rule.md) [c](rules.md#bonn) [d](rules.md#none)"
    assert broken_links("docs/x.md", links) == ["rule.md", "rules.md#none"]
    assert missing_paths("`game/forms.py`, `game/form.py`, `locale/XX/a.po`") == ["game/form.py"]
    assert missing_targets("`make run`\n\n    make runn    # plays\n\nmake sure") == ["runn"]


def test_a_command_that_is_not_there_or_takes_other_options_is_seen() -> None:
    shown = "    .venv/bin/python manage.py play --lang de\n    .venv/bin/python manage.py {}\n"
    assert wrong_commands(shown.format("verify -")) == []
    for wrong in ("plai", "play --lang fr", "play --long de"):
        assert wrong_commands(shown.format(wrong)) == [wrong]
    measured = "    .venv/bin/python -m bench {}\n"
    assert wrong_commands(measured.format("selfplay --players random --solo")) == []
    for wrong in ("speed", "selfplay", "worst --quick"):
        assert wrong_commands(measured.format(wrong)) == [f"-m bench {wrong}"]


def test_a_command_that_only_works_where_django_is_installed_is_seen() -> None:
    bare = ["python manage.py play", "manage.py verify x", "gunicorn --config x site.wsgi"]
    for code in bare:
        assert bare_commands(f"Type `{code}`.") == [code]
    assert bare_commands("`.venv/bin/python manage.py play`, `manage.py`, `gunicorn`") == []


def test_a_package_that_is_missing_or_under_another_licence_is_seen() -> None:
    table = "| Django | MIT | the framework |\n| asgiref | BSD-3-Clause | Django |\n"
    assert wrong_licences(table, {"django", "asgiref", "whitenoise"}) == [
        "django: BSD-3-Clause", "whitenoise: MIT",
    ]  # fmt: skip
    assert "sqlparse" in with_what_they_need({"django"})

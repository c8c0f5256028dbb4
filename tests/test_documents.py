"""The documents name only links, paths, commands and variables that exist."""

import re
from collections.abc import Callable

import pytest
from django.core.management import get_commands

from tests.support.documents import DOCUMENTS, ROOT, code_of

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FOLDERS = sorted(path.name for path in ROOT.iterdir() if path.is_dir())
_PATH = re.compile(rf"(?<![\w./…-])(?:{'|'.join(map(re.escape, _FOLDERS))})/[\w./-]*")
_MADE_LATER = (
    ".venv/", "var/", "deploy/secrets/", "game/players/originals/sweeper.py",
    "game/features/flag/", "tests/flag/", "docs/flag.md", "templates/contact.html",
    "game/views/contact.py",    "tests/web/test_contact.py",
)  # fmt: skip
"""Paths that a clone doesn't have: what is set up or kept there, and what adding.md adds."""


def anchors_of(text: str) -> set[str]:
    """The anchors of the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(name: str, text: str) -> list[str]:
    found = []
    for link in _LINK.findall(re.sub(r"(?m)^ {4,}.*", "", text)):
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


def missing_commands(text: str) -> set[str]:
    named = re.findall(r"manage\.py (\w+)", "\n".join(code_of(text)))
    return {*named} - {*get_commands(), "help"}


@pytest.mark.parametrize("check", [missing_paths, missing_commands, broken_links])
def test_each_document_names_only_what_exists(check: Callable[..., list[str]]) -> None:
    is_about_links = check is broken_links
    found = {
        name: check(name, text) if is_about_links else check(text)
        for name, text in DOCUMENTS.items()
    }
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


_VARIABLE = re.compile(r"BATTLESHIP_[A-Z_]+")


def test_operations_name_the_variables_that_are_read_and_no_others() -> None:
    files = (ROOT / "deploy/gunicorn.conf.py", ROOT / "compose.yaml")
    sources = [*ROOT.glob("battleships_site/*.py"), *files]
    texts = [path.read_text() for path in sources]
    read = {name for text in texts for name in _VARIABLE.findall(text)} - {"BATTLESHIP_"}
    read |= {
        f"BATTLESHIP_{name}"
        for name in re.findall(r'    \w.*_env\.\w+\(\s*"(\w+)"', "".join(texts))
    }
    set_for_workers = {"BATTLESHIP_SLOT"}
    assert set(_VARIABLE.findall(DOCUMENTS["docs/operations.md"])) == read - set_for_workers

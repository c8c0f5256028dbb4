"""What is installed is locked: each package at one version, each of its files by its hash."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.documents import DOCUMENTS, ROOT

LISTS = ("requirements.txt", "tests/requirements.txt", "tests/soak-requirements.txt")
EACH_LIST = pytest.mark.parametrize("name", LISTS)


class Locked(NamedTuple):
    """A package of a lock."""

    name: str
    version: str
    hashes: frozenset[str]


def lock_of(name: str) -> str:
    """The text of the lock that belongs to a list."""
    return (ROOT / name).with_suffix(".lock").read_text()


def locked(text: str) -> dict[str, Locked]:
    """The packages of a lock by name."""
    found: dict[str, Locked] = {}
    for entry in re.split(r"^(?=\w)", text, flags=re.MULTILINE)[1:]:
        requirement = Requirement(re.split(r" *\\?\n", entry)[0])
        name = canonicalize_name(requirement.name)
        version = str(requirement.specifier).removeprefix("==")
        found[name] = Locked(name, version, frozenset(re.findall(r"--hash=(\S+)", entry)))
    return found


def pins(path: Path) -> dict[str, str]:
    """The versions that a list of requirements asks for, those of included lists among them."""
    found: dict[str, str] = {}
    for line in path.read_text().splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("-r "):
            found |= pins(path.parent / text.removeprefix("-r "))
        elif text:
            requirement = Requirement(text)
            version = str(requirement.specifier).removeprefix("==")
            found[canonicalize_name(requirement.name)] = version
    return found


def wrong_lines(text: str) -> list[str]:
    """The lines that are neither a pinned package, one of its hashes nor a comment."""
    line_of_a_lock = re.compile(
        r"(#.*|    # via .*|    --hash=sha256:[0-9a-f]{64}( \\)?"
        r"|[a-z0-9-]+==[\w.]+( ; [\w.<>=!' ]+)? \\)"
    )
    return [line for line in text.splitlines() if not line_of_a_lock.fullmatch(line)]


def missing(names: set[str]) -> set[str]:
    """What these packages need here beside themselves, as far as they are installed."""
    needed: set[str] = set()
    for name in names:
        try:
            needs = [Requirement(text) for text in metadata.requires(name) or ()]
        except metadata.PackageNotFoundError:
            continue  # what only other platforms need, or `make soak`
        needed |= {
            canonicalize_name(need.name)
            for need in needs
            if need.marker is None or need.marker.evaluate({"extra": ""})
        }
    return needed - names


@EACH_LIST
def test_each_pin_of_a_list_is_in_its_lock_at_the_same_version(name: str) -> None:
    asked = pins(ROOT / name)
    there = {package.name: package.version for package in locked(lock_of(name)).values()}
    assert {known: there.get(known) for known in asked} == asked, "`make lock` writes it anew"


@EACH_LIST
def test_each_package_of_a_lock_has_a_version_and_hashes_and_names_no_server(name: str) -> None:
    assert wrong_lines(lock_of(name)) == []
    assert "://" not in lock_of(name)
    packages = locked(lock_of(name))
    assert len(packages) >= len(pins(ROOT / name))
    assert [package for package in packages.values() if not package.hashes] == []


@EACH_LIST
def test_a_lock_holds_all_that_its_packages_need(name: str) -> None:
    assert missing(set(locked(lock_of(name)))) == set()


def test_the_locks_of_the_checks_hold_what_the_site_runs_on() -> None:
    site, checks, soak = (locked(lock_of(name)) for name in LISTS)
    assert site.items() <= checks.items()
    assert checks.items() <= soak.items()


@EACH_LIST
def test_each_package_of_a_lock_is_among_the_licences(name: str) -> None:
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \|", DOCUMENTS["docs/licences.md"], re.MULTILINE)
    assert set(locked(lock_of(name))) - {row.lower() for row in rows} == set()


def test_the_locks_are_for_every_python_that_is_served() -> None:
    (asked,) = re.findall(r'requires-python = ">=(\S+)"', (ROOT / "pyproject.toml").read_text())
    (written,) = re.findall(r"--python-version (\S+)", (ROOT / "Makefile").read_text())
    assert written == asked


def test_nothing_is_installed_but_by_a_lock() -> None:
    places = [ROOT / "Makefile", ROOT / "deploy/Dockerfile", *(ROOT / ".ci").iterdir()]
    installs = [
        line
        for place in places
        for line in place.read_text().splitlines()
        if "pip install" in line or re.search(r"\$\(INSTALL\)", line)
    ]
    assert len(installs) >= 5
    for line in installs:
        assert "--require-hashes -r" in line or line.strip().startswith("$(INSTALL)"), line
        assert line.rstrip(" \\").endswith((".lock", "--require-hashes -r")), line


# --- each check can fail ---

SOUND = f"numpy==2.4.6 \\\n    --hash=sha256:{'a' * 64}\n    # via -r requirements.txt\n"


def test_what_is_not_locked_is_seen() -> None:
    assert wrong_lines(SOUND) == []
    wrong = [
        "--index-url https://example.org/simple", "numpy>=2 \\", "numpy==2.4.6",
        "numpy @ https://example.org/numpy.whl \\", "    --hash=md5:0123",
    ]  # fmt: skip
    assert wrong_lines(SOUND + "\n".join(wrong)) == wrong
    one = Locked("numpy", "2.4.6", frozenset({f"sha256:{'a' * 64}"}))
    assert locked(SOUND) == {"numpy": one}
    assert missing({"django"}) == {"asgiref", "sqlparse"}

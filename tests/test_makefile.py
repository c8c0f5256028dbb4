"""What `make` runs: in a fresh clone, for a single test, and in what `git archive` packs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.copies import LINT_CHECKS, copy_of_project, dry_run
from tests.support.documents import ROOT

A_TEST = "tests/web/test_pages.py"


def order_of(text: str, *parts: str) -> list[str]:
    """The parts in the order in which they first stand in the text."""
    return sorted((part for part in parts if part in text), key=text.index)


# --- a fresh clone ---


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """What `make` looks at, of a clone in which nothing is set up."""
    for path in ("Makefile", "requirements.lock", "tests/requirements.lock"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    shutil.copytree(ROOT / "locale", tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))
    return tmp_path


def test_setup_makes_the_environment_and_then_compiles_the_translations(fresh: Path) -> None:
    steps = ["-m venv .venv", "-r requirements.lock", "manage.py translations"]
    assert order_of(dry_run(fresh, "setup").stdout, *steps) == steps


def test_a_single_test_gets_all_that_it_needs(fresh: Path) -> None:
    steps = [
        "-m venv .venv", "-r tests/requirements.lock", "manage.py translations",
        "manage.py collectstatic", f"-m pytest {A_TEST}",
    ]  # fmt: skip
    shown = dry_run(fresh, "t", f"T={A_TEST}").stdout
    assert order_of(shown, *steps) == steps
    assert ".ci/browser" not in shown


@pytest.mark.parametrize("target", ["bench", "memory", "figures", "worst", "match-store-bench"])
def test_pages_are_measured_with_their_static_files(fresh: Path, target: str) -> None:
    steps = ["-m venv .venv", "-r tests/requirements.lock", "manage.py collectstatic", "-m bench"]
    assert order_of(dry_run(fresh, target).stdout, *steps) == steps


def test_a_single_browser_test_gets_a_browser(fresh: Path) -> None:
    steps = [".ci/browser", "-m pytest tests/browser/test_scan.py::test_x"]
    shown = dry_run(fresh, "t", "T=tests/browser/test_scan.py::test_x").stdout
    assert order_of(shown, *steps) == steps


def test_no_test_is_refused_with_an_example_before_anything_is_set_up(fresh: Path) -> None:
    done = dry_run(fresh, "t")
    assert f"make t T={A_TEST}" in done.stderr
    assert (done.returncode, done.stdout) == (2, "")


# --- without a repository ---


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project without a repository, set up."""
    return copy_of_project(tmp_path_factory.mktemp("tarball"))


@pytest.mark.parametrize("command", LINT_CHECKS)
def test_each_check_of_lint_passes_without_a_repository(unpacked: Path, command: str) -> None:
    if command.endswith("/mypy"):
        pytest.skip("takes a minute, and reads its list of files from pyproject.toml")
    done = subprocess.run(
        ["sh", "-c", command], cwd=unpacked, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_lint_runs_each_check_after_one_has_failed(tmp_path: Path) -> None:
    for path in {word for check in LINT_CHECKS for word in re.findall(r"\.\w+/\S+", check)}:
        tool = tmp_path / path
        tool.parent.mkdir(parents=True, exist_ok=True)
        tool.write_text(f'#!/bin/sh\necho "found by {path}"\nexit {int("ruff" in path)}\n')
        tool.chmod(0o700)
    (tmp_path / "templates").mkdir()
    shutil.copy(ROOT / ".ci/lint", tmp_path / ".ci/lint")
    done = subprocess.run(
        ["sh", ".ci/lint"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.count("found by ") == len(LINT_CHECKS)
    assert done.returncode == 1
    assert ".venv/bin/djade templates/" in done.stdout

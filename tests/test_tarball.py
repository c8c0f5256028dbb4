"""The checks work where there is no repository: in what `git archive` packs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "var", "secrets", "__pycache__", ".*_cache", ".hypothesis"
)


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project without a repository, set up."""
    copy = tmp_path_factory.mktemp("tarball") / "battleships"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    (copy / ".venv").symlink_to((ROOT / ".venv").resolve())
    return copy


def commands(target: str) -> list[str]:
    """The shell commands by which `make` makes a target in a project that is set up."""
    catalogues = [path.relative_to(ROOT) for path in ROOT.glob("locale/*/LC_MESSAGES/*.po")]
    made = [".venv/.ready", ".venv/.test-ready", *(path.with_suffix(".mo") for path in catalogues)]
    options = [option for path in made for option in ("--old-file", str(path))]
    shown = subprocess.run(
        # `make test` runs this test: a make within make would say which folder it enters.
        ["make", "--no-print-directory", "--dry-run", *options, target], cwd=ROOT, text=True,
        check=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    return shown.stdout.splitlines()


@pytest.mark.parametrize("command", commands("lint"))
def test_each_check_of_lint_passes_without_a_repository(unpacked: Path, command: str) -> None:
    if command.endswith("/mypy"):
        pytest.skip("takes a minute, and reads its list of files from pyproject.toml")
    done = subprocess.run(
        ["sh", "-c", command], cwd=unpacked, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr

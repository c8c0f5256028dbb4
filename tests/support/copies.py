"""Copies of the project, for tests that change it or need it without its repository."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from tests.support.documents import ROOT

_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "var", "secrets", ".*_cache", ".hypothesis", "*.mo"
)
_CATALOGUES = ROOT.glob("locale/*/LC_MESSAGES/*.po")
_MADE = (
    ".venv/.ready", ".venv/.test-ready",
    *(str(path.relative_to(ROOT).with_suffix(".mo")) for path in _CATALOGUES),
)  # fmt: skip
AS_SET_UP = [option for path in _MADE for option in ("--old-file", path)]
"""Options with which `make` takes the project for set up."""
LINT_CHECKS = re.findall(r"^check (.*)", (ROOT / ".ci/lint").read_text(), re.MULTILINE)
"""The shell commands that `make lint` runs."""


def copy_of_project(folder: Path) -> Path:
    """Copies the project without its repository into a folder; uses the same environment."""
    copy = folder / "battleships"
    shutil.copytree(ROOT, copy, ignore=_LEFT_OUT)
    (copy / ".venv").symlink_to((ROOT / ".venv").resolve())
    return copy


def dry_run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The commands that `make` would run there."""
    return subprocess.run(
        # `make test` runs this test: a make within make would say which folder it enters.
        ["make", "--no-print-directory", "--dry-run", *words], cwd=folder, text=True, check=False,
        capture_output=True,
    )  # fmt: skip

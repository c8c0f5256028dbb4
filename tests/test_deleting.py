"""Features are deleted on a copy of the project: their folders, rows, tests and documents.

Then nothing in the copy may import what is gone, and it has to pass the tests of the core.
"""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from game.feature_list import FEATURES
from tests.support.missing import needs
from tests.support.served import copy_of_project, environment

pytestmark = needs("gettext", "xgettext")
HARDEST = ["challenge", "duel"]
"""Those with parts in tokens, which are deleted together in `make check`."""
IMPORTS = ".venv/bin/lint-imports --no-logo"
TESTS = (
    ".venv/bin/python -m pytest -p no:cacheprovider -p no:xdist "
    "-m 'not deep and not long and not browser' tests/test_bench.py tests/test_checks.py "
    "tests/web/test_addresses.py tests/web/test_json.py tests/web/test_pages.py"
)
"""The tests of the core that meet what features add."""


def delete(copy: Path, names: Sequence[str]) -> None:
    """Deletes features as a maintainer does."""
    for name in names:
        for folder in (f"game/features/{name}", f"tests/{name}"):
            shutil.rmtree(copy / folder)
        shutil.rmtree(copy / f"bench/{name}", ignore_errors=True)
        (copy / f"docs/{name}.md").unlink()
        cut(
            copy / "game/feature_list.py",
            rf"^    FeatureWords\(\s*\"{name}\"(?:.*\n)+?(?=    FeatureWords|    #)",
        )
        cut(copy / "docs/README.md", rf"^- \[{name}\.md\].*\n(?:  .*\n)*")
        cut(copy / "docs/architecture.md", rf"^    │  {name} .*\n")
        # What the configuration says of it: contracts of its own, exceptions, and bans.
        path = copy / "pyproject.toml"
        parts = re.split(
            r"(?=^\[\[tool\.importlinter\.contracts)", path.read_text(), flags=re.MULTILINE
        )
        own = re.compile(rf"source_modules = \[\s*\"game\.features\.{name}\b")
        path.write_text("".join(part for part in parts if not own.search(part)))
        cut(path, rf"^ *\"(?:game\.features|tests)\.{name}\b.*\n", is_there=False)


def cut(path: Path, pattern: str, *, is_there: bool = True) -> None:
    text, count = re.subn(pattern, "", path.read_text(), flags=re.MULTILINE)
    assert count or not is_there, (path, pattern)
    path.write_text(text)


def run(copy: Path, command: str) -> str:
    """What is wrong with a command in the copy; nothing if it is content."""
    done = subprocess.run(
        ["sh", "-c", command], cwd=copy, env=environment(data=str(copy / "var")),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return f"{command}\n{done.stdout[-6000:]}{done.stderr[-2000:]}" if done.returncode else ""


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(HARDEST, marks=pytest.mark.deep),
        *(
            pytest.param([it.name], marks=pytest.mark.long)
            for it in FEATURES
            if it.name not in HARDEST
        ),
    ],
    ids="-".join,
)
def test_without_features_the_core_passes_its_checks(names: list[str], tmp_path: Path) -> None:
    copy = copy_of_project(tmp_path, has_static=True)
    delete(copy, names)
    for command in ("translations", "collectstatic --noinput --verbosity 0"):
        assert not run(copy, f".venv/bin/python manage.py {command}")
    wrong = [found for command in (IMPORTS, TESTS) if (found := run(copy, command))]
    assert not wrong, "\n".join(wrong)

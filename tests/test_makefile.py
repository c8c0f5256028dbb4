"""What `make` runs in a fresh clone, and the locks that it installs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.served import LINT_CHECKS, ROOT

A_TEST, A_BROWSER_TEST = "tests/web/test_pages.py", "tests/browser/test_pages.py::test_x"
ENVIRONMENT, FOR_TESTS = ".ci/venv", "-r tests/requirements.lock"
TRANSLATIONS, STATIC = "manage.py translations", "manage.py collectstatic"


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """What `make` looks at, of a clone in which nothing is set up."""
    for path in ("Makefile", ".ci/venv", "requirements.lock", "tests/requirements.lock"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    shutil.copytree(ROOT / "locale", tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))
    return tmp_path


def dry_run(folder: Path, words: str) -> subprocess.CompletedProcess[str]:
    """The commands that `make` would run there."""
    # `make test` runs this test: a make within make would say which folder it enters.
    command = ["make", "--no-print-directory", "--dry-run", *words.split()]
    return subprocess.run(command, cwd=folder, text=True, check=False, capture_output=True)


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("setup", [ENVIRONMENT, TRANSLATIONS]),
        (f"t T={A_TEST}", [ENVIRONMENT, FOR_TESTS, TRANSLATIONS, STATIC, f"-m pytest {A_TEST}"]),
        (f"t T={A_BROWSER_TEST}", [STATIC, ".ci/browser", f"-m pytest {A_BROWSER_TEST}"]),
        ("bench", [ENVIRONMENT, FOR_TESTS, STATIC, "-m bench"]),
        ("figures", [ENVIRONMENT, FOR_TESTS, STATIC, "-m bench"]),
    ],
)
def test_each_target_first_sets_up_what_it_needs(fresh: Path, words: str, steps: list[str]) -> None:
    shown = dry_run(fresh, words).stdout
    assert sorted((step for step in steps if step in shown), key=shown.index) == steps
    assert (".ci/browser" in shown) is (A_BROWSER_TEST in words)


def test_no_test_is_refused_with_an_example_before_anything_is_set_up(fresh: Path) -> None:
    done = dry_run(fresh, "t")
    assert f"make t T={A_TEST}" in done.stderr
    assert (done.returncode, done.stdout) == (2, "")


PYTHONS = {
    "python3": 'exec {} -c "import sys; sys.version_info = 3, 10; exec(sys.argv.pop(1))" "$2" "$3"',
    "python3.13": "exit 127",  # pyenv's, for a version that is not chosen
    "python3.12": '[ $1 = -c ] && exec {} "$@"; rm .venv/bin/python; cp pip .venv/bin/python',
}


@pytest.mark.parametrize(
    ("pythons", "pip", "says"),
    [
        ("", "", "there is no python3; install one"),
        ("python3 python3.13", "", "python3 is Python 3.10; install one"),
        ("python3 python3.13 python3.12", "exit 1", "python3.12"),
        ("python3 python3.13 python3.12", "exit 0", "python3.12"),
    ],
)
def test_half_an_environment_is_made_anew_by_a_python_that_fits_or_goes(
    fresh: Path, pythons: str, pip: str, says: str
) -> None:
    (fresh / ".venv/bin").mkdir(parents=True)
    (fresh / ".venv/bin/python").touch()  # of another Python, or of a pip that was interrupted
    for program in ("sh", "dirname", "make", "touch", "rm", "cp"):
        (fresh / program).symlink_to(str(shutil.which(program)))
    for program in ("pip", *pythons.split()):
        script = PYTHONS.get(program, pip).format(sys.executable)
        (fresh / program).write_text(f"#!/bin/sh\n{script}")
        (fresh / program).chmod(0o700)
    command, env = ["make", ".venv/.ready"], {"PATH": str(fresh)}
    done = subprocess.run(command, cwd=fresh, env=env, capture_output=True, text=True, check=False)
    assert says in (done.stdout if pip else done.stderr).splitlines()[-1 if pip else 0]
    assert (done.returncode == 0) is (fresh / ".venv").exists() is (pip == "exit 0"), done.stderr


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


# --- locks: pip itself refuses a package without its hash, or without what it needs ---


def pins(path: str) -> set[str]:
    """The pinned packages of a list or of a lock, such as `numpy==2.4.6`."""
    lines = re.findall(r"^(\w[^#;\\\n]*)", (ROOT / path).read_text(), re.MULTILINE)
    found = [Requirement(line) for line in lines]
    return {f"{canonicalize_name(one.name)}{one.specifier}" for one in found}


@pytest.mark.parametrize(
    ("folder", "without"),
    [("", None), ("tests/", "requirements.lock")],
)
def test_a_lock_has_each_version_of_its_list_and_of_the_lock_below_it(
    folder: str, without: str | None
) -> None:
    lock = pins(f"{folder}requirements.lock")
    assert pins(f"{folder}requirements.txt") <= lock, "`make lock` writes it anew"
    assert (pins(without) if without else set()) <= lock
    assert "://" not in (ROOT / f"{folder}requirements.lock").read_text(), "no server is named"


def test_the_locks_are_for_every_python_that_is_served() -> None:
    (asked,) = re.findall(r'requires-python = ">=(\S+)"', (ROOT / "pyproject.toml").read_text())
    (written,) = re.findall(r"--python-version (\S+)", (ROOT / "Makefile").read_text())
    assert written == asked
    refused = f"({asked.replace('.', ', ')})"
    assert all(refused in (ROOT / path).read_text() for path in ("manage.py", ".ci/venv"))


def test_nothing_is_installed_but_by_hash() -> None:
    places = [ROOT / "Makefile", ROOT / "deploy/Dockerfile", *(ROOT / ".ci").iterdir()]
    lines = [line for place in places for line in place.read_text().splitlines()]
    installs = [line for line in lines if "pip install" in line]
    assert len(installs) >= 2
    assert all("--require-hashes -r" in line for line in installs)

"""The wheel: what is in it, and the site as it is installed from it, without an index or a clone.

`make wheel-test` downloads the wheels of the requirements first. WHEEL_PYTHON names another
interpreter for the installation.
"""

import os
import re
import shlex
import subprocess
import sys
import tarfile
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest

from battleships_site import __version__
from tests.support.device import asked
from tests.support.features import brought
from tests.support.served import ROOT, copy_of_project, running, wait_until

pytestmark = pytest.mark.deep
NEEDS = ROOT / "var/wheels/needs"
EARLIER = "game/site.000000000000.css"
INTERPRETER = os.environ.get("WHEEL_PYTHON", sys.executable)


def environment(home: Path) -> dict[str, str]:
    """The environment of a person who has set nothing."""
    unset = "BATTLESHIP_", "DJANGO_", "PYTHON", "VIRTUAL_ENV", "XDG_"
    kept = {name: text for name, text in os.environ.items() if not name.startswith(unset)}
    return {**kept, "HOME": str(home), "LANG": "C.UTF-8"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist of a copy of the project that has secrets.

    An earlier version's files are beside the newest ones.
    """
    folder = tmp_path_factory.mktemp("wheel")
    copy = copy_of_project(folder)
    for other in ("var/secrets.json", "deploy/secrets/secrets.json", f"var/static/{EARLIER}"):
        (copy / other).parent.mkdir(exist_ok=True, parents=True)
        (copy / other).write_text("{}")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder / "built")]
    subprocess.run(build, cwd=copy, env=environment(folder), check=True, capture_output=True)
    return folder / "built"


def test_the_wheel_is_for_every_platform_and_holds_what_the_site_needs(built: Path) -> None:
    (path,) = built.glob("*.whl")
    assert path.name == f"battleships_web-{__version__}-py3-none-any.whl"
    with ZipFile(path) as wheel:
        names = set(wheel.namelist())
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        described = wheel.read(metadata).decode()
    assert {name.split("/")[0] for name in names} - {metadata.split("/")[0]} == {
        "battleships_site", "game",
    }  # fmt: skip
    assert {
        "game/players/belief/compiled.wasm", "battleships_site/templates/base.html",
        "battleships_site/locale/de/LC_MESSAGES/django.mo",
        "battleships_site/static/staticfiles.json",
    } <= names  # fmt: skip
    assert any(re.search(r"static/game/site\.\w{12}\.css\.br", name) for name in names)
    unwanted = re.compile(rf"secrets\.json|\.pyc$|{EARLIER}")
    assert not [name for name in names if unwanted.search(name)]
    pinned = (ROOT / "requirements.txt").read_text().splitlines()
    assert (
        len(re.findall("^Requires-Dist: (?!.*extra)", described, re.MULTILINE)) == len(pinned) - 1
    )
    assert "License" not in described.split("\n\n")[0]


def test_the_sdist_holds_all_that_is_tracked_and_nothing_else(built: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("there is no repository here")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert names == {*listed.stdout.decode().splitlines(), "PKG-INFO"}


# --- installed ---


class Installed:
    """An environment with the wheel, and a person with an empty home."""

    def __init__(self, folder: Path, built: Path) -> None:
        self.home, self.bin = folder / "home", folder / "env/bin"
        self.home.mkdir()
        (wheel,) = built.glob("*.whl")
        self.run(INTERPRETER, "-m", "venv", folder / "env")
        self.run(
            self.bin / "python", "-m", "pip", "install", "--quiet", "--no-index", "--isolated",
            "--find-links", NEEDS, wheel,
        )  # fmt: skip

    def run(self, *command: str | Path, typed: str = "") -> str:
        """What a command prints."""
        done = subprocess.run(
            command, cwd=self.home, env=environment(self.home), capture_output=True, text=True,
            input=typed, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def files(self) -> dict[Path, float]:
        """The installed files, with the times of their last change."""
        places = (place for place in self.bin.parent.rglob("*") if place.suffix != ".pyc")
        return {place: place.stat().st_mtime for place in places if place.is_file()}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Installed:
    assert NEEDS.is_dir(), "`make wheel-test` downloads the wheels of the requirements"
    return Installed(tmp_path_factory.mktemp("installed"), built)


@pytest.mark.long
def test_installed_without_an_index_it_has_its_commands(installed: Installed) -> None:
    command = installed.bin / "battleships"
    assert installed.run(command, "--version").strip() == __version__
    commands = installed.run(command, "help", "--commands").split()
    assert {"keys", "serve", "verify"} <= set(commands)
    for words, lines, says in [row for rows in brought("COMMANDS").values() for row in rows]:
        assert says in installed.run(command, *shlex.split(words), typed=lines)


@pytest.mark.long
def test_installed_it_serves_a_match_and_a_german_page_and_writes_only_its_data(
    installed: Installed, tmp_path: Path
) -> None:
    """In a folder with another package named game."""
    (installed.home / "game").mkdir()
    (installed.home / "game/__init__.py").write_text("raise SystemExit('another game')")
    log, words = tmp_path / "log", [str(installed.bin / "battleships"), "serve"]
    options = {"cwd": installed.home, "env": environment(installed.home)}
    with running(words, log, lambda: "http://" in log.read_text(), **options):
        (address,) = re.findall(r"http://\S+", log.read_text())
        port = urlsplit(address).port or 0
        before = installed.files()
        wait_until(lambda: '<html lang="de">' in asked(port, "/de/"), log.read_text)
        assert "Neue Partie" in asked(port, "/de/rules/")
        where = asked(port, "/en/new/bonn/?opponent=admiral", "action=quick").location
        for turns in range(1, 4):
            page = asked(port, where)
            cells = re.findall(r'name="cell" value="(\w+)"(?! aria-disabled)', page)
            where = asked(port, where, f"cell={cells[7 * turns]}").location
        page = asked(port, where)
        assert 'data-phase="firing"' in page
        assert page.count("data-state") > 200
        (style,) = set(re.findall(r'href="(/static/game/site\.\w+\.css)"', page))
        assert "color" in asked(port, style)
    assert installed.files() == before
    (data,) = (installed.home / ".local/share").iterdir()
    written = {path.name.partition(".")[0] for path in data.iterdir()}
    assert (data.name, written) == ("battleships-web", {"secrets", "battleship"})

"""The steps of docs/operations.md for systemd, and its unit, on a machine without systemd."""

import os
import re
import shlex
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.device import asked
from tests.support.missing import needs
from tests.support.served import ROOT, copy_of_project, free_port, running, wait_until

pytestmark = pytest.mark.deep
USER = 10002
IS_ROOT = os.geteuid() == 0
AS_USER = (
    # The user may write no more than its own files, but may read all, since the interpreter of the
    # tests may lie in root's home.
    f"setpriv --reuid={USER} --regid={USER} --clear-groups "
    "--inh-caps=-all,+dac_read_search --ambient-caps=-all,+dac_read_search "
    if IS_ROOT
    else ""
)
OWNER = USER if IS_ROOT else os.geteuid()
UNIT = (ROOT / "deploy/battleship.service").read_text()


def commands(heading: str) -> list[str]:
    """The commands that the document shows below a heading, line by line."""
    text = (ROOT / "docs/operations.md").read_text()
    part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line.strip() for line in re.findall(r"^ {4,}(\S.*)$", part, re.MULTILINE)]


STEPS = commands("With systemd")


def settings_of_unit(name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)


class Machine:
    """A clone in which nothing is set up but the requirements, on a machine in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clone = folder, copy_of_project(folder)
        self.data = folder / "var/lib/battleship"
        for name in ("etc/systemd/system", "var/lib", "var/cache"):
            (folder / name).mkdir(parents=True)
        self.port, self.more = free_port(), dict[str, str]()

    def here(self, text: str) -> str:
        """Replaces the machine's paths and address in a text."""
        text = re.sub(r"(?<![\w.-])/(etc|var)/", rf"{self.folder}/\1/", text)
        text = text.replace("/opt/battleship", str(self.clone))
        return text.replace("127.0.0.1:8000", f"127.0.0.1:{self.port}")

    def types(self, line: str, *, may_fail: bool = False) -> str:
        """Returns what a line prints that an operator types in the clone."""
        if "useradd" in line:
            return ""  # a user without a name is as good
        line = re.sub(r"^sudo ", "", line.replace("sudo -u battleship ", AS_USER))
        line = line.replace("-o battleship", f"-o {USER} -g {USER}" if IS_ROOT else "")
        line = re.sub(r"^make ", "make --old-file .venv/.ready ", line)
        line = line.replace("systemctl reload battleship", settings_of_unit("ExecReload")[0])
        done = subprocess.run(
            ["sh", "-c", self.here(line)], cwd=self.clone, env=PLAIN | self.more,
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert may_fail or done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        if line.endswith("/etc/battleship.env"):
            copied = self.folder / "etc/battleship.env"
            copied.write_text(self.here(copied.read_text()))
        return done.stdout + done.stderr


PLAIN = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": "/"}


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    with tempfile.TemporaryDirectory() as folder:  # which every user may enter
        Path(folder).chmod(0o755)
        yield Machine(Path(folder))


def test_the_steps_lead_to_a_german_page_and_the_check_sees_what_is_missing(
    machine: Machine,
) -> None:
    """One test, since each step needs those before it."""
    *_, check, unit, _start, curl = STEPS
    for line in STEPS[: STEPS.index(check)]:
        machine.types(line)
    made = [machine.clone / "locale/de/LC_MESSAGES/django.mo"]
    made.append(machine.clone / "var/static/staticfiles.json")
    assert all(path.stat().st_mode & 0o004 for path in made)
    (kept,) = machine.data.iterdir()
    assert (kept.name, kept.stat().st_mode & 0o777) == ("secrets.json", 0o600)
    assert {machine.data.stat().st_uid, kept.stat().st_uid} == {OWNER}
    assert "no issues" in machine.types(check)
    machine.types(unit)
    with started(machine):
        german = machine.types(curl)
        assert '<html lang="de"' in german
        assert "Schiffe versenken" in german
        see_an_update(machine)
    for path in made:
        path.unlink()
    missing = machine.types(check, may_fail=True)
    assert re.findall(r"game\.E\d+", missing) == ["game.E004", "game.E005"]


def see_an_update(machine: Machine) -> None:
    """Follows the steps of an update while a visitor comes, who gets all that it asks for."""
    pull, *steps = commands("Updates")[0].split(" && ")
    assert pull == "git pull"
    template = machine.clone / "templates/base.html"
    template.write_text(template.read_text().replace("</head>", "<!-- newer --></head>"))
    for line in steps:
        machine.types(line)

    def is_newer() -> bool:
        page = asked(
            machine.port, "/en/",
            headers={"Host": "play.example.org", "X-Forwarded-Proto": "https"},
        )  # fmt: skip
        assert page.status == 200
        return "<!-- newer -->" in page

    wait_until(is_newer, lambda: "it is still served as before")


@contextmanager
def started(machine: Machine) -> Iterator[None]:
    """Does what `systemctl` does with the unit."""
    assert settings_of_unit("User") == ["battleship"]
    (file,), (words,) = settings_of_unit("EnvironmentFile"), settings_of_unit("ExecStart")
    lines = Path(machine.here(file)).read_text().split()
    pairs = [*lines, *machine.here(" ".join(settings_of_unit("Environment"))).split()]
    notified = machine.folder / "notified"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(str(notified))
        channel.settimeout(60)
        for place in (notified, machine.folder / "var/cache"):  # where CacheDirectory is made
            place.chmod(0o777)
        with running(
            [*shlex.split(AS_USER), *shlex.split(machine.here(words))],
            machine.folder / "service.log", lambda: b"READY=1" in channel.recv(1000),
            cwd=machine.here(*settings_of_unit("WorkingDirectory")),
            env=PLAIN | dict(pair.split("=", 1) for pair in pairs)
            | {"NOTIFY_SOCKET": str(notified), "WEB_CONCURRENCY": "1"},
        ) as process:  # fmt: skip
            machine.more["MAINPID"] = str(process.pid)
            yield


@needs("systemd", "systemd-analyze")
def test_systemd_accepts_the_unit_and_finds_it_hardened(tmp_path: Path) -> None:
    unit = tmp_path / "battleship.service"
    unit.write_text(UNIT.replace("/opt/battleship", str(ROOT)))

    def analyzed(*words: str) -> subprocess.CompletedProcess[str]:
        command = ["systemd-analyze", "--no-pager", *words, str(unit)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    verified = analyzed("verify")
    assert (verified.returncode, verified.stderr) == (0, "")
    assert analyzed("security", "--offline=true", "--threshold=15").returncode == 0

"""The steps of docs/operations.md for systemd, and its unit, on a machine without systemd."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.copies import copy_of_project
from tests.support.documents import ROOT
from tests.support.hosting import IS_ROOT, Machine, as_user, blocks, free_port, owner
from tests.support.missing import needs

OPERATIONS, HOST, USER = "docs/operations.md", "ships.example", 10002
STEPS = blocks(OPERATIONS, "With systemd")
AS_BATTLESHIP = "sudo -u battleship "


def options(unit: str) -> dict[str, list[str]]:
    """The settings of a unit, each with its values."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", unit, re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


UNIT = options((ROOT / "deploy/battleship.service").read_text())


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """A machine with a clone in which nothing is set up but the requirements."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        clone = copy_of_project(Path(folder))
        names = ("/etc/systemd/system/", "/etc/battleship.env", "/var/lib/battleship",
                 "/var/cache/battleship")  # fmt: skip
        places = {name: f"{folder}{name}" for name in names}
        for name in names:
            Path(places[name]).parent.mkdir(parents=True, exist_ok=True)
        Path(places["/etc/systemd/system/"]).mkdir()
        places |= {"/opt/battleship": str(clone), "127.0.0.1:8000": f"127.0.0.1:{free_port()}"}
        yield Machine(places)


def type_in(machine: Machine, line: str, *, may_fail: bool = False) -> str:
    """Returns what a line prints that an operator types in the clone."""
    line = line.replace("play.example.org", HOST)
    if "useradd" in line:
        return ""  # a user without a name is as good
    line = line.replace(AS_BATTLESHIP, "".join(f"{word} " for word in as_user(USER)))
    line = re.sub(r"^sudo ", "", line)
    line = line.replace("-o battleship", f"-o {USER} -g {USER}" if IS_ROOT else "")
    line = re.sub(r"^make ", "make --old-file .venv/.ready ", line)
    done = machine.run(line, cwd="/opt/battleship", may_fail=may_fail)
    if line.endswith("/etc/battleship.env") and "install" in line:  # the step says: edit it
        copied = Path(machine.here("/etc/battleship.env"))
        copied.write_text(machine.here(copied.read_text().replace("play.example.org", HOST)))
    return done.stdout + done.stderr


def test_the_steps_lead_to_a_german_page_and_the_check_sees_what_is_missing_or_stale(
    machine: Machine, tmp_path: Path
) -> None:
    """One test, since each step needs those before it."""
    checked, started = (
        next(n for n, line in enumerate(STEPS) if word in line) for word in ("check", "systemctl")
    )
    for line in STEPS[:checked]:
        type_in(machine, line)
    clone = Path(machine.here("/opt/battleship"))
    made = clone / "locale/de/LC_MESSAGES/django.mo", clone / "var/static/staticfiles.json"
    assert all(path.stat().st_mode & 0o004 for path in made)
    data = Path(machine.here("/var/lib/battleship"))
    assert [(path.name, path.stat().st_mode & 0o777) for path in data.iterdir()] == [
        ("secrets.json", 0o600)
    ]
    assert {data.stat().st_uid, (data / "secrets.json").stat().st_uid} == {owner(USER)}
    check = STEPS[checked]
    assert "no issues" in type_in(machine, check)

    for line in STEPS[checked + 1 : started]:
        type_in(machine, line)
    (curl,) = STEPS[started + 1 :]
    start(machine, tmp_path, curl)

    for path in made:
        os.utime(path, (1, 1))
    stale = type_in(machine, check, may_fail=True)
    for path in made:
        path.unlink()
    missing = type_in(machine, check, may_fail=True)
    for said in (stale, missing):
        assert re.findall(r"game\.E\d+", said) == ["game.E004", "game.E005"]


def start(machine: Machine, log: Path, curl: str) -> None:
    """Does what `systemctl` does with the unit, and opens the page as the last step says."""
    assert UNIT["User"] == ["battleship"]
    environment = dict(pair.split("=", 1) for line in UNIT["Environment"] for pair in line.split())
    for line in Path(machine.here(*UNIT["EnvironmentFile"])).read_text().splitlines():
        name, _, environment[name] = line.partition("=")
    cache = Path(machine.here("/var/cache/battleship"))  # CacheDirectory
    cache.mkdir()
    cache.chmod(0o777)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        environment["NOTIFY_SOCKET"] = f"{folder}/notify"
        environment["WEB_CONCURRENCY"] = "1"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.bind(environment["NOTIFY_SOCKET"])
            os.chmod(environment["NOTIFY_SOCKET"], 0o777)
            notified.settimeout(60)
            with replace(machine, environment=environment).running(
                shlex.split(UNIT["ExecStart"][0]), user=USER, cwd=UNIT["WorkingDirectory"][0],
                log=log / "service.log", is_up=lambda: b"READY=1" in notified.recv(1000),
            ):  # fmt: skip
                german = type_in(machine, curl)
    assert '<html lang="de"' in german
    assert "Schiffe versenken" in german


@needs("systemd", "systemd-analyze")
def test_systemd_accepts_the_unit_and_finds_it_hardened(tmp_path: Path) -> None:
    unit = tmp_path / "battleship.service"
    text = (ROOT / "deploy/battleship.service").read_text()
    unit.write_text(text.replace("/opt/battleship", str(ROOT)))
    verified = analyzed("verify", str(unit))
    assert (verified.returncode, verified.stderr) == (0, "")
    assert analyzed("security", "--offline=true", "--threshold=15", str(unit)).returncode == 0
    unit.write_text(unit.read_text().replace("CapabilityBoundingSet=\n", ""))
    assert analyzed("security", "--offline=true", "--threshold=15", str(unit)).returncode == 1


def analyzed(*words: str) -> subprocess.CompletedProcess[str]:
    words = ("systemd-analyze", "--no-pager", *words)
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_a_saved_file_of_secrets_is_restored_for_the_user_of_the_service(machine: Machine) -> None:
    save, restore = (
        line for line in blocks(OPERATIONS, "Backup and restore") if line.startswith("sudo ")
    )
    data = Path(machine.here("/var/lib/battleship"))
    shutil.rmtree(data, ignore_errors=True)
    make_folder, make_keys = (
        line for line in STEPS if "install -d" in line or line.endswith("keys make")
    )
    settings = (ROOT / "deploy/battleship.env").read_text()
    Path(machine.here("/etc/battleship.env")).write_text(machine.here(settings))
    type_in(machine, make_folder)
    type_in(machine, make_keys)
    kept = (data / "secrets.json").read_bytes()
    type_in(machine, save)
    shutil.rmtree(data)
    type_in(machine, make_folder)
    type_in(machine, make_keys)
    assert (data / "secrets.json").read_bytes() != kept
    type_in(machine, restore)
    assert (data / "secrets.json").read_bytes() == kept
    there = (data / "secrets.json").stat()
    assert (there.st_uid, there.st_mode & 0o777) == (owner(USER), 0o600)

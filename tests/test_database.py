"""The database of what several browsers share: where it is, and what works without it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django import Settings

from game.ops import database
from tests.support.device import Device
from tests.support.served import LATE, ROOT, environment, python, site_settings


@pytest.mark.parametrize("is_on", [True, False])
def test_everything_for_one_device_plays_without_a_connection(
    is_on: bool, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: Any) -> None:
        raise AssertionError("a connection is opened")

    settings.HAS_DATABASE = is_on
    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", refuse)
    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", refuse)
    device = Device()
    for where in ("/en/", "/de/about/", "/en/setup/bonn/", "/healthz", "/readyz"):
        assert device.get(where).status == 200, where
    for new in ("bonn/?opponent=sailor", "bonn/?players=2", "milton/?opponent=solo"):
        device.open(f"/en/new/{new}")
        device.send({"action": "quick"})
        assert device.page.status == 200
    device.open("/en/new/bonn/?opponent=sailor")
    device.send({"action": "quick"})
    device.send({"action": "resign-yes"})
    assert device.page.attribute("data-phase") == "over"


def test_a_site_in_development_has_a_file_in_its_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = site_settings(monkeypatch, BATTLESHIP_DATA=str(tmp_path))["DATABASES"]["default"]
    assert (found["ENGINE"], found["NAME"].parent) == ("django.db.backends.sqlite3", tmp_path)
    assert "synchronous=FULL" in found["OPTIONS"]["init_command"]


@pytest.mark.parametrize("is_one_machine", [True, False])
def test_copies_that_are_not_told_of_a_database_have_none_and_say_so(
    is_one_machine: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    more = {"BATTLESHIP_ENV": "production", "BATTLESHIP_HOSTS": "play.example.org"}
    if is_one_machine:
        more["BATTLESHIP_ONE_MACHINE"] = "1"
    assert site_settings(monkeypatch, **more)["HAS_DATABASE"] is is_one_machine
    monkeypatch.setattr(database, "is_on", lambda: False)
    database.tend()
    assert "nobody can play at two devices" in caplog.text


def test_an_address_of_postgresql_is_read_with_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("psycopg_pool")
    where = "postgres://battleship@db.example.org:5433/battleship"
    found = site_settings(
        monkeypatch, BATTLESHIP_DATABASE=where, BATTLESHIP_DATABASE_PASSWORD="a/b@c"
    )["DATABASES"]["default"]
    names = ("HOST", "PORT", "USER", "NAME", "PASSWORD")
    told = ["db.example.org", 5433, "battleship", "battleship", "a/b@c"]
    assert [found[name] for name in names] == told
    assert found["OPTIONS"]["pool"]["max_size"] == 2


def test_another_address_is_refused_in_one_sentence_without_its_password() -> None:
    pytest.importorskip("psycopg_pool")
    got = python("manage.py", "check", BATTLESHIP_DATABASE="postgres://a:s3cret@b:x/c")
    assert got.returncode == 1
    assert got.stderr.startswith("BATTLESHIP_DATABASE is not an address like postgres://")
    assert "s3cret" not in got.stderr
    assert len(got.stderr.splitlines()) == 1


def test_processes_that_start_together_migrate_one_after_the_other(tmp_path: Path) -> None:
    script = "import django; django.setup(); from game.ops import database; database.prepare()"
    env = environment(data=str(tmp_path)) | {"DJANGO_SETTINGS_MODULE": "battleships_site.settings"}
    starting = [
        subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, env=env) for _each in range(2)
    ]
    assert [process.wait(LATE) for process in starting] == [0, 0]
    assert (tmp_path / "battleship.sqlite3").stat().st_mode & 0o77 == 0


def test_shots_go_on_once_a_full_disk_has_room_again(tmp_path: Path) -> None:
    """Without a restart; a limit of the file stands in for the disk."""
    script = """
import resource
import django; django.setup()
from game.ops import database
from game.features.duel.models import Duel
database.prepare()
row = dict(state="x" * 4000, step=0, revision=0, first_seat="", second_seat="", ends=0)
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, most))
for number in range(1000):
    try:
        database.run(lambda: Duel.objects.create(id=str(number), **row))
    except database.DatabaseDown:
        break
assert number < 999
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
database.run(lambda: Duel.objects.create(id="later", **row))
"""
    pytest.importorskip("game.features.duel")
    got = python(
        "-c", script, BATTLESHIP_DATA=str(tmp_path),
        DJANGO_SETTINGS_MODULE="battleships_site.settings",
    )  # fmt: skip
    assert got.returncode == 0, got.stderr

"""`manage.py collectstatic` in a folder that is served: each file is whole, old ones stay."""

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from tests.support.device import Device

Collect = Callable[..., str]


@pytest.fixture
def root(tmp_path: Path, settings: Settings) -> Path:
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [tmp_path / "new"], tmp_path / "var/static"
    return tmp_path / "var/static"


@pytest.fixture
def collect(root: Path, tmp_path: Path) -> Iterator[Collect]:
    """Collects a style of so many lines, and returns its address."""
    style = tmp_path / "new/game/site.css"
    style.parent.mkdir(parents=True)

    def collect(lines: int, *options: str) -> str:
        style.write_text("".join(f"a{line} {{ color: red }}\n" for line in range(lines)))
        call_command("collectstatic", *options, verbosity=0)
        return f"/static/{paths(root)['game/site.css']}"

    yield collect
    assert [*root.parent.iterdir()] == [root], "nothing is left beside it"


def paths(root: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((root / "staticfiles.json").read_bytes())["paths"]
    return found


def age(folder: Path, days: int) -> None:
    for path in folder.rglob("*.*"):
        then = time.time() - days * 24 * 60 * 60
        os.utime(path, (then, then))


@pytest.mark.parametrize("option", ["--noinput", "--clear"])
def test_a_file_stays_for_thirty_days_after_a_newer_one_has_replaced_it(
    root: Path, collect: Collect, client: Device, option: str
) -> None:
    first = collect(1)
    age(root, 100)
    second = collect(2, option)
    age(root, 29)
    third = collect(3, option)
    for where, lines in ((first, 1), (second, 2), (third, 3)):
        file = client.get(where)
        assert (file.status, file.count("color")) == (200, lines)
        assert "immutable" in file.headers["Cache-Control"]
    age(root, 31)
    fourth = collect(4, option)
    found = [client.get(where).status for where in (first, second, third, fourth)]
    assert found == [404, 404, 200, 200]

"""What `manage.py check --deploy` refuses: pages without their translations or static files."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings
from pytest_django import Settings

from game import checks
from tests.support.device import Device


@pytest.fixture
def site(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """A folder with one catalogue and one style, which are compiled and collected."""
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    settings.LANGUAGE_TABLE = {code: settings.LANGUAGE_TABLE[code] for code in ("en", "de")}
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [tmp_path / "static"], tmp_path / "collected"
    for name in ("locale/de/LC_MESSAGES/django.po", "static/game/site.css"):
        change(tmp_path / name, 1_000)
    for name in ("locale/de/LC_MESSAGES/django.mo", "collected/staticfiles.json"):
        change(tmp_path / name, 2_000)
    with override_settings(INSTALLED_APPS=["game"]):  # without features
        yield tmp_path


def change(path: Path, time: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (time, time))


def found() -> list[str]:
    messages = [*checks.check_catalogues(None), *checks.check_static_files(None)]
    return [str(message.id) for message in messages]


@pytest.mark.parametrize(
    ("source", "made", "error"),
    [("locale/de/LC_MESSAGES/django.po", "locale/de/LC_MESSAGES/django.mo", "game.E004"),
     ("static/game/site.css", "collected/staticfiles.json", "game.E005")],
)  # fmt: skip
def test_what_is_missing_or_older_than_its_source_is_refused(
    site: Path, source: str, made: str, error: str
) -> None:
    assert found() == []
    change(site / source, 3_000)
    assert found() == [error]
    change(site / made, 4_000)
    assert found() == []
    (site / made).unlink()
    assert found() == [error]


def test_what_is_installed_without_its_sources_is_accepted(site: Path) -> None:
    (site / "locale/de/LC_MESSAGES/django.po").unlink()
    (site / "static/game/site.css").unlink()
    assert found() == []
    (site / "locale/de/LC_MESSAGES/django.mo").unlink()
    assert found() == ["game.E004"]


def test_the_manifest_of_static_files_is_for_the_server_alone(client: Device) -> None:
    assert client.get("/static/staticfiles.json").status == 404
    assert client.get("/static/game/site.css").status == 200

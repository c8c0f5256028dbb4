"""The container image holds the site, and none of its secrets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SECRETS = ("deploy/secrets/secrets.json", "var/secrets.json", ".env", "secrets.json")
NEEDED = (
    "manage.py",
    "requirements.lock",
    "battleships_site/settings.py",
    "game/players/belief/compiled.wasm",
    "templates/base.html",
    "static/game/site.css",
    "locale/de/LC_MESSAGES/django.po",
    "deploy/gunicorn.conf.py",
)


def is_copied(path: str) -> bool:
    """Whether the build copies a file: the last pattern of .dockerignore that matches decides."""
    copied = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        parts = re.split(r"(\*\*/|\*)", line.removeprefix("!"))
        wildcards = {"**/": "(?:.*/)?", "*": "[^/]*"}
        pattern = "".join(wildcards.get(part, re.escape(part)) for part in parts)
        if re.fullmatch(f"{pattern}(?:/.*)?", path):
            copied = line.startswith("!")
    return copied


@pytest.mark.parametrize("path", SECRETS)
def test_no_secret_is_copied_into_the_image(path: str) -> None:
    assert not is_copied(path)


@pytest.mark.parametrize("path", NEEDED)
def test_what_the_site_needs_is_copied(path: str) -> None:
    assert (ROOT / path).exists()
    assert is_copied(path)


def test_compiled_files_of_this_machine_are_not_copied() -> None:
    assert not is_copied("game/engine/__pycache__/match.cpython-311.pyc")
    assert not is_copied("locale/de/LC_MESSAGES/django.mo")

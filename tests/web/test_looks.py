"""Rules for scripts and pictures that need no browser."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_scripts_hold_no_words_for_players() -> None:
    for script in (ROOT / "static/game").glob("*.js"):
        code = re.sub(r"//.*", "", script.read_text())
        for text in re.findall(r'"([^"\n]*)"', code):
            assert not re.search(r"[A-Z][a-z]+ [a-z]+ [a-z]+", text), text


def test_there_is_a_picture_for_every_length_of_ship() -> None:
    sprite = (ROOT / "templates/ships.svg").read_text()
    assert set(re.findall(r'id="ship-(\d)"', sprite)) == set("12345678")


def test_no_secret_stands_in_the_sources() -> None:
    for path in [*ROOT.glob("game/**/*.py"), *ROOT.glob("battleships_site/**/*.py")]:
        text = path.read_text()
        assert not re.search(r"SECRET_KEY\s*=\s*[\"']|django-insecure", text), path

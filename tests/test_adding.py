"""A new preset and a new mind are one row each: added to a copy of the site, they play."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

LEFT_OUT = shutil.ignore_patterns("*.mo", "__pycache__")
ROOT = Path(__file__).resolve().parent.parent
PRESET_ROW = """
    Preset(
        name="duel", code=90, title=gettext_noop("Duel of cruisers"),
        sentence=gettext_noop("Two cruisers each, on a small board."),
        ruleset=replace(FIVE_APART, columns=6, rows=6, fleet=(4, 4)), opponent="newcomer",
    ),
    OWN,
"""
MIND_ROW = '    MindInfo("newcomer", 91, gettext_noop("Newcomer")),\n)\n'
MIND = """
class _Newcomer(RandomPlayer):
    name = "newcomer"


MINDS: dict"""
GERMAN = """
msgid "Duel of cruisers"
msgstr "Duell der Kreuzer"

msgid "Two cruisers each, on a small board."
msgstr "Zwei Kreuzer auf jeder Seite, ein kleines Brett."

msgid "Newcomer"
msgstr "Neuling"
"""
PLAY = """
import re
from django.test import Client
from django.core.management import call_command
from django.utils.html import strip_tags

call_command("collectstatic", interactive=False, verbosity=0)
client = Client(SERVER_NAME="localhost")
german = client.get("/de/").content.decode()
assert "Duell der Kreuzer" in german and "Zwei Kreuzer auf jeder Seite" in german
assert "Neuling" in client.get("/de/setup/duel/").content.decode()
form = "application/x-www-form-urlencoded"
where = client.post("/en/new/duel/", "action=quick", form)["Location"]
page = client.get(where).content.decode()
assert "Opponent: Newcomer." in page
while 'data-phase="over"' not in page:
    cell = re.search(r'name="cell" value="(\\w+)"(?! aria-disabled)', page)[1]
    where = client.post(where, f"cell={cell}", form)["Location"]
    page = client.get(where).content.decode()
assert client.get(where.replace("/play/", "/review/"), follow=True).status_code == 200
record = client.get(where.replace("/play/", "/record/")).content.decode()
assert "second newcomer" in record
print("played")
"""


def replaced(path: Path, old: str, new: str) -> None:
    """Puts a text in the place of another, which stands there once."""
    text = path.read_text()
    assert text.count(old) == 1, f"{path.name} does not hold {old!r} once"
    path.write_text(text.replace(old, new))


def test_a_preset_and_a_mind_are_a_row_each_and_a_german_sentence(tmp_path: Path) -> None:
    for name in ("game", "battleships_site", "templates", "static", "locale"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=LEFT_OUT)
    shutil.copy(ROOT / "manage.py", tmp_path)
    replaced(tmp_path / "game/engine/presets.py", "\n    OWN,\n", PRESET_ROW)
    registry = tmp_path / "game/players/registry.py"
    last = '    MindInfo("random", 4, gettext_noop("Drifter"), "", "recruit"),\n'
    replaced(registry, f"{last})\n", last + MIND_ROW)
    minds = tmp_path / "game/players/minds.py"
    replaced(minds, "\nMINDS: dict", MIND)
    replaced(minds, "        RandomPlayer(),\n", "        RandomPlayer(),\n        _Newcomer(),\n")
    with (tmp_path / "locale/de/LC_MESSAGES/django.po").open("a") as catalogue:
        catalogue.write(GERMAN)
    kept = {name: text for name, text in os.environ.items() if not name.startswith("BATTLESHIP_")}
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", PLAY],
        cwd=tmp_path, env=kept, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1:] == ["played"], done.stderr[-3000:]

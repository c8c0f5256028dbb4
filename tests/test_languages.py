"""A language is one catalogue and one table of locale/languages.toml; the code stays as it is."""

import subprocess
from pathlib import Path

import pytest

from tests.support.features import brought
from tests.support.missing import needs
from tests.support.served import copy_of_project, environment

ESPERANTO = {
    "Battleship": "Ŝipbatalo", "Menu": "Menuo", "All games": "Ĉiuj ludoj", "Hints": "Konsiloj",
    "Columns": "Kolumnoj", "Rows": "Vicoj", "How to play": "Kiel ludi",
    "About": "Pri la ludo", "Settings": "Agordoj", "Skip to the content": "Al la enhavo",
    "Place your fleet": "Metu vian floton", "Start": "Komenci", "Play again": "Ludi denove",
    "Your waters": "Via akvo", "Enemy waters": "Malamika akvo", "Give up": "Rezigni",
    "partly translated": "parte tradukita", "Nothing but water": "Nur akvo",
    "There is no page at this address.": "Ne estas paĝo ĉe ĉi tiu adreso.",
    "Site": "Retejo",
}  # fmt: skip
TABLE = """
[eo]
name = "Esperanto"
card_locale = "eo"

[eo.words]
fire = "pafu"
"""
HEADER = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: eo\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"""
SHOW = """
from django.utils import translation
from tests.test_languages import ESPERANTO
from tests.support.device import Device

see = Device().see
with translation.override("eo"):
    assert {text: translation.gettext(text) for text in ESPERANTO} == ESPERANTO
    assert translation.gettext("No account, no profile.") == "No account, no profile."
    assert translation.ngettext("%(count)s hit", "%(count)s hits", 2) == "%(count)s hits"
home, placing, nothing = see("/eo/"), see("/eo/new/milton/"), Device().get("/eo/nowhere/")
assert '<html lang="eo"' in home
for text in ("Ŝipbatalo", "Menuo", "Kiel ludi", "Play now"):
    assert text in home, text
assert "Metu vian floton" in placing
assert "Random" in placing
assert "Nur akvo" in nothing
for page, sentence in ((see("/en/"), "partly translated"), (see("/de/"), "teilweise")):
    link = page.split('hreflang="eo">Esp')[1].split("</a>")[0]
    assert link.startswith("eranto") and sentence in link
    assert page.count("hreflang=") >= 2
assert "Deutsch" in home and "English" in home
print("shown")
"""


def ran(copy: Path, *command: str, typed: str = "") -> str:
    done = subprocess.run(
        [".venv/bin/python", *command], cwd=copy, input=typed, capture_output=True, text=True,
        check=False, env=environment(data=str(copy / "var")),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.deep
@needs("gettext", "xgettext")
def test_twenty_sentences_of_esperanto_show_and_the_rest_is_english(tmp_path: Path) -> None:
    copy = copy_of_project(tmp_path, has_static=True)
    with (copy / "locale/languages.toml").open("a") as table:
        table.write(TABLE)
    catalogue = copy / "locale/eo/LC_MESSAGES/django.po"
    catalogue.parent.mkdir(parents=True)
    entries = (f'msgid "{text}"\nmsgstr "{said}"\n' for text, said in ESPERANTO.items())
    catalogue.write_text("\n".join([HEADER, *entries]))
    ran(copy, "manage.py", "makemessages", "--all", "--no-obsolete", "--no-location")
    shares = ran(copy, "manage.py", "translations", "--shares")
    assert "eo: 20 of " in shares
    assert "(100.0%)" in shares
    assert ran(copy, "manage.py", "shell", "--no-imports", typed=SHOW).splitlines()[-1] == "shown"
    for command, typed, unsaid in [row for rows in brought("ESPERANTO").values() for row in rows]:
        assert unsaid not in ran(copy, "manage.py", *command.split(), typed=typed)

"""The bytes that a browser loads before the first move of a match, and with each shot."""

import re
from os.path import normpath
from pathlib import Path

import brotli
import pytest
from django.conf import settings

from game.engine.presets import PRESETS
from tests.support.device import Device
from tests.support.matches import address, opening
from tests.support.page import Page

KILOBYTE = 1000
BEFORE_THE_FIRST_MOVE = 84 * KILOBYTE
"""Of files as they are written; those of the wheel and the image are a quarter smaller.

Some dozens of bytes more or less come from the site's keys, as tokens compress differently."""
LINKED = r'(?:href|src|data-(?!later)\w+)="/static/([^"]+)"'
"""What a page loads. `data-later` names what it may need once it has changed."""
NAMED = {".js": r'(?:from|import) ?"(?:\./|(?=\.\./))([^"]+)"', ".css": r'url\("([^"#]+)'}


def files(html: str) -> set[str]:
    """The static files of a page, those that its scripts and styles name included."""
    linked = " ".join(re.findall(LINKED, html)).replace("/static/", "")
    found, known = set(linked.split()), set[str]()
    while found:
        known |= found
        found = {name for file in found for name in named_by(file)} - known
    return known


def named_by(name: str) -> list[str]:
    """The files that a script imports, or that a style draws."""
    file = Path(settings.STATIC_ROOT) / name
    if file.suffix not in NAMED:
        return []
    return [
        normpath(f"{Path(name).parent}/{it}")
        for it in re.findall(NAMED[file.suffix], file.read_text())
    ]


def file_weight(name: str) -> int:
    """The number of bytes of a static file, compressed."""
    file = Path(settings.STATIC_ROOT) / name
    packed = file.with_name(f"{file.name}.br")
    return (packed if packed.exists() else file).stat().st_size


def weight(pages: list[Page]) -> int:
    """The bytes of some pages and of all their files, each file once."""
    asked = set[str]().union(*map(files, pages))
    assert any(file.endswith(".js") for file in asked), asked
    assert any(file.endswith(".css") for file in asked), asked
    return sum(map(file_weight, asked)) + sum(len(brotli.compress(page.encode())) for page in pages)


@pytest.mark.parametrize(
    "preset",
    ["bonn", "ask"],
)
def test_little_is_loaded_before_the_first_move(client: Device, preset: str) -> None:
    playing = address(opening(PRESETS[preset].ruleset), language="de")  # whose words are longer
    way = ["/de/", f"/de/new/{preset}/", playing]
    assert weight([client.see(path) for path in way]) <= BEFORE_THE_FIRST_MOVE


def test_home_and_setup_load_the_files_of_a_match_ahead_unless_data_are_saved() -> None:
    plain, saving = Device(), Device(headers={"Save-Data": "on"})
    quick = plain.post("/en/new/bonn/", {"action": "quick"})
    match = files(plain.see("/en/new/bonn/")) | files(plain.see(quick.headers["Location"]))
    for page in ("/en/", "/en/setup/bonn/"):
        assert match <= files(plain.see(page))
        assert len(match - files(saving.see(page))) > 5

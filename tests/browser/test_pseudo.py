"""A language whose words are 40 % longer than English ones fits every page at 320 pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings

from tests.support.browser import OpenPage
from tests.support.layout import faults
from tests.support.served import served
from tests.support.site_pages import ADDRESSES, EXPECTS, show

CODE = "xx"
LONGER = 0.4
CHECKS = ("broken", "clipped", "sideways")
APPLICATION = f"""
from pathlib import Path

from django.conf import settings

from game.ops.languages import Language

settings.LANGUAGE_TABLE["{CODE}"] = Language("Pseudo", "en_GB")
settings.LANGUAGES.append(("{CODE}", "Pseudo"))
settings.LOCALE_PATHS.append(Path(__file__).parent)

from battleships_site.wsgi import application
"""
_KEPT = re.compile(r"%\(\w+\)s|%%|<[^>]+>|&\w+;|\S*[/@=]\S*")
"""Placeholders, tags and addresses, which no translation changes."""


FEW = "home", "placing, empty", "firing, late", "over"
"""The pages that `make test` looks at; `make long` looks at all."""


def longer(text: str) -> str:
    """The text with each word of three letters or more made longer, in its middle."""
    pieces = re.split(f"({_KEPT.pattern})", text)
    return "".join(
        piece if at % 2 else re.sub(r"[^\W\d_]{3,}", _longer_word, piece)
        for at, piece in enumerate(pieces)
    )


def _longer_word(found: re.Match[str]) -> str:
    word, middle = found[0], len(found[0]) // 2
    return f"{word[:middle]}{'é' * ceil(LONGER * len(word))}{word[middle:]}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site that also speaks the longer language."""
    folder = tmp_path_factory.mktemp("pseudo")
    with (Path(settings.LOCALE_PATHS[0]) / "de/LC_MESSAGES/django.po").open("rb") as file:
        catalogue = read_po(file)
    for message in catalogue:
        if message.id and "format" not in (message.context or ""):
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            strings = tuple(longer(str(text)) for text in ids)
            message.string = strings if message.pluralizable else strings[0]
    compiled = folder / CODE / "LC_MESSAGES/django.mo"
    compiled.parent.mkdir(parents=True)
    with compiled.open("wb") as file:
        write_mo(file, catalogue)
    (folder / "pseudo.py").write_text(APPLICATION)
    with served(folder, application="pseudo", match_days="3650") as address:
        yield address


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in FEW else pytest.mark.long) for name in ADDRESSES],
)
def test_no_word_is_cut_on_a_narrow_phone(
    open_page: OpenPage, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(size=(320, 568), expects=EXPECTS)
    in_english = ADDRESSES[name]
    monkeypatch.setitem(ADDRESSES, name, lambda _: in_english("en").replace("/en/", f"/{CODE}/", 1))
    show(page, name, CODE)
    assert page.locator("html").get_attribute("lang") == CODE
    assert "éé" in page.locator("body").inner_text()
    found = faults(page, CHECKS)
    assert not found, "\n".join(found)


def test_a_longer_text_keeps_its_placeholders() -> None:
    assert longer("Fire at %(cell)s") == "Fiéére at %(cell)s"

"""Whole games with labels, of which each cell is typed by its name: in each way to play."""

import random
from collections.abc import Callable
from io import StringIO
from urllib.parse import urlencode, urlsplit

import pytest
from django.core.management import call_command

from tests.support import in_both_languages
from tests.support.device import Device
from tests.support.features import needs_features

COLUMNS = ("I", "you", "he", "she", "we", "my friends")
ROWS = ("went", "saw", "bought", "the <b>", "-1", "Straße")
FIELDS = {
    "fleet": "2-2", "moving": "off", "again": "off", "turns": "none", "label_language": "en",
    "column_labels": ";".join(COLUMNS), "row_labels": ";".join(ROWS), "cells": "typed",
    "title": "Past tenses",
}  # fmt: skip
"""Own rules in which a match is short, with an exercise."""
SPELLINGS: tuple[Callable[[str], str], ...] = (
    str, str.lower, str.upper, lambda name: name.replace(" / ", " "),
    lambda name: " / ".join(reversed(name.split(" / "))), lambda name: name.replace("ß", "ss"),
)  # fmt: skip


def spelt(handle: str) -> str:
    """The name of a cell in one of its spellings, by its handle."""
    column, row = ord(handle[0]) - ord("A"), int(handle[1:]) - 1
    return random.Random(handle).choice(SPELLINGS)(f"{COLUMNS[column]} / {ROWS[row]}")


def cells() -> list[str]:
    """All cells, in a random order."""
    found = [f"{letter}{number}" for letter in "ABCDEF" for number in range(1, 7)]
    random.Random("aims").shuffle(found)
    return found


def acted(device: Device) -> None:
    """Acts once on the page that is shown: fires by a typed name, goes on, or lifts a curtain."""
    page = device.page
    if page.values("action") == ["show"]:
        device.send({"action": "show"})
    elif 'data-phase="firing"' not in page:
        device.send({"action": "go on"})
    else:
        assert page.values("cell") == [], "a cell can be pressed"
        known = page.cells("enemy")
        aim = next(cell for cell in cells() if known[cell] == "unknown")
        device.send({"cell": spelt(aim), "typed": "on"})
        assert device.status == 303, (aim, device.page.says)


def play(*devices: Device) -> None:
    """Plays on until the match is over; of two devices, the one acts that may."""
    for _action in range(300):
        for device in devices:
            if len(devices) > 1:
                device.open()
            if 'data-phase="over"' in device.page:
                return
            if len(devices) == 1 or 'data-phase="firing"' in device.page:
                acted(device)
    raise AssertionError("the match has no end")


def has_labels(device: Device) -> bool:
    """Whether the page that is shown has the labels, in HTML and in JSON."""
    got = device.get(device.where, headers={"accept": "application/json"}).json()
    table = device.page.split("<thead")[1].split("</thead>")[0] if "<thead" in device.page else ""
    return got.get("column-labels") == ";".join(COLUMNS) and "my friends" in table


def placed(device: Device, where: str = "", **more: str) -> Device:
    """Opens a page where a match begins, and places a fleet if one is asked for."""
    device.open(where or f"/{device.language}/new/own/?{urlencode(FIELDS | more)}")
    if device.page.values("place"):
        assert has_labels(device)
        device.send({"action": "quick"})
    return device


@pytest.mark.parametrize(("language", "opponent"), [("en", "alone"), ("de", "recruit")])
def test_alone_or_against_a_computer_and_so_is_the_next_round(language: str, opponent: str) -> None:
    device = placed(Device(language=language), opponent=opponent)
    assert has_labels(device)
    play(device)
    assert has_labels(device)
    device.send({"action": "again"}, device.page.again)
    assert has_labels(device), "the next round has lost them"
    placed(device, device.where)
    acted(device)
    shown = next(cell for cell, it in device.page.cells("enemy").items() if it != "unknown")
    name = f"{COLUMNS[ord(shown[0]) - 65]} / {ROWS[int(shown[1:]) - 1]}"
    assert name in device.page.says.replace("\N{MINUS SIGN}", "-")


def test_two_persons_at_one_device() -> None:
    device = placed(Device(language="de"), players="2", name1="Anna", name2="Ben")
    device.send({"action": "show"})
    device.send({"action": "quick"})
    play(device)
    assert has_labels(device)
    device.send({"action": "again"}, device.page.again)
    assert has_labels(device)


@needs_features("duel")
@pytest.mark.django_db
def test_two_devices() -> None:
    first, second = (
        Device(language=one, headers={"origin": "http://localhost"}) for one in ("de", "en")
    )
    placed(first, opponent="friend")
    second.open("/en" + urlsplit(first.page.attribute("data-invite")).path)
    second.send({"action": "join"}, second.where)
    placed(second, second.where)
    first.open()
    play(first, second)
    for device in (first, second):
        device.open()
        assert has_labels(device)
        device.send({"action": "rematch"})
    first.open()
    assert has_labels(first), "the next match has lost them"


@needs_features("challenge")
def test_a_challenge_is_sent_and_taken_up() -> None:
    anna, ben = Device(language="en"), Device(language="de")
    play(placed(anna, opponent="random"))
    ben.open(f"/de{urlsplit(anna.page.attribute('data-challenge')).path}")
    assert "my friends" not in ben.page, "the page shows no cell"
    assert "Past tenses" in ben.page
    ben.send({"action": "accept"}, ben.where)
    play(placed(ben, ben.where))
    assert has_labels(ben)


@needs_features("terminal")
@in_both_languages
def test_in_a_terminal_and_so_is_the_next_round(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = placed(Device(language=language), opponent="alone").where
    again = {"en": "again", "de": "nochmal"}[language]
    typed = (*map(spelt, cells()), again, spelt("A1"), "")
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(typed)))
    call_command("play", where, lang=language)
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("A I, B you, C he, D she, E we, F my friends") == 2
    assert "I / went, " in said.rpartition("my friends")[2]
    assert "3 bought, 4 the <b>, 5 −1, 6 Straße" in said

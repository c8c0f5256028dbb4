"""Whole games with labels, of which each cell is typed by its name: in each way to play."""

import random
from collections.abc import Callable
from io import StringIO
from urllib.parse import urlencode, urlsplit

import pytest
from django.core.management import call_command

from game.features.axes.names import LabelNames
from game.features.axes.parts import Axes
from tests.support import in_both_languages
from tests.support.device import Device
from tests.support.features import needs_features

COLUMNS = ("I", "you", "he", "she", "we", "my friends")
ROWS = ("went", "saw", "bought", "the <b>", "-1", "Straße")
NAMES = LabelNames(Axes(COLUMNS, ROWS))
FIELDS = {
    "fleet": "2-2", "moving": "off", "again": "off", "turns": "none", "label_language": "en",
    "column_labels": ";".join(COLUMNS), "row_labels": ";".join(ROWS), "cells": "typed",
}  # fmt: skip
"""Own rules in which a match is short, with an exercise."""
JSON = {"accept": "application/json"}
SPELLINGS: tuple[Callable[[str], str], ...] = (
    str, str.lower, str.upper, lambda name: name.replace(" / ", " "),
    lambda name: " / ".join(reversed(name.split(" / "))), lambda name: name.replace("ß", "ss"),
)  # fmt: skip


def exercise(language: str = "en", **more: str) -> str:
    return f"/{language}/new/own/?{urlencode(FIELDS | more)}"


def spelt(handle: str) -> str:
    """The name of a cell in one of its spellings, by its handle."""
    column, row = ord(handle[0]) - ord("A"), int(handle[1:]) - 1
    chance = random.Random(handle)
    return chance.choice(SPELLINGS)(f"{COLUMNS[column]} / {ROWS[row]}")


def acted(device: Device, aims: list[str]) -> None:
    """Acts once on the page that is shown: fires by a typed name, goes on, or lifts a curtain."""
    page = device.page
    if page.values("action") == ["show"]:
        device.send({"action": "show"})
        return
    if 'data-phase="firing"' not in page:
        device.send({"action": "go on"})
        return
    assert page.values("cell") == [], "a cell can be pressed"
    known = page.cells("enemy")
    aim = next(cell for cell in aims if known[cell] == "unknown")
    device.send({"cell": spelt(aim), "typed": "on"})
    assert device.status == 303, (aim, device.page.says)


def cells(seed: str) -> list[str]:
    """All cells, in a random order."""
    found = [f"{letter}{number}" for letter in "ABCDEF" for number in range(1, 7)]
    random.Random(seed).shuffle(found)
    return found


def play(*devices: Device) -> None:
    """Plays on until the match is over; of two devices, the one acts that may."""
    aims = cells("aims")
    for _action in range(300):
        for device in devices:
            if len(devices) > 1:
                device.open()
            if 'data-phase="over"' in device.page:
                return
            if len(devices) == 1 or 'data-phase="firing"' in device.page:
                acted(device, aims)
    raise AssertionError("the match has no end")


def has_labels(device: Device) -> bool:
    """Whether the page that is shown has the labels, in HTML and in JSON."""
    got = device.get(device.where, headers=JSON).json()
    table = device.page.split("<thead")[1].split("</thead>")[0] if "<thead" in device.page else ""
    return got.get("column-labels") == ";".join(COLUMNS) and "my friends" in table


def begun(device: Device, **more: str) -> Device:
    device.open(exercise(device.language, **more))
    if device.page.values("place"):
        assert has_labels(device)
        device.send({"action": "quick"})
    return device


@in_both_languages
@pytest.mark.parametrize("opponent", ["alone", "random", "recruit"])
def test_alone_or_against_a_computer_and_so_is_the_next_round(language: str, opponent: str) -> None:
    device = begun(Device(language=language), opponent=opponent)
    assert has_labels(device)
    play(device)
    assert has_labels(device)
    device.send({"action": "again"}, device.page.again)
    assert has_labels(device), "the next round has lost them"
    if device.page.values("place"):
        device.send({"action": "quick"})
    acted(device, cells("next"))
    shown = [cell for cell, state in device.page.cells("enemy").items() if state != "unknown"]
    column, row = COLUMNS[ord(shown[0][0]) - 65], ROWS[int(shown[0][1:]) - 1]
    assert f"{column} / {row}" in device.page.says.replace("\N{MINUS SIGN}", "-")


@in_both_languages
def test_two_persons_at_one_device(language: str) -> None:
    device = Device(language=language)
    device.open(exercise(language, players="2", name1="Anna", name2="Ben"))
    device.send({"action": "quick"})
    assert "Ben" in device.page
    device.send({"action": "show"})
    device.send({"action": "quick"})
    for _action in range(300):
        if 'data-phase="over"' in device.page:
            break
        acted(device, cells(f"{_action}"))
    assert has_labels(device)
    device.send({"action": "again"}, device.page.again)
    assert device.get(device.where, headers=JSON).json()["column-labels"] == ";".join(COLUMNS)


@needs_features("duel")
@pytest.mark.django_db
@in_both_languages
def test_two_devices(language: str) -> None:
    first, second = (
        Device(language=one, headers={"origin": "http://localhost"}) for one in (language, "en")
    )
    first.open(exercise(language, opponent="friend"))
    assert has_labels(first)
    first.send({"action": "quick"})
    second.open("/en" + urlsplit(first.page.attribute("data-invite")).path)
    second.send({"action": "join"}, second.where)
    assert has_labels(second)
    second.send({"action": "quick"})
    first.open()
    play(first, second)
    for device in (first, second):
        device.open()
        assert has_labels(device)
    for device in (first, second):
        device.send({"action": "rematch"})
    first.open()
    second.open()
    assert has_labels(first), "the next match has lost them"


@needs_features("challenge")
@in_both_languages
@pytest.mark.parametrize("opponent", ["alone", "random"])
def test_a_challenge_is_sent_and_taken_up(language: str, opponent: str) -> None:
    anna, ben = Device(language=language), Device(language=language)
    play(begun(anna, opponent=opponent))
    path = urlsplit(anna.page.attribute("data-challenge")).path
    ben.open(f"/{language}{path}")
    assert "my friends" not in ben.page, "the page shows no cell"
    ben.send({"action": "accept"}, ben.where)
    if ben.page.values("place"):
        assert has_labels(ben)
        ben.send({"action": "quick"})
    assert has_labels(ben)
    play(ben)
    assert has_labels(ben)


@needs_features("terminal")
@in_both_languages
def test_in_a_terminal_and_so_is_the_next_round(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = begun(Device(language=language), opponent="alone").where
    again = {"en": "again", "de": "nochmal"}[language]
    typed = (*map(spelt, cells("terminal")), again, spelt("A1"), "")
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(typed)))
    call_command("play", where, lang=language)
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("A I, B you, C he, D she, E we, F my friends") == 2
    assert "I / went, " in said.rpartition("my friends")[2]
    assert "3 bought, 4 the <b>, 5 −1, 6 Straße" in said

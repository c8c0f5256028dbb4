"""Pairs from one link: each player who joins plays the next one who joins."""

from time import time

import pytest

from game.features.duel import models, pairs
from game.features.duel.models import Duel
from game.features.duel.presence import SILENT, VISIBLE
from tests.duel.duels import Clock, Seat

QUERY = "fleet=2-1&moving=off&title=Past+tense&column_labels=a%3Bb%3Bc%3Bd%3Be%3Bf&row_labels=1..6"


@pytest.fixture
def link() -> str:
    """The pupils' address."""
    teacher = Seat()
    where = teacher.pressed(f"/en/pairs/new/?{QUERY}")
    assert f"http://localhost{where[3:].replace('pairs', 'pair')}" in teacher.see(where)
    return where.replace("/pairs/", "/pair/")


def joined(link: str) -> Seat:
    """A browser that has pressed Join, and where that has led it."""
    device = Seat()
    assert "Past tense" in device.see(link)
    device.where = device.pressed(link, {"action": "join"})
    return device


def start(device: Seat) -> str:
    """The address of the duel, once a fleet is placed."""
    return device.pressed(device.where, {"action": "quick"})


def test_pupils_are_paired_as_they_come_and_keep_their_seats(link: str) -> None:
    devices = [joined(link) for _ in range(5)]
    assert devices[0].get(link).location.startswith("/en/seat/"), "a reload, or a second tab"
    addresses = [start(device) for device in devices]
    assert [len(set(pair)) for pair in (addresses[:2], addresses[2:4])] == [1, 1]
    assert len(set(addresses)) == 3 == Duel.objects.count()
    for device, where in zip(devices, addresses, strict=True):
        assert device.get(link).location == where
    assert 'data-columns="6"' in devices[4].see(addresses[4]), "the labels of the exercise"
    games = [device.see(where).game for device, where in zip(devices, addresses, strict=True)]
    phases = [game["data-phase"] for game in games]
    assert sorted(phases[:2]) == sorted(phases[2:4]) == ["firing", "waiting"]
    assert "data-invite" not in games[4]


def test_who_is_left_over_can_play_the_computer_and_nobody_is_led_there(link: str) -> None:
    alone = joined(link)
    where = start(alone)
    assert 'value="computer"' in alone.see(where)
    computer = alone.pressed(where, {"action": "computer"})
    assert computer.startswith(f"/en/new/own/?{QUERY}&opponent=")
    assert alone.see(computer).game["data-phase"] == "placing"
    first, second = joined(link), joined(link)
    assert start(first) == start(second) != where


def test_nobody_waits_for_somebody_who_has_gone(link: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gone, clock = joined(link), Clock()
    clock.now = time() + VISIBLE + SILENT
    for module in (pairs, models):
        monkeypatch.setattr(module, "time", clock)
    first, second = joined(link), joined(link)
    where = start(first)
    assert start(second) == where
    assert gone.see(link).count('value="join"') == 1, "it may join again"


def test_a_link_that_is_none_is_said_to_have_ended() -> None:
    assert Seat().get("/en/pair/AAECAwQFBgcI/").status == 410
    assert Seat().post("/en/pairs/new/?fleet=99").status == 422

"""Rooms: how a class joins, searches one sea, and sees what all have found once it is closed."""

import random
from typing import NamedTuple

import pytest
from django.db.models import F

from game.engine.rules import Side
from game.features.room import models
from game.features.room.models import Pupil, Room
from game.features.room.parts import seal_sea
from game.matches.saved import SavedMatch
from tests.support.device import Device
from tests.support.matches import saved_at

GAME = {"fleet": "2-1", "size": "6", "moving": "off", "turns": "none", "again": "off"}


class Teacher(NamedTuple):
    device: Device
    where: str

    @property
    def code(self) -> str:
        return self.device.see(self.where).first(r'id="code">([\d ]+)<').replace(" ", "")

    @property
    def row(self) -> Room:
        return Room.objects.get(id=self.where.split("/")[-2])

    def press(self, action: str) -> None:
        self.device.post(self.where, {"action": action})


@pytest.fixture
def teacher() -> Teacher:
    device = Device()
    return Teacher(device, device.pressed("/en/room/new/own/", GAME))


def joined(code: str, device: Device | None = None) -> tuple[Device, str]:
    """A pupil who has joined, and the address of their search."""
    device = device or Device()
    device.get("/en/join/")
    return device, device.pressed("/en/join/", {"code": code})


def search(device: Device, where: str, order: list[str]) -> str:
    """The address after shots at these cells, until the fleet is sunk."""
    for cell in order:
        where = device.pressed(where, {"cell": cell})
        if saved_at(where).match.outcome:
            break
    return where


def orders(saved: SavedMatch, number: int) -> list[str]:
    names = list(saved.match.ruleset.board.names[: saved.match.ruleset.board.size])
    random.Random(number).shuffle(names)
    return names


def fleet_of(saved: SavedMatch) -> list[str]:
    """The names of the cells of the hidden fleet."""
    names = saved.match.ruleset.board.names
    return [names[cell] for ship in saved.match.placements(Side.SECOND) for cell in ship.cells]


def test_all_search_the_same_sea_and_the_teacher_sees_numbers_only(teacher: Teacher) -> None:
    pupils = [joined(teacher.code) for _each in range(4)]
    fleets = {tuple(fleet_of(saved_at(where))) for _device, where in pupils}
    assert len(fleets) == 1
    device, where = pupils[0]
    search(device, where, fleet_of(saved_at(where)))
    page = teacher.device.see(teacher.where)
    numbers = [page.first(f'data-number="{it}">(\\d+)') for it in ("joined", "searching", "found")]
    assert numbers == ["4", "3", "1"]
    count = teacher.device.get(f"/count/{teacher.row.id}/")
    assert count == "4 3 1 open"
    assert teacher.device.get(f"{teacher.where}class.csv").status == 409


def test_after_closing_the_class_sees_the_fleet_the_median_and_each_pupil_their_own_shots(
    teacher: Teacher,
) -> None:
    pupils = [joined(teacher.code) for _each in range(5)]
    ends = [search(it, at, orders(saved_at(at), n)) for n, (it, at) in enumerate(pupils[:4])]
    shots = sorted(len(saved_at(where).match.shots) for where in ends)
    link = pupils[0][0].see(ends[0]).attribute('id="act-class"\\s+href')
    assert "still searching" in pupils[0][0].see(link)
    teacher.press("close")
    page = teacher.device.see(teacher.where)
    middle = (shots[1] + shots[2]) / 2
    assert f"Half of you found it in {middle:g} shots." in page
    assert "1 pupil has not found it." in page
    own = len(saved_at(ends[0]).match.shots)
    assert f"<dt>your shots</dt><dd>{own}</dd>" in pupils[0][0].see(link)
    assert "your shots" not in Device().see(link)
    lines = teacher.device.get(f"{teacher.where}class.csv").split()
    assert lines[0] == "pupil,shots,marked,first"
    late, where = pupils[4]
    search(late, where, orders(saved_at(where), 9))
    assert Pupil.objects.filter(shots=0).count() == 1, "a search that ends later isn't counted"


def test_a_pupil_keeps_the_seat_and_going_back_is_marked(teacher: Teacher) -> None:
    device, where = joined(teacher.code)
    first = device.pressed(where, {"cell": "A1"})
    _again, back = joined(teacher.code, device)
    assert back.endswith("/continue/")
    assert teacher.row.pupils.count() == 1
    device.pressed(first, {"cell": "A2"})
    end = search(device, first, [it for it in orders(saved_at(first), 1) if it != "A1"])
    assert saved_at(end).match.outcome
    pupil = Pupil.objects.get()
    assert (pupil.is_marked, pupil.shots) == (True, len(saved_at(end).match.shots))
    teacher.press("close")
    assert "1 pupil went back or was helped" in teacher.device.see(teacher.where)


def test_a_code_ends_when_nobody_may_join_when_it_is_closed_and_after_ten_minutes(
    teacher: Teacher,
) -> None:
    code = teacher.code
    teacher.press("full")
    assert Device().get(teacher.where)
    assert "No more joining" not in teacher.device.see(teacher.where)
    device = Device()
    device.get("/en/join/")
    refused = device.post("/en/join/", {"code": code})
    assert (refused.status, "There is no such code now." in refused) == (422, True)
    Room.objects.update(code=code, opened=F("opened") - models.JOINING)
    assert device.post("/en/join/", {"code": code}).status == 422
    Room.objects.update(ends=1)
    assert Room.delete_old() > 0
    assert teacher.device.get(teacher.where).status == 410


def test_a_network_guesses_only_so_often(teacher: Teacher, monkeypatch: pytest.MonkeyPatch) -> None:
    code = teacher.code
    wrong = "000000" if code != "000000" else "111111"
    monkeypatch.setattr(models, "MOST_GUESSES", 3)
    device = Device()
    device.get("/en/join/")
    statuses = [device.post("/en/join/", {"code": wrong}).status for _each in range(4)]
    assert statuses == [422, 422, 422, 429]
    assert device.post("/en/join/", {"code": code}).status == 429


def test_a_room_takes_so_many_pupils(teacher: Teacher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "MOST_PUPILS", 1)
    joined(teacher.code)
    device = Device()
    device.get("/en/join/")
    assert device.post("/en/join/", {"code": teacher.code}).status == 409


def test_a_link_alone_takes_no_seat_and_neither_does_a_browser_without_cookies(
    teacher: Teacher,
) -> None:
    page = Device().see(f"/join/?code={teacher.code}")
    assert f'value="{teacher.code}"' in page
    assert Device().post("/en/join/", {"code": teacher.code}).status == 403
    assert teacher.row.pupils.count() == 0


@pytest.mark.parametrize("worlds", [30, pytest.param(300, marks=pytest.mark.deep)])
def test_pages_before_the_end_are_the_same_whatever_is_hidden(
    teacher: Teacher, worlds: int
) -> None:
    """The sea alone differs; what the projector, the table and a pupil's page say doesn't."""
    pupil, _where = joined(teacher.code)
    row = teacher.row
    setup = row.match.setup
    wheres = (teacher.where, f"/count/{row.id}/", f"{teacher.where}class.csv")
    seen = set()
    for number in range(worlds):
        sea = seal_sea((setup, random.Random(number).randbytes(16)))
        Room.objects.update(sea=sea)
        pages = [str(teacher.device.get(where)) for where in wheres]
        seen.add((*pages, str(pupil.get(f"/en/searched/{row.public}/"))))
    assert len(seen) == 1


def test_rows_of_a_full_room_are_small(teacher: Teacher) -> None:
    room, first = teacher.row, " ".join(["224"] * models.FIRST)
    for number in range(models.MOST_PUPILS):
        room.pupils.create(key=f"{number:022}", first=first[:64], shots=225)
    columns = [len(str(value)) for it in room.pupils.values() for value in it.values()]
    assert sum(columns) + len(room.sea) < 40_000

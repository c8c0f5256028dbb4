"""The rows of rooms, of their pupils, and of wrong codes; who a pupil is stands in none.

All functions raise DatabaseDown.
"""

import os
from secrets import randbelow
from time import time

from django.db import models
from django.db.models import Count, F, Q

from game.engine.chance import SEED_BYTES
from game.features.room.parts import Seat, seal_sea, unseal_sea
from game.matches.saved import SavedMatch, begin
from game.matches.setup import Setup
from game.ops import database
from game.web import rows
from game.web.rows import Row, TooMany
from game.web.seats import in_base64

MINUTE = 60
JOINING, LONGEST, LIFETIME = 10 * MINUTE, 120 * MINUTE, 24 * 60 * MINUTE
"""Seconds from the beginning until a code, the search, and the rows end."""
MOST_PUPILS = 60
MOST_ROOMS = 30
"""How many rooms a network may open in an hour."""
MOST_GUESSES, GUESSING = 60, 10 * MINUTE
"""How many wrong codes a network may send in so many seconds."""
FIRST = 10
"""How many of a pupil's first shots are kept."""
_CODES = 1_000_000
_ID_BYTES = 9


class WrongCode(Exception):
    """There is no such code now."""


class Full(Exception):
    """A room has as many pupils as it may."""


class Room(Row):
    """A room. What pupils search is sealed in `sea`."""

    sealed = "sea", seal_sea, unseal_sea
    id = models.CharField(primary_key=True, max_length=16)
    """The id in the teacher's address, which opens the teacher's page to anybody who knows it."""
    public = models.CharField(max_length=16, unique=True)
    """The id in the pupils' addresses."""
    code = models.CharField(max_length=6, unique=True, null=True)
    """None once nobody may join."""
    sea = models.TextField()
    network = models.CharField(max_length=22)
    # Times are in seconds since 1970.
    opened = models.BigIntegerField()
    closed = models.BigIntegerField(default=0)
    par = models.PositiveSmallIntegerField(null=True)

    @property
    def is_closed(self) -> bool:
        return bool(self.closed) or int(time()) > self.opened + LONGEST

    @property
    def is_joinable(self) -> bool:
        return self.code is not None and not self.is_closed and _joinable_since() < self.opened

    @property
    def setup(self) -> Setup:
        """The setup, which all may know; raises BadToken."""
        return unseal_sea(self.sea)[0]

    @property
    def match(self) -> SavedMatch:
        """The match that each pupil begins; raises BadToken."""
        return begin(*unseal_sea(self.sea))


class Pupil(models.Model):
    """A pupil's search: written when it begins, at the tenth shot, and at its end."""

    id = models.BigAutoField(primary_key=True)
    room = models.ForeignKey(Room, models.CASCADE, related_name="pupils")
    key = models.CharField(max_length=22)
    first = models.CharField(max_length=64, default="")
    """The numbers of the cells of the first shots, separated by spaces."""
    shots = models.PositiveSmallIntegerField(default=0)
    """How many it took to sink the fleet; 0 while it isn't sunk."""
    is_marked = models.BooleanField(default=False)
    """Whether the pupil has gone back, or was helped."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["room", "key"], name="one_row_a_seat"),)

    @property
    def cells(self) -> list[int]:
        return [*map(int, self.first.split())]


class Guesses(Row):
    """The wrong codes that came from a network."""

    network = models.CharField(primary_key=True, max_length=22)
    count = models.PositiveSmallIntegerField(default=0)


def _joinable_since() -> int:
    return int(time()) - JOINING


def open_room(setup: Setup, network: str) -> str:
    """Returns the id of a new room; raises TooMany or DoesNotFit."""
    now, seed = int(time()), os.urandom(SEED_BYTES)
    begin(setup, seed)
    sea = seal_sea((setup, seed))

    def drawn() -> Room:
        # Codes are few, so they are free once they have ended.
        Room.objects.filter(opened__lt=_joinable_since()).exclude(code=None).update(code=None)
        room_id, public = (in_base64(os.urandom(_ID_BYTES)) for _ in range(2))
        return Room(
            id=room_id, public=public, code=f"{randbelow(_CODES):06}", sea=sea, network=network,
            opened=now, ends=now + LIFETIME,
        )  # fmt: skip

    lately = now - 60 * MINUTE
    return rows.make(drawn, MOST_ROOMS, network=network, opened__gt=lately).id


def join(code: str, network: str) -> Room:
    """Returns the room with that code; raises WrongCode, which counts, or TooMany."""

    def read() -> Room:
        now, mine = int(time()), Guesses.objects.filter(network=network)
        if mine.filter(ends__gt=now, count__gte=MOST_GUESSES).exists():
            raise TooMany
        room = Room.objects.filter(code=code, opened__gt=_joinable_since()).first()
        if room is not None:
            return room
        if not mine.filter(ends__gt=now).update(count=F("count") + 1):
            fresh = {"count": 1, "ends": now + GUESSING}
            Guesses.objects.update_or_create(fresh, network=network)
        raise WrongCode

    return database.run(read)


def take_seat(room: Room, seat: Seat) -> bool:
    """Gives a pupil a seat, and returns whether it is a new one; raises Full."""

    def write() -> bool:
        if room.pupils.filter(key=seat.key).exists():
            return False
        if room.pupils.count() >= MOST_PUPILS:
            raise Full
        return room.pupils.get_or_create(key=seat.key)[1]

    return database.run(write)


def _rows(seat: Seat) -> models.QuerySet[Pupil]:
    """The row of a seat while its room is open."""
    since = int(time()) - LONGEST
    return Pupil.objects.filter(
        room__public=seat.room, room__closed=0, room__opened__gt=since, key=seat.key
    )


def mark(seat: Seat) -> None:
    """Marks a pupil who begins again before the end."""
    database.run(lambda: _rows(seat).filter(shots=0).update(is_marked=True))


def record_first(seat: Seat, first: str) -> None:
    """Records the cells of the first shots, if none are."""
    database.run(lambda: _rows(seat).filter(first="").update(first=first))


def record_end(seat: Seat, first: str, shots: int, *, is_marked: bool) -> None:
    """Records that the fleet is sunk, if that isn't recorded.

    A pupil whose first shots were others before has gone back.
    """
    searching = _rows(seat).filter(shots=0)

    def write() -> int:
        went_back = searching.exclude(first__in=("", first)).exists()
        marks = {"is_marked": True} if is_marked or went_back else {}
        return searching.update(shots=shots, **({} if went_back else {"first": first}), **marks)

    database.run(write)


def change(room: Room, **columns: int | None) -> None:
    database.run(lambda: Room.objects.filter(id=room.id).update(**columns))


def counts_of(room: Room) -> dict[str, int]:
    """Returns how many have `joined`, go on `searching`, and have `found`."""
    counted = {
        "joined": Count("id"),
        "searching": Count("id", filter=Q(shots=0)),
        "found": Count("id", filter=Q(shots__gt=0)),
    }
    return database.run(lambda: room.pupils.aggregate(**counted))


def pupils_of(room: Room) -> list[Pupil]:
    """Returns the pupils in the order of joining."""
    return database.run(lambda: list(room.pupils.order_by("id")))

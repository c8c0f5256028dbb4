"""A pupil's search: what is written of it, and what the browser keeps."""

from contextlib import suppress
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from game.display.public_values import PublicValues, public
from game.display.unfinished import mark_of
from game.engine.rules import Side
from game.feature import PageAddition
from game.features.room import models
from game.features.room.models import FIRST
from game.features.room.parts import Seat
from game.matches.saved import SavedMatch
from game.ops.database import DatabaseDown
from game.web.memory import Memory

PLY = Memory[tuple[str, int]](
    "room", ("", 0), lambda kept: kept, lambda it: (str(it[0]), int(it[1]))
)
"""How far the browser has come, by the mark of the match: an earlier page shows less."""


@dataclass(frozen=True)
class RoomView(PublicValues):
    """What the page of a result has of its room."""

    room: str | None = public("room")
    """The address of what the class has found."""


def recorded(request: HttpRequest, before: SavedMatch, acted: SavedMatch) -> SavedMatch:
    """Returns the match after a form; writes the tenth shot and the end, and marks going back."""
    seat = acted.part(Seat)
    if seat is None:
        return acted
    mark, ply = PLY.read(request)
    if mark == mark_of(before.match.seed) and before.match.ply < ply:
        acted = acted.marked_as(acted, went_back=True)
    shots, outcome = acted.match.shots, acted.match.outcome
    first = " ".join(str(int(shot.cell)) for shot in shots[:FIRST])
    with suppress(DatabaseDown):  # the search goes on, and isn't counted
        if outcome is not None and outcome.winner is Side.FIRST and before.match.outcome is None:
            is_marked = bool(acted.setup.assists.used)
            models.record_end(seat, first, len(shots), is_marked=is_marked)
        elif len(before.match.shots) < FIRST <= len(shots):
            models.record_first(seat, first)
    return acted


def keep_ply(request: HttpRequest, response: HttpResponse, saved: SavedMatch) -> None:
    """Has the browser keep how far it has come."""
    if saved.part(Seat) is None:
        return
    mark, ply = PLY.read(request)
    own = mark_of(saved.match.seed)
    PLY.keep(request, response, (own, max(saved.match.ply, ply if mark == own else 0)))


def at_end(saved: SavedMatch) -> PageAddition | None:
    seat = saved.part(Seat)
    return PageAddition(RoomView(reverse("searched", args=[seat.room]))) if seat else None

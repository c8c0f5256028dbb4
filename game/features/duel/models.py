"""The row of a duel, and the reads and writes of it.

A step is one `UPDATE … WHERE id = … AND revision = …`: the first request wins, and nobody else has
written if one row has changed. All functions raise DatabaseDown.
"""

from collections.abc import Mapping
from dataclasses import replace
from hmac import compare_digest
from time import time
from typing import NamedTuple

from django.db import models

from game.engine.rules import Side
from game.features.duel.parts import seal_duel, unseal_duel
from game.features.duel.presence import UNKNOWN, VISIBLE, Presence, Seen, call_now
from game.features.duel.state import KEY_LENGTH, NOBODY, DuelState, new_id, poll_key
from game.matches.keyring import BadToken
from game.matches.setup import Setup
from game.ops import database, metrics
from game.web import rows
from game.web.rows import Row

DAY = 24 * 60 * 60
MOST_PAIRS = 30
"""How many links for pairs a network may open in a day."""
LIFETIME = 60 * DAY
"""Seconds from the last step until a row is deleted."""
LIFETIME_LEFT = 30 * 60
"""The same once an invitation is withdrawn, or both players have left."""


class WriteConflict(Exception):
    """Another request has written first."""


class Duel(Row):
    """A duel. What only its players may know is sealed in `state`."""

    sealed = "state", seal_duel, unseal_duel
    id = models.CharField(primary_key=True, max_length=16)
    state = models.TextField()
    step = models.PositiveIntegerField()
    revision = models.PositiveIntegerField()
    first_seat = models.CharField(max_length=KEY_LENGTH)
    second_seat = models.CharField(max_length=KEY_LENGTH)
    # Times are in seconds since 1970. For those of presence see presence.Seen.
    first_until = models.BigIntegerField(default=0)
    second_until = models.BigIntegerField(default=0)
    first_shown = models.BooleanField(default=True)
    second_shown = models.BooleanField(default=True)
    first_nudge = models.BigIntegerField(default=0)  # or another call, as presence.py keeps it
    second_nudge = models.BigIntegerField(default=0)


class Pairs(Row):
    """A link that pairs the players who open it, in the order in which they join."""

    sealed = "game", seal_duel, unseal_duel
    id = models.CharField(primary_key=True, max_length=16)
    game = models.TextField()
    """Its setup, sealed as the state of a duel is."""
    query = models.TextField()
    """The fields that ask for the game."""
    seats = models.JSONField(default=dict)
    """The id of each browser's duel, by the hash of the secret that it has for this link."""
    waiting = models.CharField(max_length=16, default="", db_index=True)
    """The duel whose second seat is free, if somebody waits."""
    revision = models.PositiveIntegerField(default=0)
    network = models.CharField(max_length=22)

    @property
    def setup(self) -> Setup:
        """The game, which all may know; raises BadToken."""
        return unseal_duel(self.game).setup


def find(duel_id: str) -> DuelState | None:
    """Returns the newest state of a duel, or None."""
    if (row := Duel.find(id=duel_id)) is None:
        return None
    try:
        state = unseal_duel(row.state)
    except BadToken:  # this process doesn't have its key yet, or another version has written it
        raise database.DatabaseDown("a row can't be opened") from None
    first = Seen(row.first_until, row.first_shown, row.first_nudge)
    second = Seen(row.second_until, row.second_shown, row.second_nudge)
    return replace(
        state,
        id=row.id,
        step=row.step,
        revision=row.revision,
        seat_hashes=(row.first_seat, row.second_seat),
        seen=(first, second),
    )


def add(duel: DuelState) -> None:
    """Adds the row of a first step; raises WriteConflict if there is one."""
    columns = {**_columns(duel), "first_until": int(time()) + VISIBLE}
    if not database.run(lambda: Duel.objects.get_or_create(columns, id=duel.id))[1]:
        raise WriteConflict("there is such a row")
    metrics.count_rows("made")


def write(duel: DuelState, *, is_joining: bool = False) -> DuelState:
    """Writes a state that follows from the one of its revision, and returns it.

    Raises WriteConflict if another state has been written since.
    """
    following = replace(duel, revision=duel.revision + 1)
    columns = _columns(following)
    if is_joining:
        columns["second_until"] = int(time()) + VISIBLE
    if not _update(duel.id, columns, revision=duel.revision):
        raise WriteConflict("another request has written first")
    return following


def _columns(duel: DuelState) -> dict[str, str | int]:
    is_left = duel.left[Side.FIRST] and (duel.is_open or duel.left[Side.SECOND])
    return {
        "state": seal_duel(duel),
        "step": duel.step,
        "revision": duel.revision,
        "first_seat": duel.seat_hashes[Side.FIRST],
        "second_seat": duel.seat_hashes[Side.SECOND],
        "ends": int(time()) + (LIFETIME_LEFT if is_left else LIFETIME),
    }


def _update(duel_id: str, columns: Mapping[str, str | int], **same: int) -> int:
    """Returns how many rows were updated: 0 if a column hasn't that value any more."""
    return database.run(lambda: Duel.objects.filter(id=duel_id, **same).update(**columns))


# --- presence ---

_POLL = """SELECT first_seat, second_seat, step,
    first_until, CAST(first_shown AS integer), first_nudge,
    second_until, CAST(second_shown AS integer), second_nudge FROM duel_duel WHERE id = ?"""


class Polled(NamedTuple):
    """What a row tells the page of a seat that waits."""

    step: int
    side: Side
    own: Seen
    other: Presence


def poll(duel_id: str, key: str) -> Polled | None:
    """Returns what the row of a duel tells the seat with that poll key; None without the row.

    Raises PermissionError if the key is of no seat.
    """
    row = database.select(_POLL, duel_id)
    if row is None:
        return None
    seats, (step, *times) = row[:2], map(int, row[2:])
    seen = Seen(times[0], bool(times[1]), times[2]), Seen(times[3], bool(times[4]), times[5])
    for side in Side:
        if seats[side] and compare_digest(poll_key(seats[side]), key):
            is_alone = seats[side.opponent] == NOBODY
            other = UNKNOWN if is_alone else seen[side.opponent].presence
            return Polled(step, side, seen[side], other)
    raise PermissionError("no such key")


def record(duel_id: str, side: Side, before: Seen, after: Seen) -> None:
    """Records the presence of a seat if it has changed."""
    name = side.name.lower()
    if after != before:
        columns = {f"{name}_until": after.until, f"{name}_shown": after.is_shown}
        _update(duel_id, columns)


def call(duel: DuelState, side: Side, call: str) -> bool:
    """Calls something to the other player; returns False if the last call is too new."""
    kept, newest = call_now(call)
    column = f"{side.name.lower()}_nudge"
    return bool(_update(duel.id, {column: kept}, **{f"{column}__lte": newest}))


# --- pairs ---


def open_pairs(setup: Setup, query: str, network: str) -> str:
    """Returns the id of a new link for pairs; raises TooMany."""
    game, ends = seal_duel(DuelState("", 0, 0, (NOBODY, NOBODY), setup)), int(time()) + DAY

    def drawn() -> Pairs:
        return Pairs(id=new_id(), game=game, query=query, network=network, ends=ends)

    return rows.make(drawn, MOST_PAIRS, network=network).id


def seat_in_pairs(row: Pairs, key: str, duel_id: str, waiting: str) -> None:
    """Writes which duel a browser has, and which one waits now; raises WriteConflict."""
    same = Pairs.objects.filter(id=row.id, revision=row.revision)
    seats = {**row.seats, key: duel_id}
    columns = {"seats": seats, "waiting": waiting, "revision": row.revision + 1}
    if not database.run(lambda: same.update(**columns)):
        raise WriteConflict("another browser was first")


def forget(duel_id: str) -> None:
    """Deletes a duel that nobody has been led to."""
    database.run(lambda: Duel.objects.filter(id=duel_id).delete())

"""The row of a duel, and the reads and writes of it.

A step is one `UPDATE … WHERE id = … AND revision = …`: the first request wins, and nobody else has
written if one row has changed.
"""

from __future__ import annotations

from dataclasses import replace
from time import time

from django.db import models

from game.engine.rules import Side
from game.features.duel.parts import seal_duel, unseal_duel
from game.features.duel.state import KEY_LENGTH, DuelState
from game.matches import keyring
from game.matches.keyring import BadToken
from game.ops import database, metrics

DAY = 24 * 60 * 60
LIFETIME = 60 * DAY
"""Seconds from the last step until a row is deleted."""
LIFETIME_LEFT = 30 * 60
"""The same once an invitation is withdrawn, or both players have left."""


class WriteConflict(Exception):
    """Another request has written first."""


class Duel(models.Model):
    """A duel. What only its players may know is sealed in `state`."""

    id = models.CharField(primary_key=True, max_length=16)
    state = models.TextField()
    step = models.PositiveIntegerField()
    revision = models.PositiveIntegerField()
    first_seat = models.CharField(max_length=KEY_LENGTH)
    second_seat = models.CharField(max_length=KEY_LENGTH)
    first_seen = models.BigIntegerField()
    """When the first seat was last known to be there, in seconds since 1970."""
    second_seen = models.BigIntegerField()
    first_look = models.CharField(max_length=1, default="?")
    """The state of its page then, and whether that is shown: see presence.py."""
    second_look = models.CharField(max_length=1, default="?")
    first_nudge = models.BigIntegerField(default=0)
    """When it last nudged the other one."""
    second_nudge = models.BigIntegerField(default=0)
    ends = models.BigIntegerField(db_index=True)
    """When the row may be deleted."""

    @classmethod
    def delete_old(cls) -> int:
        """Deletes the rows that are past their end; returns their number."""
        number, _of_each = cls.objects.filter(ends__lt=int(time())).delete()
        return number

    @classmethod
    def seal_anew(cls) -> None:
        """Seals every row by the key that is in use now."""
        for row in cls.objects.only("id", "revision", "state").iterator():
            if not keyring.is_latest(row.state):
                # A step that is written meanwhile is sealed by that key already.
                same = cls.objects.filter(id=row.id, revision=row.revision)
                same.update(state=seal_duel(unseal_duel(row.state)))


def find(duel_id: str) -> DuelState | None:
    """Returns the newest state of a duel, or None; raises DatabaseDown."""
    row = database.run(lambda: Duel.objects.filter(id=duel_id).first())
    if row is None:
        return None
    try:
        state = unseal_duel(row.state)
    except BadToken:  # this process doesn't have its key yet, or another version has written it
        raise database.DatabaseDown("a row can't be opened") from None
    seats = row.first_seat, row.second_seat
    return replace(state, id=row.id, step=row.step, revision=row.revision, seat_hashes=seats)


def add(duel: DuelState) -> None:
    """Adds the row of a first step; raises WriteConflict if there is one, or DatabaseDown."""
    columns = {**_columns(duel), "first_seen": int(time()), "second_seen": 0}
    if not database.run(lambda: Duel.objects.get_or_create(columns, id=duel.id))[1]:
        raise WriteConflict("there is such a row")
    metrics.count_rows("made")


def write(duel: DuelState, *, is_joining: bool = False) -> DuelState:
    """Writes a state that follows from the one of its revision, and returns it.

    Raises WriteConflict if another state has been written since, or DatabaseDown.
    """
    following = replace(duel, revision=duel.revision + 1)
    same = Duel.objects.filter(id=duel.id, revision=duel.revision)
    columns = _columns(following)
    if is_joining:
        columns["second_seen"] = int(time())
    if not database.run(lambda: same.update(**columns)):
        raise WriteConflict("another request has written first")
    return following


def _columns(duel: DuelState) -> dict[str, str | int]:
    is_left = duel.left[Side.FIRST] and (duel.is_open or duel.left[Side.SECOND])
    return {
        "state": seal_duel(duel), "step": duel.step, "revision": duel.revision,
        "first_seat": duel.seat_hashes[Side.FIRST], "second_seat": duel.seat_hashes[Side.SECOND],
        "ends": int(time()) + (LIFETIME_LEFT if is_left else LIFETIME),
    }  # fmt: skip

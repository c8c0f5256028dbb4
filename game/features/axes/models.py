"""The rows of exercises that have a short address."""

from __future__ import annotations

from secrets import choice
from time import time

from django.db import models
from django.db.models import F

from game.ops import database, metrics

DAY = 24 * 60 * 60
LIFETIME = 365 * DAY
"""Seconds from the last use until a row is deleted."""
MOST_A_DAY = 30
"""How many exercises a network may make in a day."""
LETTERS, LENGTH = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ", 5
"""Those of a code, which can't be taken for one another; there are 33 million codes."""


class TooMany(Exception):
    """A network has made as many exercises today as it may."""


class Exercise(models.Model):
    """An exercise: the query of its long address. It holds nothing of who uses it."""

    code = models.CharField(primary_key=True, max_length=LENGTH)
    query = models.TextField()
    """Empty once an operator has removed the exercise."""
    network = models.CharField(max_length=22, db_index=True)
    """The hash of the network that made it, until the day has ended."""
    ends = models.BigIntegerField(db_index=True)
    """When the row may be deleted, in seconds since 1970."""
    reports = models.PositiveIntegerField(default=0)

    @classmethod
    def delete_old(cls) -> int:
        """Deletes the rows that are past their end; returns their number."""
        now = int(time())
        # A hash has the day in it, so it counts for no other.
        cls.objects.filter(ends__lt=now + LIFETIME - DAY).exclude(network="").update(network="")
        return cls.objects.filter(ends__lt=now).delete()[0]


def find(code: str) -> Exercise | None:
    """Returns an exercise, and keeps it for a year from now; raises DatabaseDown."""

    def read() -> Exercise | None:
        row = Exercise.objects.filter(code=code.upper()).first()
        ends = int(time()) + LIFETIME
        if row is not None and row.ends < ends - DAY:  # a write a day is enough
            Exercise.objects.filter(code=row.code).update(ends=ends, network="")
        return row

    return database.run(read)


def add(query: str, network: str) -> str:
    """Returns the code of a new exercise, or of the same one made today.

    Raises TooMany or DatabaseDown.
    """

    def write() -> str:
        mine = Exercise.objects.filter(network=network)
        if same := mine.filter(query=query).first():
            return same.code
        if mine.count() >= MOST_A_DAY:
            raise TooMany
        code = "".join(choice(LETTERS) for _letter in range(LENGTH))
        ends = int(time()) + LIFETIME
        Exercise.objects.create(code=code, query=query, network=network, ends=ends)
        return code

    code = database.run(write)  # if there is such a code, it draws another one
    metrics.count_rows("made")
    return code


def report(code: str) -> None:
    """Counts a report; raises DatabaseDown."""
    row = Exercise.objects.filter(code=code)
    database.run(lambda: row.update(reports=F("reports") + 1))

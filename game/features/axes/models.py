"""The rows of exercises that have a short address; all functions raise DatabaseDown."""

from time import time

from django.db import models
from django.db.models import F
from django.utils.crypto import get_random_string

from game.ops import database
from game.web import rows
from game.web.rows import Row

DAY = 24 * 60 * 60
LIFETIME = 365 * DAY
"""Seconds from the last use until a row is deleted."""
MOST_A_DAY = 30
"""How many exercises a network may make in a day."""
LETTERS, LENGTH = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ", 5
"""Those of a code, which can't be taken for one another; there are 33 million codes."""


class Exercise(Row):
    """An exercise: the query of its long address. It holds nothing of who uses it."""

    code = models.CharField(primary_key=True, max_length=LENGTH)
    query = models.TextField()
    """Empty once an operator has removed the exercise."""
    network = models.CharField(max_length=22, db_index=True)
    """The hash of the network that made it, until the day has ended."""
    reports = models.PositiveIntegerField(default=0)

    @classmethod
    def delete_old(cls) -> int:
        """Deletes the rows that are past their end, and hashes that count no longer."""
        last = int(time()) + LIFETIME - DAY
        cls.objects.filter(ends__lt=last).exclude(network="").update(network="")
        return super().delete_old()


def find(code: str) -> Exercise | None:
    """Returns an exercise, and keeps it for a year from now."""
    row, ends = Exercise.find(code=code.upper()), int(time()) + LIFETIME
    if row is not None and row.ends < ends - DAY:  # a write a day is enough
        same = Exercise.objects.filter(code=row.code)
        database.run(lambda: same.update(ends=ends, network=""))
    return row


def add(query: str, network: str) -> str:
    """Returns the code of a new exercise, or of the same one made today; raises TooMany."""

    def drawn() -> Exercise:
        code, ends = get_random_string(LENGTH, LETTERS), int(time()) + LIFETIME
        return Exercise(code=code, query=query, network=network, ends=ends)

    same = Exercise.find(network=network, query=query)
    return (same or rows.make(drawn, MOST_A_DAY, network=network)).code


def report(code: str) -> None:
    row = Exercise.objects.filter(code=code)
    database.run(lambda: row.update(reports=F("reports") + 1))

"""Rows that end, of which a network makes only so many."""

from collections.abc import Callable
from time import time
from typing import Any, ClassVar, Self, TypeVar

from django.db import models

from game.matches import keyring
from game.ops import database, metrics

R = TypeVar("R", bound="Row")


class TooMany(Exception):
    """A network has made as many rows as it may, or has tried too often."""


class Row(models.Model):
    """A row that may be deleted once it has ended."""

    objects: ClassVar[models.Manager[Self]] = models.Manager()
    ends = models.BigIntegerField(db_index=True)
    """In seconds since 1970."""
    sealed: ClassVar[tuple[str, Callable[[Any], str], Callable[[str], Any]] | None] = None
    """The column of a token, and what seals and unseals it."""

    class Meta:
        abstract = True

    @classmethod
    def delete_old(cls) -> int:
        """Deletes the rows that are past their end; returns their number."""
        return cls.objects.filter(ends__lt=int(time())).delete()[0]

    @classmethod
    def seal_anew(cls) -> None:
        """Seals the token of every row by the key that is in use now."""
        if cls.sealed is None:
            return
        column, seal, unseal = cls.sealed
        for key, token in cls.objects.values_list("pk", column).iterator():
            if not keyring.is_latest(token):
                # A token that is written meanwhile is sealed by that key already.
                unchanged = cls.objects.filter(pk=key, **{column: token})
                unchanged.update(**{column: seal(unseal(token))})

    @classmethod
    def find(cls, **columns: str) -> Self | None:
        """Returns the row with these values, or None; raises DatabaseDown."""
        return database.run(lambda: cls.objects.filter(**columns).first())


def make(draw: Callable[[], R], most: int, **counted: str | int) -> R:
    """Makes a row, unless there are that many with these values; raises TooMany or DatabaseDown.

    `draw` returns the row, and another one if there is a row with its key.
    """

    def write() -> R:
        row = draw()
        if type(row).objects.filter(**counted).count() >= most:
            raise TooMany
        row.save(force_insert=True)
        return row

    row = database.run(write)
    metrics.count_rows("made")
    return row

"""The match store in an SQLite file: Django's database cache, without pickle and without culling.

The table has the columns that Django's cache table has:

    cache_key            value    expires
    battleship:1:3Jc…:7  AQ4x…    2026-12-22 08:30:00

Django's backend counts all rows at each write, deletes live rows beyond a limit, reports a locked
file as a failed `add`, and needs a command that creates the table. Here a write is one statement,
only expired rows are deleted, errors are raised, and the file and the table are created on demand.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import gmtime, strftime, time
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.backends.utils import CursorWrapper

from game.ops.match_store import Text

SWEEP_EVERY, SWEEP_ROWS = 100, 1_000
"""The number of writes between two sweeps, and the most rows that one sweep deletes: more than are
written in between, so that expired rows don't accumulate."""

_TABLE = """CREATE TABLE IF NOT EXISTS {table} (
    cache_key varchar(255) NOT NULL PRIMARY KEY, value blob NOT NULL, expires datetime NOT NULL)"""
_INDEX = "CREATE INDEX IF NOT EXISTS {table}_expires ON {table} (expires)"
_READ = """SELECT cache_key, CAST(value AS blob) FROM {table}
    WHERE cache_key IN ({marks}) AND expires > %s"""
_SET = """INSERT INTO {table} (cache_key, value, expires) VALUES {marks}
    ON CONFLICT (cache_key) DO UPDATE SET value = excluded.value, expires = excluded.expires"""
_ADD = _SET + " WHERE {table}.expires <= %s"
_TOUCH = "UPDATE {table} SET expires = %s WHERE cache_key = %s AND expires > %s"
_PAGES = """SELECT page_count - freelist_count, max_page_count
    FROM pragma_page_count, pragma_freelist_count, pragma_max_page_count"""
_SWEEP = """DELETE FROM {table} WHERE cache_key IN
    (SELECT cache_key FROM {table} WHERE expires <= %s LIMIT %s)"""

_Identity = tuple[int, int]


class TextTableCache(DatabaseCache):
    """A backend for CACHES whose LOCATION is the name of the table. Values are ASCII text.

    Its methods raise django.db.Error if the file is locked, full or damaged, and OSError if it
    can't be created.
    """

    def __init__(self, table: str, params: dict[str, Any]) -> None:
        super().__init__(table, params)
        self._name = table
        self._writes = count()
        self._opened: _Identity | None = None

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, str]:
        """The values by key; keys without a value are left out."""
        names = {self.make_and_validate_key(key, version=version): key for key in keys}
        with self._cursor() as cursor:
            self._run(cursor, _READ, [*names, _text(time())], ", ".join(["%s"] * len(names)))
            return {names[name]: Text().loads(data) for name, data in cursor.fetchall()}

    def set_many(
        self,
        data: Mapping[str, str],
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> list[str]:
        """Writes all values or none; returns an empty list, since a failure raises."""
        if data:
            rows = {self.make_and_validate_key(key, version=version): data[key] for key in data}
            self._write(_SET, rows, timeout)
        return []

    def _base_set(
        self, mode: str, key: str, value: str, timeout: float | None = DEFAULT_TIMEOUT
    ) -> bool:
        """Implements `set`, `add` and `touch`; returns whether a row was written."""
        if mode == "touch":
            until = self.get_backend_timeout(timeout)
            assert until is not None  # noqa: S101 (nothing is kept for ever)
            with self._cursor() as cursor:
                self._run(cursor, _TOUCH, [_text(until), key, _text(time())])
                return bool(cursor.rowcount)
        return self._write({"set": _SET, "add": _ADD}[mode], {key: value}, timeout)

    def used_share(self) -> float:
        """The used share of the most pages that the file may have, from 0 to 1."""
        with self._cursor() as cursor:
            self._run(cursor, _PAGES, [])
            used, most = cursor.fetchone()
            return float(used / most)

    def _base_delete_many(self, keys: list[str]) -> bool:
        with self._cursor():
            return bool(super()._base_delete_many(keys))  # type: ignore[misc]  # not in the stubs

    def _write(self, statement: str, rows: Mapping[str, str], timeout: float | None) -> bool:
        until = self.get_backend_timeout(timeout)
        assert until is not None  # noqa: S101 (nothing is kept for ever)
        expires, now = _text(until), _text(time())
        with self._cursor() as cursor:
            if next(self._writes) % SWEEP_EVERY == 0:
                self._run(cursor, _SWEEP, [now, SWEEP_ROWS])
            values = [item for key in rows for item in (key, Text().dumps(rows[key]), expires)]
            values += [now] if statement is _ADD else []
            self._run(cursor, statement, values, ", ".join(["(%s, %s, %s)"] * len(rows)))
            return bool(cursor.rowcount)

    def _run(
        self, cursor: CursorWrapper, statement: str, values: list[Any], marks: str = ""
    ) -> None:
        cursor.execute(statement.format(table=self._name, marks=marks), values)

    @contextmanager
    def _cursor(self) -> Iterator[CursorWrapper]:
        """A cursor for the current file, which is created if it is missing."""
        connection = connections[DEFAULT_DB_ALIAS]
        path = connection.settings_dict["NAME"]
        if self._opened is None or self._opened != _identity(path):
            self._opened = None
            connection.close()  # its file may have been deleted
            _make(Path(path))
            opened = _identity(path)
            with connection.cursor() as cursor:
                self._run(cursor, _TABLE, [])
                self._run(cursor, _INDEX, [])
            self._opened = opened
        try:
            with connection.cursor() as cursor:
                yield cursor
        except Error:
            self._opened = None  # the next call connects again
            raise


def _text(seconds: float) -> str:
    """A time in UTC as Django writes it to SQLite; the texts sort in the order of time."""
    return strftime("%Y-%m-%d %H:%M:%S", gmtime(seconds))


def _identity(path: str) -> _Identity | None:
    """Device and inode of the file, or None if there is none; a replaced file has another pair."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _make(path: Path) -> None:
    """Creates an empty file that only its owner may read; raises OSError.

    An existing file is never opened here, because closing it would release the locks that SQLite
    holds on it for other threads of this process (POSIX advisory locks).
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            for end in ("-wal", "-shm"):  # left by a deleted file
                Path(f"{path}{end}").unlink(missing_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        path.chmod(0o600)
    finally:
        os.close(lock)

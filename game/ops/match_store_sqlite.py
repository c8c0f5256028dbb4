"""The match store in an SQLite file, whose one table every version since 1.0 reads:

    cache_key            value    expires
    battleship:1:3Jc…:7  AQ4x…    2026-12-22 08:30:00
    battleship:1:room:3Jc…        2026-12-24 20:30:00

The second row is a reservation. The file and the table are created on demand.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import getrandbits
from time import gmtime, strftime, time

ROOM = 12 * 1024
"""The bytes that are reserved for a match. At rest the largest one takes two tokens of 4,000
characters and ten short values."""
MOST_RESERVED = 0.9
"""The share of a store that may be reserved. The rest is for requests under way, each of which may
write one more token before it deletes another."""
PATIENCE = 2
"""The seconds that a write waits for others."""
SWEEP_EVERY, SWEEP_ROWS = 100, 1_000
"""The number of writes between two sweeps, and the most rows that one sweep deletes: more than are
written in between, so that expired rows don't accumulate."""

_OPEN = """PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA max_page_count={pages};
CREATE TABLE IF NOT EXISTS register (
    cache_key varchar(255) NOT NULL PRIMARY KEY, value blob NOT NULL, expires datetime NOT NULL);
CREATE INDEX IF NOT EXISTS register_expires ON register (expires)"""
_READ = """SELECT cache_key, CAST(value AS blob) FROM register
    WHERE cache_key IN ({marks}) AND expires > ?"""
_SET = """INSERT INTO register (rowid, cache_key, value, expires) VALUES {marks}
    ON CONFLICT (cache_key) DO UPDATE SET value = excluded.value, expires = excluded.expires,
    rowid = iif((rowid < 0) = (excluded.rowid < 0), rowid, excluded.rowid)"""
_ADD = _SET + " WHERE register.expires <= ?"
_RENEW = "UPDATE register SET expires = ? WHERE cache_key = ? AND expires > ?"
_FORGET = "DELETE FROM register WHERE cache_key IN ({marks})"
_ROOMS = "battleship:1:room:"
"""The start of the keys of reservations, which are counted in the index of keys alone."""
_COUNT = """(SELECT count(*) FROM register
    WHERE cache_key BETWEEN 'battleship:1:room:' AND 'battleship:1:room:~')"""
_HAS_ROOM = """SELECT {count} < ? AND page_count - freelist_count < ?
    FROM pragma_page_count, pragma_freelist_count"""
_RESERVE = """INSERT INTO register (rowid, cache_key, value, expires) SELECT ?, ?, ?, ?
    WHERE {count} < ? OR EXISTS (SELECT * FROM register WHERE cache_key = ?)
    ON CONFLICT (cache_key) DO UPDATE SET expires = excluded.expires"""
_SWEEP = """DELETE FROM register WHERE cache_key IN
    (SELECT cache_key FROM register WHERE expires <= ? LIMIT ?)"""

PAGE = 4096
"""The bytes of a page, by SQLite's default."""

_Identity = tuple[int, int]
_ROW = "(?, ?, ?, ?)"
_SMALL = 100
"""A value of fewer bytes is no token."""


_opening = threading.Lock()
"""Held while a file is set up: two threads that switch a new one to WAL lock each other out."""


class SqliteStore(threading.local):
    """The values in a file of at most so many pages; each thread has a connection of its own.

    `failures` is what methods raise if the file is locked, full or damaged, or can't be created.
    """

    failures = (sqlite3.Error, OSError)

    def __init__(self, path: str, pages: int) -> None:
        self._path, self._pages = Path(path), pages
        self._reservable = int(MOST_RESERVED * pages)
        self._most = self._reservable * PAGE // ROOM
        self._connection: sqlite3.Connection | None = None
        self._opened: _Identity | None = None
        self._writes = count()

    def read(self, keys: Sequence[str]) -> dict[str, str]:
        """Returns the values by key; keys without a value are left out."""
        statement = _READ.format(marks=_marks("?", len(keys)))
        with self._connected() as connection:
            rows = connection.execute(statement, [*keys, _text(time())]).fetchall()
        return {key: data.decode("ascii", "replace") for key, data in rows}

    def add(self, key: str, value: str, lifetime: int) -> bool:
        """Writes a value if there is none that hasn't expired; returns whether it was written."""
        values = *_row(key, value, lifetime), _text(time())
        return self._write(_ADD.format(marks=_ROW), values) > 0

    def put(self, pairs: Mapping[str, str], lifetime: int, rooms: Mapping[str, int]) -> None:
        """Writes all values, and renews reservations for so many seconds each, or does nothing."""
        rows = [_row(key, value, lifetime) for key, value in pairs.items()]
        rows += [_row(_ROOMS + key, "", seconds) for key, seconds in rooms.items()]
        statement = _SET.format(marks=_marks(_ROW, len(rows)))
        self._write(statement, [part for row in rows for part in row])

    def renew(self, key: str, lifetime: int) -> None:
        """Restarts the time to live of a value, if there is one."""
        self._write(_RENEW, [_text(time() + lifetime), key, _text(time())])

    def forget(self, keys: Sequence[str]) -> None:
        """Deletes values."""
        self._write(_FORGET.format(marks=_marks("?", len(keys))), keys)

    def has_room(self) -> bool:
        """Whether one more reservation fits, perhaps where something has expired."""
        asks, most = _HAS_ROOM.format(count=_COUNT), [self._most, self._reservable]
        with self._connected() as connection:
            [is_left] = connection.execute(asks, most).fetchone()
            if not is_left:
                self._sweep(connection)
                [is_left] = connection.execute(asks, most).fetchone()
        return bool(is_left)

    def reserve(self, key: str, lifetime: int) -> bool:
        """Reserves room, or renews the reservation; returns False if no room is left."""
        values = *_row(_ROOMS + key, "", lifetime), self._most, _ROOMS + key
        is_reserved = self._write(_RESERVE.format(count=_COUNT), values) > 0
        return is_reserved or (self.has_room() and self.reserve(key, lifetime))

    def _write(self, statement: str, values: Sequence[str | bytes | int]) -> int:
        """Returns the number of rows that the statement has written."""
        with self._connected() as connection:
            if next(self._writes) % SWEEP_EVERY == 0:
                self._sweep(connection)
            return connection.execute(statement, values).rowcount

    def _sweep(self, connection: sqlite3.Connection) -> None:
        connection.execute(_SWEEP, [_text(time()), SWEEP_ROWS])

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """A connection to the current file, which is created if it is missing."""
        if self._connection is None or self._opened != _identity(self._path):
            self._connection = self._connect()
        try:
            yield self._connection
        except sqlite3.Error:
            self._opened = None  # the next call connects again
            raise

    def _connect(self) -> sqlite3.Connection:
        if self._connection:
            self._connection.close()  # its file may have been deleted
        self._connection = self._opened = None
        _make(self._path)
        opened = _identity(self._path)
        # Without an isolation level each statement is a transaction of its own.
        connection = sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None)
        with _opening:
            connection.executescript(_OPEN.format(pages=self._pages))
        self._opened = opened
        return connection


def _row(key: str, value: str, lifetime: int) -> tuple[int, str, bytes, str]:
    """Returns a row with its number.

    The file has rows in the order of their numbers. Those without a token have negative ones, as
    between tokens each could be left alone on a page. The numbers are random, so that nobody can
    arrange for pages that are nearly empty.
    """
    number = getrandbits(48) + 1
    data, expires = value.encode("ascii"), _text(time() + lifetime)
    return -number if len(data) < _SMALL else number, key, data, expires


def _marks(mark: str, number: int) -> str:
    return ", ".join([mark] * number)


def _text(seconds: float) -> str:
    """Returns a time in UTC as the file has it; the texts sort in the order of time."""
    return strftime("%Y-%m-%d %H:%M:%S", gmtime(seconds))


def _identity(path: Path) -> _Identity | None:
    """Returns the file's device and inode, which a file in its place doesn't have, or None."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _make(path: Path) -> None:
    """Creates an empty file that only its owner may read; raises OSError.

    An existing file is never opened here, because closing it would release the locks that SQLite
    holds on it for other threads of this process (POSIX advisory locks).
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        # On Windows nobody can delete a file that is open. So nobody uses what a deleted file has
        # left, and SQLite deletes that itself when it finds a new one empty.
        path.touch(0o600)
        return
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

"""The database of what several browsers share, such as matches at two devices.

Without one, or while it can't be reached, all else works: a connection is opened only where a row
is read or written. Each process does some work at its start and daily: it migrates the database,
and deletes the rows that are past their end.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import uniform
from time import monotonic
from typing import IO, Any, TypeVar

from django.apps import apps
from django.conf import settings
from django.core.files import locks
from django.core.management import call_command
from django.db import Error, connection, connections

from game.ops import metrics

logger = logging.getLogger(__name__)
T = TypeVar("T")

SILENCE, REST = 0.9, 2.0
"""A database that has failed after so many seconds isn't asked in the next ones, as each question
holds up a thread."""
_rests_until = 0.0
_LOCK = 0x42_41_54_54
"""The advisory lock of PostgreSQL that is held while the database is migrated."""
DAY, SOON = 24 * 60 * 60, 5
"""Seconds until the daily work is done again, and until it is tried again if it has failed."""
AT_START = 5
"""The most seconds for which a server waits at its start until that work is done."""


class DatabaseDown(RuntimeError):
    """The database can't be reached, is locked or is full; the request may be repeated later."""


def is_on() -> bool:
    """Whether the site has a database; otherwise nothing below may be called."""
    return bool(settings.HAS_DATABASE)


def run(act: Callable[[], T]) -> T:
    """Returns what a read or a write returns; counts failures, and raises DatabaseDown for them.

    It is tried again on a new connection, as the old one may have been cut. So `act` must not do
    harm if it is done twice.
    """
    global _rests_until
    began = monotonic()
    if began < _rests_until:
        raise DatabaseDown("it was silent a moment ago")
    for is_last in (False, True):
        try:
            return act()
        except Error as error:
            close()
            is_slow = monotonic() - began > SILENCE
            if not is_last and not is_slow:
                continue
            if is_slow:
                _rests_until = monotonic() + REST
            metrics.DATABASE_FAILURES.inc()
            logger.warning("the database failed: %s", type(error).__name__)
            raise DatabaseDown(str(error)) from error
        finally:
            wrapper = connections["default"]
            if wrapper.connection is not None and _has_pool(wrapper):
                close()
    raise AssertionError


def select(query: str, given: str) -> Sequence[Any] | None:
    """Returns the first row that a plain SELECT finds by a text, marked `?`; raises DatabaseDown.

    It costs a third of what Django's cursors do, for what is asked every second. The database may
    give all values as texts.
    """
    return run(lambda: _selected(query, given))


def _selected(query: str, given: str) -> Sequence[Any] | None:
    wrapper: Any = connections["default"]
    with wrapper.wrap_database_errors:
        if not _has_pool(wrapper):
            wrapper.ensure_connection()
            row: Sequence[Any] | None = wrapper.connection.execute(query, [given]).fetchone()
            return row
        pool = wrapper.pool
        if pool.closed:
            pool.open()
        opened = pool.getconn()
        try:
            return _prepared(opened, query, given)
        finally:
            pool.putconn(opened)


def _prepared(opened: Any, query: str, given: str) -> list[str] | None:
    """Returns the row that PostgreSQL finds by a statement that is prepared on the connection."""
    names: dict[str, bytes] = opened.__dict__.setdefault("names_of_statements", {})
    if query not in names:
        name = f"select{len(names)}".encode()
        _checked(opened.pgconn.prepare(name, query.replace("?", "$1").encode()))
        names[query] = name
    result = _checked(opened.pgconn.exec_prepared(names[query], [given.encode()]))
    columns = range(result.nfields)
    return [result.get_value(0, at).decode() for at in columns] if result.ntuples else None


def _checked(result: Any) -> Any:
    """Returns a result of libpq, or raises what it says."""
    from psycopg import OperationalError
    from psycopg.pq import ExecStatus

    if result.status not in (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK):
        raise OperationalError(result.error_message.decode(errors="replace"))
    return result


def _has_pool(wrapper: Any) -> bool:
    return "pool" in wrapper.settings_dict["OPTIONS"]


def close() -> None:
    """Closes this thread's connection, or returns it to the pool."""
    if not connection.in_atomic_block:
        with suppress(Error):
            connection.close()


# --- at the start, and daily ---


def prepare() -> None:
    """Migrates the database, one process at a time, and deletes old rows; raises DatabaseDown."""
    run(_migrate)
    delete_old()


def delete_old() -> None:
    """Deletes the rows of all models that are past their end; raises DatabaseDown."""
    for delete in _of_models("delete_old"):
        metrics.count_rows("deleted", run(delete))


def seal_anew() -> None:
    """Seals the rows of all models by the key that is in use now; raises DatabaseDown."""
    for seal in _of_models("seal_anew"):
        run(seal)


def _of_models(name: str) -> list[Callable[[], Any]]:
    """Returns the class methods of that name."""
    return [getattr(model, name) for model in apps.get_models() if hasattr(model, name)]


def _migrate() -> None:
    with _one_at_a_time():
        call_command("migrate", interactive=False, verbosity=0)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    if connection.vendor == "sqlite":
        with _locked_file(Path(connection.settings_dict["NAME"])):
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])


@contextmanager
def _locked_file(path: Path) -> Iterator[IO[bytes]]:
    """Creates the file of a database, which only its owner may read, and locks one beside it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with Path(f"{path}.lock").open("wb") as lock:
        locks.lock(lock, locks.LOCK_EX)
        if not path.exists():
            path.touch(0o600)
        yield lock


def tend() -> None:
    """Begins a thread that prepares the database now, and again every day.

    Returns once it has done so for the first time, or after some seconds: the site is served while
    the database is away.
    """
    if not is_on():
        logger.warning(
            "without a database, nobody can play at two devices: see BATTLESHIP_DATABASE"
        )
        return
    is_done = threading.Event()
    threading.Thread(target=_tend, args=[is_done], daemon=True).start()
    is_done.wait(AT_START)


def _tend(is_done: threading.Event) -> None:
    pause = threading.Event()
    while True:
        try:
            prepare()
            seal_anew()
            wait = uniform(0.9, 1.0) * DAY  # noqa: S311 (no secret)
        except (DatabaseDown, OSError) as error:
            logger.warning("the database could not be prepared: %s", error)
            wait = SOON
        finally:
            close()
        is_done.set()
        pause.wait(wait)

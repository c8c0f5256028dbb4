"""A server of the site for tests in a browser."""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from django.conf import settings

PATIENCE = 60_000
"""Milliseconds that a browser waits for anything."""


@contextmanager
def served(
    folder: Path, *, application: str = "battleships_site.wsgi", **settings_of: str
) -> Iterator[str]:
    """The address of a server whose log is in a folder, as may be its application.

    `settings_of` are BATTLESHIP_ variables in lower case.
    """
    worker = next((one for one in (folder, *folder.parents) if one.name.startswith("popen-")), None)
    collect_static(worker.parent if worker else folder)
    given = {f"BATTLESHIP_{name.upper()}": text for name, text in settings_of.items()}
    log = folder / "server.log"
    with socket.create_server(("127.0.0.1", 0)) as listener, log.open("wb") as out:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        process = subprocess.Popen(
            [
                sys.executable, "-m", "gunicorn", "--no-control-socket", "-k", "gthread",
                "--threads", "4", "--bind", f"fd://{listener.fileno()}",
                "--pythonpath", str(folder), application,
            ],
            cwd=settings.BASE_DIR,
            env=environment() | given,
            pass_fds=(listener.fileno(),),
            stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip
    with process:
        try:
            see_it_answer(f"{address}/healthz", log)
            yield address
            assert process.poll() is None, f"the server has ended: {log.read_text()[-3000:]}"
        finally:
            process.terminate()
    assert "Traceback" not in log.read_text(), log.read_text()[-3000:]


def environment() -> dict[str, str]:
    """The tests' own, with the site set up as when nothing is said, but for the tests' key."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("BATTLESHIP_")}
    return {**kept, "BATTLESHIP_SECRETS_FILE": str(settings.SECRETS_FILE)}


def collect_static(shared: Path) -> None:
    """Gathers the static files once for all workers of a run, unless they are up to date.

    Other tests read them at the same time, and a file is missing while it is written anew.
    """
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    made = manifest.stat().st_mtime if manifest.exists() else 0.0
    sources = (path for folder in settings.STATICFILES_DIRS for path in Path(folder).rglob("*"))
    if all(path.stat().st_mtime <= made for path in sources):
        return
    with (shared / "static.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = shared / "static.done"
        if not done.exists():
            command = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
            subprocess.run(command, cwd=settings.BASE_DIR, env=environment(), check=True)
            done.touch()


def see_it_answer(address: str, log: Path) -> None:
    """Asks once: the socket is open before the server runs, so that the question waits for it."""
    try:
        with urlopen(address, timeout=PATIENCE / 1000):
            pass
    except (URLError, OSError) as error:
        pytest.fail(f"the server does not answer: {error}\n{log.read_text()[-3000:]}")

"""A PostgreSQL for the tests, on a free port of this machine."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from tests.support.missing import skip_without
from tests.support.served import free_port, is_open, running, wait_until

_FOUND = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
INITDB = shutil.which("initdb") or (str(_FOUND[-1]) if _FOUND else None)


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The address of an empty database, which is there as long as it is needed."""
    skip_without(INITDB, "PostgreSQL")
    assert INITDB is not None
    programs, port = Path(INITDB).resolve().parent, free_port()
    # Another run of pytest takes the right to its folders from the user below.
    data = Path(mkdtemp(prefix="battleships-"))
    user = "postgres" if os.getuid() == 0 else None  # it refuses to run as root
    if user:
        shutil.chown(data, user, user)
    words = [str(programs / "initdb"), "-D", str(data), "-A", "trust", "-U", "battleship"]
    subprocess.run(words, check=True, capture_output=True, user=user, cwd=data)
    words = [str(programs / "postgres"), "-D", str(data), "-p", str(port), "-h", "127.0.0.1"]
    words += ["-k", ""]
    try:
        with running(words, folder / "postgres.log", lambda: is_open(port), user=user, cwd=data):
            made = [
                str(programs / "createdb"),
                *["-h", "127.0.0.1", "-U", "battleship", "-p"],
                str(port),
            ]
            wait_until(
                lambda: subprocess.run([*made, "battleship"], check=False).returncode == 0,
                lambda: "PostgreSQL makes no database",
            )
            yield f"postgres://battleship@127.0.0.1:{port}/battleship"
    finally:
        shutil.rmtree(data)

"""The site as the cluster test serves it: each answer names its process, keys are read at once."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from battleships_site.wsgi import application as site
from game.matches import keyring
from game.ops import match_store

NAME = os.environ["COPY"]
FATE = Path(os.environ["FATE"])
put, add = match_store.put, match_store.add


def meet_fate(after: str) -> None:
    """Ends the process that is to end after that write; nobody has been told of it."""
    process, is_after = FATE.read_text().split() if FATE.exists() else ("", "")
    if is_after == after:
        FATE.unlink()
        os.kill(int(process) or os.getpid(), signal.SIGKILL)
        time.sleep(0.1)


def put_unless_fate(pairs: Mapping[str, str], *given: Any) -> None:
    meet_fate("step")
    put(pairs, *given)


def add_unless_fate(key: str, value: str, lifetime: int = match_store.LIFETIME) -> bool:
    is_added = add(key, value, lifetime)
    if key.endswith(":move"):
        meet_fate("move")
    return is_added


keyring.REREAD_SECONDS = 0.5  # type: ignore[assignment]
match_store.put, match_store.add = put_unless_fate, add_unless_fate  # type: ignore[assignment]


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Adds the header that tells which copy and which process of it has answered."""

    def start(status: str, headers: list[tuple[str, str]], *fault: Any) -> Any:
        return start_response(status, [*headers, ("X-Served-By", f"{NAME} {os.getpid()}")], *fault)

    if environ["PATH_INFO"] == "/endless":
        time.sleep(3600)
    if environ["PATH_INFO"] == "/large":
        b"x" * 2**28
    return site(environ, start)

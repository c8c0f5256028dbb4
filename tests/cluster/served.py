"""The site as the cluster test serves it: each answer names its process, keys are read at once."""

import os
import time
from collections.abc import Callable, Iterable
from typing import Any

from battleships_site.wsgi import application as site
from game.matches import keyring

NAME = os.environ["COPY"]

keyring.REREAD_SECONDS = 0.5  # type: ignore[assignment]


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Adds the header that tells which copy and which process of it has answered."""

    def start(status: str, headers: list[tuple[str, str]], *fault: Any) -> Any:
        return start_response(status, [*headers, ("X-Served-By", f"{NAME} {os.getpid()}")], *fault)

    if environ["PATH_INFO"] == "/endless":
        time.sleep(3600)
    if environ["PATH_INFO"] == "/large":
        b"x" * 2**28
    return site(environ, start)

"""The site as the cluster test serves it: each answer names its process, keys are read at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from battleships_site.wsgi import application as site
from game.matches import keyring

keyring.REREAD_SECONDS = 0.5  # type: ignore[assignment]
NAME = os.environ["COPY"]


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Adds the header that tells which copy and which process of it has answered."""

    def start(status: str, headers: list[tuple[str, str]], *fault: Any) -> Any:
        return start_response(status, [*headers, ("X-Served-By", f"{NAME} {os.getpid()}")], *fault)

    return site(environ, start)

"""Counters for operators, in the text format of Prometheus.

    battleship_moves_total{action="fire"} 17.0
    battleship_refusals_total{reason="seal"} 2.0
    battleship_mind_seconds_bucket{le="0.05",mind="admiral"} 16.0
    battleship_tokens_sealed_total{key="5d0e8c1f"} 34.0

No label identifies a match or a visitor. Each process of a machine counts in a file of its own in
PROMETHEUS_MULTIPROC_DIR, and the process that is asked adds them up.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, make_wsgi_app, values
from prometheus_client.multiprocess import MultiProcessCollector

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

SLOT = "BATTLESHIP_SLOT"
"""The environment variable for a worker's number, set by gunicorn's configuration. A new worker
takes over the number and the file of the worker it replaces, which bounds the number of files."""
_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

if os.environ.get(_FOLDER):
    values.ValueClass = values.MultiProcessValue(  # type: ignore[no-untyped-call]
        lambda: os.environ.get(SLOT, str(os.getpid()))
    )

MOVES = Counter("battleship_moves", "Actions of persons that were taken.", ["action"])
REFUSALS = Counter("battleship_refusals", "Requests that were refused, by why.", ["reason"])
SECONDS = Histogram(
    "battleship_mind_seconds",
    "Seconds from a person's action until the mind has answered.",
    ["mind"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5),
)
SEALED = Counter("battleship_tokens_sealed", "Tokens that were sealed, by key id.", ["key"])
STALE = Counter("battleship_keyring_stale", "Times that the keyring could not be read again.")
DATABASE_FAILURES = Counter("battleship_database_failures", "Times that the database failed.")
ROWS = Counter("battleship_rows", "Rows that were made or deleted.", ["act"])


def count_action(kind: str) -> None:
    """Counts a person's action: fire, steer or resign."""
    MOVES.labels(kind).inc()


def count_refusal(reason: str) -> None:
    """Counts a refused request; `reason` is one of a small set of words."""
    REFUSALS.labels(reason).inc()


def count_rows(act: str, number: int = 1) -> None:
    """Counts rows; `act` is `made` or `deleted`."""
    ROWS.labels(act).inc(number)


def time_mind(mind: str) -> AbstractContextManager[object]:
    """Adds the time of a `with` block to that mind's histogram."""
    return SECONDS.labels(mind or "nobody").time()


def with_metrics(site: Application, port: str) -> Application:
    """Serves the counters on `port`, if it is not empty, and the site on other ports."""
    if not port:
        return site
    registry = REGISTRY
    if os.environ.get(_FOLDER):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    counters = make_wsgi_app(registry)

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        is_counters = environ["SERVER_PORT"] == port
        return (counters if is_counters else site)(environ, start_response)

    return application

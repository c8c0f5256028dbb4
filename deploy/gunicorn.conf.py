"""How gunicorn serves the site: `gunicorn --config deploy/gunicorn.conf.py battleships_site.wsgi`.

BIND                the addresses to listen on, separated by commas; by default 0.0.0.0:8000, which
                    is IPv4 alone
WEB_CONCURRENCY     the number of processes; by default that of the cores. Set it in a container
                    with a CPU limit, which still sees all cores of the machine.
BATTLESHIP_METRICS  the address of the counters, such as 0.0.0.0:9464; by default none
"""

import os
import shutil
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path


def _forget_own_modules(but=""):
    """Removes the site's modules that gunicorn has imported, so that they are imported again."""
    for name in [*sys.modules]:
        if name.partition(".")[0] in ("battleships_site", "game") and name not in but.split():
            del sys.modules[name]


_forget_own_modules()  # a reload may take up a newer version

from battleships_site import environment  # noqa: E402 (see above)

METRICS = environment.listeners("BATTLESHIP_METRICS", "")
bind = [*environment.listeners("BIND", "0.0.0.0:8000"), *METRICS]

# A click computes for a millisecond or more under Python's lock, so processes share the work.
# Threads only keep idle connections from blocking a process.
workers = environment.number("WEB_CONCURRENCY", "processes") or len(os.sched_getaffinity(0))
worker_class = "battleships_site.gunicorn_worker.Worker"  # gthread
threads = 4
keepalive = 75  # longer than the proxy's, so that only the proxy closes an idle connection

# While a new process loads, a site with only one can't answer. So the worker's class replaces one
# that has grown, instead of any after max_requests.
graceful_timeout = 20
timeout = 20  # seconds without a heartbeat (see the worker's class), or to load
limit_request_line = 8190  # addresses of reviews contain a match and the results so far
limit_request_field_size = 16_380  # htmx repeats the address in a header
control_socket_disable = True
logger_class = "battleships_site.gunicorn_log.Logger"
loglevel = "warning"

_MEMORY = "/dev/shm"  # noqa: S108 (in memory, since the file system may be read-only)
worker_tmp_dir = _MEMORY if Path(_MEMORY).is_dir() else None

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
if METRICS and _FOLDER not in os.environ:  # a reload runs this file again
    os.environ[_FOLDER] = tempfile.mkdtemp(prefix="battleship-", dir=worker_tmp_dir)


def _can_start():
    """Whether the site's settings and secrets are sound; if not, they say so in one sentence.

    In a process of its own: what this one imports, no reload would read anew.
    """
    asked = [sys.executable, "-c", "import battleships_site.settings"]
    return subprocess.run(asked, check=False).returncode == 0  # noqa: S603 (fixed arguments)


def on_starting(server):
    """Ends here, before any worker would."""
    if not _can_start():
        sys.exit(1)


def on_reload(server):
    """Keeps the workers there are where new ones couldn't start."""
    if not _can_start():
        server.cfg.set("workers", 0)  # the number of new ones


def pre_fork(server, worker):
    """Gives a new worker the lowest free number."""
    taken = {living.slot for living in server.WORKERS.values()}
    worker.slot = next(number for number in count() if number not in taken)


def post_fork(server, worker):
    """Passes the number on to the counters: see game.ops.metrics."""
    _forget_own_modules(f"{type(worker).__module__} {type(server.log).__module__}")
    os.environ["BATTLESHIP_SLOT"] = str(worker.slot)


def on_exit(server):
    """Deletes the counters' files."""
    if METRICS:
        shutil.rmtree(os.environ[_FOLDER], ignore_errors=True)

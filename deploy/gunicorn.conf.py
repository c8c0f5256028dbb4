"""How gunicorn serves the site: `gunicorn --config deploy/gunicorn.conf.py battleships_site.wsgi`.

BIND                where to listen; 0.0.0.0:8000 unless told
WEB_CONCURRENCY     processes; as many as there are cores unless told. A container with a limit
                    on its CPU still sees all cores of the machine: tell it.
BATTLESHIP_METRICS  where the counters are, such as 0.0.0.0:9464; nowhere unless told
"""

import os
import shutil
import tempfile
from itertools import count
from pathlib import Path

METRICS = os.environ.get("BATTLESHIP_METRICS", "")

bind = [os.environ.get("BIND", "0.0.0.0:8000"), *filter(None, [METRICS])]

# A click is a millisecond or more of computing under Python's lock, so processes do the work;
# threads only keep idle connections from holding a process.
workers = int(os.environ.get("WEB_CONCURRENCY") or len(os.sched_getaffinity(0)))
worker_class = "battleships_site.gunicorn_worker.Worker"  # gthread
threads = 4
keepalive = 75  # longer than the proxy keeps one idle, so that it is the proxy that hangs up

max_requests = 20_000
max_requests_jitter = 2_000
graceful_timeout = 20
control_socket_disable = True
logger_class = "battleships_site.gunicorn_log.Logger"
loglevel = "warning"

_MEMORY = "/dev/shm"  # noqa: S108 (no disk is waited for, and the file system may be read-only)
worker_tmp_dir = _MEMORY if Path(_MEMORY).is_dir() else None

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
if METRICS and _FOLDER not in os.environ:  # a reload runs this again
    os.environ[_FOLDER] = tempfile.mkdtemp(prefix="battleship-", dir=worker_tmp_dir)


def pre_fork(server, worker):
    """Gives a new worker the lowest number that no living one has."""
    taken = {living.slot for living in server.WORKERS.values()}
    worker.slot = next(number for number in count() if number not in taken)


def post_fork(server, worker):
    """Names the number to the counters: see game.ops.metrics."""
    os.environ["BATTLESHIP_SLOT"] = str(worker.slot)


def on_exit(server):
    """Forgets the counts with the processes."""
    if METRICS:
        shutil.rmtree(os.environ[_FOLDER], ignore_errors=True)

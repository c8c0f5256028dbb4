"""How gunicorn serves the site: `python -m battleships_site` takes this file.

BIND                the addresses to listen on, separated by commas; by default 0.0.0.0:8000, which
                    is IPv4 alone
WEB_CONCURRENCY     the number of processes; by default that of the cores. Set it in a container
                    with a CPU limit, which still sees all cores of the machine.
BATTLESHIP_METRICS  the address of the counters, such as 0.0.0.0:9464; by default none
"""

import faulthandler
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path
from threading import Thread, get_ident


def _forget_own_modules():
    """Removes the site's modules that gunicorn has imported, and returns them.

    Otherwise its workers would share them, and a reload may take up a newer version.
    """
    own = [name for name in sys.modules if name.partition(".")[0] in ("battleships_site", "game")]
    return {name: sys.modules.pop(name) for name in own}


earlier = _forget_own_modules()
try:
    from battleships_site import environment
    from battleships_site.gunicorn_log import Logger
except Exception:
    if not earlier:
        raise
    sys.modules.update(earlier)  # on_reload says what is broken, and keeps the workers there are
    from battleships_site import environment
    from battleships_site.gunicorn_log import Logger

METRICS = environment.METRICS
bind = [address.strip() for address in (*environment.BIND, *METRICS)]

# A click computes for a millisecond or more under Python's lock, so processes share the work.
# Its threads take turns of 5 ms, so no click waits until all answers that take long are finished.
workers = environment.WORKERS or len(os.sched_getaffinity(0))
worker_class = "gthread"
threads = 16
keepalive = 75  # longer than the proxy's, so that only the proxy closes an idle connection

graceful_timeout = 10  # seconds; the most expensive answer takes a quarter of one
timeout = 20  # seconds without a sign of the thread that waits for requests, or to load
limit_request_line = 8190  # addresses of reviews contain a match and the results so far
limit_request_field_size = 16_380  # htmx repeats the address in a header
# Only the settings say which header of a proxy is believed, as they do for waitress.
forwarder_headers, secure_scheme_headers = "", {}
control_socket_disable = True
logger_class = Logger
loglevel = "warning"

# A worker that can't start stays for so long, so that its successor doesn't fail at once.
SECONDS_BETWEEN_STARTS = 5
# The most expensive answer takes a quarter of a second, and a body that comes slowly five.
LONGEST_ANSWER = 10
# The other answers of a worker that is replaced have so long, as have connections that are kept.
SECONDS_TO_END = 3
MOST_GROWTH = 128 * 2**20  # bytes, three times those of the first 50,000 requests

_began = {}  # for each thread that answers a request, when it began

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
    _forget_own_modules()
    os.environ["BATTLESHIP_SLOT"] = str(worker.slot)
    try:
        import battleships_site.settings  # noqa: F401
    except SystemExit:
        time.sleep(SECONDS_BETWEEN_STARTS)
        raise


def post_worker_init(worker):
    from game.ops import database

    database.tend()
    Thread(target=_watch, args=[worker.log], daemon=True).start()


def pre_request(worker, request):
    _began[get_ident()] = time.monotonic()


def post_request(worker, request, environ, response):
    _began.pop(get_ident(), None)


def _watch(log):
    """Ends this worker if an answer takes too long, or if it has grown; gunicorn starts another.

    By itself gunicorn checks only the thread that waits for requests, and no thread can be ended.
    """
    most = _peak_memory() + MOST_GROWTH
    while True:
        time.sleep(1)
        if time.monotonic() - min([*_began.values()], default=sys.maxsize) > LONGEST_ANSWER:
            log.error("a worker ends, since an answer takes too long")
            faulthandler.dump_traceback()  # to its standard error, of all threads
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(SECONDS_TO_END)
            os._exit(1)
        if _peak_memory() > most:
            log.warning("a worker of %d MiB ends", _peak_memory() >> 20)
            os.kill(os.getpid(), signal.SIGTERM)
            most = sys.maxsize


def _peak_memory():
    """Returns bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def on_exit(server):
    """Deletes the counters' files."""
    if METRICS:
        shutil.rmtree(os.environ[_FOLDER], ignore_errors=True)

"""Serves the site without a proxy: `python -m battleships_site.standalone DESCRIPTOR`.

One loop reads each request completely before a thread takes it, and sends what slow clients have
yet to receive. So a client that sends nothing, or a byte a second, blocks no thread.
"""

import signal
import socket
import sys

from waitress.server import create_server  # type: ignore[import-untyped]

from battleships_site.limits import LONGEST_BODY
from battleships_site.wsgi import application
from game.ops import database

MOST_CONNECTIONS = 1000
OTHER_FILES = 100
"""Files that the process opens beside connections: the database, the fonts, its log."""
MOST_SELECTED = 512
"""The most sockets that select takes on Windows, which has no poll."""


def serve(listener: socket.socket) -> None:
    """Serves at a bound socket until SIGTERM, and answers the requests that have begun."""
    server = create_server(
        application,
        sockets=[listener],
        threads=4,
        connection_limit=_opened_files() - OTHER_FILES,
        channel_timeout=30,  # seconds
        cleanup_interval=10,
        max_request_header_size=64 * 1024,
        max_request_body_size=LONGEST_BODY + 1,
        server_name=listener.getsockname()[0],  # for requests without a host
        clear_untrusted_proxy_headers=False,  # BATTLESHIP_TLS says whether one is believed
        ident=None,
        asyncore_use_poll=True,  # select can't see beyond 1,024 files
    )
    database.tend()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    server.run()


def _opened_files() -> int:
    """Returns how many files the process may open, once it has got as many as it needs."""
    try:
        import resource
    except ImportError:
        return MOST_SELECTED
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MOST_CONNECTIONS + OTHER_FILES
    if most != resource.RLIM_INFINITY:
        files = min(files, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return files


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))

"""`manage.py serve`: serves the site on a free port, with the server used in production."""

from __future__ import annotations

import errno
import os
import socket
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.management.preparation import collect_static

FIRST_PORT, TRIES = 8000, 50


class Command(BaseCommand):
    """Binds a port, prints the address, and becomes gunicorn."""

    help = "Serves the game. PORT is respected; without it, 8000 or the next free port is taken."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")

    def handle(self, *args: Any, **options: Any) -> None:
        """Passes the bound socket on, so that no other process can take the port in between."""
        collect_static()
        host = options["host"]
        listener = _listener(host, os.environ.get("PORT"))
        port = listener.getsockname()[1]
        name = "localhost" if host in ("0.0.0.0", "::") else host  # noqa: S104 (asked for by hand)
        if name != "127.0.0.1":
            os.environ.setdefault("BATTLESHIP_HOSTS", "*" if name != host else host)
        if ":" in name:
            name = f"[{name}]"
        self.stdout.write(f"Battleship is served at http://{name}:{port}/  (Ctrl+C ends it)")
        self.stdout.flush()
        listener.set_inheritable(True)
        os.execv(  # noqa: S606 (our own interpreter, with fixed arguments)
            sys.executable,
            [
                sys.executable, "-m", "gunicorn", "--bind", f"fd://{listener.fileno()}",
                "--worker-class", "gthread", "--threads", "4", "--workers", "2",
                "--no-control-socket", "--log-level", "warning",
                "--logger-class", "battleships_site.gunicorn_log.Logger", "battleships_site.wsgi",
            ],
        )  # fmt: skip


def _listener(host: str, asked: str | None) -> socket.socket:
    if asked:
        if not (asked.isascii() and asked.isdigit()) or int(asked) > 65535:
            raise CommandError(f"PORT is not a port: {asked!r}")
        ports = range(int(asked), int(asked) + 1)
    else:
        ports = range(FIRST_PORT, FIRST_PORT + TRIES)
    for port in ports:
        listener = _bound(host, port)
        if listener is not None:
            listener.listen(128)
            return listener
    raise CommandError(f"no free port from {ports[0]} to {ports[-1]}: set PORT to another")


def _bound(host: str, port: int) -> socket.socket | None:
    """A socket bound to that address, or None if its port is taken; raises CommandError."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (socket.gaierror, UnicodeError) as error:
        listener.close()
        raise CommandError(f"this host is not known: {host!r}") from error
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            return None
        if error.errno == errno.EADDRNOTAVAIL:
            raise CommandError(f"this host is another machine: {host!r}") from error
        raise CommandError(f"can't listen at {host!r}, port {port}: {error.strerror}") from error
    return listener

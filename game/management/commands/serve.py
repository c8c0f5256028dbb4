"""`manage.py serve`: serves the site on a free port, without a proxy."""

from __future__ import annotations

import errno
import os
import socket
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from game.management.preparation import collect_static

FIRST_PORT, TRIES = 8000, 50


class Command(BaseCommand):
    """Binds a port, prints the address, and becomes the server of `battleships_site.bare`."""

    help = "Serves the game. PORT is respected; without it, 8000 or the next free port is taken."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")

    def handle(self, *args: Any, **options: Any) -> None:
        """Passes the bound socket on, so that no other process can take the port in between."""
        try:
            collect_static()
        except OSError as error:
            folder = settings.STATIC_ROOT
            raise CommandError(f"can't write to {folder}: {error.strerror}") from error
        host = options["host"]
        listener = _listener(host, os.environ.get("PORT"))
        port = listener.getsockname()[1]
        is_everywhere = host in ("0.0.0.0", "::")  # noqa: S104 (asked for by hand)
        name = "localhost" if is_everywhere else f"[{host}]" if ":" in host else host
        if name != "127.0.0.1":
            os.environ.setdefault("BATTLESHIP_HOSTS", "*" if is_everywhere else name)
        self.stdout.write(f"Battleship is served at http://{name}:{port}/  (Ctrl+C ends it)")
        self.stdout.flush()
        listener.set_inheritable(True)
        os.execv(  # noqa: S606 (our own interpreter, with fixed arguments)
            sys.executable, [sys.executable, "-m", "battleships_site.bare", str(listener.fileno())]
        )


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
    """Returns a socket bound to that address, or None if its port is taken."""
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

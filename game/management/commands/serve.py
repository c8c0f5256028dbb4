"""`battleships serve`: serves the site on a free port, without a proxy."""

import errno
import os
import signal
import socket
import subprocess
import sys
from argparse import ArgumentParser
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn

import segno
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.core.management.color import supports_color

from game.management import streams
from game.management.preparation import collect_static

FIRST_PORT, TRIES = 8000, 50
IS_WINDOWS = os.name == "nt"
TAKEN = (errno.EADDRINUSE, errno.EACCES) if IS_WINDOWS else (errno.EADDRINUSE,)
"""What says that a port is taken; Windows denies ports that it has reserved."""
EVERYWHERE = "0.0.0.0", "::"  # noqa: S104 (asked for by hand)
ELSEWHERE = ("198.51.100.1", 9)
"""An address beyond the local network, for documentation (RFC 5737). Nothing is sent to it."""


class Command(BaseCommand):
    """Binds a port, prints the address, and becomes the server of `battleships_site.standalone`."""

    help = "Serves the game, and prints its address."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add, environment = parser.add_argument, os.environ
        add("--port", default=environment.get("PORT"), help="8000 or the next free one by default")
        add("--host", default=environment.get("HOST"), help="127.0.0.1 by default")
        lan = "serves the local network, and prints the address with its QR code"
        add("--lan", action="store_true", help=lan)

    def handle(self, *args: Any, **options: Any) -> None:
        """Passes the bound socket on, so that no other process can take the port in between."""
        try:
            collect_static()
        except OSError as error:
            folder = settings.STATIC_ROOT
            raise CommandError(f"can't write to {folder}: {error.strerror}") from error
        is_lan = options["lan"]
        host = options["host"] or (EVERYWHERE[0] if is_lan else "127.0.0.1")
        listener = _listener(host, options["port"])
        name = _name_of(host, is_lan=is_lan)
        self._tell(f"http://{name}:{listener.getsockname()[1]}{settings.PATH}", is_lan=is_lan)
        _set_hosts(host, name, is_lan=is_lan)
        _become_server(listener)

    def _tell(self, address: str, *, is_lan: bool) -> None:
        told = [f"Battleship is served at {address}  (Ctrl+C ends it)"]
        if is_lan:
            os.environ["BATTLESHIP_LAN_ADDRESS"] = address
            told.append("Devices in the same network can open that address, and this code:")
            told.append(_qr_code(address, has_colours=supports_color()))
        self.stdout.write("\n".join(told))  # at once: another program may read it line by line
        self.stdout.flush()


def _name_of(host: str, *, is_lan: bool) -> str:
    """Returns the host of the address to open."""
    if host in EVERYWHERE:
        return _own_address() if is_lan else "localhost"
    return f"[{host}]" if ":" in host else host


def _set_hosts(host: str, name: str, *, is_lan: bool) -> None:
    """Names the hosts that the server answers to, unless somebody has."""
    if is_lan:
        own = socket.gethostname().partition(".")[0] or "localhost"
        here = ["localhost", "127.0.0.1", "[::1]"] if host in EVERYWHERE else []
        os.environ.setdefault("BATTLESHIP_HOSTS", ",".join([name, own, f"{own}.local", *here]))
    elif name != "127.0.0.1":
        os.environ.setdefault("BATTLESHIP_HOSTS", "*" if host in EVERYWHERE else name)


def _become_server(listener: socket.socket) -> NoReturn:
    listener.set_inheritable(True)
    # Without -P, a folder named "game" in the current one would be imported instead.
    own, others = str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = f"{own}{os.pathsep}{others}" if others else own
    command = [sys.executable, "-P", "-m", "battleships_site.standalone", str(listener.fileno())]
    if hasattr(os, "fork"):
        os.execv(sys.executable, command)  # noqa: S606 (our own interpreter, with fixed arguments)
    # On Windows exec begins a process that no Ctrl+C reaches, and ends this one.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with subprocess.Popen(command, close_fds=False) as server:  # noqa: S603 (as above)
        try:
            sys.exit(server.wait())
        except KeyboardInterrupt:
            sys.exit()
        finally:
            server.terminate()


def _own_address() -> str:
    """Returns this machine's address in the network that leads elsewhere; raises CommandError."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError as error:
            raise CommandError(
                "no network was found: name this machine's address, --lan --host 192.168.1.20"
            ) from error
        return str(probe.getsockname()[0])


def _qr_code(address: str, *, has_colours: bool) -> str:
    """Returns a QR code in characters, white on black in terminals of any colour.

    Without block letters it consists of coloured spaces, or is left out.
    """
    code, drawing = segno.make(address, error="l", micro=False), StringIO()
    code.terminal(drawing, compact=True, border=2)
    if streams.spelt(drawing.getvalue(), sys.stdout.encoding) != drawing.getvalue():
        drawing = StringIO()
        if has_colours:
            code.terminal(drawing, border=2)
    elif has_colours:
        lines = drawing.getvalue().splitlines()
        return "".join(f"\033[97;40m{line}\033[0m\n" for line in lines)
    return drawing.getvalue()


def _listener(host: str, asked: str | None) -> socket.socket:
    if asked:
        if not (asked.isascii() and asked.isdigit()) or int(asked) > 65535:
            raise CommandError(f"not a port: {asked!r}")
        ports = range(int(asked), int(asked) + 1)
    else:
        ports = range(FIRST_PORT, FIRST_PORT + TRIES)
    for port in ports:
        if listener := _bound(host, port):
            listener.listen(128)
            return listener
    raise CommandError(f"no free port from {ports[0]} to {ports[-1]}: choose another by --port")


def _bound(host: str, port: int) -> socket.socket | None:
    """Returns a socket bound to that address, or None if its port is taken."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if not IS_WINDOWS:  # there it would let two servers listen at one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, UnicodeError) as error:
        listener.close()
        if isinstance(error, socket.gaierror | UnicodeError):
            raise CommandError(f"this host is not known: {host!r}") from error
        if error.errno in TAKEN:
            return None
        if error.errno == errno.EADDRNOTAVAIL:
            raise CommandError(f"this host is another machine: {host!r}") from error
        raise CommandError(f"can't listen at {host!r}, port {port}: {error.strerror}") from error
    return listener

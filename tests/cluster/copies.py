"""Copies of the site, each a gunicorn with a secrets file of its own, and the proxy before them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from game.ops import secrets

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120
"""Seconds after which what is waited for won't come any more."""

BACKENDS = """
backend copies
    balance roundrobin
    option httpchk GET /healthz
    default-server check inter 200ms fall 1 rise 1 maxconn 8
{servers}

backend last_resort
    balance roundrobin
{servers}
"""


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Copy:
    """One gunicorn with one worker."""

    name: str
    code: Path
    """The tree it is run from."""
    home: Path
    """Where its secrets and its log are."""
    metrics: str = ""
    port: int = field(default_factory=free_port)

    @property
    def secrets(self) -> Path:
        """The file with its keys."""
        return self.home / f"{self.name}.json"

    @property
    def log(self) -> Path:
        """Where it writes whatever it writes."""
        return self.home / f"{self.name}.log"

    def start(self) -> None:
        """Starts it; raises nothing where it doesn't come up."""
        kept = {name: text for name, text in os.environ.items() if "BATTLESHIP" not in name}
        arguments = [
            sys.executable, "-m", "gunicorn", "--config",
            str(self.code / "deploy" / "gunicorn.conf.py"),
            "--chdir", str(self.code), "--pythonpath", str(Path(__file__).parent),
            "--log-level", "debug", "served",
        ]  # fmt: skip
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                arguments, cwd=self.code, stdout=log, stderr=log, start_new_session=True,
                env=kept | {
                    "COPY": self.name, "BIND": f"127.0.0.1:{self.port}", "WEB_CONCURRENCY": "1",
                    "BATTLESHIP_ENV": "production", "BATTLESHIP_HOSTS": "127.0.0.1",
                    "BATTLESHIP_SECRETS_FILE": str(self.secrets), "BATTLESHIP_LOG": "json",
                    "BATTLESHIP_METRICS": self.metrics,
                },
            )  # fmt: skip

    def served_by(self) -> str:
        """Name and process of who answers at its port; empty where nobody does."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().headers.get("X-Served-By", "")
        except (OSError, HTTPException):
            return ""
        finally:
            connection.close()

    def wait(self, *, but: str = "") -> str:
        """Who answers, as soon as anybody but that one does."""
        until = time.monotonic() + PATIENCE
        while (found := self.served_by()) in ("", but):
            assert time.monotonic() < until, f"{self.name}: {self.log.read_text()[-3000:]}"
            time.sleep(0.05)
        return found

    def kill_worker(self) -> None:
        """Ends its worker as the kernel does when memory is short; gunicorn starts another."""
        before = self.wait()
        os.kill(int(before.split()[1]), signal.SIGKILL)
        self.wait(but=before)

    def kill(self) -> None:
        """Ends all of it as when the machine is switched off, and starts it again."""
        before = self.wait()
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.start()
        self.wait(but=before)

    def reload(self) -> None:
        """Lets gunicorn start a new worker, which reads all code anew, and end the old one."""
        before = self.wait()
        self.process.send_signal(signal.SIGHUP)
        self.wait(but=before)

    def stop(self) -> None:
        """Ends it for good."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(30)


def give(copies: list[Copy], found: dict[str, Any]) -> None:
    """Hands new keys to one copy after the other, and waits until each has read them."""
    for copy in copies:
        secrets.write(copy.secrets, found)
        time.sleep(0.3)
    time.sleep(1.2)


@contextmanager
def running(copies: list[Copy], home: Path) -> Iterator[int]:
    """The port of a proxy before the copies, which run as long as it does."""
    try:
        for copy in copies:
            copy.start()
        for copy in copies:
            copy.wait()
        with proxied(copies, home, rate=1_000_000) as port:
            _wait_for_all(port, copies)
            yield port
    finally:
        for copy in copies:
            copy.stop()


@contextmanager
def proxied(copies: list[Copy], home: Path, *, rate: int) -> Iterator[int]:
    """The port of an HAProxy as deploy/haproxy describes it, but for the copies and the rate."""
    port = free_port()
    lines = [f"    server {copy.name} 127.0.0.1:{copy.port}" for copy in copies]
    backends = home / f"copies-{rate}.cfg"
    backends.write_text(BACKENDS.format(servers="\n".join(lines)))
    files = [str(ROOT / "deploy/haproxy/haproxy.cfg"), str(backends)]
    said = {"BATTLESHIP_BIND": f"127.0.0.1:{port}", "BATTLESHIP_RATE": str(rate)}
    with (home / f"haproxy-{rate}.log").open("wb") as log:
        proxy = subprocess.Popen(
            ["haproxy", "-f", files[0], "-f", files[1]],
            stdout=log, stderr=log, env=os.environ | said,
        )  # fmt: skip
    try:
        yield port
    finally:
        proxy.terminate()
        proxy.wait()


def _wait_for_all(port: int, copies: list[Copy]) -> None:
    """Waits until each copy has answered through the proxy."""
    until, seen = time.monotonic() + PATIENCE, set()
    while len(seen) < len(copies):
        assert time.monotonic() < until, seen
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            connection.request("GET", "/en/about/")
            seen.add(connection.getresponse().headers.get("X-Served-By", "").split(" ")[0])
            seen.discard("")
        except (OSError, HTTPException):
            time.sleep(0.05)
        finally:
            connection.close()

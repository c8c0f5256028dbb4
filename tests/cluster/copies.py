"""Copies of the site, each a gunicorn with a secrets file of its own, and the proxy before them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path

from bench.load import proxied_copies
from tests.support.served import wait_until

ROOT = Path(__file__).resolve().parent.parent.parent
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def asked(
    port: int, method: str, where: str, body: bytes | None = None, headers: Mapping[str, str] = {}
) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, where, body, dict(headers))
        answer = connection.getresponse()
        answer.read()
        return answer
    finally:
        connection.close()


@dataclass
class Copy:
    """One gunicorn, as a rule with one worker."""

    name: str
    code: Path
    """The tree it is run from."""
    home: Path
    """Where its secrets and its log are."""
    metrics: str = ""
    store: str = ""
    """Its match store."""
    workers: int = 1
    port: int = field(default_factory=free_port)

    @property
    def secrets(self) -> Path:
        """The file with its keys."""
        return self.home / f"{self.name}.json"

    @property
    def log(self) -> Path:
        """The file with its output."""
        return self.home / f"{self.name}.log"

    @property
    def fate(self) -> Path:
        """A file with the number of the process that is to end after a write, 0 for itself.

        The name of the write follows: `step` or `move`.
        """
        return self.home / f"{self.name}.fate"

    def start(self) -> None:
        """Starts it, without an error if it doesn't come up."""
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
                    "COPY": self.name, "BIND": f"127.0.0.1:{self.port}",
                    "WEB_CONCURRENCY": str(self.workers), "FATE": str(self.fate),
                    "BATTLESHIP_ENV": "production",
                    # The older version takes a name only, this one any port of it.
                    "BATTLESHIP_HOSTS": "127.0.0.1,127.0.0.1:*",
                    "BATTLESHIP_SECRETS_FILE": str(self.secrets), "BATTLESHIP_LOG": "json",
                    "BATTLESHIP_METRICS": self.metrics,
                    # The older version knows only this name, which 1.x reads as well.
                    "BATTLESHIP_REGISTER": self.store,
                },
            )  # fmt: skip

    def served_by(self) -> str:
        """The name and process that answer at its port; empty if none does."""
        try:
            return asked(self.port, "GET", "/healthz").headers.get("X-Served-By", "")
        except (OSError, HTTPException):
            return ""

    def wait(self, *, but: str = "") -> str:
        """Waits until another process answers, and returns it."""

        def another() -> str:
            found = self.served_by()
            return "" if found == but else found

        return wait_until(another, lambda: f"{self.name}: {self.log.read_text()[-3000:]}")

    def opens(self, token: str) -> bool:
        """Whether it shows the match of a token."""
        return asked(self.port, "GET", f"/en/play/{token}/").status == 200

    def seals_with(self) -> str:
        """The id of the key that it seals a new match with, in hexadecimal."""
        begun = asked(self.port, "POST", "/en/new/bonn/", b"action=quick", FORM)
        token = begun.headers["Location"].split("/")[3]
        return urlsafe_b64decode(token)[1:5].hex()

    def kill_worker(self) -> None:
        """Ends its worker as the kernel does when memory is short; gunicorn starts another."""
        before = self.wait()
        os.kill(int(before.split()[1]), signal.SIGKILL)
        self.wait(but=before)

    def kill(self) -> None:
        """Kills all its processes and starts it again."""
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
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(30)


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
    """The port of an HAProxy with the settings of deploy/haproxy, but for rate and copies."""
    port = free_port()
    backends = home / f"copies-{rate}.cfg"
    backends.write_text(proxied_copies(ROOT, {copy.name: copy.port for copy in copies}))
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
    unseen = {copy.name for copy in copies}

    def is_seen() -> bool:
        try:
            answer = asked(port, "GET", "/en/about/")
        except (OSError, HTTPException):
            return False
        unseen.discard(answer.headers.get("X-Served-By", "").split(" ")[0])
        return not unseen

    wait_until(is_seen, lambda: f"not reached through the proxy: {unseen}")

"""Copies of the site, each a gunicorn with a secrets file of its own, and a cluster of three."""

import os
import signal
import subprocess
import sys
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from itertools import count
from pathlib import Path

from django.test import override_settings

from game.matches.keyring import kid_of
from game.matches.tokens import seal_match
from game.ops import secrets
from tests.support.device import asked
from tests.support.matches import opening
from tests.support.served import ROOT, environment, free_port, proxied, wait_until


@dataclass
class Copy:
    """One gunicorn, as a rule with one worker."""

    name: str
    home: Path
    """Where its secrets and its log are."""
    code: Path = ROOT
    """The tree it is run from."""
    metrics: str = ""
    database: str = ""
    workers: int = 1
    host: str = "127.0.0.1"
    port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        self.secrets, self.log = (self.home / f"{self.name}.{end}" for end in ("json", "log"))
        """The file with its keys, and the one with its output."""

    def start(self) -> None:
        """Starts it, without an error if it doesn't come up."""
        arguments = [
            sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py",
            "--chdir", str(self.code), "--pythonpath", str(Path(__file__).parent),
            "--log-level", "debug", "served",
        ]  # fmt: skip
        env = environment(
            env="production",
            hosts="127.0.0.1:*", secrets_file=str(self.secrets), log="json",
            metrics=self.metrics, database=self.database,
        ) | {
            "COPY": self.name, "BIND": f"{self.host}:{self.port}",
            "WEB_CONCURRENCY": str(self.workers),
        }  # fmt: skip
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                arguments, cwd=self.code, stdout=log, stderr=log, start_new_session=True, env=env
            )

    def served_by(self) -> str:
        """The name and process that answer at its port; empty if none does."""
        try:
            return str(asked(self.port, "/healthz", host=self.host).headers.get("X-Served-By", ""))
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
        return asked(self.port, f"/en/play/{token}/").status == 200

    def seals_with(self) -> str:
        """The id of the key that it seals a new match with, in hexadecimal."""
        begun = asked(self.port, "/en/new/bonn/", "action=quick").location
        return urlsafe_b64decode(begun.split("/")[3])[1:5].hex()

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
def running(*copies: Copy) -> Iterator[None]:
    """Runs copies to the end of the block, once they answer."""
    try:
        for copy in copies:
            copy.start()
        for copy in copies:
            copy.wait()
        yield
    finally:
        for copy in copies:
            copy.stop()


class Cluster:
    """Three copies, and every key there ever was."""

    def __init__(self, home: Path) -> None:
        self.home, self.metrics, self.port = home, free_port(), 0
        self.copies = [
            Copy("a", home, metrics=f"127.0.0.1:{self.metrics}"),
            Copy("b", home),
            Copy("c", home),
        ]
        self.found = secrets.make()
        self.numbers = count()
        self.tokens: dict[str, str] = {}
        """A token of each key there ever was, by its root."""
        self.note(self.found["keys"][0])
        for copy in self.copies:
            secrets.write(copy.secrets, self.found)

    @contextmanager
    def running(self) -> Iterator[int]:
        """The port of HAProxy before the copies, each of which answers."""
        unseen = {copy.name for copy in self.copies}

        def is_seen() -> bool:
            server = asked(port, "/en/about/").headers.get("X-Served-By", "")
            unseen.discard(server.split(" ")[0])
            return not unseen

        ports = {copy.name: copy.port for copy in self.copies}
        with running(*self.copies), proxied(ports, self.home, rate="1000000") as port:
            wait_until(is_seen, lambda: f"not reached through the proxy: {unseen}")
            yield port

    def note(self, key: dict[str, str]) -> None:
        """Seals a match with a new key."""
        with override_settings(SECRETS_FILE=self.secrets_of([key["root"]])):
            self.tokens[key["root"]] = seal_match(opening())

    def secrets_of(self, roots: Sequence[str]) -> Path:
        """A file of secrets with these keys, the first of them in use."""
        path = self.home / f"keys-{next(self.numbers)}.json"  # each file is read once
        states = ["use"] + ["accept"] * (len(roots) - 1)
        keys = [{"root": r, "state": state} for r, state in zip(roots, states, strict=True)]
        secrets.write(path, {**self.found, "keys": keys})
        return path

    def rotate(self, phase: str) -> None:
        """One phase of a rotation, copy by copy."""
        keys = self.found["keys"]
        if phase == "add":
            keys.append(secrets.make_key("accept"))
            self.note(keys[-1])
        elif phase == "use":
            keys[0]["state"], keys[1]["state"] = "accept", "use"
        else:
            keys.pop(0)
        for copy in self.copies:
            secrets.write(copy.secrets, self.found)
            wait_until(partial(self.has_read, copy), lambda: "a copy goes on with its old keys")

    @property
    def used(self) -> str:
        """The id of the key in use."""
        [used] = [kid_of(key) for key in self.found["keys"] if key["state"] == "use"]
        return used

    def has_read(self, copy: Copy) -> bool:
        """Whether a copy seals and opens with the keys that there are now, and with no others."""
        roots = {key["root"] for key in self.found["keys"]}
        return copy.seals_with() == self.used and all(
            copy.opens(token) is (root in roots) for root, token in self.tokens.items()
        )

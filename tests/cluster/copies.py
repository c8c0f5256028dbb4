"""Copies of the site, each a gunicorn with a secrets file of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.served import ROOT, answers, environment, free_port, wait_until


@dataclass
class Copy:
    """One gunicorn."""

    name: str
    home: Path
    """Where its secrets and its log are."""
    database: str = ""
    workers: int = 1
    port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        self.secrets, self.log = (self.home / f"{self.name}.{end}" for end in ("json", "log"))
        """The file with its keys, and the one with its output."""

    def start(self) -> None:
        """Starts it, without an error if it doesn't come up."""
        words = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py"]
        env = environment(
            env="production", hosts="127.0.0.1:*", secrets_file=str(self.secrets),
            database=self.database, data=str(self.home),
        ) | {"BIND": f"127.0.0.1:{self.port}", "WEB_CONCURRENCY": str(self.workers)}  # fmt: skip
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*words, "battleships_site.wsgi"], cwd=ROOT, stdout=log, stderr=log,
                start_new_session=True, env=env,
            )  # fmt: skip

    def wait(self) -> None:
        """Waits until it answers."""
        wait_until(
            lambda: answers(self.port), lambda: f"{self.name}: {self.log.read_text()[-3000:]}"
        )

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

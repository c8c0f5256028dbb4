"""Runs the commands of deployment files in a scratch folder, as the users that they name."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path

from tests.support.documents import ROOT
from tests.support.waiting import wait_until

PLAIN = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": "/"}
IS_ROOT = os.geteuid() == 0


def as_user(user: int) -> list[str]:
    """Returns the words before a command with which root runs it as that user; others can't.

    The user may write no more than its own files, but may read all, since the interpreter of the
    tests may lie in root's home.
    """
    if not IS_ROOT:
        return []
    reads = "-all,+dac_read_search"
    return [
        "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups",
        f"--inh-caps={reads}", f"--ambient-caps={reads}",
    ]  # fmt: skip


def owner(user: int) -> int:
    """The owner of the files that the user makes; without root it is the user of the tests."""
    return user if IS_ROOT else os.geteuid()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@dataclass
class Machine:
    """A machine whose paths and addresses lead into a folder and to free ports."""

    places: dict[str, str]
    """What stands for each path or address in the files."""
    environment: dict[str, str] = field(default_factory=dict)

    def here(self, text: str) -> str:
        """Replaces the machine's paths and addresses in a text."""
        for name in sorted(self.places, key=len, reverse=True):
            text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", self.places[name], text)
        return text

    def run(
        self, command: str, *, user: int | None = None, cwd: str = "/", may_fail: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command of the shell, to its end."""
        prefix = [] if user is None else as_user(user)
        done = subprocess.run(
            [*prefix, "sh", "-c", self.here(command)], cwd=self.here(cwd), env=self.shown(),
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert may_fail or done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done

    def shown(self) -> dict[str, str]:
        """The environment of its processes."""
        return PLAIN | {name: self.here(text) for name, text in self.environment.items()}

    @contextmanager
    def running(
        self, words: Sequence[str], *, user: int, cwd: str, log: Path, is_up: Callable[[], object]
    ) -> Iterator[None]:
        """Runs a server until the end of the block, once it is up."""
        with log.open("wb") as out:
            process = subprocess.Popen(
                [*as_user(user), *map(self.here, words)], cwd=self.here(cwd), env=self.shown(),
                stdout=out, stderr=subprocess.STDOUT,
            )  # fmt: skip
        try:
            wait_until(is_up, lambda: f"{shlex.join(words)}\n{log.read_text()[-3000:]}")
            yield
            assert process.poll() is None, log.read_text()[-3000:]
        finally:
            process.terminate()
            process.wait(30)


def page(
    port: int, path: str, form: str | None = None, headers: Mapping[str, str] = {}
) -> tuple[int, Message, str]:
    """The status, the headers and the text of an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    kind = {} if form is None else {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("GET" if form is None else "POST", path, form, {**kind, **headers})
    answer = connection.getresponse()
    text = answer.read().decode(errors="replace")
    connection.close()
    return answer.status, answer.headers, text


def blocks(document: str, heading: str) -> list[str]:
    """The commands that a document shows below a heading, line by line."""
    text = (ROOT / document).read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line.strip() for line in re.findall(r"^ {4,}(\S.*)$", text, re.MULTILINE)]

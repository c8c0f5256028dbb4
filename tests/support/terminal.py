"""`manage.py play` on a pseudo-terminal, and what its screen shows."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pyte

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 60
"""Seconds after which a process that says nothing has hung."""
TOKEN = re.compile(r"^[A-Za-z0-9_-]{60,}$", re.MULTILINE)
_DECIDES = ("COLUMNS", "LINES", "NO_COLOR", "COLORTERM")


def screen_after(text: str, columns: int = 80, rows: int = 24) -> pyte.HistoryScreen:
    """Returns what a terminal of that size shows after a text and its codes."""
    screen = pyte.HistoryScreen(columns, rows)
    pyte.Stream(screen).feed(text.replace("\r\n", "\n").replace("\n", "\r\n"))
    return screen


def take_the_terminal() -> None:
    """Makes the child hear Control-C, which a shell has its background jobs ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Process:
    """The command on a pseudo-terminal of its own."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.master, inner = pty.openpty()
        self.resize(80, 24)
        kept = {name: text for name, text in os.environ.items() if name not in _DECIDES}
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "play", *arguments], cwd=ROOT, stdin=inner,
            stdout=inner, stderr=inner, start_new_session=True,
            preexec_fn=take_the_terminal,
            env=kept | {"TERM": "xterm", "LANG": "C.UTF-8"} | environment,
        )  # fmt: skip
        os.close(inner)
        self.text = ""

    def resize(self, columns: int, rows: int) -> None:
        """Changes the window, of which the kernel informs the command."""
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)

    def stop(self) -> None:
        """Kills what still runs."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)

    def read(self) -> str:
        """What is printed until the next prompt, or until the end."""
        heard = b""
        while not heard.endswith(b"> "):
            assert select.select([self.master], [], [], PATIENCE)[0], heard
            try:
                more = os.read(self.master, 65536)
            except OSError:  # so does Linux say that the other end is closed
                break
            if not more:
                break
            heard += more
        text = heard.decode().replace("\r\n", "\n")
        self.text += text
        return text

    def type(self, line: str) -> str:
        os.write(self.master, line.encode())
        return self.read()

    def ends(self, key: str) -> str:
        """Presses a key that ends it, as often as a person would; what it says then.

        Python loses a Control-C between its look for signals and its wait for a line.
        """
        for _ in range(PATIENCE // 10):
            os.write(self.master, key.encode())
            with contextlib.suppress(subprocess.TimeoutExpired):
                assert self.process.wait(10) == 0  # on a busy machine it takes its time
                break
        last = self.read()
        assert TOKEN.search(last)
        assert "Traceback" not in self.text
        return last

    def plays_on(self) -> str:
        """Fires at one cell after the other until the match is over."""
        answer = self.read() if not self.text else ""
        for number in range(100):
            answer = self.type(f"{'abcdefghij'[number % 10]}{number // 10 + 1}\n")
            if "replay" in answer or "aufzeichnung" in answer:
                return answer
        raise AssertionError("the match has no end")

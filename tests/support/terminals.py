"""Commands on pseudo-terminals of their own, to which tests type lines."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from tests.support.served import ROOT

PATIENCE = 60
"""Seconds after which a process that says nothing has hung."""
_PROMPT = re.compile(rb"(^|\n|\x1b\[J)> $")


def _take_the_terminal() -> None:
    """Makes the child hear Control-C, which a shell has its background jobs ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """A terminal with a command, and all that it has shown so far."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self.master, inner = pty.openpty()
        self.resize(80, 24)
        self.process = subprocess.Popen(
            words, cwd=ROOT, stdin=inner, stdout=inner, stderr=inner, env=environment,
            start_new_session=True, preexec_fn=_take_the_terminal,
        )  # fmt: skip
        os.close(inner)
        self.text = ""
        self.read()

    def resize(self, columns: int, rows: int) -> None:
        """Changes the window, of which the kernel informs the command."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self) -> str:
        """What is printed until the next prompt, or until the end."""
        heard = b""
        while not _PROMPT.search(heard):
            assert select.select([self.master], [], [], PATIENCE)[0], heard
            try:
                more = os.read(self.master, 65536)
            except OSError:  # Linux reports that the other end is closed
                break
            if not more:
                break
            heard += more
        said = heard.decode().replace("\r\n", "\n")
        self.text += said
        return said

    def type(self, line: str) -> str:
        """Types a line; what it prints."""
        os.write(self.master, f"{line}\n".encode())
        return self.read()


@contextmanager
def terminal(words: Sequence[str], environment: Mapping[str, str]) -> Iterator[Terminal]:
    """A command in a new terminal with eighty columns until the end of the block."""
    found = Terminal(words, environment)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            os.killpg(found.process.pid, signal.SIGKILL)
        found.process.wait(PATIENCE)
        os.close(found.master)

"""An engine as a process of its own: a line is written to it, and a line is read from it."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic

LONGEST_LINE = 16 * 1024
"""Bytes of an answer: more than the probabilities of the largest board take."""
_AT_ONCE = 64 * 1024
_KEPT_ERRORS = 2000
"""The number of bytes that are kept of the end of what an engine writes to standard error."""
_GOODBYE_SECONDS = 2


class EngineFailed(Exception):
    """The engine gave no answer, or none that can be read; the message says what it did."""


class EngineProcess:
    """A running engine, of which nothing is left after `close`, nor of what it has started."""

    def __init__(self, command: Sequence[str]) -> None:
        """Starts the engine; raises EngineFailed if there is no such program."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 (the user's own command)
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                bufsize=0, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise EngineFailed(f"can't be started: {error.strerror}: {command[0]}") from None
        streams = self._process.stdin, self._process.stdout, self._process.stderr
        self._stdin, self._stdout, self._stderr = (
            stream.fileno() for stream in streams if stream is not None
        )
        self._unread, self._errors = bytearray(), bytearray()
        self._selector = selectors.DefaultSelector()
        os.set_blocking(self._stdin, False)
        for output in (self._stdout, self._stderr):
            self._selector.register(output, selectors.EVENT_READ)

    def answer(self, line: str, seconds: float) -> str:
        """The answer to a line, without its line break; raises EngineFailed."""
        if self._unread:
            raise EngineFailed(f"said something before it was asked: {self._start_of_output()}")
        self._write(f"{line}\n".encode())
        end = monotonic() + seconds
        while (length := self._unread.find(b"\n")) < 0:
            if len(self._unread) > LONGEST_LINE:
                raise EngineFailed(f"answered with a line of more than {LONGEST_LINE} bytes")
            if not self._read(end - monotonic()):
                raise EngineFailed(f"gave no answer to {start_of(line)} within {seconds:g} s")
        answer = self._unread[:length].decode(errors="replace").removesuffix("\r")
        del self._unread[: length + 1]
        return answer

    def _write(self, text: bytes) -> None:
        # Each line before was answered, so the pipe is full only if the engine never reads.
        try:
            if os.write(self._stdin, text) == len(text):
                return
        except BrokenPipeError:
            raise EngineFailed(self._end()) from None
        except BlockingIOError:
            pass
        raise EngineFailed("answers without reading what it is asked")

    def _read(self, seconds: float) -> bool:
        """Whether the engine said anything in time; raises EngineFailed if it has ended."""
        ready = self._selector.select(max(0, seconds)) if seconds > 0 else []
        for key, _events in ready:
            text = os.read(key.fd, _AT_ONCE)
            if key.fd == self._stderr:
                self._errors = (self._errors + text)[-_KEPT_ERRORS:]
                if not text:
                    self._selector.unregister(self._stderr)
            elif text:
                self._unread += text
            else:
                raise EngineFailed(self._end())
        return bool(ready)

    def _end(self) -> str:
        """How the engine has ended, and the last line of its errors."""
        try:
            status = self._process.wait(_GOODBYE_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its output"
        said = f"ended with status {status}"
        if status < 0:
            said = f"was ended by {signal.Signals(-status).name}"
        with suppress(OSError):
            os.set_blocking(self._stderr, False)
            self._errors = (self._errors + (os.read(self._stderr, _AT_ONCE) or b""))[-_KEPT_ERRORS:]
        lines = self._errors.decode(errors="replace").strip().splitlines()
        return f"{said}: {start_of(lines[-1], 200)}" if lines else said

    def _start_of_output(self) -> str:
        return start_of(self._unread.partition(b"\n")[0].decode(errors="replace"))

    def close(self) -> None:
        """Has the engine quit, and ends it if it doesn't."""
        with suppress(OSError):
            os.write(self._stdin, b"quit\n")
        with suppress(EngineFailed):  # it has ended
            end = monotonic() + _GOODBYE_SECONDS
            while self._read(end - monotonic()):
                self._unread.clear()
        self.kill()

    def kill(self) -> None:
        """Ends the engine and all that it has started in its process group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()


def start_of(text: str, most: int = 60) -> str:
    """The start of an untrusted text, with unprintable characters replaced."""
    start = "".join(letter if letter.isprintable() else "?" for letter in text[:most])
    return f"{start}…" if len(text) > most else start

"""An engine as a process of its own: a line is written to it, and a line is read from it.

Threads wait for its pipes, as Windows has no other way to give up waiting for one.
"""

import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, Queue, SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO

from game.features.programs.terms import quoted, start_of

LONGEST_LINE = 16 * 1024
"""Bytes of an answer: more than the probabilities of the largest board take."""
_AT_ONCE = 64 * 1024
_MOST_UNREAD = 100
"""The number of lines that an engine may leave unread; each line before was answered."""
_KEPT_ERRORS = 2000
"""The number of bytes that are kept of the end of what an engine writes to standard error."""
_GOODBYE_SECONDS = 2


class EngineFailed(Exception):
    """The engine gave no answer, or none that can be read; the message says what it did."""


class EngineProcess:
    """A running engine, of which nothing is left after `close`, nor of what it has started."""

    def __init__(self, command: str | Sequence[str]) -> None:
        """Starts the engine; raises EngineFailed if there is no such program."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 (the user's own command)
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                bufsize=0, start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )  # fmt: skip
        except OSError as error:
            program = command if isinstance(command, str) else command[0]
            raise EngineFailed(f"can't be started: {error.strerror}: {program}") from None
        self._asked = SimpleQueue[bytes]()
        self._said = Queue[bytes](maxsize=2)  # an engine that says too much has to wait
        self._unread, self._errors = bytearray(), b""
        self._is_closing = False
        works = (
            (self._write, self._process.stdin),
            (self._read_output, self._process.stdout),
            (self._read_errors, self._process.stderr),
        )
        self._threads = [Thread(target=_work, args=work, daemon=True) for work in works]
        for thread in self._threads:
            thread.start()

    def answer(self, line: str, seconds: float) -> str:
        """The answer to a line, without its line break; raises EngineFailed."""
        if self._unread:
            said = self._unread.partition(b"\n")[0].decode(errors="replace")
            raise EngineFailed(f"said something before it was asked: {quoted(said, 60)}")
        if self._asked.qsize() > _MOST_UNREAD:
            raise EngineFailed("answers without reading what it is asked")
        self._asked.put(f"{line}\n".encode())
        end = monotonic() + seconds
        while (length := self._unread.find(b"\n")) < 0:
            if len(self._unread) > LONGEST_LINE:
                raise EngineFailed(f"answered with a line of more than {LONGEST_LINE} bytes")
            if not self._read(end - monotonic()):
                raise EngineFailed(f"gave no answer to {start_of(line)} within {seconds:g} s")
        answer = self._unread[:length].decode(errors="replace").removesuffix("\r")
        del self._unread[: length + 1]
        return answer

    def _read(self, seconds: float) -> bool:
        """Whether the engine said anything in time; raises EngineFailed if it has ended."""
        try:
            text = self._said.get(timeout=max(0, seconds))
        except Empty:
            return False
        if not text:
            raise EngineFailed(self._end())
        self._unread += text
        return True

    # Each of these three runs in a thread of its own.

    def _write(self, stream: IO[bytes]) -> None:
        while line := self._asked.get():
            stream.write(line)

    def _read_output(self, stream: IO[bytes]) -> None:
        while text := stream.read(_AT_ONCE):
            if not self._is_closing:
                self._said.put(text)
        self._said.put(b"")

    def _read_errors(self, stream: IO[bytes]) -> None:
        while text := stream.read(_AT_ONCE):
            self._errors = (self._errors + text)[-_KEPT_ERRORS:]

    def _end(self) -> str:
        """How the engine has ended, and the last line of its errors."""
        try:
            status = self._process.wait(_GOODBYE_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its output"
        said = f"ended with status {status}"
        if status < 0:
            said = f"was ended by {signal.Signals(-status).name}"
        self._threads[-1].join(_GOODBYE_SECONDS)
        lines = self._errors.decode(errors="replace").strip().splitlines()
        return f"{said}: {start_of(lines[-1], 200)}" if lines else said

    def close(self) -> None:
        """Has the engine quit, and ends it if it doesn't."""
        self._stop_listening()
        self._asked.put(b"quit\n")
        self._threads[1].join(_GOODBYE_SECONDS)  # until it closes its output
        self.kill()

    def _stop_listening(self) -> None:
        self._is_closing = True
        while not self._said.empty():
            self._said.get()

    def kill(self) -> None:
        """Ends the engine and all that it has started in its process group."""
        self._stop_listening()
        self._asked.put(b"")
        pid = self._process.pid
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
        else:  # Windows has no groups, but knows which process started which
            with suppress(OSError):
                words = ("taskkill", "/F", "/T", "/PID", str(pid))
                subprocess.run(words, capture_output=True, check=False)  # noqa: S603
            self._process.terminate()
        self._process.wait()
        for thread in self._threads:  # unless what an engine has started keeps a pipe open
            thread.join(_GOODBYE_SECONDS)


def _work(work: Callable[[IO[bytes]], None], stream: IO[bytes]) -> None:
    with suppress(OSError), stream:  # the engine has ended
        work(stream)

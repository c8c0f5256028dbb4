"""A copy whose secrets are damaged: it ends, goes on or waits, and never starts in a hurry."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from game.ops import secrets
from tests.cluster.copies import Copy
from tests.support.device import asked
from tests.support.served import wait_until

pytestmark = pytest.mark.cluster
SENTENCE = "Battleship can't start: the secrets are not in the form they should have"


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Copy]:
    """A copy of two processes, which isn't started yet."""
    copy = Copy("one", tmp_path, workers=2)
    mend(copy)
    yield copy
    if hasattr(copy, "process"):
        copy.stop()


def damage(copy: Copy) -> None:
    copy.secrets.write_text("{")


def mend(copy: Copy) -> None:
    secrets.write(copy.secrets, secrets.make())


def wait_for_all(copy: Copy) -> set[str]:
    """Waits until each process has answered, so has read its secrets; returns their numbers."""
    numbers: set[str] = set()

    def have_answered() -> bool:
        numbers.add(copy.wait().split()[1])
        return len(numbers) == copy.workers

    wait_until(have_answered, lambda: f"only {numbers} answered")
    return numbers


def test_damaged_secrets_end_a_start_with_one_sentence(copy: Copy) -> None:
    damage(copy)
    copy.start()
    assert copy.process.wait(20) == 1
    lines = copy.log.read_text().splitlines()
    assert [line for line in lines if not line.startswith("{")] == [SENTENCE]


def test_a_reload_with_damaged_secrets_keeps_the_processes_there_are(copy: Copy) -> None:
    copy.start()
    numbers = wait_for_all(copy)
    damage(copy)
    copy.process.send_signal(signal.SIGHUP)
    wait_until(lambda: SENTENCE in copy.log.read_text(), lambda: "it was not reloaded")
    for _ in range(20):
        assert asked(copy.port, "/healthz").status == 200
    assert copy.log.read_text().count(SENTENCE) == 1
    assert all(Path(f"/proc/{number}").exists() for number in numbers)


def test_processes_that_end_while_secrets_are_damaged_are_replaced_slowly_until_they_are_mended(
    copy: Copy,
) -> None:
    copy.start()
    numbers = wait_for_all(copy)
    damage(copy)
    for number in numbers:
        os.kill(int(number), signal.SIGKILL)
    time.sleep(8)
    assert 2 <= copy.log.read_text().count(SENTENCE) <= 4
    mend(copy)
    copy.wait()


def test_a_process_with_an_answer_that_never_ends_is_replaced(copy: Copy) -> None:
    copy.start()
    numbers = wait_for_all(copy)
    with socket.create_connection(("127.0.0.1", copy.port)) as endless:
        endless.sendall(b"GET /endless HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        wait_until(
            lambda: not all(Path(f"/proc/{number}").exists() for number in numbers),
            lambda: "it is still computed",
        )
        assert len(wait_for_all(copy) - numbers) == 1, "and only that one is replaced"


def test_a_process_that_has_grown_is_replaced(copy: Copy) -> None:
    copy.workers = 1
    copy.start()
    grown = copy.wait()
    asked(copy.port, "/large")
    copy.wait(but=grown)


SLOW = b"POST /en/new/bonn/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.mark.parametrize(
    "start", [b"Content-Length: 9\r\n\r\na", b"Transfer-Encoding: chunked\r\n\r\n9\r\na"]
)
def test_bodies_that_come_too_slowly_hold_up_threads_for_a_while_only(
    copy: Copy, start: bytes
) -> None:
    copy.workers = 1
    copy.start()
    process = copy.wait()
    with ExitStack() as stack:
        where = "127.0.0.1", copy.port
        slow = [stack.enter_context(socket.create_connection(where)) for _ in range(16)]
        for client in slow:
            client.sendall(SLOW + start)
        assert copy.wait() == process
        assert all(client.recv(100).startswith(b"HTTP/1.1 408 ") for client in slow)

"""A copy whose secrets are damaged, and requests that come or are computed too slowly."""

import re
import signal
import socket
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
    """A copy which isn't started yet."""
    copy = Copy("one", tmp_path)
    secrets.write(copy.secrets, secrets.make())
    yield copy
    if hasattr(copy, "process"):
        copy.stop()


def test_damaged_secrets_end_a_start_with_one_sentence(copy: Copy) -> None:
    copy.secrets.write_text("{")
    copy.start()
    assert copy.process.wait(60) == 1
    assert copy.log.read_text().splitlines() == [SENTENCE]


def test_a_reload_with_damaged_secrets_keeps_the_process_there_is(copy: Copy) -> None:
    copy.start()
    copy.wait()
    assert asked(copy.port, "/en/").status == 200
    copy.secrets.write_text("{")
    copy.process.send_signal(signal.SIGHUP)
    wait_until(lambda: SENTENCE in copy.log.read_text(), lambda: "it was not reloaded")
    assert asked(copy.port, "/en/").status == 200


def test_bodies_that_come_too_slowly_hold_up_threads_for_a_while_only(copy: Copy) -> None:
    copy.start()
    copy.wait()
    head = "POST /en/new/bonn/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\na"
    with ExitStack() as stack:
        where = "127.0.0.1", copy.port
        slow = [stack.enter_context(socket.create_connection(where)) for _ in range(16)]
        for client in slow:
            client.sendall(head.encode())
        assert all(re.match(rb"HTTP/1.1 408 ", client.recv(100)) for client in slow)
        assert asked(copy.port, "/en/").status == 200

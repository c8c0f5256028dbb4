"""A copy whose secrets are damaged."""

import signal
from collections.abc import Iterator
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

"""The memory of a process: the command that measures it, with few requests."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.support.served import collect_static


@pytest.fixture(autouse=True)
def _static(tmp_path: Path) -> None:
    collect_static(tmp_path)


def test_the_memory_is_told_every_so_many_requests() -> None:
    out = StringIO()
    call_command("memory_bench", requests=250, every=100, stdout=out)
    head, *lines = out.getvalue().splitlines()
    assert head.split() == ["requests", "MiB"]
    assert [int(line.split()[0]) for line in lines] == [100, 200, 250]
    assert all(30 < int(line.split()[1]) < 1000 for line in lines)

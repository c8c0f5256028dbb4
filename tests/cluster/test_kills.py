"""Nothing is lost while workers race and are killed, on either kind of database."""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support import times
from tests.support.postgres import postgres
from tests.support.served import ROOT, environment

pytest.importorskip("game.features.duel")
pytestmark = pytest.mark.cluster
MATCHES, KILLS = times(1, 2, 20), times(5, 10, 100)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_kills_between_any_two_statements_lose_no_match(kind: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tests.cluster.kills", str(MATCHES), str(KILLS)]
    with ExitStack() as stack:
        where = {"data": str(tmp_path)}
        if kind == "postgres":
            where = {"database": stack.enter_context(postgres(tmp_path))}
        got = subprocess.run(
            words,
            cwd=ROOT,
            env=environment(**where),
            capture_output=True,
            text=True,
            check=False,
            timeout=1800,
        )
    assert got.returncode == 0, got.stderr[-3000:]
    assert " matches, " in got.stdout

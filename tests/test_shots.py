"""What a shot costs a real server: the command that measures it, with few shots."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from bench.served import Caller, served
from tests.support.served import collect_static


@pytest.fixture(autouse=True)
def _static(tmp_path: Path) -> None:
    collect_static(tmp_path)


def test_every_kind_of_click_is_measured_against_a_hello() -> None:
    out = StringIO()
    call_command("shot_bench", shots=40, stdout=out)
    told = out.getvalue()
    for kind in ("bonn shot", "bonn move", "milton shot"):
        cost, wait = re.findall(rf"^{kind} .*$", told, re.MULTILINE)
        ratio, median, _, most = re.findall(r"([\d.]+)(?: ×|(?=\s|$))", cost)[2:]
        assert float(ratio) > 1
        assert 3000 < float(median) <= float(most) < 9000
        usual, late, times = map(float, re.findall(r"\d+\.\d", wait))
        assert late >= usual > 0
        assert times == pytest.approx(late / usual, rel=0.1)


def test_a_server_packs_its_answers_and_counts_its_time(tmp_path: Path) -> None:
    with served(tmp_path / "log") as server, Caller(server.port) as caller:
        before = server.cpu_seconds()
        answers = [caller.send("GET", "/en/rules/") for _ in range(40)]
        assert server.cpu_seconds() > before > 0
    assert {answer.status for answer in answers} == {200}
    assert "Content-Encoding" in answers[0].headers
    assert "Traceback" not in (tmp_path / "log").read_text()

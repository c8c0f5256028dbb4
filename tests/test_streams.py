"""What commands make of the streams and the environment that they are given."""

import io
import subprocess
import sys
from typing import Any, TextIO

import pytest

from game.management.terminal_options import language_of, look_of
from tests.support import deep
from tests.support.features import brought
from tests.support.served import ROOT


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de"), ({}, "en"), ({"LANG": "C"}, "en"),
        ({"LC_ALL": "C", "LANG": "de_DE"}, "en"), ({"LC_ALL": "", "LANG": "de"}, "de"),
        ({"LC_MESSAGES": "de_DE", "LANG": "en_US"}, "de"),
    ],
)  # fmt: skip
def test_the_language_is_the_environments(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


XTERM = {"TERM": "xterm"}


@pytest.mark.parametrize(
    ("out", "environment", "options", "look"),
    [
        (Screen(), XTERM, {}, ("standard", True)),
        (Screen(), {"TERM": "xterm-256color"}, {}, ("256", True)),
        (Screen(), XTERM, {"no_color": True}, (None, True)),
        (Screen(), XTERM | {"NO_COLOR": "1"}, {}, (None, True)),
        (Screen(), {"TERM": "dumb"}, {}, (None, False)),
        (Screen(), {}, {}, (None, False)),
        (io.StringIO(), XTERM, {}, (None, False)),
    ],
)
def test_colour_is_for_terminals_that_have_it_and_do_not_refuse_it(
    out: TextIO, environment: dict[str, str], options: dict[str, bool], look: Any
) -> None:
    found = look_of(out, {"no_color": False} | options, environment)
    assert (found.colours, found.is_screen) == look


@pytest.mark.parametrize(
    ("words", "how", "code"),
    [
        deep("keys list", "| true", 141),
        *(row for rows in brought("CLOSED").values() for row in rows),
    ],
)  # fmt: skip
def test_closed_and_full_streams_end_a_command_without_a_traceback(
    words: str, how: str, code: int
) -> None:
    command = f"{sys.executable} manage.py {words} {how}; exit ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr
    assert ended.stderr.count("\n") == (code == 1)

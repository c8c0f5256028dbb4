"""`manage.py serve`: the command behind `make run`."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def served(**environment: str) -> Iterator[Any]:
    """The address that a served game says it has."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve"], cwd=ROOT, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if name != "PORT"} | environment,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[4]
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def answers(address: str) -> bool:
    with urllib.request.urlopen(address + "en/", timeout=20) as answer:
        return b"Battleship" in answer.read()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_it_serves_at_the_port_that_was_asked_for() -> None:
    port = free_port()
    with served(PORT=str(port)) as address:
        assert address == f"http://127.0.0.1:{port}/"
        assert answers(address)


def test_it_takes_another_port_where_the_first_is_taken() -> None:
    with served() as first, served() as second:
        assert first != second
        assert answers(first)
        assert answers(second)


def test_it_says_so_where_the_port_that_was_asked_for_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = subprocess.run(
            [sys.executable, "manage.py", "serve"], cwd=ROOT, capture_output=True, text=True,
            env=os.environ | {"PORT": str(taken.getsockname()[1])}, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode != 0
    assert "no free port" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("host", "says"),
    [
        ("nowhere.invalid", "this host is not known: 'nowhere.invalid'"),
        ("a..b", "this host is not known: 'a..b'"),
        ("192.0.2.1", "this host is another machine: '192.0.2.1'"),
    ],
)
def test_it_says_so_where_the_host_is_not_known_or_not_here(host: str, says: str) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("serve", host=host)
    assert str(refused.value) == says


def test_an_environment_that_is_neither_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, capture_output=True, text=True,
        env=os.environ | {"BATTLESHIP_ENV": "prod"}, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "neither production nor development" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("source", ["git.example.org/game", "ftp://example.org/", "https:///game"])
def test_a_place_of_the_source_that_no_page_can_link_to_is_refused(source: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, capture_output=True, text=True,
        env=os.environ | {"BATTLESHIP_SOURCE": source}, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    sentence = f"BATTLESHIP_SOURCE is not an address with http or https: {source!r}"
    assert done.stderr.strip() == sentence


def test_served_for_the_neighbours_it_answers_by_any_name() -> None:
    with served(PORT=str(free_port()), HOST="0.0.0.0") as address:
        assert address.startswith("http://localhost:")
        assert answers(address.replace("localhost", "127.0.0.1"))


def test_production_starts_with_given_secrets_only_and_passes_djangos_own_checks(
    tmp_path: Path,
) -> None:
    secrets = tmp_path / "secrets.json"

    def manage(*words: Any) -> Any:
        return subprocess.run(
            [sys.executable, "manage.py", *words], cwd=ROOT, capture_output=True, text=True,
            env=os.environ | {
                "BATTLESHIP_ENV": "production", "BATTLESHIP_HOSTS": "play.example.org",
                "BATTLESHIP_TLS": "1", "BATTLESHIP_SECRETS_FILE": str(secrets),
            }, timeout=60, check=False,
        )  # fmt: skip

    refused = manage("check")
    assert refused.returncode != 0
    assert "BATTLESHIP_SECRETS_FILE" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not secrets.exists()
    made = manage("keys", "make")
    assert made.returncode == 0, made.stderr
    checked = manage("check", "--deploy", "--fail-level", "WARNING")
    assert checked.returncode == 0, checked.stderr
    again = manage("keys", "make")
    assert again.returncode != 0
    assert "there are secrets already" in again.stderr


@pytest.mark.parametrize("environment", [{}, {"BATTLESHIP_ENV": "production"}])
def test_secrets_can_be_made_before_anything_else_is_set(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    secrets = tmp_path / "secrets.json"
    made = subprocess.run(
        [sys.executable, "manage.py", "keys", "make"], cwd=ROOT, capture_output=True, text=True,
        env=os.environ | environment | {"BATTLESHIP_SECRETS_FILE": str(secrets)}, timeout=60,
        check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert secrets.stat().st_mode & 0o777 == 0o600

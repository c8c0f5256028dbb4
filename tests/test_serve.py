"""`manage.py serve`: the command behind `make run`, and the settings of a site."""

import os
import re
import socket
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy
import pytest
from django.core.management import CommandError, call_command, get_commands
from PIL import Image
from zxingcpp import read_barcode

from battleships_site import command
from tests.support.device import asked
from tests.support.features import merged
from tests.support.served import ROOT, free_port, python, running, site_settings


@pytest.mark.parametrize("words", [[], ["help"], ["--help"]])
def test_help_begins_with_all_that_the_game_adds_to_django(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/battleships", *words])
    command.main()
    told = set(re.findall(r"^  battleships ([a-z-]+)", capsys.readouterr().out, re.MULTILINE))
    own = {
        name.replace("_", "-")
        for name, app in get_commands().items()
        if str(app).startswith("game")
    }
    assert told == own - {"collectstatic", "makemessages"} | {"check"}


# --- refusals ---


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("host", "nowhere.invalid", "this host is not known: 'nowhere.invalid'"),
        ("host", "a..b", "this host is not known: 'a..b'"),
        ("host", "192.0.2.1", "this host is another machine: '192.0.2.1'"),
        ("port", "65536", "not a port: '65536'"),
    ],
)
def test_a_host_that_is_not_here_and_a_port_that_is_none_are_refused(
    option: str, value: str, says: str
) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("serve", **{option: value})
    assert str(refused.value) == says


def test_it_says_so_where_its_port_is_taken_and_where_its_files_can_not_be_written(
    settings: Any, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CommandError) as refused:
            call_command("serve", port=str(port))
    assert str(refused.value) == f"no free port from {port} to {port}: choose another by --port"
    (tmp_path / "file").touch()
    settings.STATIC_ROOT = tmp_path / "file" / "static"
    with pytest.raises(CommandError) as refused:
        call_command("serve")
    assert str(refused.value) == f"can't write to {settings.STATIC_ROOT}: Not a directory"


# --- served ---


@contextmanager
def served(folder: Path, *options: str, **environment: str) -> Iterator[tuple[str, str]]:
    """The address of a served game, and all that it prints."""
    log = folder / f"{len([*folder.iterdir()])}.log"
    words = [sys.executable, str(ROOT / "manage.py"), "serve", *options]
    env = {name: value for name, value in os.environ.items() if name != "PORT"} | environment
    with running(words, log, lambda: "http://" in log.read_text(), cwd="/", env=env):
        yield log.read_text().split()[4], log.read_text()


def answers(address: str) -> bool:
    with urllib.request.urlopen(address + "en/", timeout=PATIENCE) as answer:
        return answer.status == 200 and b"Battleship" in answer.read()


def test_it_serves_at_the_port_that_was_asked_for_and_does_not_say_which_server_it_is(
    tmp_path: Path,
) -> None:
    port = free_port()
    with served(tmp_path, "--port", str(port), PORT="1") as (address, _said):
        assert address == f"http://127.0.0.1:{port}/"
        page = asked(port, "/en/")
        assert (page.status, "Battleship" in page) == (200, True)
        assert not {"server", "via"} & {name.lower() for name in page.headers}
        # Without a proxy, a long form reaches its page, which refuses what is in it.
        for where, (form, most) in merged("LONG_FORMS").items():
            for size in (100, most):
                assert asked(port, where, form.ljust(size, "A")).status == 422
        long = {"Cookie": "a" * 16_000, "HX-Current-URL": "x" * 8_100, "Referer": "x" * 8_100}
        assert asked(port, f"/en/{'x' * 8_000}/", headers=long).status == 404


@pytest.mark.deep
def test_it_takes_another_port_where_the_first_is_taken(tmp_path: Path) -> None:
    with served(tmp_path) as (first, _), served(tmp_path) as (second, _):
        assert first != second
        assert answers(first)
        assert answers(second)


# --- the local network ---


@pytest.mark.deep
def test_in_the_network_it_prints_the_address_for_other_devices_and_its_code(
    tmp_path: Path,
) -> None:
    below = "/battleships/"
    options = "--lan", "--host", "127.0.0.2"
    with served(tmp_path, *options, BATTLESHIP_PATH=below) as (address, said):
        assert re.fullmatch(rf"http://127\.0\.0\.2:\d+{below}", address)
        _first, second, *code = said.splitlines()
        assert "Devices in the same network" in second
        assert read_code(code[:17]) == address
        port, name = urlsplit(address).port or 0, socket.gethostname().partition(".")[0]
        hosts = (name, f"{name}.local", "127.0.0.2", "stranger.example", "localhost")
        found = [
            asked(port, f"{below}en/", headers={"Host": f"{host}:{port}"}, host="127.0.0.2").status
            for host in hosts
        ]
        assert found == [200, 200, 200, 400, 400], "a machine's own names, in its network"


def read_code(lines: list[str]) -> str:
    """What a camera reads from a QR code that is drawn with half blocks."""
    upper, lower = ({**dict.fromkeys(signs, 255)} for signs in ("█▀", "█▄"))
    rows = [[half.get(sign, 0) for sign in line] for line in lines for half in (upper, lower)]
    image = Image.fromarray(numpy.array(rows, dtype=numpy.uint8))
    return str(read_barcode(image.resize((8 * image.width, 8 * image.height))).text)


# --- settings; clients that are slow ---


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("BATTLESHIP_ENV", "prod", "Must be one of: production, development."),
        *(("BATTLESHIP_SOURCE", it, "Not a valid URL.") for it in ("x.org/", "ftp://x.org/")),
        ("BATTLESHIP_TLS", "perhaps", "Not a valid boolean."),
        *(("BATTLESHIP_PATH", it, "Not such as /battleships/.") for it in ("a", "/a", "/../")),
        ("BATTLESHIP_DATA", "", "Shorter than minimum length 1."),
        ("BATTLESHIP_METRICS", "9464", "Not such as 0.0.0.0:8000 or [::]:8000: '9464'."),
        *(("WEB_CONCURRENCY", it, "Not a valid integer.") for it in ("", "two", "1.5")),
        ("BATTLESHIP_MATCH_DAYS", "0", "Must be greater than or equal to 1 and less"),
        ("BATTLESHIP_WITHOUT", "duel,x", "One or more of the choices you made was not in"),
        *(("BATTLESHIP_HOSTS", it, f"Not the name of a host, such as play.example.org: '{it}'.")
          for it in ("https://a.example/x", "::1", "a b", "a..b", "$HOST")),
    ],
)  # fmt: skip
def test_a_setting_that_can_not_be_meant_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    with pytest.raises(SystemExit) as refused:
        site_settings(monkeypatch, **{name: value})
    assert str(refused.value).startswith(f"{name}: {says}")
    assert len(str(refused.value).splitlines()) == 1


def test_gunicorn_is_not_asked_with_a_wrong_setting() -> None:
    done = python("-m", "battleships_site", WEB_CONCURRENCY="", BIND="here")
    assert done.stderr.splitlines() == [
        "BIND: Not such as 0.0.0.0:8000 or [::]:8000: 'here'.",
        "WEB_CONCURRENCY: Not a valid integer.",
    ]
    assert done.returncode == 1


@pytest.mark.deep
def test_secrets_that_find_no_room_on_the_disk_leave_a_sentence_and_no_file(tmp_path: Path) -> None:
    code = """
import resource
from django.core.management import execute_from_command_line
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
execute_from_command_line(["manage.py", "check"])
"""
    path = str(tmp_path / "secrets.json")
    module = "battleships_site.settings"
    env = {"BATTLESHIP_SECRETS_FILE": path, "DJANGO_SETTINGS_MODULE": module}
    done = python("-B", "-c", code, **env)
    sentence = f"Battleship can't start: secrets can't be kept at {path}: File too large"
    assert done.stderr.strip() == sentence
    assert list(tmp_path.iterdir()) == []


PATIENCE = 60
"""Seconds in which an honest request must be answered, on a machine that does much else."""


@pytest.mark.deep
def test_it_answers_beside_clients_that_send_nothing_or_a_byte_at_a_time(tmp_path: Path) -> None:
    head = b"GET /en/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: aaaaaaaaaaaa"
    form = b"POST /en/new/bonn/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60\r\n\r\n"
    with served(tmp_path, PORT=str(free_port())) as (address, _said), ExitStack() as stack:
        where = "127.0.0.1", urlsplit(address).port or 0
        slow = [stack.enter_context(socket.create_connection(where)) for _ in range(250)]
        for client in slow[:25]:
            client.sendall(form)
        for byte in head[:20]:
            for client in slow[:50]:
                client.send(bytes([byte]))
            assert answers(address)

"""`manage.py serve`: the command behind `make run`."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import numpy
import pytest
from django.core.management import CommandError, call_command, get_commands
from PIL import Image
from zxingcpp import read_barcode

from battleships_site import command
from game.views.logbook import MOST_FORM
from tests.support import days
from tests.support.device import Device
from tests.support.duels import inviting
from tests.support.missing import skip_without
from tests.support.served import asked, free_port

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("words", [[], ["help"], ["--help"]])
def test_help_begins_with_all_that_the_game_adds_to_django(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/battleships", *words])
    command.main()
    told = set(re.findall(r"^  battleships ([a-z]+)", capsys.readouterr().out, re.MULTILINE))
    own = {name for name, app in get_commands().items() if app == "game"}
    assert told == own - {"runserver"} | {"check"}


@contextmanager
def served(*options: str, prefix: Sequence[str] = (), **environment: str) -> Iterator[Any]:
    """The address that a served game says it has."""
    with served_lines(*options, prefix=prefix, **environment) as lines:
        yield next(lines).split()[4]


@contextmanager
def served_lines(
    *options: str, prefix: Sequence[str] = (), **environment: str
) -> Iterator[Iterator[str]]:
    """The lines that a served game prints."""
    process = subprocess.Popen(
        [*prefix, sys.executable, str(ROOT / "manage.py"), "serve", *options],
        cwd="/", text=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if name != "PORT"} | environment,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        yield process.stdout
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def manage(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a command does in an environment of its own; it never ends with a traceback."""
    done = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, capture_output=True, text=True,
        env=os.environ | environment, timeout=60, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


def answers(address: str) -> bool:
    with urllib.request.urlopen(address + "en/", timeout=20) as answer:
        return b"Battleship" in answer.read()


def test_it_serves_at_the_port_that_was_asked_for_and_does_not_say_which_server_it_is() -> None:
    port = free_port()
    with served("--port", str(port), PORT="1") as address:
        assert address == f"http://127.0.0.1:{port}/"
        assert answers(address)
        with urllib.request.urlopen(address + "en/", timeout=20) as answer:
            assert not {"server", "via"} & {name.lower() for name in answer.headers}


def test_it_takes_another_port_where_the_first_is_taken() -> None:
    with served() as first, served() as second:
        assert first != second
        assert answers(first)
        assert answers(second)


def test_it_says_so_where_the_port_that_was_asked_for_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = manage("serve", PORT=str(taken.getsockname()[1]))
    assert done.returncode != 0
    assert "no free port" in done.stderr


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("host", "nowhere.invalid", "this host is not known: 'nowhere.invalid'"),
        ("host", "a..b", "this host is not known: 'a..b'"),
        ("host", "192.0.2.1", "this host is another machine: '192.0.2.1'"),
        ("port", "90000", "not a port: '90000'"),
    ],
)
def test_a_host_that_is_not_here_and_a_port_that_is_none_are_refused(
    option: str, value: str, says: str
) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("serve", **{option: value})
    assert str(refused.value) == says


def test_secrets_that_find_no_room_on_the_disk_leave_a_sentence_and_no_file(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.json"
    code = """
import resource, sys
from django.core.management import execute_from_command_line
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
execute_from_command_line(["manage.py", "check"])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {
            "BATTLESHIP_SECRETS_FILE": str(secrets), "PYTHONDONTWRITEBYTECODE": "1",
            "DJANGO_SETTINGS_MODULE": "battleships_site.settings",
        },
    )  # fmt: skip
    sentence = f"Battleship can't start: secrets can't be kept at {secrets}: File too large"
    assert done.stderr.strip() == sentence
    assert list(tmp_path.iterdir()) == []


def test_it_says_so_where_its_files_can_not_be_written(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings.STATIC_ROOT = tmp_path / "file" / "static"
    with pytest.raises(CommandError) as refused:
        call_command("serve")
    assert str(refused.value) == f"can't write to {settings.STATIC_ROOT}: Not a directory"


NO_LINK = "BATTLESHIP_SOURCE is not an address with http or https: {!r}"


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("ENV", "prod", "neither production nor development"),
        ("SOURCE", "git.example.org/game", NO_LINK),
        ("SOURCE", "ftp://example.org/", NO_LINK),
        ("SOURCE", "https:///game", NO_LINK),
    ],
)
def test_a_setting_that_can_not_be_meant_is_refused(name: str, value: str, says: str) -> None:
    done = manage("check", **{f"BATTLESHIP_{name}": value})
    assert done.returncode != 0
    assert says.format(value) in done.stderr


def test_served_for_the_neighbours_it_answers_by_any_name() -> None:
    with served(PORT=str(free_port()), HOST="0.0.0.0") as address:
        assert address.startswith("http://localhost:")
        assert answers(address.replace("localhost", "127.0.0.1"))


# --- the local network ---


def opens(address: str, *words: str) -> int:
    """The exit code of curl, which opens an address; `words` come before it."""
    command = [*words, "curl", "--silent", "--fail", "--max-time", "20", "-o", "/dev/null", address]
    return subprocess.run(command, check=False).returncode


def test_in_the_network_it_prints_the_address_for_other_devices_and_its_code() -> None:
    with served_lines("--lan", "--host", "127.0.0.2") as lines:
        address = next(lines).split()[4]
        assert re.fullmatch(r"http://127\.0\.0\.2:\d+/", address)
        assert "Devices in the same network" in next(lines)
        code = [line.rstrip("\n") for line in islice(lines, 15)]
        assert read_code(code) == address
        assert answers(address)
        port, name = urlsplit(address).port or 0, socket.gethostname().partition(".")[0]
        asked = (name, f"{name}.local", "stranger.example", "localhost")
        found = [page_at("127.0.0.2", port, f"{host}:{port}") for host in asked]
        assert found == [200, 200, 400, 400], "a machine's own names, in its network"
    with served() as alone, pytest.raises(OSError, match="refused"):
        answers(alone.replace("127.0.0.1", "127.0.0.2"))


def page_at(address: str, port: int, host: str) -> int:
    """The status of the first page, asked for by the name of a host."""
    connection = HTTPConnection(address, port, timeout=20)
    connection.request("GET", "/en/", headers={"Host": host})
    status = int(connection.getresponse().status)
    connection.close()
    return status


def read_code(lines: list[str]) -> str:
    """What a camera reads from a QR code that is drawn with half blocks."""
    upper, lower = ({**dict.fromkeys(signs, 255)} for signs in ("█▀", "█▄"))
    rows = [[half.get(sign, 0) for sign in line] for line in lines for half in (upper, lower)]
    image = Image.fromarray(numpy.array(rows, dtype=numpy.uint8))
    return str(read_barcode(image.resize((8 * image.width, 8 * image.height))).text)


def test_an_invitation_has_the_address_of_the_network(settings: Any) -> None:
    settings.LAN_ADDRESS = "http://192.168.1.20:8000/"
    device = inviting()
    invite = device.page.attribute("data-invite")
    assert invite.startswith("http://192.168.1.20:8000/invite/")
    assert 'id="this-device"' not in device.page
    settings.LAN_ADDRESS = ""
    alone = inviting()
    assert alone.page.attribute("data-invite").startswith("http://localhost/invite/")
    assert "--lan" in alone.page.split('id="this-device"')[1].split("</p>")[0]


@pytest.fixture
def two_hosts() -> Iterator[tuple[list[str], list[str]]]:
    """The words before a command that run it at the one and at the other of two hosts."""
    programs = shutil.which("ip") and shutil.which("curl")
    skip_without(not os.geteuid() and programs, "root with iproute2 and curl", is_demanded=False)
    names = [f"battleships-{side}-{os.getpid()}" for side in "ab"]
    first, second = (["ip", "netns", "exec", name] for name in names)
    ends = f"va{os.getpid()}", f"vb{os.getpid()}"

    def ip(*words: str, at: Sequence[str] = ()) -> None:
        subprocess.run([*at, "ip", *words], check=True, capture_output=True)

    for name in names:
        ip("netns", "add", name)
    try:
        ip("link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
        for number, (name, end) in enumerate(zip(names, ends, strict=True), 1):
            ip("link", "set", end, "netns", name)
            here = ["ip", "netns", "exec", name]
            ip("addr", "add", f"10.77.0.{number}/24", "dev", end, at=here)
            for one in ("lo", end):
                ip("link", "set", one, "up", at=here)
        ip("route", "add", "default", "via", "10.77.0.2", at=first)
        yield first, second
    finally:
        for name in names:
            ip("netns", "del", name)


def test_another_host_opens_it_only_where_it_is_served_in_the_network(
    two_hosts: tuple[list[str], list[str]],
) -> None:
    first, second = two_hosts
    with served("--lan", prefix=first) as address:
        assert address.startswith("http://10.77.0.1:")
        assert opens(f"{address}de/", *second) == 0
        assert opens(f"{address.replace('10.77.0.1', 'localhost')}en/", *first) == 0
    with served(prefix=first) as address:
        assert opens(f"{address}de/", *first) == 0
        assert opens(f"{address.replace('127.0.0.1', '10.77.0.1')}de/", *second) == 7, "refused"


# --- settings ---


def test_what_the_site_writes_goes_to_one_folder(tmp_path: Path) -> None:
    code = "from battleships_site import settings as s; print(s.MATCH_STORE)"
    kept = {name: text for name, text in os.environ.items() if not name.startswith("BATTLESHIP_")}
    read = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True,
        env=kept | {"BATTLESHIP_DATA": str(tmp_path / "data")},
    )  # fmt: skip
    assert read.stdout.strip() == f"sqlite:{tmp_path / 'data/match_store.sqlite3'}"
    assert (tmp_path / "data/secrets.json").exists()


@pytest.mark.parametrize(
    ("environment", "hosts", "found"),
    [
        ("production", "play.example.org", [("play.example.org", "")]),
        (
            "production",
            "a.example:8443, .b.example:*",
            [("a.example", "8443"), (".b.example", "*")],
        ),
        ("production", "[::1],[::1]:8000,*", [("[::1]", ""), ("[::1]", "8000"), ("*", "")]),
        ("development", "mine", [("mine", "*")]),
    ],
)
def test_a_host_may_name_its_port(
    tmp_path: Path, environment: str, hosts: str, found: list[tuple[str, str]]
) -> None:
    secrets = {"BATTLESHIP_SECRETS_FILE": str(days.with_chain(tmp_path / "secrets.json"))}
    code = "from battleships_site import settings as s; print(s.HOSTS, s.ALLOWED_HOSTS)"
    read = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True,
        env=os.environ | secrets | {"BATTLESHIP_ENV": environment, "BATTLESHIP_HOSTS": hosts},
    )  # fmt: skip
    assert read.stdout.strip() == f"{found} {[host for host, _ in found]}"


@pytest.mark.parametrize(
    ("hosts", "host", "status"),
    [
        ([("testserver", "")], "testserver", 200),
        ([("testserver", "")], "testserver:443", 200),
        ([("testserver", "")], "testserver:6666", 400),
        ([("testserver", "8443")], "testserver:8443", 200),
        ([("testserver", "8443")], "testserver", 400),
        ([("testserver", "8443"), ("testserver", "")], "TESTSERVER:8443", 200),
        ([("*", "*")], "testserver:6666", 200),
        ([("*", "")], "testserver:6666", 400),
        ([("testserver", "")], "elsewhere.example", 400),
    ],
)
def test_a_port_that_is_not_the_sites_is_refused_as_a_foreign_name_is(
    settings: Any, client: Device, hosts: list[tuple[str, str]], host: str, status: int
) -> None:
    settings.HOSTS = hosts
    answer = client.get("/en/about/", headers={"Host": host})
    assert answer.status == status
    assert (":6666" in answer) == (hosts == [("*", "*")])
    assert client.get("/healthz", headers={"Host": host}).status == 200


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="there is no IPv6 here")
def test_it_is_served_at_an_address_of_version_six() -> None:
    port = free_port()
    with served(PORT=str(port), HOST="::1") as address:
        assert address == f"http://[::1]:{port}/"
        assert answers(address)


@pytest.mark.parametrize("environment", [{}, {"BATTLESHIP_ENV": "production"}])
def test_secrets_can_be_made_before_anything_else_is_set(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    secrets = tmp_path / "secrets.json"
    made = manage("keys", "make", BATTLESHIP_SECRETS_FILE=str(secrets), **environment)
    assert made.returncode == 0, made.stderr
    assert secrets.stat().st_mode & 0o777 == 0o600


# --- clients that are slow ---

SILENT, DRIPPING, HONEST = 200, 50, 20
PATIENCE = 20
"""Seconds in which an honest request must be answered, on a machine that does much else."""


@contextmanager
def slow_clients(address: tuple[str, int]) -> Iterator[None]:
    """Connections that send nothing, and some that send a byte of a request each second."""
    head = b"GET /en/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: " + 60 * b"a"
    form = b"POST /en/new/bonn/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(SILENT):
            stack.enter_context(socket.create_connection(address))
        drips = [stack.enter_context(socket.create_connection(address)) for _ in range(DRIPPING)]
        for client in drips[::2]:
            client.sendall(form)
        is_over = Event()

        def drip() -> None:
            for byte in head[:60]:
                for client in drips:
                    client.send(bytes([byte]))
                if is_over.wait(1):
                    return

        dripping = Thread(target=drip, daemon=True)
        dripping.start()
        try:
            yield
        finally:
            is_over.set()
            dripping.join(10)


def test_it_answers_beside_clients_that_send_nothing_or_a_byte_a_second() -> None:
    with served(PORT=str(free_port())) as address:
        assert answers(address)
        with slow_clients(("127.0.0.1", urlsplit(address).port or 0)):
            for _ in range(HONEST):
                with urllib.request.urlopen(address + "en/", timeout=PATIENCE) as answer:
                    assert answer.status == 200


def test_a_request_that_has_begun_is_answered_before_it_ends() -> None:
    code = """
import os, signal, socket, sys, time
from battleships_site import bare

def application(environ, start_response):
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(0.5)
    start_response("200 OK", [("Content-Length", "5")])
    return [b"whole"]

bare.application = application
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
bare.serve(listener)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, text=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    port = int(process.stdout.readline())
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=20) as answer:
        assert answer.read() == b"whole"
    assert process.wait(20) == 0
    process.stdout.close()


def test_without_a_proxy_a_long_logbook_reaches_its_page(tmp_path: Path) -> None:
    port = free_port()
    with served(PORT=str(port), BATTLESHIP_SECRETS_FILE=str(tmp_path / "secrets.json")):
        forms = ("action=bring&text=".ljust(size, "A") for size in (100, MOST_FORM))
        said = [asked(port, "/en/logbook/", form)[0] for form in forms]
        assert said == [422, 422], "the page says that the text is no logbook"

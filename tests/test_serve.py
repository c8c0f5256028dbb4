"""`manage.py serve`: the command behind `make run`."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import numpy
import pytest
from django.core.management import CommandError, call_command, get_commands
from django.test import Client
from PIL import Image
from zxingcpp import read_barcode

from battleships_site import command
from bench.load import proxied_copies
from game.views.logbook import MOST_FORM
from tests.support import days
from tests.support.duels import inviting
from tests.support.missing import needs
from tests.support.pages import attribute
from tests.support.waiting import wait_until

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


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_it_serves_at_the_port_that_was_asked_for_and_does_not_say_which_server_it_is() -> None:
    port = free_port()
    with served(PORT=str(port)) as address:
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
    with served() as alone, pytest.raises(OSError, match="refused"):
        answers(alone.replace("127.0.0.1", "127.0.0.2"))


def read_code(lines: list[str]) -> str:
    """What a camera reads from a QR code that is drawn with half blocks."""
    upper, lower = ({**dict.fromkeys(signs, 255)} for signs in ("█▀", "█▄"))
    rows = [[half.get(sign, 0) for sign in line] for line in lines for half in (upper, lower)]
    image = Image.fromarray(numpy.array(rows, dtype=numpy.uint8))
    return str(read_barcode(image.resize((8 * image.width, 8 * image.height))).text)


def test_an_invitation_has_the_address_of_the_network(settings: Any) -> None:
    settings.LAN_ADDRESS = "http://192.168.1.20:8000/"
    device = inviting()
    invite = attribute(device.html, "data-invite")
    assert invite.startswith("http://192.168.1.20:8000/invite/")
    assert 'id="this-device"' not in device.html
    settings.LAN_ADDRESS = ""
    alone = inviting()
    assert attribute(alone.html, "data-invite").startswith("http://localhost/invite/")
    assert "--lan" in alone.html.split('id="this-device"')[1].split("</p>")[0]


@pytest.fixture
def two_hosts() -> Iterator[tuple[list[str], list[str]]]:
    """The words before a command that run it at the one and at the other of two hosts."""
    programs = shutil.which("ip") and shutil.which("curl")
    if os.geteuid() or not programs:
        pytest.skip("network namespaces need root, iproute2 and curl")
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
    assert read.stdout.strip() == f"sqlite:{tmp_path / 'data/register.sqlite3'}"
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
    settings: Any, client: Client, hosts: list[tuple[str, str]], host: str, status: int
) -> None:
    settings.HOSTS = hosts
    answer = client.get("/en/about/", headers={"Host": host})
    assert answer.status_code == status
    assert (":6666" in answer.text) == (hosts == [("*", "*")])
    assert client.get("/healthz", headers={"Host": host}).status_code == 200


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


# --- long forms ---

OTHER_FORM = 16 * 1024
"""Bytes: the longest form of every other page."""


def post(port: int, path: str, size: int) -> int:
    """The status of the answer to a form of so many bytes."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", path, b"action=bring&text=".ljust(size, b"A"), headers)
    status = connection.getresponse().status
    connection.close()
    return status


def test_without_a_proxy_a_long_logbook_reaches_its_page(tmp_path: Path) -> None:
    port = free_port()
    with served(PORT=str(port), BATTLESHIP_SECRETS_FILE=str(tmp_path / "secrets.json")):
        said = [post(port, "/en/logbook/", size) for size in (100, MOST_FORM)]
        assert said == [422, 422], "the page says that the text is no logbook"


class _Copy(BaseHTTPRequestHandler):
    """What stands behind the proxy: it answers 200 to whatever it has read.

    For a path with `held` it waits until `may_end` is set.
    """

    protocol_version = "HTTP/1.1"
    held: list[str]
    may_end: Event

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if "held" in self.path:
            self.held.append(self.path)
            self.may_end.wait(60)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET  # noqa: N815 (named by the base class)

    def log_message(self, *_: object) -> None:
        pass


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def behind_haproxy(tmp_path: Path, *, clients_name_themselves: bool = False) -> Iterator[int]:
    """The port of HAProxy before a site that answers 200 to everything.

    Clients may name their address by the PROXY protocol.
    """
    option = " accept-proxy" if clients_name_themselves else ""
    _Copy.held, _Copy.may_end = [], Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), _Copy) as copy:
        Thread(target=copy.serve_forever, daemon=True).start()
        try:
            with proxied_to(copy.server_port, tmp_path, option) as port:
                yield port
        finally:
            copy.shutdown()


@contextmanager
def proxied_to(copy: int, tmp_path: Path, option: str = "") -> Iterator[int]:
    """The port of HAProxy before the port of a copy; its address has an option."""
    config, backends, port = ROOT / "deploy/haproxy", tmp_path / "copies.cfg", free_port()
    backends.write_text(proxied_copies(ROOT, {"copy": copy}))
    proxy = subprocess.Popen(
        ["haproxy", "-f", str(config / "haproxy.cfg"), "-f", str(backends)],
        env=os.environ | {"BATTLESHIP_BIND": f"127.0.0.1:{port}{option}"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        wait_until(lambda: is_open(port), lambda: "HAProxy doesn't listen")
        yield port
    finally:
        proxy.terminate()
        proxy.wait()


needs_haproxy = needs("HAProxy", "haproxy")


@needs_haproxy
def test_haproxy_takes_options_with_its_address() -> None:
    checked = subprocess.run(
        ["haproxy", "-c", "-f", str(ROOT / "deploy/haproxy/haproxy.cfg")],
        env=os.environ | {"BATTLESHIP_BIND": ":443 ssl crt /missing.pem"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "'/missing.pem'" in checked.stderr


@needs_haproxy
def test_haproxy_lets_long_forms_through_to_the_logbook_alone(tmp_path: Path) -> None:
    with behind_haproxy(tmp_path) as port:
        found = {
            (path, size): post(port, path, size)
            for path in ("/en/logbook/", "/de/logbook/", "/en/play/logbook/")
            for size in (OTHER_FORM, OTHER_FORM + 1, MOST_FORM, MOST_FORM + 1)
        }
    most = {"/en/logbook/": MOST_FORM, "/de/logbook/": MOST_FORM}
    for (path, size), status in found.items():
        assert status == (200 if size <= most.get(path, OTHER_FORM) else 413), (path, size)


@needs_haproxy
def test_haproxy_answers_a_person_in_both_languages(tmp_path: Path) -> None:
    with behind_haproxy(tmp_path) as port:
        answers = {413: page_of(port, "/en/about/", b"A" * (OTHER_FORM + 1))}
        for _ in range(21):
            answers[429] = page_of(port, "/en/position/")
    with proxied_to(free_port(), tmp_path) as port:
        answers[503] = page_of(port, "/de/")
    for expected, (status, kind, text) in answers.items():
        assert (status, kind) == (expected, "text/html; charset=utf-8")
        assert re.search(r'<p>[^<]+\.</p>\n<h1 lang="de">.+</h1>\n<p lang="de">.+\.</p>', text)
    assert len({text for _, _, text in answers.values()}) == 3


def page_of(port: int, path: str, body: bytes | None = None) -> tuple[int, str, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET" if body is None else "POST", path, body, {"Host": "localhost"})
    answer = connection.getresponse()
    found = answer.status, answer.headers["Content-Type"], answer.read().decode()
    connection.close()
    return found


def test_nginx_and_the_ingress_let_long_forms_through_to_the_logbook_alone() -> None:
    most = f"{MOST_FORM // 1024}k"
    server, _, logbook = (ROOT / "deploy/nginx.conf").read_text().partition("location ~ ")
    assert re.findall(r"client_max_body_size (\w+);", server) == ["16k"]
    assert re.findall(r"client_max_body_size (\w+);", logbook) == [most]
    for path, is_logbook in (("/de/logbook/", True), ("/de/play/logbook/", False)):
        assert bool(re.match(logbook.split()[0], path)) == is_logbook
    limits: dict[str, list[str]] = {}
    for part in (ROOT / "deploy/kubernetes.yaml").read_text().split("\n---\n"):
        for size in re.findall(r"proxy-body-size: (\w+)", part):
            limits.setdefault(size, []).extend(re.findall(r"- path: (\S+)", part))
    logbooks = {"/en/logbook/", "/de/logbook/"}
    assert {size: logbooks & {*paths} for size, paths in limits.items()} == {
        "16k": set(), most: logbooks,
    }  # fmt: skip


POSITIONS = ("/en/position/", "/de/position/")


@needs_haproxy
def test_haproxy_lets_twenty_positions_through_in_ten_seconds(tmp_path: Path) -> None:
    with behind_haproxy(tmp_path) as port:
        found = [post(port, path, 1) for path in POSITIONS * 11]
        other = post(port, "/en/rules/", 1)
    assert found == [200] * 20 + [429] * 2
    assert other == 200


@needs_haproxy
def test_a_hundred_waiting_pages_behind_one_address_leave_its_clicks_alone(tmp_path: Path) -> None:
    with behind_haproxy(tmp_path) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=20)

        def asked(path: str) -> int:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            return answer.status

        waiting = Counter(asked(f"/wait/{'A' * 22}/7/") for _page in range(100) for _ in range(10))
        clicks = Counter(asked("/en/") for _ in range(151))
        more = Counter(asked("/wait/x/") for _ in range(501))
        connection.close()
    assert waiting == {200: 1000}
    assert clicks == {200: 150, 429: 1}
    assert more == {200: 500, 429: 1}


SLOW = "elsewhere", "film", "position", "replay", "review"


@needs_haproxy
def test_haproxy_lets_an_address_wait_for_its_own_expensive_pages(tmp_path: Path) -> None:
    with behind_haproxy(tmp_path) as port, ThreadPoolExecutor(24) as pool:

        def asked(path: str, address: str) -> int:
            accept = "text/html" if path.endswith("0/") else "application/json"
            connection = HTTPConnection("127.0.0.1", port, timeout=60, source_address=(address, 0))
            connection.request("GET", path, headers={"Accept": accept})
            status = connection.getresponse().status
            connection.close()
            return status

        pages = [f"/en/{name}/held-{number}/" for number in range(2) for name in SLOW]
        slow = [pool.submit(asked, page, "127.0.0.2") for page in pages]
        wait_until(lambda: len(_Copy.held) == 1, lambda: f"computed: {_Copy.held}")
        clicks = [pool.submit(asked, "/en/play/held/", "127.0.0.3") for _ in range(10)]
        wait_until(lambda: len(_Copy.held) == 3, lambda: f"computed: {_Copy.held}")
        others = [asked(page, "127.0.0.4") for page in ("/en/", "/en/play/x/", "/static/x.css")]
        static = asked("/static/x.css", "127.0.0.3")
        held = Counter(path == "/en/play/held/" for path in _Copy.held)
        _Copy.may_end.set()
        found = Counter(one.result() for one in (*slow, *clicks))
    assert held == {False: 1, True: 2}
    assert ([*others, static], found) == ([200] * 4, {200: 20})


@needs_haproxy
def test_haproxy_counts_expensive_pages_in_html_and_in_json(tmp_path: Path) -> None:
    accepted, found = ("text/html", "application/json"), Counter[int]()
    with behind_haproxy(tmp_path) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=20)
        for number in range(62):
            headers = {"Accept": accepted[number % 2]}
            connection.request("GET", f"/en/{SLOW[number % 2]}/x/", headers=headers)
            answer = connection.getresponse()
            answer.read()
            found[answer.status] += 1
        connection.close()
        other = post(port, "/en/play/x/", 1)
    assert (found, other) == ({200: 60, 429: 2}, 200)


INVITATIONS = ("/en/new/friend/", "/de/new/friend/")


@needs_haproxy
def test_haproxy_lets_sixty_invitations_through_however_their_address_is_spelled(
    tmp_path: Path,
) -> None:
    with behind_haproxy(tmp_path) as port:
        spelled = ("/en/new/friend/bonn/", "/de/new/friend/own/?rows=8", "/en/n%65w/friend/bonn/")
        found = Counter(post(port, path, 1) for path in spelled * 21)
        other = post(port, "/en/new/bonn/", 1)
    assert found == {200: 60, 429: 3}
    assert other == 200


@needs_haproxy
def test_haproxy_counts_a_household_with_ipv6_as_one_address(tmp_path: Path) -> None:
    with behind_haproxy(tmp_path, clients_name_themselves=True) as port:

        def invited(address: str) -> int:
            with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
                client.sendall(
                    f"PROXY TCP6 {address} ::1 1 80\r\n"
                    "GET /en/new/friend/bonn/ HTTP/1.0\r\n\r\n".encode()
                )
                return int(client.makefile().readline().split()[1])

        found = [invited(f"2001:db8:1:2::{number:x}") for number in range(1, 62)]
        other = invited("2001:db8:1:3::1")
    assert (found, other) == ([200] * 60 + [429], 200)
    config = (ROOT / "deploy/haproxy/haproxy.cfg").read_text()
    assert {*re.findall(r"track-sc\d (\S+)", config)} == {"src,ipmask(32,64)"}


def nginx_limits(path: str) -> tuple[str, ...]:
    """The rates at which nginx answers an address."""
    text = (ROOT / "deploy/nginx.conf").read_text()
    rates = dict(re.findall(r"limit_req_zone \$network zone=(\w+):10m rate=(\S+);", text))
    server, *locations = re.split(r"\n    location (?!@)", text)
    rules = server
    for location in locations:
        pattern, block = re.findall(r"([/^]\S*) \{(.*?)\}", location, re.DOTALL)[0]
        if re.match(pattern, path) and "limit_req" in block:
            rules = block
    return tuple(rates[zone] for zone in re.findall(r"limit_req zone=(\w+)", rules))


def ingress_limits(path: str) -> tuple[str, ...]:
    """The rates at which the ingress answers an address: those of its longest prefix."""
    found: dict[str, tuple[str, ...]] = {}
    for part in (ROOT / "deploy/kubernetes.yaml").read_text().split("\n---\n"):
        rates = tuple(f"{n}r/{per}" for per, n in re.findall(r'limit-rp(.): "(\d+)"', part))
        found |= dict.fromkeys(re.findall(r"- path: (\S+)", part), rates)
    return found[max((prefix for prefix in found if path.startswith(prefix)), key=len)]


@pytest.mark.parametrize(
    ("path", "rate"),
    [("/en/play/x/", "15r/s"), *((path, "2r/s") for path in POSITIONS), ("/wait/x/7/", "150r/s"),
     *((f"/{language}/{name}/x/", "6r/s") for language in ("en", "de") for name in SLOW
       if name != "position"),
     *((f"{path}bonn/", "6r/m") for path in INVITATIONS)],
)  # fmt: skip
def test_nginx_and_the_ingress_have_the_same_limits(path: str, rate: str) -> None:
    assert nginx_limits(path)[0] == rate
    assert ingress_limits(path) == (rate,)
    if rate == "150r/s":
        assert nginx_limits(path) == (rate,), "waiting leaves the limit for clicks alone"

"""The proxies in deploy/: their limits and sentences, with a real HAProxy and nginx."""

from __future__ import annotations

import os
import re
import socket
import ssl
import subprocess
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from bench.load import proxied_copies
from game.views.logbook import MOST_FORM
from tests.support.documents import ROOT
from tests.support.hosting import Machine, free_port, page
from tests.support.missing import needs
from tests.support.waiting import wait_until

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


class _Copy(BaseHTTPRequestHandler):
    """What stands behind the proxy: it answers 200, and repeats the protocol that it was told.

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
        self.send_header("X-Said", self.headers.get("X-Forwarded-Proto", ""))
        self.end_headers()

    do_POST = do_GET  # noqa: N815 (named by the base class)

    def log_message(self, *_: object) -> None:
        pass


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def copy() -> Iterator[int]:
    """The port of a site that answers 200 to everything."""
    _Copy.held, _Copy.may_end = [], Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), _Copy) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        try:
            yield site.server_port
        finally:
            site.shutdown()


@contextmanager
def running(port: int, *words: str, **environment: str) -> Iterator[int]:
    """The port of a proxy that a command starts."""
    proxy = subprocess.Popen(
        words, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until(lambda: is_open(port), lambda: f"{words[0]} doesn't listen")
        yield port
    finally:
        proxy.terminate()
        proxy.wait()


@contextmanager
def behind_haproxy(tmp_path: Path, options: str = "") -> Iterator[int]:
    """The port of HAProxy before such a site, with the options of its address."""
    with copy() as site, proxied_to(site, tmp_path, options) as port:
        yield port


@contextmanager
def proxied_to(site: int, tmp_path: Path, options: str = "") -> Iterator[int]:
    """The port of HAProxy before the port of a copy."""
    config, copies, port = ROOT / "deploy/haproxy/haproxy.cfg", tmp_path / "copies.cfg", free_port()
    copies.write_text(proxied_copies(ROOT, {"copy": site}))
    command = "haproxy", "-f", str(config), "-f", str(copies)
    with running(port, *command, BATTLESHIP_BIND=f"127.0.0.1:{port}{options}"):
        yield port


needs_haproxy = needs("HAProxy", "haproxy")
NAMED = " accept-proxy"
"""The option with which clients name their address by the PROXY protocol."""
FRONT = """
defaults
    mode tcp
    timeout connect 5s
    timeout client 20s
    timeout server 20s
listen front
    bind 127.0.0.1:{}
    server site 127.0.0.1:{} send-proxy
"""


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
        answers = {413: page(port, "/en/about/", "A" * (OTHER_FORM + 1))}
        for _ in range(21):
            answers[429] = page(port, "/en/position/")
    with proxied_to(free_port(), tmp_path) as port:
        answers[503] = page(port, "/de/")
    for expected, (status, headers, text) in answers.items():
        assert (status, headers["Content-Type"]) == (expected, "text/html; charset=utf-8")
        assert re.search(r'<p>[^<]+\.</p>\n<h1 lang="de">.+</h1>\n<p lang="de">.+\.</p>', text)
    assert len({text for _, _, text in answers.values()}) == 3


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


@needs_haproxy
def test_players_behind_another_proxy_have_limits_of_their_own(tmp_path: Path) -> None:
    assert f'`BATTLESHIP_BIND=":8080{NAMED}"`' in (ROOT / "docs/operations.md").read_text()
    config, front = tmp_path / "front.cfg", free_port()
    with behind_haproxy(tmp_path, NAMED) as port:
        config.write_text(FRONT.format(front, port))
        with running(front, "haproxy", "-f", str(config)):

            def asked(address: str) -> int:
                connection = HTTPConnection("127.0.0.1", front, 20, (address, 0))
                connection.request("GET", "/en/")
                status = connection.getresponse().status
                connection.close()
                return status

            many = Counter(asked(f"127.0.1.{number}") for number in range(1, 181))
            one = Counter(asked("127.0.2.1") for _ in range(151))
    assert (many, one) == ({200: 180}, {200: 150, 429: 1})


INVITATIONS = ("/en/new/friend/", "/de/new/friend/")


@needs_haproxy
def test_haproxy_lets_sixty_invitations_through_however_their_address_is_spelled(
    tmp_path: Path,
) -> None:
    with behind_haproxy(tmp_path) as port:
        spelled = (
            "/en/new/friend/bonn/",
            "/pt-br/new/friend/own/?rows=8",
            "/en/n%65w/friend/bonn/",
        )
        found = Counter(post(port, path, 1) for path in spelled * 21)
        other = post(port, "/en/new/bonn/", 1)
    assert found == {200: 60, 429: 3}
    assert other == 200


@needs_haproxy
def test_haproxy_counts_a_household_with_ipv6_as_one_address(tmp_path: Path) -> None:
    with behind_haproxy(tmp_path, NAMED) as port:

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


@contextmanager
def behind_nginx(tmp_path: Path) -> Iterator[tuple[int, HTTPSConnection]]:
    """The port of nginx for http, and a connection to it by https."""
    names = ("-keyout", f"{tmp_path}/key", "-out", f"{tmp_path}/certificate", "-subj", "/CN=x")
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names)
    subprocess.run(
        [*made, "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True
    )
    plain, port = free_port(), free_port()
    with copy() as site:
        machine = Machine({
            "listen 80": f"listen 127.0.0.1:{plain}", "listen 443": f"listen 127.0.0.1:{port}",
            "127.0.0.1:8000": f"127.0.0.1:{site}", "/var/log/nginx": str(tmp_path),
            "/etc/ssl/play.example.org.pem": f"{tmp_path}/certificate",
            "/etc/ssl/private/play.example.org.key": f"{tmp_path}/key",
        })  # fmt: skip
        config = tmp_path / "nginx.conf"
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = " ".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)
        config.write_text(
            f"pid {tmp_path}/pid; events {{}}\n"
            f"http {{ {temporary} {machine.here((ROOT / 'deploy/nginx.conf').read_text())} }}\n"
        )
        command = "nginx", "-p", str(tmp_path), "-c", str(config), "-g", "daemon off;"
        with running(port, *command):
            context = ssl.create_default_context(cafile=f"{tmp_path}/certificate")
            with closing(HTTPSConnection("127.0.0.1", port, timeout=20, context=context)) as one:
                yield plain, one


needs_nginx = needs("nginx", "nginx")


@needs_nginx
def test_nginx_terminates_tls_and_sends_plain_requests_there(tmp_path: Path) -> None:
    with behind_nginx(tmp_path) as (plain, connection):
        status, headers, _ = page(plain, "/de/play/x/?a=1", headers={"Host": "play.example.org"})
        connection.request("GET", "/de/")
        answer = connection.getresponse()
    assert (status, headers["Location"]) == (301, "https://play.example.org/de/play/x/?a=1")
    assert (answer.status, answer.headers["X-Said"]) == (200, "https")
    assert "play/x" not in (tmp_path / "battleship.log").read_text()


@needs_nginx
@pytest.mark.parametrize(
    ("path", "burst"),
    [
        ("/en/position/", 20),
        ("/pt-br/new/friend/x/", 60),
        ("/de/film/x/", 60),
        ("/en/play/x/", 100),
    ],
)
def test_nginx_limits_an_address_and_says_so(tmp_path: Path, path: str, burst: int) -> None:
    with behind_nginx(tmp_path) as (_, connection):

        def asked(path: str) -> tuple[int, str]:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()[:18]

        assert {asked(path) for _ in range(burst)} == {(200, "")}
        assert (429, "Too many requests.") in {asked(path) for _ in range(60)}
        assert {asked("/wait/x/7/") for _ in range(300)} == {(200, "")}


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

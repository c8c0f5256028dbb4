"""Pages and matches in a browser while an old and a newer copy stand behind the example proxies."""

import shutil
import signal
import socket
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from socketserver import DatagramRequestHandler, UDPServer
from threading import Thread

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Response

from game.ops import secrets
from tests.cluster.copies import Copy, running
from tests.support import times
from tests.support.browser import OpenPage, Page
from tests.support.device import FORM, asked
from tests.support.documents import BLOCKS
from tests.support.missing import needs
from tests.support.served import (
    ROOT,
    answers,
    copy_of_project,
    environment,
    free_port,
    nginx,
    proxied,
)
from tests.support.served import running as running_server
from tests.support.updates import is_newer, make_newer, prepare, visited, wait_for_more

pytestmark = pytest.mark.cluster
LOADS, MATCHES = times(30, 30, 300), times(2, 2, 20)
PAGES = "/en/", "/de/new/bonn/", "/en/today/", "/de/logbook/", "/en/rules/"
MATCH = "/en/setup/own/?columns=6&rows=6&fleet=3-2&moving=off&opponent=random"
TARGETS = "[data-board=enemy] button:not([aria-disabled])"
IS_ANSWERED = f"""before => document.querySelector("#game")?.dataset.outcome
    || (left => 0 < left && left < before)(document.querySelectorAll("{TARGETS}").length)"""


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree of a newer version."""
    tree = copy_of_project(tmp_path_factory.mktemp("newer"))
    make_newer(tree)
    prepare(tree)
    return tree


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory, newer: Path) -> Iterator[dict[str, int]]:
    """The ports of two copies that share their keys."""
    home = tmp_path_factory.mktemp("update")
    keys, copies = secrets.make(), [Copy("old", home), Copy("newer", home, newer)]
    for copy in copies:
        secrets.write(copy.secrets, keys)
    with running(*copies):
        yield {copy.name: copy.port for copy in copies}


@pytest.fixture(
    params=[
        pytest.param("HAProxy", marks=needs("HAProxy", "haproxy")),
        pytest.param("nginx", marks=needs("nginx", "nginx")),
    ]
)
def address(request: pytest.FixtureRequest, sites: dict[str, int], tmp_path: Path) -> Iterator[str]:
    if request.param == "HAProxy":
        with proxied(sites, tmp_path, rate="1000000", files="1000000") as port:
            yield f"http://127.0.0.1:{port}"
        return
    port = free_port()
    changes = (
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port};"),
        ("ssl_certificate", "#"),
        ("rate=150r/s", "rate=9000r/s"),
        ("at_once 2;", "at_once 1000;"),
    )
    with nginx(port, [*sites.values()], tmp_path, *changes):
        yield f"http://127.0.0.1:{port}"


class Seen:
    """What all visitors of a test were answered."""

    def __init__(self) -> None:
        self.failed, self.marks = list[str](), Counter[str]()

    def note(self, answer: Response) -> None:
        if answer.status >= 400:
            self.failed.append(f"{answer.status} {answer.url}")
        if answer.request.resource_type == "document":
            self.marks[answer.headers.get("battleship-version", "")] += 1

    @contextmanager
    def visitor(self, browser: Browser, address: str) -> Iterator[Page]:
        """A new visitor's page, which must stay without errors."""
        with closing(OpenPage(browser, address, [])) as open_page:
            page = open_page(fresh=True)
            page.set_default_timeout(15_000)
            page.on("response", self.note)
            yield page


def test_each_page_has_all_its_files(address: str, browser: Browser) -> None:
    seen = Seen()
    for number in range(LOADS):
        with seen.visitor(browser, address) as page:
            page.goto(PAGES[number % len(PAGES)])
    print(seen.marks)
    assert not seen.failed
    assert len(seen.marks) == 2


def test_forms_without_a_length_are_read_through_each_proxy_unless_too_long(address: str) -> None:
    for form, status in (([b"act", b"ion=quick"], 303), ([b"a" * 9_000] * 2, 413)):
        with closing(HTTPConnection(address.removeprefix("http://"))) as connection:
            connection.request("POST", "/en/new/bonn/", iter(form), {"Content-Type": FORM})
            assert connection.getresponse().status == status


def test_a_match_goes_on_and_reloads_at_most_once(address: str, browser: Browser) -> None:
    seen = Seen()
    for _ in range(MATCHES):
        with seen.visitor(browser, address) as page:
            page.goto(MATCH)
            page.follow("#act-random-start")
            before = seen.marks.total()
            while not page.count("#game[data-outcome]"):
                left = page.count(TARGETS)
                page.locator(TARGETS).first.click()
                page.wait_for_function(IS_ANSWERED, arg=left)
                assert page.focused != "BODY"
            assert seen.marks.total() <= before + 1
    print(seen.marks)
    assert not seen.failed


class Compose:
    """Does with copies what the document has Docker do with containers."""

    def __init__(self, home: Path, newer: Path) -> None:
        self.home, self.newer, self.tree = home, newer, ROOT
        self.port, self.keys = free_port(), secrets.make()
        self.site, self.game, self.old = self.started(), dict[str, Copy](), list[str]()
        self.scale(3)

    def started(self) -> Copy:
        name = str(len([*self.home.glob("*.log")]) + 1)
        copy = Copy(name, self.home, self.tree, host=f"127.0.2.{name}", port=self.port)
        secrets.write(copy.secrets, self.keys)
        copy.start()
        return copy

    def scale(self, copies: int) -> None:
        while len(self.game) < copies:
            copy = self.started()
            self.game[copy.name] = copy
        for copy in (self.site, *self.game.values()):
            copy.wait()

    @property
    def hosts(self) -> list[str]:
        copies = (self.site, *self.game.values())
        return [copy.host for copy in copies if copy.process.poll() is None]

    def close(self) -> None:
        for copy in (self.site, *self.game.values()):
            copy.stop()

    def types(self, line: str, proxy: subprocess.Popen[bytes]) -> None:
        words = line.split()
        if line == "docker compose build --build-arg EARLIER=battleship":
            shutil.copytree(settings.STATIC_ROOT, self.newer / "var/static", dirs_exist_ok=True)
            prepare(self.newer)
            self.tree = self.newer
        elif line == "old=$(docker compose ps --quiet game)":
            self.old = [*self.game]
        elif line == "docker stop $old":
            for name in self.old:
                self.game[name].stop()
        elif line == "docker rm $old":
            for name in self.old:
                del self.game[name]
        elif line.startswith("docker compose up --detach --wait --no-deps "):
            if words[-1] == "site":
                self.site.stop()
                self.site = self.started()
            assert "--no-recreate" in words or {it.code for it in self.game.values()} == {self.tree}
            self.scale(int(line.partition("game=")[2].split()[0]))
        else:
            assert line == "docker compose kill --signal HUP proxy"
            proxy.send_signal(signal.SIGHUP)


@contextmanager
def names(hosts: Callable[[], list[str]]) -> Iterator[int]:
    """The port of a name server that knows one name, as Docker's does."""

    class Names(DatagramRequestHandler):
        def handle(self) -> None:
            asked = self.rfile.read()
            end = asked.index(0, 12) + 5
            found = hosts() if asked[end - 4 : end - 2] == b"\0\1" else []  # addresses of IPv4
            self.wfile.write(asked[:2] + b"\x81\x80\0\1\0" + bytes([len(found), 0, 0, 0, 0]))
            self.wfile.write(asked[12:end])
            for host in found:
                self.wfile.write(b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + socket.inet_aton(host))

    with UDPServer(("127.0.0.1", 0), Names) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@needs("HAProxy", "haproxy")
def test_the_steps_with_docker_lose_no_answer(newer: Path, tmp_path: Path) -> None:
    (steps,) = (it.text.splitlines() for it in BLOCKS if it.first == "git pull")
    compose, port, copies = Compose(tmp_path, newer), free_port(), tmp_path / "copies.cfg"

    def configure(server: int) -> None:
        """Writes the file of the copies, with what the machine's own resolver would find now."""
        text = (ROOT / "deploy/haproxy/copies.cfg").read_text()
        text = text.replace("server any game", f"server any {compose.hosts[-1]}")
        text = text.replace("127.0.0.11:53", f"127.0.0.1:{server}")
        copies.write_text(text.replace(":8000", f":{compose.port}"))

    words = ["haproxy", "-W", "-f", str(ROOT / "deploy/haproxy/haproxy.cfg"), "-f", str(copies)]
    env = environment(bind=f"127.0.0.1:{port}", rate="1000000", files="1000000")
    with closing(compose), names(lambda: compose.hosts) as server:
        configure(server)
        with running_server(words, tmp_path / "proxy", lambda: answers(port), env=env) as proxy:
            with visited(partial(asked, port)) as found:
                for line in steps[2:]:
                    configure(server)
                    compose.types(line, proxy)
                    wait_for_more(found)
            assert is_newer(asked(port, "/en/"))
    assert steps[:2] == ["git pull", "export COMPOSE_PROFILES=many"]
    assert {*found} == {200, 303}, found

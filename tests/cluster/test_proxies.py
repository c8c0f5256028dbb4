"""The proxies in deploy/: their limits and sentences, with a real HAProxy and nginx."""

import re
import socket
import ssl
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from http.client import HTTPSConnection
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Event, Thread
from types import MappingProxyType
from urllib.parse import urlencode, urlsplit

import pytest

from bench.requests import Request, expensive_requests
from game.web.versions import HEADER
from tests.support.device import FORM, asked
from tests.support.features import brought
from tests.support.missing import needs
from tests.support.page import Page
from tests.support.served import ROOT, free_port, nginx, proxied, served, wait_until

pytestmark = pytest.mark.cluster
needs_haproxy, needs_nginx = needs("HAProxy", "haproxy"), needs("nginx", "nginx")
BELOW, JSON = "/battleships/", {"Accept": "application/json", "Content-Type": FORM}
MOST_FORM, OTHER_FORM = 160 * 1024, 16 * 1024
"""Bytes: the longest form at `/logbook/`, and at every other page."""
SLOW = "elsewhere", "film", "position", "puzzles/own", "replay", "review"
Ask = Callable[..., Page]


class _Copy(BaseHTTPRequestHandler):
    """What stands behind the proxy: it answers 200, and repeats the protocol that it was told.

    For a path with `held` it waits until `may_end` is set.
    """

    protocol_version = "HTTP/1.1"
    held: list[str]
    may_end: Event

    version = "newer"

    def status(self) -> int:
        time.sleep(0.02 if "newer" in self.path else 0)  # old copies refuse sooner than it answers
        return 200

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if "held" in self.path:
            self.held.append(self.path)
            self.may_end.wait(60)
        self.send_response(self.status())
        self.send_header("Content-Length", "0")
        self.send_header("Battleship-Version", self.version)
        self.send_header("X-Said", self.headers.get("X-Forwarded-Proto", ""))
        self.send_header("X-Id", self.headers.get("X-Request-ID", ""))
        self.send_header("X-Long", "x" * (14_000 if len(self.path) > 8_000 else 0))
        self.end_headers()

    do_POST = do_GET  # noqa: N815 (named by the base class)

    def log_message(self, *_: object) -> None:
        pass


class _Old(_Copy):
    """A copy that lacks the files of a newer version, and can't answer its pages."""

    version = "older"

    def status(self) -> int:
        return 404 if self.path.startswith("/static/") else 503 if "newer" in self.path else 200


@contextmanager
def copy(kind: type[_Copy] = _Copy) -> Iterator[int]:
    """The port of a site that answers 200 to everything, or of another kind."""
    _Copy.held, _Copy.may_end = [], Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        try:
            yield site.server_port
        finally:
            site.shutdown()


@contextmanager
def copies(old: int) -> Iterator[list[int]]:
    """The ports of a site and of so many older ones."""
    with ExitStack() as stack:
        yield [stack.enter_context(copy(kind)) for kind in (*[_Old] * old, _Copy)]


@contextmanager
def behind_haproxy(
    folder: Path, options: str = "", *, old: int = 0, **settings_of: str
) -> Iterator[int]:
    """The port of HAProxy before such a site, with the options of its address."""
    with copies(old) as sites:
        named = {f"copy{number}": site for number, site in enumerate(sites)}
        with proxied(named, folder, options, **settings_of) as port:
            yield port


@contextmanager
def behind_nginx(
    folder: Path, *, old: int = 0, site: int = 0, sed: str = ""
) -> Iterator[tuple[int, Ask]]:
    """The port of nginx for http, and what asks it by https; `site` is the port of the only copy.

    `sed` is a script that changes the configuration.
    """
    names = ("-keyout", f"{folder}/key", "-out", f"{folder}/certificate", "-subj", "/CN=x")
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names)
    subprocess.run(
        [*made, "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True
    )
    plain, port = free_port(), free_port()
    changes = (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("listen [::]:443 ", f"listen [::1]:{port} "),
        ("/etc/ssl/play.example.org.pem", f"{folder}/certificate"),
        ("/etc/ssl/private/play.example.org.key", f"{folder}/key"),
    )
    context = ssl.create_default_context(cafile=f"{folder}/certificate")
    with copies(old) as sites, nginx(port, [site] if site else sites, folder, *changes, sed=sed):

        def ask(
            path: str,
            form: str | None = None,
            headers: Mapping[str, str] = MappingProxyType({}),
            source: str = "",
        ) -> Page:
            asks = HTTPSConnection(
                "127.0.0.1", port, timeout=60, context=context, source_address=(source, 0)
            )
            with closing(asks):
                asks.request("GET" if form is None else "POST", path, form, headers)
                answer = asks.getresponse()
                return Page(answer.status, answer.headers, answer.read(), path, SimpleCookie())

        yield plain, ask


def see_long_forms_reach_the_logbook_alone(ask: Ask) -> None:
    most = {"/en/logbook/": MOST_FORM, "/de/logbook/": MOST_FORM, "/en/play/logbook/": OTHER_FORM}
    for path, size in most.items():
        statuses = [ask(path, "A" * length).status for length in (size, size + 1)]
        assert statuses == [200, 413], path


def see_long_headers_pass_and_too_many_cookies_told(ask: Ask) -> None:
    where = f"/en/{'x' * 8_085}/"
    urls = dict.fromkeys(("HX-Current-URL", "Referer"), f"https://play.example.org{where}")
    for cookies in (15_900, 17_000, 40_000):
        page, is_told = ask(where, headers=urls | {"Cookie": "a" * cookies}), cookies > 16_000
        assert (page.status, page.headers[HEADER]) == (
            (400, "proxy") if is_told else (200, "newer")
        )
        assert ("cookies" in page) == is_told


@needs_haproxy
@needs_nginx
def test_the_proxies_pass_on_the_longest_answer_of_every_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With cookies as long as the servers take them; each request from an address of its own."""
    monkeypatch.setenv("GUNICORN_CMD_ARGS", "--config deploy/gunicorn.conf.py --timeout 60")
    port, sizes = free_port(), []
    kept = [cookie() for cookie in brought("fullest_cookie").values()]
    cookies = "; ".join([*kept, "more="]).ljust(15_900, "a")
    longest: dict[tuple[str, bool], Request] = {}
    for one in expensive_requests():
        kind = one.name, bool(one.form)
        longest[kind] = max(longest.get(kind, one), one, key=lambda it: len(it.path))
    plain = ("listen 443 ssl;", f"listen 127.0.0.1:{port};"), ("ssl_certificate", "#")
    other = "listen 80;", f"listen 127.0.0.1:{free_port()};"
    with (
        served(tmp_path) as address,
        proxied({"copy": (site := int(address.rpartition(":")[2]))}, tmp_path) as haproxy,
        nginx(port, [site], tmp_path, *plain, other),
    ):
        for (number, one), proxy in product(enumerate(longest.values(), 2), (haproxy, port)):
            headers = {"HX-Current-URL": f"http://127.0.0.1:{proxy}{one.path}", "Cookie": cookies}
            headers |= {"HX-Request": "true", "Accept": one.accept}
            form = urlencode(one.form, doseq=True) if one.form else None
            page = asked(proxy, one.path, form, headers, source=f"127.0.1.{number}")
            assert page.headers[HEADER] not in (None, "proxy"), (page.status, one)
            sizes.append(len(str(page.headers)))
    assert max(sizes) > 3_000


def see_a_match_below_a_path(ask: Ask) -> None:
    """Plays by what is offered, and sees that the limits hold below the path, however spelled."""
    page = ask(f"{BELOW}en/new/own/?columns=6&rows=6&fleet=3-2", None, JSON).json()
    for _ in range(100):
        if page["phase"] != "over":
            form, name = page["actions"][0], "action" if page["phase"] == "placing" else "cell"
            value = "quick" if name == "action" else form["buttons"][name][0]
            fields = urlencode({**form["fields"], name: value}, doseq=True)
            page = ask(form["address"], fields, JSON).json()
            assert page["address"].startswith(f"{BELOW}en/play/")
    assert page["phase"] == "over"
    style = ask(f"{BELOW}en/").first(r'href="([^"]*\.css)"')
    assert (ask(style).status, ask(style.removeprefix(BELOW[:-1])).status) == (200, 404)
    assert urlsplit(ask(BELOW[:-1]).location).path == BELOW
    friend = f"{BELOW}en/new/friend/bonn/"
    statuses = [ask(friend).status for _ in range(70)]
    assert (statuses[0], statuses[-1]) == (200, 429)
    assert 200 not in (ask(f"/%62{friend[2:]}").status, ask(f"{BELOW}{friend[1:]}").status)


NEWER = ("/static/newer.css", None), ("/en/play/newer/", None), ("/en/play/newer/", "cell=A1")


# --- HAProxy ---


@needs_haproxy
def test_haproxy_lets_long_forms_through_to_the_logbook_alone(tmp_path: Path) -> None:
    with behind_haproxy(tmp_path) as port:
        see_long_forms_reach_the_logbook_alone(partial(asked, port))
        see_long_headers_pass_and_too_many_cookies_told(partial(asked, port))
        assert {asked(port, path).status for path in ("/readyz", "/ready%7A")} == {404}
        page, log = asked(port, "/en/", host="::1"), tmp_path / f"haproxy-{port}.log"
        wait_until(lambda: f"{page.headers['X-Id']}\n" in log.read_text(), log.read_text)


@needs_haproxy
def test_haproxy_answers_a_person_in_both_languages(tmp_path: Path) -> None:
    with behind_haproxy(tmp_path) as port:
        answers = {413: asked(port, "/en/about/", "A" * (OTHER_FORM + 1))}
        for _ in range(61):
            answers[429] = asked(port, "/en/new/friend/bonn/")
    with proxied({"copy": free_port()}, tmp_path) as port:
        answers[503] = asked(port, "/de/")
    for expected, page in answers.items():
        assert page.status == expected
        assert page.headers["Content-Type"] == "text/html; charset=utf-8"
        assert page.headers[HEADER] == "proxy"
        assert page.search(r'<p>[^<]+\.</p>\n<h1 lang="de">.+</h1>\n<p lang="de">.+\.</p>')
    assert len({*answers.values()}) == 3


@needs_haproxy
@pytest.mark.parametrize(
    ("paths", "most", "other"),
    [
        (["/en/", "/de/position/", "/en/review/x/"], 150, "/static/x.css"),
        (["/en/new/friend/bonn/", "/pt-br/new/friend/own/?rows=8", "/en/n%65w/friend/bonn/"], 60,
         "/en/new/bonn/"),
    ],
)  # fmt: skip
def test_haproxy_limits_what_an_address_asks_for_in_a_while(
    tmp_path: Path, paths: list[str], most: int, other: str
) -> None:
    """However an address is spelled."""
    lower = dict.fromkeys(("rate", "files", "waits"), "150")  # than a slow machine can ask for
    with behind_haproxy(tmp_path, old=0, **lower) as port:
        found = [asked(port, paths[at % len(paths)]).status for at in range(most + 2)]
        assert asked(port, other).status == 200
    assert found == [200] * most + [429] * 2


@needs_haproxy
def test_haproxy_lets_an_address_wait_for_its_own_expensive_pages(tmp_path: Path) -> None:
    with behind_haproxy(tmp_path) as port, ThreadPoolExecutor(24) as pool:

        def status(path: str, source: str) -> int:
            return asked(port, path, source=source).status

        pages = [f"/en/{name}/held/" for name in SLOW]
        slow = [pool.submit(status, page, "127.0.0.2") for page in pages]
        wait_until(lambda: len(_Copy.held) == 1, lambda: f"computed: {_Copy.held}")
        clicks = [pool.submit(status, "/en/play/held/", "127.0.0.3") for _ in range(10)]
        wait_until(lambda: len(_Copy.held) == 3, lambda: f"computed: {_Copy.held}")
        others = [status(page, "127.0.0.4") for page in ("/en/", "/en/play/x/", "/static/x.css")]
        static = status("/static/x.css", "127.0.0.3")
        held = Counter(path == "/en/play/held/" for path in _Copy.held)
        _Copy.may_end.set()
        found = Counter(one.result() for one in (*slow, *clicks))
    assert held == {False: 1, True: 2}
    assert ([*others, static], found) == ([200] * 4, {200: 10 + len(SLOW)})


@needs_haproxy
def test_haproxy_finds_the_only_copy_of_a_newer_version_under_load(tmp_path: Path) -> None:
    with behind_haproxy(tmp_path, old=5, rate="1000000") as port, ThreadPoolExecutor(24) as pool:
        for _ in range(10):
            asked(port, "/en/about/")
        found = Counter(pool.map(lambda ask: asked(port, *ask).status, NEWER * 50))
    assert found == {200: 50 * len(NEWER)}


# --- nginx ---


@needs_nginx
def test_nginx_finds_the_only_copy_of_a_newer_version(tmp_path: Path) -> None:
    with behind_nginx(tmp_path, old=5) as (_, ask):
        assert [ask(*it).status for it in NEWER for _ in range(12)] == [200] * 12 * len(NEWER)


@needs_nginx
def test_nginx_terminates_tls_and_sends_plain_requests_there(tmp_path: Path) -> None:
    with behind_nginx(tmp_path) as (plain, ask):
        sent = asked(plain, "/de/play/x/?a=1", headers={"Host": "play.example.org"})
        safe = ask("/de/")
        port = (tmp_path / "nginx.conf").read_text().partition("listen [::1]:")[2].split()[0]
        socket.create_connection(("::1", int(port))).close()
        there = asked(int(port), "/de/")
        see_long_forms_reach_the_logbook_alone(ask)
        see_long_headers_pass_and_too_many_cookies_told(ask)
    assert (sent.status, sent.location) == (301, "https://play.example.org/de/play/x/?a=1")
    assert (safe.status, safe.headers["X-Said"]) == (200, "https")
    assert (there.status, there.location) == (301, f"https://127.0.0.1:{port}/de/")
    log = (tmp_path / "battleship.log").read_text()
    assert "play/x" not in log
    assert re.search(rf" {safe.headers['X-Id']}$", log, re.MULTILINE)


@needs_nginx
def test_nginx_limits_invitations_and_says_so_but_nothing_that_costs_little(tmp_path: Path) -> None:
    with behind_nginx(tmp_path) as (_, ask):
        assert {ask("/pt-br/new/friend/x/").status for _ in range(60)} == {200}
        refused = [
            page for page in (ask("/en/new/friend/x/") for _ in range(60)) if page.status == 429
        ]
        assert refused[0].startswith("Too many requests.")
        assert refused[0].headers[HEADER] == "proxy"
        for path in ("/wait/x/7/", "/static/x.css", "/de/manifest.webmanifest", "/en/play/x/"):
            assert {ask(path).status for _ in range(200)} == {200}, path


@needs_nginx
def test_nginx_lets_an_address_wait_for_its_own_pages(tmp_path: Path) -> None:
    path, form = "/de/logbook", "A" * MOST_FORM
    with behind_nginx(tmp_path) as (_, ask), ThreadPoolExecutor(24) as pool:
        pages = [pool.submit(ask, f"{path}/held/", form, source="127.0.0.2") for _ in range(24)]
        wait_until(lambda: _Copy.held, lambda: "nothing is computed")
        others = [ask(f"{path}/x/", source="127.0.0.3").status, ask("/static/x.css").status]
        most = len(_Copy.held)
        _Copy.may_end.set()
        assert {page.result().status for page in pages} == {200}
    assert others == [200] * 2
    assert most < 12


@needs_nginx
def test_nginx_serves_a_site_below_a_path(tmp_path: Path) -> None:
    """As the document changes its configuration."""
    shown = (ROOT / "docs/below-a-path.md").read_text()
    (sed,) = re.findall("sed -i '(.*)' nginx.conf", shown)
    with (
        served(tmp_path, path=BELOW, tls="1", hosts="127.0.0.1:*") as site,
        behind_nginx(tmp_path, site=urlsplit(site).port or 0, sed=sed) as (_, ask),
    ):
        see_a_match_below_a_path(ask)
        assert "Strict-Transport-Security" not in ask(f"{BELOW}en/").headers

"""Pages and matches in a browser while an old and a newer copy stand behind the example proxies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Response

from game.ops import secrets
from tests.cluster.copies import Copy, running
from tests.support import times
from tests.support.browser import OpenPage, Page, chromium
from tests.support.missing import needs
from tests.support.served import copy_of_project, free_port, nginx, proxied
from tests.support.updates import make_newer, prepare

pytestmark = pytest.mark.cluster
LOADS, MATCHES = times(30, 30, 300), times(2, 2, 20)
PAGES = "/en/", "/de/new/bonn/", "/en/today/", "/de/logbook/", "/en/position/"
MATCH = "/en/setup/own/?columns=6&rows=6&fleet=3-2&moving=off&opponent=random"
TARGETS = "[data-board=enemy] button:not([aria-disabled])"
IS_ANSWERED = f"""before => document.querySelector("#game")?.dataset.outcome
    || document.querySelectorAll("{TARGETS}").length % 36 < before"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    """The ports of two copies that share their keys."""
    home = tmp_path_factory.mktemp("update")
    newer = copy_of_project(home)
    make_newer(newer)
    prepare(newer)
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
        with proxied(sites, tmp_path, rate="1000000") as port:
            yield f"http://127.0.0.1:{port}"
        return
    port = free_port()
    changes = (
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port};"),
        ("ssl_certificate", "#"),
        ("rate=15r/s", "rate=9000r/s"),
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

"""The site below a path of its host."""

import subprocess
import sys
from functools import partial
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from game.web.below import serve_below_path
from tests.support.device import asked
from tests.support.features import brought
from tests.support.served import ROOT, environment, served

PATH = "/battleships/"
KINDS = "pages", "json"
STRIPPED = {"X-Forwarded-Prefix": "/battleships"}
RULES = "/battleships/en/rules/"


@pytest.mark.long
def test_what_is_true_of_the_site_at_the_root_is_true_below_a_path() -> None:
    """Pages of every kind, matches, and what features name."""
    words = [sys.executable, "-m", "pytest", "-n", "0", "-m", "not deep"]
    files = [f"tests/web/test_{it}.py" for it in KINDS]
    files += chain(*brought("BELOW_A_PATH").values())
    done = subprocess.run(
        [*words, *files], cwd=ROOT, timeout=900, env=environment(path=PATH),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.deep
def test_only_what_is_below_the_path_is_the_site(tmp_path: Path) -> None:
    with served(tmp_path, path=PATH) as site:
        ask = partial(asked, urlsplit(site).port or 0)
        for where in ("/", "/en/", "/en/rules/", "/static/game/site.css", "/battleships.css"):
            page = ask(where)
            assert (page.status, page) == (404, "There is no page at this address.\n"), where
        for where in ("/battleships", "//battleships", "/Battleships/", "/battleships)."):
            assert ask(where).location.startswith(PATH), where
        assert {ask(probe).status for probe in ("/healthz", "/battleships/readyz")} == {200}
        whole, stripped = ask(RULES), ask("/en/rules/", headers=STRIPPED)
        assert (whole.status, whole) == (200, stripped)
        assert ask("/", headers=STRIPPED).location == "/battleships/en/"
        assert ask(f"{RULES}).").location == RULES


def test_a_cookie_that_other_sites_can_set_is_not_taken_for_the_safe_one(
    settings: Settings,
) -> None:
    settings.PATH, seen = PATH, dict[str, str]()

    def view(request: HttpRequest) -> HttpResponse:
        seen.update(request.COOKIES)
        return HttpResponse()

    given = "battleships.__Host-seats=a; __Secure-battleships.seats=b; __Host-seats=c"
    others = "seats=d; battleships.seats=e; others.seats=f"
    serve_below_path(view)(RequestFactory().get(RULES, headers={"cookie": f"{given}; {others}"}))
    assert seen == {"__Host-seats": "b", "seats": "e"}

"""The site below a path of its host."""

from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from game.web.below import serve_below_path
from tests.support.device import asked
from tests.support.served import served

PATH = "/battleships/"
STRIPPED = {"X-Forwarded-Prefix": "/battleships"}
RULES = "/battleships/en/rules/"


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

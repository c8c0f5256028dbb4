"""What a page takes as an answer of the site, and what it does where something else answers."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route

from game.web.versions import HEADER, own_mark
from tests.support import deep
from tests.support.browser import OpenPage, Page, words
from tests.support.features import brought
from tests.support.matches import MINE, STILL, begun, place_address

PORTAL = (
    "<!DOCTYPE html><title>Hotel</title><h1>Hotel WLAN</h1><form><button>Log in</button></form>"
)
FRAGMENT = '<section id="game" data-phase="over"><h1>Hotel WLAN</h1></section>'
LATER = "0000000f"
PHRASE = "Something else answered, not this site."

FOREIGN: dict[str, dict[str, Any]] = {
    "a portal's page": {"body": PORTAL},
    "a part that looks like ours": {"body": FRAGMENT},
    "a header of ours over another body": {"body": PORTAL, "headers": {HEADER: own_mark()}},
    "nothing": {"body": ""},
    "plain text": {"body": "Log in first.", "content_type": "text/plain"},
    "204": {"status": 204},
    "a filter's 403": {"status": 403, "body": PORTAL},
    "409": {"status": 409, "body": PORTAL},
    "502": {"status": 502, "body": PORTAL},
    "a redirect by htmx": {"body": "", "headers": {"HX-Redirect": "/nowhere/"}},
    "a redirect elsewhere": {"status": 302, "headers": {"Location": "http://127.0.0.9/"}},
    "a redirect to a page": {"status": 302, "headers": {"Location": "/static/game/icon.svg"}},
}
QUICK = ("a portal's page", "a filter's 403", "a header of ours over another body")
ERRORS = "status of|Status Error|htmx:|ERR_|olicy"


def foreign(page: Page, answer: dict[str, Any], *, only: str = "**/*") -> None:
    """Has something else answer in place of the site, but for its files."""
    given = {"content_type": "text/html", **answer}

    def reply(route: Route) -> None:
        if "/static/" in route.request.url:
            route.continue_()
        else:
            route.fulfill(**given)

    page.route(only, reply)


@pytest.mark.parametrize(
    "what", [pytest.param(it, marks=() if it in QUICK else pytest.mark.deep) for it in FOREIGN]
)
def test_a_board_stays_if_something_else_answers_a_shot(open_page: OpenPage, what: str) -> None:
    page = open_page(begun(STILL), expects=ERRORS)
    before, where = page.seen, page.url
    foreign(page, FOREIGN[what])
    page.target("J6").click()
    page.expects("#status").to_contain_text(PHRASE)
    page.expects("#status a[target=_blank]").to_have_attribute("href", "/en/")
    assert (page.seen, page.url) == (before, where)
    page.expects("#game").not_to_have_attribute("aria-busy", "true")
    page.expects(".is-sent").to_have_count(0)
    page.unroute_all()
    page.fire("J6")
    assert PHRASE not in page.says
    page.see(turn=re.compile("[01]"))


def test_a_refusal_by_the_sites_own_proxy_is_told_as_such(open_page: OpenPage) -> None:
    page = open_page(begun(STILL), expects=ERRORS)
    foreign(page, {"status": 429, "body": PORTAL, "headers": {HEADER: "proxy"}})
    page.target("J6").click()
    page.expects("#status").to_have_text("That did not go through. Try again.")
    page.see(phase="firing")


def test_what_a_proxy_adds_to_an_answer_is_not_taken(open_page: OpenPage) -> None:
    advert = '<div id="advert">Buy</div><p id="main" hx-swap-oob="innerHTML">Buy</p>'
    page = open_page(begun(STILL))
    page.forging("**/play/**", lambda body: f"{advert}{body}{advert}")
    page.fire("J6")
    page.expects("[data-cell=J6][data-state=unknown]").to_have_count(0)
    page.unfold()
    page.act("#act-resign")
    page.expects("#advert").to_have_count(0)
    assert "Buy" not in page.inner_text("body")


@pytest.mark.parametrize(
    ("where", "press"),
    [
        (lambda: place_address(MINE), "#act-start"),
        deep(lambda: place_address(), "#act-random"),
        *(deep(*form) for forms in brought("FORMS").values() for form in forms),
        ("/de/settings/", "[name=theme][value=dark]"),
    ],
)
def test_every_page_with_a_form_stays_as_it_was(
    open_page: OpenPage, where: str | Callable[[], Any], press: str
) -> None:
    page = open_page(where if isinstance(where, str) else where(), expects=ERRORS)
    language = page.url.split("/")[3]
    button = page.locator(press).first
    button.evaluate("it => it.closest('details')?.setAttribute('open', '')")
    board = page.inner_text("main")
    foreign(page, {"body": PORTAL})
    button.click()
    page.expects("#status").to_contain_text(words(f"{PHRASE} Nothing has changed.", language))
    assert "Hotel" not in page.inner_text("body")
    page.expects("html:not([data-theme=dark])").to_have_count(1)
    page.evaluate("dispatchEvent(new Event('online'))")
    assert page.inner_text("main") == board


def later(route: Route) -> None:
    """Answers as a copy of another version would."""
    answer = route.fetch(headers={**route.request.headers, HEADER.lower(): "", "cookie": ""})
    body = answer.text().replace(own_mark(), LATER)
    route.fulfill(response=answer, body=body, headers={**answer.headers, HEADER.lower(): LATER})


def test_a_page_of_another_version_is_loaded_again_once_and_keeps_its_focus(
    open_page: OpenPage,
) -> None:
    page = open_page(begun(STILL), fresh=True)
    page.route("**/play/**", later)
    with page.loaded():
        page.target("J6").focus()
        page.keys("Enter")
    page.expects("[data-cell=J6][data-state=unknown]").to_have_count(0)
    assert page.focused == "enemy-J6"
    # The reloaded page comes from this copy, so the answers are still of another. It isn't loaded a
    # second time.
    page.unroute_all()
    page.reload()
    page.route("**/play/**", later)
    page.evaluate("window.same = true")
    page.act(page.locator("[data-board=enemy] td > button:not([aria-disabled])").first)
    assert page.evaluate("window.same")

"""JSON at the addresses of a match (docs/api.md)."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256
from html import unescape
from typing import Any

import pytest

from game.engine.chance import Chance
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.page_json import prefers_json
from tests.support.challenges import ended as challenged
from tests.support.challenges import link, made
from tests.support.device import HTMX, Device
from tests.support.duels import Seat
from tests.support.matches import HALF_BONN, address, ended, opening, played, searching
from tests.support.page import Page

JSON = {"accept": "application/json"}
PRESSED = r"<button(?![^>]*disabled)[^>]*"
"""The beginning of a button that may be pressed."""
CHROME = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;"
    "q=0.8,application/signed-exchange;v=b3;q=0.7"
)


def asked(
    client: Device, where: str, fields: dict[str, Any] | None = None, *, follow: bool = False,
    more: dict[str, str] | None = None,
) -> Page:  # fmt: skip
    """The response to a request for JSON."""
    headers = JSON | (more or {})
    if fields is None:
        return client.get(where, headers=headers, follow=follow)
    return client.post(where, fields, headers=headers)


def names(board: dict[str, Any]) -> dict[str, str]:
    """The states of a board's cells by their names, as `cells` reads them from a page."""
    return {
        f"{chr(65 + column)}{row + 1}": state
        for row, states in enumerate(board["rows"])
        for column, state in enumerate(states)
    }


# --- which of the two ---


@pytest.mark.parametrize(
    ("accept", "is_json"),
    [
        ("application/json", True),
        ("application/json, text/html;q=0.9", True),
        ("text/html;q=0.2, application/json;q=0.3", True),
        ("application/json, */*;q=0.5", True),
        ("text/html;q=0, application/json;q=0.1", True),
        ("application/*, text/*;q=0.5, application/json", True),
        ("", False), ("*/*", False), ("text/*", False), (CHROME, False),
        ("text/html, application/json", False),
        ("application/json;q=0.5, text/html", False),
        ("application/json;q=0, */*", False),
        ("application/json;q=0.4, */*;q=0.5", False),
        ("application/problem+json", False), ("json", False), (";;,q=json", False),
        ("application/json" + ", a/b" * 1000, False),
    ],
)  # fmt: skip
def test_the_header_accept_decides_and_doubt_is_for_html(
    accept: str, is_json: bool, client: Device
) -> None:
    assert prefers_json(accept) is is_json
    got = client.get("/en/new/short/", headers={"accept": accept})
    assert got.headers["Content-Type"].startswith("application/json" if is_json else "text/html")
    assert "Accept" in [name.strip() for name in got.headers["Vary"].split(",")]


@pytest.mark.parametrize("where", ["/en/", "/en/rules/", "/en/setup/bonn/", "/healthz"])
def test_other_addresses_know_no_json(where: str, client: Device) -> None:
    got, plain = asked(client, where), client.get(where)
    assert got.headers["Content-Type"] == plain.headers["Content-Type"]
    assert got.status == 200
    assert "Accept" not in re.split(r",\s*", got.headers.get("Vary", ""))


def test_scripts_of_pages_still_get_html(client: Device) -> None:
    got = client.post(address(opening()), {"cell": "A1"}, headers=HTMX)
    assert 'id="game"' in got


# --- what it says ---


@pytest.mark.parametrize(
    "saved",
    [
        opening(), played(opening(), 12), ended(HALF_BONN), played(searching(), 9),
        played(opening(PRESETS["ask"].ruleset, mind="recruit"), 4),
        played(opening(PRESETS["salvo"].ruleset), 8), ended(PRESETS["milton"].ruleset),
    ],
    ids=["opening", "bonn", "ended", "alone", "ask", "salvo", "named"],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "de"])
def test_it_says_what_the_page_says_by_the_names_of_its_handles(
    saved: Any, language: str, client: Device
) -> None:
    where = address(saved, language)
    html, page = client.get(where), asked(client, where).json()
    assert page["address"] == where
    assert page["status"] == html.says
    for name in ("phase", "turn", "outcome", "reason", "may-move", "questions", "commitment"):
        found = re.search(rf' data-{name}="([^"]*)"', html)
        assert str(page.get(name)) == (found[1] if found else "None"), name
    for board, read in page["boards"].items():
        assert names(read) == html.cells(board)
    assert f'data-board="{board}"' in html
    assert html.count("data-board=") == len(page["boards"])
    offered = {
        (name, value)
        for form in page["actions"]
        for name, values in form["buttons"].items()
        for value in values
    }
    on_page = {
        (name, value)
        for name, value in html.all(rf'{PRESSED}\sname="([^"]*)"[^>]*\svalue="([^"]*)"')
        if name != "radar"
    }
    assert offered == on_page
    assert all(form["address"].startswith(f"/{language}/p") for form in page["actions"])


def test_fleets_say_what_is_left(client: Device) -> None:
    saved = played(opening(), 40)
    page = asked(client, address(saved)).json()
    for name, side in (("own", Side.FIRST), ("enemy", Side.SECOND)):
        fleet = page["fleets"][name]
        assert sum(kind["of"] for kind in fleet) == 10
        assert sum(kind["left"] for kind in fleet) == saved.match.afloat(side)


def test_the_coachs_chances_are_those_that_screen_readers_hear(client: Device) -> None:
    saved = played(opening(), 6)
    where = address(replace(saved, setup=saved.setup.switched(coach=True)))
    html = client.get(where)
    heard = re.findall(r'aria-label="(\w+),[^"]* chance (\d+)%"', html)
    cells_told = asked(client, where).json()["boards"]["enemy"]["cells"]
    assert {name: it["percent"] for name, it in cells_told.items() if "percent" in it} == {
        name: int(percent) for name, percent in heard
    }
    assert len(heard) > 80


def test_questions_and_their_answers(client: Device) -> None:
    where = address(opening(PRESETS["ask"].ruleset))
    asked_for = {"action": "ask", "ask_from": "A1", "ask_to": "H8"}
    page = asked(client, where, asked_for).json()
    assert page["asked"] == [{"question": "A1 H8", "answer": "yes"}]
    assert page["questions"] == 4


def test_a_replay_has_the_boards_of_its_step(client: Device) -> None:
    where = f"{address(ended(HALF_BONN), page='replay')}?step=5"
    html, page = client.get(where), asked(client, where).json()
    assert page["phase"] == "over"
    assert names(page["boards"]["enemy"]) == html.cells("enemy")


def test_a_replay_of_a_match_that_is_not_over_leads_to_the_match(client: Device) -> None:
    got = asked(client, address(opening(), page="replay"))
    assert (got.status, got.location[:9]) == (302, "/en/play/")


# --- playing ---


@pytest.mark.parametrize("preset", PRESETS)
def test_a_program_places_and_plays_by_what_is_offered(preset: str, client: Device) -> None:
    page = asked(client, f"/en/new/{preset}/").json()
    for action in ("random", "start"):
        form = page["actions"][0]
        assert action in form["buttons"]["action"]
        got = asked(client, form["address"], {**form["fields"], "action": action})
        assert got.status == 200
        page = got.json()
    for number in range(6):
        if page["phase"] == "over":
            break
        form = page["actions"][-1 if page["phase"] == "waiting" else 0]
        (name, values), *_ = form["buttons"].items()
        value = Chance(bytes(16), preset, number).choice(values)
        got = asked(client, form["address"], {**form["fields"], name: value})
        assert got.status == 200
        assert got.json()["address"] != page["address"]
        page = got.json()
    assert page["phase"] in ("firing", "waiting", "over")


def test_the_end_offers_the_next_match(client: Device) -> None:
    page = asked(client, address(ended(HALF_BONN))).json()
    assert page["outcome"] in ("won", "lost", "draw")
    assert {"record", "recap", "review"} <= page["links"].keys()
    assert "ships left" in page["results"][0]
    assert sha256(page["statement"].encode()).hexdigest() == page["commitment"]
    form = next(it for it in page["actions"] if "again" in it["buttons"].get("action", ()))
    following = asked(client, form["address"], {**form["fields"], "action": "again"}).json()
    assert following["address"].startswith(("/en/play/", "/en/place/"))


def test_a_redirect_after_a_form_is_an_answer_with_its_address(client: Device) -> None:
    got = asked(client, address(searching()), {"action": "anew"})
    assert got.status == 200
    assert got.json()["address"].startswith("/en/place/")
    assert "Location" not in got.headers


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_challenge_says_how_the_challenger_fared_and_by_which_rules(
    language: str, client: Device
) -> None:
    first = made(challenged("milton", alone=True))
    sent_back = replace(first, answers=first.score._replace(name="Ben"))
    for challenge in (first, sent_back):
        where = link(challenge, language)
        html, page = client.get(where), asked(client, where).json()
        assert page["status"] == html.first("<h1[^>]*>(.*?)</h1>")
        assert page["challenger-won"] == "yes"
        assert page["challenger-shots"] == challenge.score.total
        assert page["rules"] in unescape(html)
        assert len(page.get("results", [])) == (2 if challenge.answers else 0)
        assert page["actions"][0]["buttons"] == {"action": ["accept"]}


def test_todays_sea_is_played_without_a_cookie() -> None:
    got = asked(Device(), "/en/daily/")
    where = got.location
    page = asked(Device(), where).json()
    assert page["day"]
    fired = asked(Device(), where, {"cell": "A1"}).json()
    assert names(fired["boards"]["enemy"])["A1"] != "unknown"


def test_a_match_at_two_devices_needs_the_seats_cookie_and_an_origin() -> None:
    first, second, stranger = Seat(), Seat(), Device()
    page = asked(first, "/en/new/short/?opponent=friend", follow=True).json()
    form = page["actions"][0]["address"]
    refused = asked(stranger, form, {"action": "quick"})
    assert (refused.status, refused.json().keys()) == (403, {"status"})
    page = asked(first, form, {"action": "quick"}).json()
    assert page["phase"] == "waiting"
    invited = asked(second, "/en" + page["invite"].removeprefix("http://localhost")).json()
    assert invited["actions"][0]["buttons"] == {"action": ["join"]}
    where = invited["actions"][0]["address"]
    joined = asked(second, where, {"action": "join"}).json()
    if "phase" not in joined:
        joined = asked(second, joined["address"], follow=True).json()
    asked(second, joined["actions"][0]["address"], {"action": "quick"})
    before = asked(first, page["address"], follow=True).json()
    seats = [first, second] if before["phase"] == "firing" else [second, first]
    before = asked(seats[0], page["address"], follow=True).json()
    assert before["phase"] == "firing"
    assert asked(stranger, before["address"]).status == 403
    after = asked(seats[0], before["address"], {"cell": "A1"}).json()
    late = asked(seats[0], before["address"], {"cell": "A2"})
    assert late.status == 409
    assert late.json()["boards"] == after["boards"] != before["boards"]


# --- errors ---


@pytest.mark.parametrize(
    ("where", "fields", "more", "expected"),
    [
        ("/en/play/x/", None, {}, 400),
        ("/en/new/nothing/", None, {}, 404),
        ("/en/new/own/?columns=99", None, {}, 422),
        ("/en/daily/?day=1990-01-01", None, {}, 422),
        ("", {"cell": "A1"}, {"origin": "https://elsewhere.example"}, 403),
        ("", {"cell": "A1"}, {"sec-fetch-site": "cross-site"}, 403),
        ("", {"file": __file__}, {"content-type": "text/plain"}, 415),
    ],
)  # fmt: skip
def test_an_error_is_one_sentence(
    where: str, fields: dict[str, str] | None, more: dict[str, str], expected: int,
    client: Device,
) -> None:  # fmt: skip
    where = where or address(opening())
    if "content-type" in more:
        got = client.post(where, b"{}", content_type=more["content-type"], headers=JSON)
    else:
        got = asked(client, where, fields, more=more)
    assert got.status == expected
    assert got.headers["Content-Type"] == "application/json"
    said = got.json()["status"]
    assert said.endswith((".", "?"))
    assert "<" not in said


def test_an_illegal_action_answers_with_the_unchanged_match(client: Device) -> None:
    where = address(opening())
    before, got = asked(client, where).json(), asked(client, where, {"cell": "Z9"})
    assert got.status == 422
    assert got.json()["status"] != before["status"]
    assert got.json()["boards"] == before["boards"]

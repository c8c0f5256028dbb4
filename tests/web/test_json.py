"""JSON at the addresses of a match (docs/api.md)."""

import re
from hashlib import sha256
from typing import Any

import pytest
from django.conf import settings

from bench.requests import expensive_requests
from game.engine.chance import Chance
from game.engine.rules import Side
from game.web.page_json import prefers_json
from tests.support import deep, site_pages
from tests.support.device import FORM, JSON, Device
from tests.support.matches import HALF_BONN, address, ended, opening, played, searching

pytestmark = pytest.mark.usefixtures("compared")

CHROME = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;"
    "q=0.8,application/signed-exchange;v=b3;q=0.7"
)


def pressed(client: Device, form: dict[str, Any], name: str, value: str) -> Any:
    """The page that answers a button of a form."""
    got = client.ask_json(form["address"], {**form["fields"], name: value})
    assert got.status == 200
    return got.json()


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
        ("application/json; charset=utf-8", True), ("Application/JSON;Charset=UTF-8", True),
        ("application/json;charset=utf-8;q=0.2, text/html;q=0.1", True),
        ("application/json ; q = 0.2, text/html ; q = 0.3", False),
        ('application/json;profile="a,b;q=0", text/html;q=0.5', True),
        ("application/json, text/plain, */*", True), ("application/*", True),
        ("text/html;q=0, */*", True), ("application/json;q=0.0", False),
        ("application/json;q=0, */*", False), ("application/json;v=2;q=0", False),
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
    got, plain = client.ask_json(where), client.get(where)
    assert got.headers["Content-Type"] == plain.headers["Content-Type"]
    assert got.status == 200
    assert "Accept" not in re.split(r",\s*", got.headers.get("Vary", ""))


# --- what it says ---


def test_fleets_say_what_is_left(client: Device) -> None:
    saved = played(opening(), 40)
    fleets = client.ask_json(address(saved)).json()["fleets"]
    for name, side in (("own", Side.FIRST), ("enemy", Side.SECOND)):
        counted = [sum(kind[of] for kind in fleets[name]) for of in ("of", "left")]
        assert counted == [10, sum(saved.match.are_afloat(side))]


# --- playing ---


@pytest.mark.parametrize("preset", ["bonn", "cmu", "salvo", "ask"])
def test_a_program_places_and_plays_by_what_is_offered(preset: str, client: Device) -> None:
    page = client.ask_json(f"/en/new/{preset}/").json()
    for action in ("random", "start"):
        assert action in page["actions"][0]["buttons"]["action"]
        page = pressed(client, page["actions"][0], "action", action)
    for number in range(6):
        if page["phase"] == "over":
            break
        form = page["actions"][-1 if page["phase"] == "waiting" else 0]
        (name, values), *_ = form["buttons"].items()
        before = page["address"]
        page = pressed(client, form, name, Chance(bytes(16), preset, number).choice(values))
        assert page["address"] != before
    assert page["phase"] in ("firing", "waiting", "over")


def test_the_end_offers_the_next_match(client: Device) -> None:
    page = client.ask_json(address(ended(HALF_BONN))).json()
    assert page["outcome"] in ("won", "lost", "draw")
    assert {"record", "recap"} <= page["links"].keys()
    assert "ships afloat" in " ".join(page["results"])
    assert sha256(page["statement"].encode()).hexdigest() == page["commitment"]
    form = next(it for it in page["actions"] if "again" in it["buttons"].get("action", ()))
    following = pressed(client, form, "action", "again")
    assert following["address"].startswith(("/en/play/", "/en/place/"))


def test_a_redirect_after_a_form_is_an_answer_with_its_address(client: Device) -> None:
    got = client.ask_json(address(searching()), {"action": "anew"})
    assert got.status == 200
    assert got.json()["address"].startswith("/en/place/")
    assert "Location" not in got.headers


# --- the same as HTML, at every address ---


@pytest.mark.parametrize(
    "most", [deep(11), pytest.param(1000, marks=pytest.mark.long)], ids=["some", "all"]
)
def test_every_request_of_the_benchmark_gets_the_same_in_json_and_in_html(
    most: int, compared: list[str]
) -> None:
    requests = [it for it in expensive_requests() if it.accept == JSON["accept"]]
    requests = [it for it in requests if it.name != "lead_on"]  # it only redirects
    for one in requests[:: max(1, len(requests) // most)]:
        Device().ask_json("/" + one.path.removeprefix(settings.PATH), one.form)
    assert len(compared) >= min(most, len(requests) - 1)
    assert [
        it for it in ("new", "place", "play", "replay") if f"/{it}/" not in " ".join(compared)
    ] == []


@pytest.mark.deep
def test_every_kind_of_page_says_the_same_in_json(compared: list[str]) -> None:
    for name in site_pages.ADDRESSES:
        Device().get(site_pages.address_of(name, "de"))
    assert len(compared) >= 25


def test_settings_say_the_same_in_json(client: Device, compared: list[str]) -> None:
    client.get(f"{address(opening())}settings/")
    assert len(compared) == 1


# --- errors ---


@pytest.mark.parametrize(
    ("where", "status", "said"),
    [
        ("play/x/", 400, "It was cut off or damaged, or it is too old."),
        ("new/nothing/", 404, "There is no page at this address."),
        ("nothing/", 404, "There is no page at this address."),
        ("new/own/?columns=99", 422, "A board has 6 to 15 columns and 6 to 15 rows."),
    ],
)  # fmt: skip
def test_an_error_is_one_sentence(where: str, status: int, said: str, client: Device) -> None:
    got = client.ask_json(f"/en/{where}")
    assert (got.status, got.headers["Content-Type"]) == (status, "application/json")
    assert got.json() == {"status": said}


def test_a_form_that_asks_for_two_things_is_refused(client: Device) -> None:
    saved = opening()
    for fields in (["cell=A1", "cell=B1"], ["cell=A1", "steer=0-fore"]):
        got = client.post(address(saved), "&".join(fields), FORM, headers=JSON)
        assert got.status == 422
        assert got.json()["status"] == "One thing at a time: a cell, a move or a question."
        assert got.json()["turn"] == 0


def test_an_illegal_action_answers_with_the_unchanged_match(client: Device) -> None:
    where = address(opening())
    before, got = client.ask_json(where).json(), client.ask_json(where, {"cell": "Z9"})
    assert got.status == 422
    assert got.json() == before | {"status": "That is not a cell of this board."}

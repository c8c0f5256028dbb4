"""Continue on the home page: what a browser keeps about the match in which it acted last."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from itertools import product

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils.crypto import get_random_string
from pytest_django import Settings

from game.display import unfinished
from game.display.unfinished import Unfinished
from game.engine.presets import PRESETS
from game.players.registry import CODES
from game.views import hooks
from game.views.cookies import CONTINUE, UNFINISHED, keep_unfinished
from tests.support.device import Device
from tests.support.matches import address, opening

QUICK = {"action": "quick"}


def everything() -> Iterator[Unfinished]:
    """Everything that the home page can say about a match."""
    it = unfinished
    opponents = (*CODES, it.ALONE, it.SHARED, it.FRIEND, "2026-11-23")
    turns = (it.YOU, it.OTHER, it.PLACING, it.WAITING, "first", "second")
    for game, opponent, turn in product((*PRESETS, *hooks.game_titles()), opponents, turns):
        yield Unfinished(game, opponent, turn, "0" * 8)


def offered(client: Device, language: str = "en") -> str:
    """Returns the match that the home page offers to continue; empty if there is none."""
    html = client.get(f"/{language}/").split("<main")[1].split("</main>")[0]
    link = re.search(
        r'id="act-continue" href="(/continue/)"><b>(?:Continue|Weiterspielen)</b>\s*'
        r"<span>(.*?)</span>",
        html,
    )
    assert bool(link) is ('action="/continue/"' in html)
    assert html.count('class="button primary"') + html.count('button class="primary"') == 1
    return unescape(link[2]) if link else ""


def led_to(client: Device) -> str:
    """Returns the address that Continue leads to."""
    answer = client.get("/continue/")
    assert (answer.status, answer.headers["Cache-Control"]) == (302, "no-store")
    assert answer.headers["X-Robots-Tag"] == "noindex"
    return answer.location


# --- what it says, and where it leads ---


@pytest.mark.parametrize(
    ("where", "fields", "english", "german"),
    [
        ("/en/new/bonn/?opponent=sailor", QUICK,
         "Moving fleets, Sailor, your turn", "Flotten in Fahrt, Matrose, du bist dran"),
        ("/en/new/milton/?opponent=alone", QUICK,
         "Classic, search alone, your turn", "Klassisch, Suche allein, du bist dran"),
    ],
)  # fmt: skip
def test_home_leads_back_to_a_match_that_has_begun(
    client: Device, where: str, fields: dict[str, str], english: str, german: str
) -> None:
    assert not offered(client)
    match = client.pressed(where, fields)
    assert (offered(client), offered(client, "de")) == (english, german)
    assert led_to(client) == match.replace("/en/", "/de/"), "the language read last"
    assert offered(client) == english
    assert led_to(client) == match


def test_it_leads_to_the_newest_state_of_the_match_acted_in_last(client: Device) -> None:
    first = client.pressed("/en/new/bonn/?opponent=sailor", QUICK)
    client.pressed("/en/new/cmu/?opponent=random", QUICK)
    assert offered(client) == "Five threes, Drifter, your turn"
    client.get(first)
    assert offered(client) == "Five threes, Drifter, your turn", "to look is not to act"
    refused = client.post(first, {"cell": "Z9"})
    assert UNFINISHED.name not in refused.cookies
    newest = client.pressed(first, {"cell": "A1"})
    assert offered(client).startswith("Moving fleets, Sailor, ")
    assert led_to(client) == newest


def test_two_persons_at_one_device_come_to_the_curtain(client: Device) -> None:
    where = "/en/new/cmu/?players=2&name1=Anna"
    for _fleet in range(2):
        assert not offered(client), "it begins once both fleets are placed"
        where = client.pressed(where, QUICK)
    assert offered(client) == "Five threes, two players, Player 1’s turn"
    html = client.see(led_to(client))
    assert 'data-phase="handover"' in html
    assert "data-board" not in html


def test_neither_a_link_that_begins_a_search_nor_a_match_of_computers_is_kept(
    client: Device,
) -> None:
    where = client.get("/en/new/cmu/?opponent=alone").location
    client.post("/en/watch/bonn/", {"mind1": "recruit", "mind2": "recruit"})
    assert not offered(client)
    client.pressed(where, {"cell": "A1"})
    assert offered(client) == "Five threes, search alone, your turn"


# --- how it goes away ---


def test_the_end_of_the_match_takes_it_away_and_that_of_another_does_not(client: Device) -> None:
    other = client.pressed("/en/new/bonn/", QUICK)
    match = client.pressed("/en/new/cmu/?opponent=random", QUICK)
    client.post(other, {"action": "resign-yes"})
    assert offered(client) == "Five threes, Drifter, your turn"
    client.post(match, {"action": "resign-yes"})
    assert not offered(client)
    assert client.get("/continue/").location == "/en/"
    assert not client.cookies[CONTINUE.name].value


def test_its_button_takes_it_away_and_no_other_site_does(client: Device) -> None:
    client.pressed("/en/new/bonn/", QUICK)
    foreign = client.post("/continue/", headers={"origin": "http://evil.example"})
    assert foreign.status == 403
    assert client.pressed("/continue/") == "/en/"
    assert not offered(client)


@pytest.mark.parametrize("spoil", ["cut", "foreign view", "no token"])
def test_a_token_that_no_longer_opens_gets_one_sentence_and_is_forgotten(
    client: Device, spoil: str
) -> None:
    client.pressed("/en/new/bonn/", QUICK)
    view, token = CONTINUE.value(client.cookies[CONTINUE.name].value)
    kept = {"cut": (view, token[:-5]), "foreign view": ("record", token), "no token": (view, "")}
    client.cookies[CONTINUE.name] = CONTINUE.text(kept[spoil])
    answer = client.get("/continue/")
    assert answer.status == 400
    assert answer.says.startswith("It was cut off or damaged")
    assert not offered(client)


def test_a_match_that_is_no_longer_open_is_forgotten(client: Device, settings: Settings) -> None:
    old = replace(opening(), setup=replace(opening().setup, started_hour=1))
    client.pressed(address(old), {"hints": "on"})
    settings.MATCH_DAYS = 7
    answer = client.get("/continue/")
    assert (answer.status, answer.headers["Cache-Control"]) == (410, "no-store")
    assert not offered(client)


# --- the cookies ---


def test_home_is_not_stored_as_it_says_what_a_browser_keeps(client: Device) -> None:
    answer = client.get("/en/")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Cookie" in answer.headers["Vary"]


def test_every_match_is_said_in_words() -> None:
    for one in everything():
        own = hooks.game_titles().get(one.game)
        title = own() if own else PRESETS[one.game].title
        assert one.line(title).split(", ")[0] == title


def test_a_match_too_long_for_a_cookie_is_not_offered() -> None:
    request = RequestFactory().get("/")
    found, response = Unfinished("bonn", "captain", "you", "0" * 8), HttpResponse()
    keep_unfinished(request, response, found, "play", get_random_string(4_000))
    assert not response.cookies[UNFINISHED.name].value
    assert not response.cookies[CONTINUE.name].value

"""Continue on the home page: what a browser keeps about the match in which it acted last."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from html import unescape
from itertools import product

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from game.display import unfinished
from game.display.unfinished import Unfinished, parse_unfinished
from game.engine.presets import PRESETS
from game.matches import results
from game.matches.daily import preset_of
from game.matches.results import MOST_ENTRIES, Results
from game.players.registry import CODES
from game.views import places
from game.views.cookies import RESULTS, UNFINISHED, UNFINISHED_TOKEN, uncover
from game.views.preferences import CHOICES, Preferences
from game.web.forms import clean_name
from tests.support.days import DAY, GAMES, NOON, TODAY, acted, begun
from tests.support.device import Device
from tests.support.features import brought, merged
from tests.support.matches import address, opening, saved_at

QUICK = {"action": "quick"}


def everything() -> Iterator[Unfinished]:
    """Everything that the home page can say about a match."""
    it = unfinished
    opponents = (*CODES, it.ALONE, it.SHARED, it.FRIEND, "2026-11-23")
    turns = (it.YOU, it.OTHER, it.PLACING, it.WAITING, "first", "second")
    for game, opponent, turn in product((*PRESETS, *places.games()), opponents, turns):
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
    assert UNFINISHED not in refused.cookies
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
    assert not client.cookies[UNFINISHED_TOKEN].value


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
    token = client.cookies[UNFINISHED_TOKEN].value
    client.cookies[UNFINISHED_TOKEN] = {
        "cut": token[:-5], "foreign view": token.replace("play/", "record/"), "no token": "play/",
    }[spoil]  # fmt: skip
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


def test_the_cookies_are_the_sites_own_and_the_token_is_for_one_address(client: Device) -> None:
    answer = client.post("/en/new/bonn/", QUICK, secure=True)
    for name, path in ((UNFINISHED, "/"), (UNFINISHED_TOKEN, "/continue/")):
        cookie = answer.cookies[name]
        assert (cookie["path"], cookie["samesite"], cookie["httponly"]) == (path, "Lax", True)
        assert cookie["secure"]
    assert saved_at(answer.location).match.seed.hex()[:8] not in str(answer.cookies)


def test_home_is_not_stored_as_it_says_what_a_browser_keeps(client: Device) -> None:
    answer = client.get("/en/")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Cookie" in answer.headers["Vary"]


ON_ABOUT = {
    "language": "your language", "preferences": "your settings",
    RESULTS: "your results of up to 32",
    UNFINISHED: "you have not finished",
    UNFINISHED_TOKEN: "you have not finished", "uncovered": "20 seconds",
    "wrecks": "a shot at a wreck", **merged("ON_ABOUT"),
}  # fmt: skip
"""What the page about the game says of each cookie."""


@pytest.mark.usefixtures("chain_file")
def test_all_cookies_together_fit_into_a_request(client: Device, clock: list[datetime]) -> None:
    sundays = (TODAY + number * DAY for number in range(99))
    sunday = next(day for day in sundays if preset_of(day) == "bonn")
    for number in range(-3, 3):
        clock[0] = datetime.combine(sunday + number * DAY, NOON.timetz())
        for game in GAMES.values():
            where = begun(client, f"/en/{game.page}")
            acted(client, where, *game.misses(where))
    kept = [name for name in client.cookies if client.cookies[name].value and "-20" in name]
    assert {*kept} == {
        f"{game.cookie}{sunday + number * DAY}" for game in GAMES.values() for number in (1, 2)
    }
    assert all(len(client.cookies[name].value) > 200 for name in kept)
    usual = Preferences()
    chosen = {
        name: max((one for one in values if one != getattr(usual, name)), key=len)
        for name, values in CHOICES.items()
    }
    longest = max((str(one) for one in everything()), key=len)
    assert len(f"{UNFINISHED}={longest}") <= 60
    many = Results()
    for number in range(MOST_ENTRIES):
        many = many.with_first(number % 3, str(number), results.MOST_RESULT)
    shown_once = HttpResponse()
    uncover(RequestFactory().get("/"), shown_once, "A" * 4_000)
    cookies = {name: client.cookies[name].value for name in kept} | {
        **{
            name: text
            for found in brought("longest_cookies").values()
            for name, text in found().items()
        },
        "preferences": str(
            replace(usual.changed(chosen), name=clean_name("\N{HIRAGANA LETTER A}" * 20))
        ),
        "language": "de",
        UNFINISHED: longest,
        RESULTS: results.seal(many),
        "uncovered": shown_once.cookies["uncovered"].value,
        "wrecks": "A" * 44,
    }
    sent = "; ".join(f"{name}={value}" for name, value in cookies.items())
    assert len(sent.encode()) < 6_000
    client.cookies.load(cookies)
    for where in ("", "settings/", "about/", "new/bonn/"):
        assert client.get(f"/en/{where}", follow=True).status == 200
    about = client.get("/en/about/")
    assert all(phrase in about for phrase in ON_ABOUT.values())
    assert ON_ABOUT.keys() == {re.sub(r"\d.*", "", name) for name in {*cookies, UNFINISHED_TOKEN}}
    token = "A" * (4094 - len("POST /de/play// HTTP/1.1"))
    last = f"{UNFINISHED_TOKEN}=play/{token}"
    assert len(last) <= 4096, "what browsers keep"
    assert len(f"{sent}; {last}".encode()) < 10_000


def test_each_match_is_read_as_it_was_written_and_said_in_words() -> None:
    for one in everything():
        assert parse_unfinished(str(one), places.games()) == one
        own = places.games().get(one.game)
        title = own() if own else PRESETS[one.game].title
        assert one.line(title).split(", ")[0] == title


@pytest.mark.parametrize("text", ["", "bonn.sailor.you", "nothing.sailor.you.00000000", "é" * 9])
def test_any_other_text_is_no_match(text: str) -> None:
    assert parse_unfinished(text) is None

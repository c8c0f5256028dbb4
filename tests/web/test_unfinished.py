"""Continue on the home page: what a browser keeps about the match in which it acted last."""

import re
from html import unescape

import pytest

from game.views.cookies import CONTINUE, UNFINISHED
from tests.support.device import Device

QUICK = {"action": "quick"}


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

"""The next match: begun at once if the last fleet was dealt, laid out if the player placed it."""

import pytest

from game.matches.saved import SavedMatch
from game.matches.setup import Tally
from tests.support.device import HTMX, Device
from tests.support.matches import saved_at, with_setup
from tests.support.page import Page

FLEET = ["A1h5", "A3h4", "C5h3", "E7h3", "G9h2"]
NEW = "/en/new/milton/?opponent=sailor"
SHARE = "ffeeddccbbaa99887766554433221100"
Fields = dict[str, str | list[str]]
AGAIN: Fields = {"action": "again"}
QUICK: Fields = {"action": "quick"}
RANDOM: Fields = {"action": "random"}
PLACED: Fields = {"action": "start", "ship": FLEET}


def given_up(client: Device, where: str) -> Page:
    """The end of a match that the player gives up."""
    return client.see(client.pressed(where, {"action": "resign-yes"}))


def ended(client: Device, fields: Fields) -> Page:
    """The end of a match whose fleet was placed by this form, which starts it."""
    return given_up(client, client.pressed(client.see(NEW).form, fields))


def fleet(saved: SavedMatch) -> list[str]:
    return [str(ship) for ship in saved.match.fleets[0]]


def same_hour(saved: SavedMatch) -> SavedMatch:
    """Returns the match without its hour, because the next hour may have begun."""
    return with_setup(saved, started_hour=None)


def test_a_dealt_fleet_is_followed_by_another_and_two_presses_are_one_match(client: Device) -> None:
    html, fleets = ended(client, QUICK), []
    for number in range(3):
        where, server_hash = html.again, html.attribute("data-noted")
        once, twice = (saved_at(client.pressed(where, AGAIN | {"half": SHARE})) for _ in range(2))
        assert same_hour(once) == same_hour(twice)
        assert once.match.outcome is None
        assert once.setup.opponent == "sailor"
        assert once.setup.tally.rounds == number + 1
        shares = once.setup.seed_shares
        assert shares
        assert (shares.server_seed_hash, shares.client) == (server_hash, SHARE)
        assert once.match.seed == shares.seed
        fleets.append(tuple(fleet(once)))
        html = given_up(client, client.pressed(where, AGAIN))
    assert len(set(fleets)) == 3


def test_a_fleet_that_was_placed_lies_ready(client: Device) -> None:
    html = ended(client, PLACED)
    assert "data-noted" not in html, "the share is sent by the start, and this form starts nothing"
    where = client.pressed(html.again, AGAIN)
    html = client.see(where)
    assert (html.attribute("data-phase"), html.ships) == ("placing", FLEET)
    assert 'class="primary"' in html.first(r'<button id="act-start"[^>]*>')
    assert html.attribute("data-noted")
    saved = saved_at(client.pressed(where, PLACED))
    assert (fleet(saved), saved.setup.tally.rounds) == (FLEET, 1)


@pytest.mark.parametrize(
    ("steps", "is_dealt"),
    [
        ([RANDOM], True),
        ([{"ship": FLEET, "action": "random"}], True),
        ([RANDOM, RANDOM], True),
        ([{"place": "A1"}, RANDOM], False),
        ([RANDOM, {"action": "clear"}, {"action": "keep", "ship": FLEET}], False),
    ],
)
def test_a_ship_placed_by_hand_makes_the_fleet_the_players_own(
    client: Device, steps: list[Fields], is_dealt: bool
) -> None:
    where = client.see(NEW).form
    for fields in steps:
        where = client.pressed(where, {"ship": client.see(where).ships, **fields})
    start = {"action": "start", "ship": client.see(where).ships}
    html = given_up(client, client.pressed(where, start))
    following = client.see(client.pressed(html.again, AGAIN))
    assert (following.attribute("data-phase") == "firing") is is_dealt
    html = given_up(client, client.pressed(where, PLACED))
    assert client.see(client.pressed(html.again, AGAIN)).ships == FLEET, "as dragged"


@pytest.mark.parametrize("fields", [QUICK, PLACED])
def test_another_opponent_plays_from_the_first_round(client: Device, fields: Fields) -> None:
    html = ended(client, fields)
    for name, value in (("easier", "recruit"), ("harder", "captain")):
        assert html.first(rf'id="act-{name}"\s+name="against"\s+value="(\w+)"') == value
        where = client.pressed(html.again, {"against": value})
        if "/place/" in where:
            assert client.see(where).ships == FLEET
            where = client.pressed(where, PLACED)
        setup = saved_at(where).setup
        assert (setup.opponent, setup.tally) == (value, Tally())
    for nobody in ("nobody", ""):
        answer = client.post(html.again, {"against": nobody})
        assert (answer.status, answer.says) == (422, "That is not one of the choices.")


@pytest.mark.usefixtures("compared")
def test_a_script_gets_the_match_in_place_and_back_leads_to_the_end(client: Device) -> None:
    html = ended(client, QUICK)
    answer = client.post(html.again, AGAIN, headers=HTMX)
    assert answer.attribute("data-phase") == "firing"
    assert saved_at(answer.headers["HX-Push-Url"]).match.outcome is None
    assert "HX-Replace-Url" not in answer.headers
    html = ended(client, PLACED)
    answer = client.post(html.again, AGAIN, headers=HTMX)
    assert "/place/" in answer.headers["HX-Redirect"], "that page has scripts of its own"


@pytest.mark.parametrize("preset", ["bonn", "cmu", "ask"])
def test_in_every_game_another_match_begins_by_one_press(client: Device, preset: str) -> None:
    html = given_up(client, client.pressed(f"/en/new/{preset}/?opponent=random", QUICK))
    where = client.pressed(html.again, AGAIN)
    assert saved_at(where).setup.preset.name == preset
    assert client.see(where).attribute("data-phase") == "firing"

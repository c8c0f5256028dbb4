"""The next match: begun at once if the last fleet was dealt, laid out if the player placed it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.engine.presets import PRESETS
from game.matches.saved import SavedMatch
from game.matches.setup import Tally
from tests.support.client import FormClient
from tests.support.matches import saved_at
from tests.support.pages import again_of, attribute, find, form_of, page, ships, status

FLEET = ["A1h5", "A3h4", "C5h3", "E7h3", "G9h2"]
NEW = "/en/new/milton/?opponent=sailor"
SHARE = "ffeeddccbbaa99887766554433221100"
AGAIN = {"action": "again"}
Fields = dict[str, str | list[str]]


def pressed(client: FormClient, where: str, **fields: str | list[str]) -> str:
    answer = client.post(where, fields)
    assert answer.status_code == 303, status(answer.content.decode())
    return str(answer["Location"])


def ended(client: FormClient, *steps: Fields) -> str:
    """The end of a match whose fleet was placed by these forms, the last of which starts it."""
    where = form_of(page(client, NEW))
    for fields in steps:
        where = pressed(client, where, **fields)
    return page(client, pressed(client, where, action="resign-yes"))


def fleet(saved: SavedMatch) -> list[str]:
    return [str(ship) for ship in saved.match.fleets[0]]


def same_hour(saved: SavedMatch) -> SavedMatch:
    """Returns the match without its hour, because the next hour may have begun."""
    return replace(saved, setup=replace(saved.setup, started_hour=None))


RANDOM: Fields = {"action": "random"}
START: Fields = {"action": "start"}


def test_a_dealt_fleet_is_followed_by_another_and_two_presses_are_one_match(
    client: FormClient,
) -> None:
    html, fleets = ended(client, {"action": "quick"}), []
    for number in range(3):
        where, server_hash = again_of(html), attribute(html, "data-noted")
        once, twice = (
            saved_at(pressed(client, where, action="again", half=SHARE)) for _press in range(2)
        )
        assert same_hour(once) == same_hour(twice)
        assert once.match.outcome is None
        assert once.setup.opponent == "sailor"
        assert once.setup.tally.rounds == number + 1
        shares = once.setup.seed_shares
        assert shares
        assert (shares.server_seed_hash, shares.client) == (server_hash, SHARE)
        assert once.match.seed == shares.seed
        fleets.append(tuple(fleet(once)))
        html = page(client, pressed(client, pressed(client, where, **AGAIN), action="resign-yes"))
    assert len(set(fleets)) == 3


def test_a_fleet_that_was_placed_lies_ready(client: FormClient) -> None:
    html = ended(client, {**START, "ship": FLEET})
    assert "data-noted" not in html, (
        "the seed share is sent by the start, and this form starts nothing"
    )
    where = pressed(client, again_of(html), **AGAIN)
    html = page(client, where)
    assert (attribute(html, "data-phase"), ships(html)) == ("placing", FLEET)
    assert 'class="primary"' in find(r'<button id="act-start"[^>]*>', html)[0]
    assert attribute(html, "data-noted")
    saved = saved_at(pressed(client, where, action="start", ship=FLEET))
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
    client: FormClient, steps: list[Fields], is_dealt: bool
) -> None:
    where = form_of(page(client, NEW))
    for fields in steps:
        shown = ships(page(client, where))
        where = pressed(client, where, **{"ship": shown, **fields})
    start: Fields = {"action": "start", "ship": ships(page(client, where))}
    html = page(client, pressed(client, pressed(client, where, **start), action="resign-yes"))
    following = page(client, pressed(client, again_of(html), **AGAIN))
    assert (attribute(following, "data-phase") == "firing") is is_dealt
    start["ship"] = FLEET
    html = page(client, pressed(client, pressed(client, where, **start), action="resign-yes"))
    assert ships(page(client, pressed(client, again_of(html), **AGAIN))) == FLEET, "as dragged"


@pytest.mark.parametrize("steps", [[RANDOM, START], [{**START, "ship": FLEET}]])
def test_another_opponent_plays_from_the_first_round(
    client: FormClient, steps: list[Fields]
) -> None:
    if steps[0] is RANDOM:
        steps = [{"action": "quick"}]
    html = ended(client, *steps)
    for name, value in (("easier", "recruit"), ("harder", "captain")):
        button = find(rf'id="act-{name}"\s+name="against"\s+value="(\w+)"', html)
        assert button[1] == value
        where = pressed(client, again_of(html), against=value)
        if "/place/" in where:
            assert ships(page(client, where)) == FLEET
            where = pressed(client, where, action="start", ship=FLEET)
        setup = saved_at(where).setup
        assert (setup.opponent, setup.tally) == (value, Tally())
    for nobody in ("nobody", ""):
        answer = client.post(again_of(html), {"against": nobody})
        assert answer.status_code == 422
        assert status(answer.content.decode()) == "That is not one of the choices."


def test_a_script_gets_the_match_in_place_and_back_leads_to_the_end(client: FormClient) -> None:
    html = ended(client, {"action": "quick"})
    answer = client.post(again_of(html), AGAIN, headers={"hx-request": "true"})
    assert attribute(answer.content.decode(), "data-phase") == "firing"
    assert saved_at(answer["HX-Push-Url"]).match.outcome is None
    assert "HX-Replace-Url" not in answer
    html = ended(client, {**START, "ship": FLEET})
    answer = client.post(again_of(html), AGAIN, headers={"hx-request": "true"})
    assert "/place/" in answer["HX-Redirect"], "that page has scripts of its own"


@pytest.mark.parametrize("preset", PRESETS)
def test_in_every_game_another_match_begins_by_one_press(client: FormClient, preset: str) -> None:
    where = pressed(client, f"/en/new/{preset}/?opponent=random", action="quick")
    html = page(client, pressed(client, where, action="resign-yes"))
    where = pressed(client, again_of(html), **AGAIN)
    assert saved_at(where).setup.preset.name == preset
    assert attribute(page(client, where), "data-phase") == "firing"

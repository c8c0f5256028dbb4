"""Placing a fleet through the form, as it works without any script."""

from __future__ import annotations

import re

import pytest

from tests.support.device import Device
from tests.support.page import Page

NEW = "/en/new/bonn/"
FLEET = ["A1h5", "A3h4", "F3h4", "A5h3", "E5h3", "J5v3", "A7h2", "D7h2", "G7h2", "A9h2"]


def post(client: Device, address: str, **fields: str | list[str]) -> tuple[int, Page]:
    answer = client.post(address, fields)
    if answer.status == 303:
        answer = client.get(answer.location)
    return answer.status, answer


@pytest.mark.parametrize(
    ("fields", "placed"),
    [
        ({"place": "C4", "pick": "4", "direction": "v"}, ["C4v4"]),
        ({"place": "C4"}, ["C4h5"]),  # the longest that is missing
        ({"place": "J10", "pick": "4", "direction": "h"}, ["G10h4"]),
        ({"ship": ["C4h3"], "turn": "D4"}, ["C4v3"]),
        ({"ship": ["C10h3"], "turn": "C10"}, ["C8v3"]),
        ({"ship": FLEET, "action": "clear"}, []),
    ],
)
def test_a_ship_is_placed_by_its_bow_turns_about_it_slides_in_from_the_edge_and_is_cleared(
    client: Device, fields: dict[str, str | list[str]], placed: list[str]
) -> None:
    _, html = post(client, NEW, **fields)
    assert html.ships == placed


def picked_up(client: Device) -> tuple[str, Page]:
    """The address and the page after a click on the second cell of a placed ship."""
    where = client.post(NEW, {"ship": ["C4v3", "A1h5"], "place": "C5"}).location
    return where, client.get(where)


def test_a_click_on_a_placed_ship_picks_it_up_where_it_lies(client: Device) -> None:
    _, html = picked_up(client)
    assert sorted(html.ships) == ["A1h5", "C4v3"]
    assert re.search(r'class="hull is-picked" [^>]*data-x="2" data-y="3"', html)
    assert not re.search(r'name="pick" value="\d" checked', html)
    assert 'name="direction" value="v" checked' in html


@pytest.mark.parametrize(
    ("fields", "lies"),
    [
        ({"place": "F7"}, "F7v3"),
        ({"place": "F7", "direction": "h"}, "F7h3"),
        ({"place": "C5", "direction": "h"}, "C4v3"),
        ({"turn": "C4"}, "C4h3"),
    ],
)
def test_a_ship_picked_up_is_moved_turned_or_put_down(
    client: Device, fields: dict[str, str], lies: str
) -> None:
    where, html = picked_up(client)
    _, html = post(client, where, **{"direction": "v"} | fields, ship=html.ships)
    assert sorted(html.ships) == ["A1h5", lies]
    assert ("is-picked" in html) == ("turn" in fields)


def test_a_ship_picked_up_stays_where_it_can_not_be_moved(client: Device) -> None:
    where, html = picked_up(client)
    html = client.post(where, {"ship": html.ships, "place": "A2", "direction": "v"})
    assert html.status == 422
    assert sorted(html.ships) == ["A1h5", "C4v3"]
    assert "is-picked" in html


@pytest.mark.parametrize("let_go", [{"pick": "2", "place": "F7"}, {"action": "random"}])
def test_a_ship_is_let_go_by_choosing_another_or_by_chance(
    client: Device, let_go: dict[str, str]
) -> None:
    where, html = picked_up(client)
    _, html = post(client, where, **let_go, ship=html.ships, direction="h")
    assert {"A1h5", "C4v3"} < set(html.ships)
    assert "is-picked" not in html


def test_the_ship_placed_last_goes_back_into_the_hand(client: Device) -> None:
    _, html = post(client, NEW, ship=["A1h5", "C4v3", "E4v3"], action="undo")
    assert html.ships == ["A1h5", "C4v3"]
    assert 'value="3" checked' in html
    assert 'name="direction" value="v" checked' in html


def test_cells_chosen_for_a_ship_go_back_before_any_ship(client: Device) -> None:
    there = client.post("/en/new/cmu/", {"ship": ["A1h3"], "place": "C4"}).location
    assert 'is-tried"' in client.get(there)
    _, html = post(client, there, ship=["A1h3"], action="undo")
    assert 'is-tried"' not in html
    assert html.ships == ["A1h3"]


def test_the_page_names_the_ship_placed_last_and_offers_to_turn_it(client: Device) -> None:
    _, html = post(client, NEW, ship=["A1h5", "C4v3"], action="keep")
    assert "Destroyer at C4" in html
    assert re.search(r'name="turn" value="C4">', html)
    empty = client.get(NEW)
    assert re.search(r'name="turn" value="" disabled>', empty)
    assert re.search(r'name="action" value="undo" aria-disabled="true"', empty)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"ship": ["A1h5"], "place": "A2", "pick": "4"},
            "Cruiser at A2: Ships must not touch, not even at the corners.",
        ),
        (
            {"ship": ["A1h5"], "place": "F2", "pick": "4"},
            "Cruiser at F2: Ships must not touch, not even at the corners.",
        ),
        (
            {"ship": ["A1h5", "C3h4", "C7h3"], "turn": "D3"},
            "Cruiser at C3 can’t turn. Ships must not touch, not even at the corners.",
        ),
        ({"action": "undo"}, "No ship is placed yet."),
        ({"turn": ""}, "No ship is placed yet."),
        ({"place": "K1"}, "not a cell"),
        ({"place": "A0"}, "not a cell"),
        ({"place": "٣"}, "not a cell"),
        ({"ship": ["A1h5", "A1h5"], "action": "random"}, "not the ships of this fleet"),
        ({"ship": ["A1h4", "A2h4"], "action": "random"}, "must not touch"),
        ({"ship": ["A1h4", "A1v4"], "action": "start"}, "same cell"),
        ({"ship": ["H1h4"], "action": "start"}, "over the edge"),
        ({"ship": ["nonsense"], "action": "start"}, "No ship can lie there."),
        ({"ship": FLEET[:-1], "action": "start"}, "1 ship left to place"),
        ({"action": "start"}, "10 ships left to place"),
        ({"ship": ["A1h5"], "turn": "J9"}, "No ship can lie there."),
    ],
)
def test_an_illegal_step_is_refused_in_one_sentence(
    client: Device, fields: dict[str, list[str] | str] | dict[str, str], sentence: str
) -> None:
    code, html = post(client, NEW, **fields)
    assert code == 422
    assert sentence in html.says
    assert html.ships == []


def test_an_illegal_step_leaves_the_fleet_in_the_address_as_it_was(client: Device) -> None:
    first = client.post(NEW, {"ship": FLEET[:3], "action": "keep"}).location
    code, html = post(client, first, ship=FLEET[:3], place="A2", pick="2")
    assert code == 422
    assert html.ships == FLEET[:3]


def test_after_a_refusal_the_chosen_ship_and_direction_stay_in_hand(client: Device) -> None:
    _, html = post(client, NEW, ship=["A1h5"], place="B2", pick="2", direction="v")
    assert 'value="2" checked' in html
    assert 'name="direction" value="v" checked' in html


@pytest.mark.parametrize("fields", [{}, {"action": "bogus"}, {"ship": FLEET}])
def test_a_form_that_asks_for_nothing_is_told_so(
    client: Device, fields: dict[str, str] | dict[str, list[str]]
) -> None:
    code, html = post(client, NEW, **fields)
    assert code == 422
    assert "Nothing was chosen" in html.says


def test_random_completes_what_is_placed_and_replaces_a_whole_fleet(client: Device) -> None:
    _, html = post(client, NEW, ship=FLEET[:4], action="random")
    assert html.ships[:4] == FLEET[:4]
    assert len(html.ships) == 10
    _, html = post(client, NEW, ship=FLEET, action="random")
    assert len(html.ships) == 10
    assert html.ships != FLEET


def test_missing_ships_that_no_longer_fit_are_told_so(client: Device) -> None:
    # All but the battleship, and no five free cells in a line are left for it.
    part = ["F5h4", "B1v4", "F9h3", "A8v3", "D1v3", "F1v2", "C7v2", "H7h2", "H2h2"]
    code, html = post(client, NEW, ship=part, action="random")
    assert code == 422
    assert "no longer fit" in html.says


def test_a_whole_fleet_starts_a_match_in_any_order(client: Device) -> None:
    code, html = post(client, NEW, ship=FLEET[::-1], action="start")
    assert code == 200
    assert html.attribute("data-phase") == "firing"


def test_blocked_cells_are_shown(client: Device) -> None:
    _, html = post(client, NEW, ship=["A1h2"], action="keep")
    for cell, is_blocked in {"C1": True, "A2": True, "C2": True, "D1": False}.items():
        assert (f'data-cell="{cell}" data-state="sea" class="is-blocked"' in html) is is_blocked


def test_the_address_of_a_draft_keeps_it_in_the_other_language(client: Device) -> None:
    there = client.post(NEW, {"ship": FLEET[:3], "pick": "2", "direction": "v", "action": "keep"})
    english = client.get(there.location)
    german = client.get(there.location.replace("/en/", "/de/"))
    assert german.ships == english.ships == FLEET[:3]
    assert 'value="2" checked' in german
    assert 'name="direction" value="v" checked' in german


def test_the_options_of_an_address_reach_the_match(client: Device) -> None:
    options = "?opponent=random&again=off&moving=off&hints=on&begins=computer"
    _, html = post(client, NEW + options, action="quick")
    assert "One shot a turn." in html
    assert "one ship may move" not in html
    assert re.search(r'name="hints" value="off" aria-pressed="true"', html)
    assert html.attribute("data-turn") == "1"  # the computer has had its turn


@pytest.mark.parametrize("options", ["?opponent=nobody", "?again=maybe&moving=", "?begins=moon"])
def test_odd_options_are_taken_as_the_preset_has_them(client: Device, options: str) -> None:
    assert client.get(NEW + options).status == 200


# --- a match that starts by itself ---


def started(client: Device, address: str, **fields: str | list[str]) -> bool:
    """Whether the form's answer leads to a match."""
    answer = client.post(address, fields)
    assert answer.status == 303
    return "/play/" in answer.location


@pytest.mark.parametrize("fields", [{"place": "A9", "pick": "2"}, {"action": "random"}])
def test_with_the_last_ship_the_match_starts_where_that_is_preferred(
    client: Device, fields: dict[str, str]
) -> None:
    assert not started(client, NEW, ship=FLEET[:-1], **fields)
    client.cookies["preferences"] = "start_at_last:on"
    assert started(client, NEW, ship=FLEET[:-1], **fields)
    assert not started(client, NEW, ship=FLEET[:-2], place="A9", pick="2")
    assert "With the last ship the match starts by itself." in client.get(NEW)


def test_a_ship_that_is_moved_in_a_whole_fleet_starts_nothing_by_itself(client: Device) -> None:
    whole = client.post(NEW, {"ship": FLEET, "action": "keep"}).location
    client.cookies["preferences"] = "start_at_last:on"
    assert not started(client, whole, ship=FLEET[:-1], place="G9", pick="2")
    assert not started(client, whole, ship=FLEET, action="random")
    assert not started(client, whole, ship=FLEET, turn="G7")
    assert started(client, whole, ship=FLEET, action="start")


def test_a_fleet_placed_cell_by_cell_starts_with_its_last_cell(client: Device) -> None:
    client.cookies["preferences"] = "start_at_last:on"
    where = "/en/new/cmu/"
    fleet = ["A1h3", "A3h3", "A5h3", "A7h3"]
    assert not started(client, where, ship=fleet, place="A9")
    where = client.post(where, {"ship": fleet, "place": "A9"}).location
    where = client.post(where, {"ship": fleet, "place": "B9"}).location
    assert started(client, where, ship=fleet, place="C9")


def test_the_last_ship_of_the_first_of_two_persons_hands_over(client: Device) -> None:
    client.cookies["preferences"] = "start_at_last:on"
    where = f"{NEW}?players=2"
    answer = client.post(where, {"ship": FLEET[:-1], "action": "random"})
    html = client.get(answer.location)
    assert 'data-phase="handover"' in html
    assert html.ships == []

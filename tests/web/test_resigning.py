"""Giving up: after one question, at any time, and shown wherever the match is shown."""

import re

import pytest

from game.display.replay import last_step
from game.engine.geometry import Cell
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from tests.support.device import Device
from tests.support.matches import address, ended, opening, played, public_replay_address, saved_at

ASK, YES = {"action": "resign"}, {"action": "resign-yes"}


def given_up(saved: SavedMatch) -> SavedMatch:
    return saved.resigned(saved.viewer)


@pytest.mark.parametrize("preset", ["bonn", "milton", "salvo"])
def test_a_match_of_any_preset_is_given_up_after_one_question(client: Device, preset: str) -> None:
    where = client.pressed(f"/en/new/{preset}/", {"action": "quick"})
    assert "resign" in client.see(where).values("action")
    asked = client.post(where, ASK)
    assert (asked.status, asked.attribute("data-phase")) == (200, "firing")
    assert 'value="resign-yes"' in asked
    assert 'value="resign-yes"' not in client.see(where), "a question is not kept"
    where = client.pressed(where, YES)
    html = client.see(where)
    end = [html.attribute(f"data-{name}") for name in ("phase", "outcome", "reason")]
    assert end == ["over", "lost", "resigned"]
    assert "You gave up." in html
    assert not re.search(r'data-(you|foe)="', html), "no shot is shown once more"
    saved = saved_at(where)
    shown, board = html.cells("enemy"), saved.match.ruleset.board
    for ship in saved.match.placements(Side.SECOND):
        assert {shown[board.name(cell)] for cell in ship.cells} <= {"ship", "hit", "sunk"}
    for kind in ("enemy",) if saved.setup.is_solo else ("enemy", "own"):
        blank = [name for name, state in html.cells(kind).items() if state == "sea"]
        assert len(blank) == board.size - sum(saved.match.ruleset.fleet)
        assert all(f">{name}, water<" in html for name in blank)


def test_a_match_is_given_up_in_the_middle_of_a_salvo(client: Device) -> None:
    saved = played(opening(PRESETS["salvo"].ruleset), 7)
    assert saved.match.aimed
    where = client.pressed(address(saved), YES)
    assert saved_at(where).match.actions == saved.match.actions
    assert "aimed at" in client.see(where.replace("/play/", "/replay/"))


def test_what_is_over_is_not_given_up(client: Device) -> None:
    for over in (ended(), given_up(opening())):
        for form, said in ((ASK, "Nothing was chosen."), (YES, "This match is over.")):
            answer = client.post(address(over), form)
            assert (answer.status, answer.says) == (422, said)


def test_of_two_at_one_device_the_one_who_acts_gives_up(client: Device) -> None:
    match = opening(PRESETS["milton"].ruleset).match.fire(Cell(0))
    setup = Setup(match.ruleset, (None, None), person_names=("Anna", "Ben"))
    where = address(SavedMatch(setup, match))
    assert 'value="resign-yes"' in client.post(where, ASK)
    html = client.see(client.pressed(where, YES))
    assert (html.game["data-outcome"], html.game["data-reason"]) == ("first", "resigned")
    assert html.says == "Ben gave up: Anna wins."


def test_the_recap_ends_with_giving_up(client: Device) -> None:
    saved = given_up(played(opening(), 20))
    where, last = address(saved, page="replay"), last_step(saved.match)
    html = client.see(f"{where}?step={last}")
    turn = saved.match.turn // 2 + 1
    assert html.says == f"Step {last} of {last}. Turn {turn}. You: gave up"
    assert html.attribute("data-reason") == "resigned"
    assert client.see(f"{where}?step={last + 5}").says == html.says
    assert f"Step {last - 1} of {last}." in client.see(f"{where}?step={last - 1}")
    assert "gave up" in client.see(f"{public_replay_address(saved)}?step={last}").says

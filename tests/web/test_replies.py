"""A long reply of the computer is played in parts, one part for each answer."""

import re
from dataclasses import replace

import pytest

from game.engine.presets import OWN
from game.engine.rules import Ruleset, Side
from game.matches.draft import Draft
from game.matches.referee import most_at_once
from game.matches.setup import Setup
from tests.support.device import Device
from tests.support.matches import address, draft_address, opening, saved_at

FULL = Ruleset(rows=6, fleet=(1,) * 60, touching=True, moving=False, turns=None, begins=Side.SECOND)
"""Rules without water, so that each shot hits and the side fires again."""


def begun(client: Device) -> str:
    """The address of a match in which the computer has not finished its reply."""
    draft = Draft(Setup(FULL, (None, "camlship-easy"), preset=OWN))
    return client.pressed(draft_address(draft), {"action": "quick"})


def test_a_reply_is_done_in_parts_and_is_the_one_that_it_would_have_been(client: Device) -> None:
    where, parts = begun(client), 1
    first, most = saved_at(where), most_at_once(FULL)
    assert first.is_minds_turn
    whole = replace(first, match=first.match.at(0)).with_minds_played()
    while (saved := saved_at(where)).is_minds_turn:
        assert saved.match.ply == parts * most
        where = client.post(where, {"action": "go on"}).location
        parts += 1
    assert parts > 1
    assert saved_at(where).match == whole.match
    html = client.get(where)
    assert html.attribute("data-phase") in ("firing", "over")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "The computer plays on."), ("de", "Der Computer spielt weiter.")]
)
def test_meanwhile_the_page_waits_and_goes_on_by_itself_or_by_a_button(
    client: Device, language: str, said: str
) -> None:
    where = begun(client).replace("/en/", f"/{language}/")
    html = client.get(where)
    assert html.attribute("data-phase") == "waiting"
    assert html.says.endswith(said)
    button = html.first(r'<form[^>]*hx-trigger="load[^>]*>\s*<button id="act-go-on"[^>]*>')
    assert 'name="action" value="go on"' in button
    assert 'name="cell"' not in html.split('data-board="enemy"')[1].split("</form>")[0]
    other = client.get(where.replace(f"/{language}/", "/de/" if language == "en" else "/en/"))
    assert other.attribute("data-phase") == "waiting"


@pytest.mark.parametrize("form", [{"cell": "A1"}, {"steer": "stay"}, {"action": "par"}, {}])
def test_nobody_acts_for_the_computer(client: Device, form: dict[str, str]) -> None:
    where = begun(client)
    answer = client.post(where, form)
    assert (answer.status, answer.says) == (422, "The computer plays on.")
    assert answer.form == where


def test_one_may_give_up_and_change_help_while_the_computer_is_at_it(client: Device) -> None:
    """The question whether to give up stays until it is answered."""
    where = begun(client)
    assert saved_at(client.pressed(where, {"hints": "on"})).setup.assists.hints
    ended = client.pressed(where, {"action": "resign-yes"})
    assert client.get(ended).attribute("data-outcome") == "lost"
    html = client.post(where, {"action": "resign"})
    assert 'value="resign-yes"' in html
    assert 'id="act-go-on"' in html
    assert not re.search(r'hx-trigger="load[^>]*>\s*<button id="act-go-on"', html)


def test_to_go_on_is_refused_where_the_person_is_to_act(client: Device) -> None:
    assert client.post(address(opening()), {"action": "go on"}).status == 422

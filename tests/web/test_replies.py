"""A long reply of the computer is played in parts, one part for each answer."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client

from game.engine.chance import Chance
from game.engine.fleets import complete
from game.engine.presets import OWN
from game.engine.rules import Ruleset, Side
from game.matches.draft import Draft
from game.matches.referee import most_at_once
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.matches.tokens import seal_draft, seal_match
from tests.support.matches import saved_at
from tests.support.pages import attribute, status

FULL = Ruleset(rows=6, fleet=(1,) * 60, touching=True, moving=False, turns=None, begins=Side.SECOND)
"""Rules without water, so that each shot hits and the side fires again."""


def begun(client: Client) -> str:
    """The address of a match in which the computer has not finished its reply."""
    draft = Draft(Setup(FULL, (None, "camlship-easy"), preset=OWN))
    answer = client.post(f"/en/place/{seal_draft(draft)}/", {"action": "quick"})
    assert answer.status_code == 303
    return answer["Location"]


def test_a_reply_is_done_in_parts_and_is_the_one_that_it_would_have_been(client: Client) -> None:
    where, parts = begun(client), 1
    first, most = saved_at(where), most_at_once(FULL)
    assert first.is_minds_turn
    whole = replace(first, match=first.match.at(0)).with_minds_played()
    while (saved := saved_at(where)).is_minds_turn:
        assert saved.match.ply == parts * most
        where = client.post(where, {"action": "go on"})["Location"]
        parts += 1
    assert parts > 1
    assert saved_at(where).match == whole.match
    html = client.get(where).content.decode()
    assert attribute(html, "data-phase") in ("firing", "over")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "The computer plays on."), ("de", "Der Computer spielt weiter.")]
)
def test_meanwhile_the_page_waits_and_goes_on_by_itself_or_by_a_button(
    client: Client, language: str, said: str
) -> None:
    where = begun(client).replace("/en/", f"/{language}/")
    html = client.get(where).content.decode()
    assert attribute(html, "data-phase") == "waiting"
    assert status(html).endswith(said)
    button = re.search(r'<form[^>]*hx-trigger="load[^>]*>\s*<button id="act-go-on"[^>]*>', html)
    assert button
    assert 'name="action" value="go on"' in button[0]
    assert 'name="cell"' not in html.split('data-board="enemy"')[1].split("</form>")[0]
    other = client.get(where.replace(f"/{language}/", "/de/" if language == "en" else "/en/"))
    assert attribute(other.content.decode(), "data-phase") == "waiting"


@pytest.mark.parametrize("form", [{"cell": "A1"}, {"steer": "stay"}, {"action": "par"}, {}])
def test_nobody_acts_for_the_computer(client: Client, form: dict[str, str]) -> None:
    where = begun(client)
    answer = client.post(where, form)
    assert answer.status_code == 422
    assert status(answer.content.decode()) == "The computer plays on."
    assert f'action="{where}"' in answer.content.decode()


def test_one_may_give_up_and_change_help_while_the_computer_is_at_it(client: Client) -> None:
    where = begun(client)
    switched = client.post(where, {"hints": "on"})["Location"]
    assert saved_at(switched).setup.assists.hints
    ended = client.post(where, {"action": "resign-yes"})["Location"]
    assert attribute(client.get(ended).content.decode(), "data-outcome") == "lost"


def test_the_question_whether_to_give_up_stays_until_it_is_answered(client: Client) -> None:
    where = begun(client)
    html = client.post(where, {"action": "resign"}).content.decode()
    assert 'value="resign-yes"' in html
    assert 'id="act-go-on"' in html
    assert not re.search(r'hx-trigger="load[^>]*>\s*<button id="act-go-on"', html)


def test_with_htmx_the_shots_that_are_news_are_those_of_the_last_part(client: Client) -> None:
    where, most = begun(client), most_at_once(FULL)
    html = client.post(where, {"action": "go on"}, headers={"hx-request": "true"}).content.decode()
    told = attribute(html, "data-shots").split()
    before, after = saved_at(where).match, saved_at(where).play_ai_batch().match
    assert len(told) == len(after.shots) - len(before.shots) <= most


def test_to_go_on_is_refused_where_the_person_is_to_act(client: Client) -> None:
    rules = replace(FULL, begins=Side.FIRST)
    mine = complete(rules, (), Chance(bytes(16), "person", 0))
    draft = Draft(Setup(rules, (None, "camlship-easy"), preset=OWN), tuple(mine))
    saved = draft.start()
    assert isinstance(saved, SavedMatch)
    where = f"/en/play/{seal_match(saved)}/"
    assert client.post(where, {"action": "go on"}).status_code == 422

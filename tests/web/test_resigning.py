"""Giving up: after one question, at any time, and shown wherever the match is shown."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.core.management import call_command
from django.test import Client

from game.display.sharing import result
from game.engine.actions import MatchOver, Reason
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import AtLimit, Ruleset, Side
from game.matches.record import read
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.matches.tokens import seal_match, seal_replay, unseal_match
from tests.support.matches import address, ended, opening, played
from tests.support.pages import attribute, cells, find, page, status

HTMX = {"hx-request": "true"}
ASK, YES = {"action": "resign"}, {"action": "resign-yes"}


def given_up(saved: SavedMatch) -> SavedMatch:
    return saved.resigned(saved.viewer)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_of_any_preset_is_given_up_after_one_question(client: Client, preset: str) -> None:
    where = client.post(f"/en/new/{preset}/", {"action": "quick"})["Location"]
    assert 'name="action"\n  value="resign"' in page(client, where)
    asked = client.post(where, ASK)
    html = asked.content.decode()
    assert (asked.status_code, attribute(html, "data-phase")) == (200, "firing")
    assert 'value="resign-yes"' in html
    assert 'value="resign-yes"' not in page(client, where), "a question is not kept"
    answer = client.post(where, YES)
    assert answer.status_code == 303
    html = page(client, answer["Location"])
    assert [attribute(html, f"data-{name}") for name in ("phase", "outcome", "reason")] == [
        "over", "lost", "resigned",
    ]  # fmt: skip
    assert "You gave up." in html
    assert not re.search(r'data-(you|foe)="', html), "no shot is shown once more"
    saved = unseal_match(answer["Location"].split("/")[3])
    shown, board = cells(html, "enemy"), saved.match.ruleset.board
    for ship in saved.match.placements(Side.SECOND):
        assert {shown[board.name(cell)] for cell in ship.cells} <= {"ship", "hit", "sunk"}
    for kind in ("enemy",) if saved.setup.is_solo else ("enemy", "own"):
        blank = [name for name, state in cells(html, kind).items() if state == "sea"]
        assert len(blank) == board.size - sum(saved.match.ruleset.fleet)
        assert all(f">{name}, water<" in html for name in blank)


@pytest.mark.parametrize("language", ["en", "de"])
def test_htmx_gets_the_question_and_the_end_in_place(client: Client, language: str) -> None:
    saved = played(opening(), 9)
    where = address(saved, language=language)
    asked = client.post(where, ASK, headers=HTMX)
    assert asked["HX-Replace-Url"] == where
    assert attribute(asked.content.decode(), "data-phase") == "firing"
    no = client.post(where, {"action": "show"}, headers=HTMX)
    assert 'value="resign-yes"' not in no.content.decode()
    html = client.post(where, YES, headers=HTMX).content.decode()
    assert {"en": "You gave up.", "de": "Du hast aufgegeben."}[language] in html


def test_a_match_is_given_up_in_the_middle_of_a_salvo(client: Client) -> None:
    saved = played(opening(PRESETS["salvo"].ruleset), 7)
    assert saved.match.aimed
    where = client.post(address(saved), YES)["Location"]
    after = unseal_match(where.split("/")[3]).match
    assert after.actions == saved.match.actions
    assert "aimed at" in page(client, where.replace("/play/", "/replay/"))


def test_what_is_over_is_not_given_up(client: Client) -> None:
    for over in (ended(), given_up(opening())):
        for form in (ASK, YES):
            answer = client.post(address(over), form)
            assert answer.status_code == 422
            assert status(answer.content.decode())
        with pytest.raises(MatchOver):
            over.match.resign(Side.SECOND)


def test_of_two_at_one_device_the_one_who_acts_gives_up(client: Client) -> None:
    solo = opening(PRESETS["milton"].ruleset)
    setup = Setup(solo.match.ruleset, (None, None), names=("Anna", "Ben"))
    match = solo.match.fire(solo.match.ruleset.board.parse("A1"))
    where = f"/en/play/{seal_match(SavedMatch(setup, match))}/"
    assert 'value="resign-yes"' in client.post(where, ASK).content.decode()
    html = page(client, client.post(where, YES)["Location"])
    assert (attribute(html, "data-outcome"), attribute(html, "data-reason")) == (
        "first", "resigned",
    )  # fmt: skip
    assert status(html) == "Ben gave up: Anna wins."
    assert "Ben gave up" in html


def test_either_side_may_give_up_at_any_time() -> None:
    match = played(opening(), 60).match
    for ply in range(match.ply):
        for side in Side:
            over = match.at(ply).resign(side)
            assert over.outcome is not None
            assert over.outcome.winner is side.opponent
            assert over.ply == ply
            stages = list(over.stages())
            assert stages[-1] == over
            assert all(stage.outcome is None for stage in stages[:-1])
            assert over.at(ply) == over
            assert Match(over.ruleset, over.fleets, over.seed, over.actions, side) == over


def test_the_replay_ends_with_giving_up(client: Client) -> None:
    saved = given_up(played(opening(), 20))
    where, last = address(saved, page="replay"), saved.match.ply + 1
    html = page(client, f"{where}?step={last}")
    turn = saved.match.turn // 2 + 1
    assert status(html) == f"Step {last} of {last}. Turn {turn}. You: gave up"
    assert attribute(html, "data-reason") == "resigned"
    assert status(page(client, f"{where}?step={last + 5}")) == status(html)
    assert f"Step {last - 1} of {last}." in page(client, f"{where}?step={last - 1}")
    public_replay = page(client, f"/en/film/{seal_replay(saved)}/?step={last}")
    assert "gave up" in status(public_replay)


def test_the_review_opens_and_checks_a_match_given_up(client: Client) -> None:
    saved = given_up(played(opening(mind="sailor"), 12))
    html = page(client, address(saved, page="review") + "?check=on")
    assert attribute(html, "data-reason") == "resigned"
    mine = sum(shot.side is Side.FIRST for shot in saved.match.shots)
    assert len(set(find(r"Shot \d+ of (\d+)", html).groups())) == 1
    assert f"Shot 1 of {mine}" in html
    begun = given_up(opening())
    assert client.get(address(begun, page="review"), follow=True).status_code == 200
    assert client.get(address(begun, page="replay")).status_code == 200
    assert client.get(address(begun, page="share"), follow=True).status_code == 200


def test_the_shared_sentence_says_who_gave_up() -> None:
    saved = played(opening(), 5)
    shots = sum(shot.side is Side.FIRST for shot in saved.match.shots)
    assert result(given_up(saved)) == (
        f"Battleship, Your own rules against Drifter: gave up after {shots} shots."
    )
    two = replace(saved.setup, minds=(None, None), names=("Anna", "Ben"))
    over = SavedMatch(two, saved.match).resigned(Side.FIRST)
    assert result(over) == "Battleship, Your own rules: Anna gave up against Ben."


def test_the_record_of_a_match_given_up_is_verified(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = given_up(played(opening(mind="bonn-hard"), 8))
    text = client.get(address(saved, page="record")).content.decode()
    assert "\nresigned first " in text
    assert read(text).match == saved.match
    call_command("verify", seal_match(saved))
    assert "The computer played fair." in capsys.readouterr().out


SMALL = Ruleset(columns=6, rows=6, fleet=(3, 2, 2), turns=12)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (replace(SMALL, moving=False, turns=None), Reason.ALL_SUNK),
        (SMALL, Reason.MORE_AFLOAT),
        (replace(SMALL, turns=1), Reason.AS_MANY_AFLOAT),
        (replace(SMALL, at_limit=AtLimit.DRAW), Reason.LIMIT),
    ],
)
def test_an_end_says_its_reason(client: Client, rules: Ruleset, reason: Reason) -> None:
    saved = next(
        over
        for over in (ended(rules, number=number) for number in range(20))
        if over.match.outcome is not None and over.match.outcome.reason is reason
    )
    for name in ("play", "replay", "review"):
        assert attribute(page(client, address(saved, page=name)), "data-reason") == reason.value
    assert "data-reason" not in page(client, address(opening()))

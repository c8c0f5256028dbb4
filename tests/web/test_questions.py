"""Questions over HTTP: their form and handles, one device and two devices, and what is refused."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from game.engine.actions import Ask
from game.engine.presets import PRESETS
from game.matches.saved import SavedMatch
from tests.support.device import HTMX, Device
from tests.support.matches import address, enemy_water, opening, saved_at

ASK = PRESETS["ask"].ruleset
BEGUN = opening(ASK, mind="sailor")


def asks(first: str = "A1", last: str = "D4") -> dict[str, str]:
    return {"action": "ask", "ask_from": first, "ask_to": last}


# --- against the computer; two players at one device; two devices ---


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_question_is_answered_listed_and_counted(client: Device, headers: dict[str, str]) -> None:
    where = address(BEGUN)
    html = client.see(where)
    assert html.attribute("data-questions") == "5"
    assert " of 100 fleets" not in html, "without a coach"
    answers = [client.post(where, asks(*box), headers=headers) for box in (("d4", "1a"), ())]
    where, again = (it.headers.get("HX-Replace-Url") or it.location for it in answers)
    assert saved_at(where) == saved_at(again), "an older address takes a question back"
    match, html = saved_at(where).match, client.see(where)
    assert match.actions == (Ask(ASK.board.parse("A1"), ASK.board.parse("D4")),)
    answer = "yes" if match.questions[0].is_yes else "no"
    assert html.questions == [("A1 D4", answer)]
    assert html.attribute("data-questions") == "4"
    assert html.says.startswith(f"You: Is a ship in A1 to D4? {answer.capitalize()}.")
    assert f"A1 to D4: {answer}" in html


def refused(client: Device, saved: SavedMatch, fields: dict[str, str]) -> str:
    """Returns the sentence by which it is refused; the page shows the match as it was."""
    got = client.post(address(saved), fields)
    assert got.status == 422
    assert got.questions == client.see(address(saved)).questions
    return got.says


def test_each_refusal_has_its_sentence(client: Device) -> None:
    once = BEGUN.acted(Ask(ASK.board.parse("A1"), ASK.board.parse("D4")))
    assert refused(client, once, asks("B2", "C3")) == (
        "You can ask only once before each shot. Now fire."
    )
    later = replace(once, match=once.match.fire(ASK.board.parse("H8"))).with_minds_played()
    assert refused(client, later, asks("D1", "A4")) == (
        "You have asked that already: choose another box."
    )
    assert refused(client, later, asks("H8", "H8")) == "You know that cell already: choose another."
    assert refused(client, opening(), asks()) == "You have no questions left."
    for missing in ("ask_from", "ask_to"):
        fields = {name: value for name, value in asks().items() if name != missing}
        assert refused(client, BEGUN, fields) == "That is not a cell of this board."


CELLS = st.sampled_from(["A1", "d4", "8h", " C 3 ", "I1", "A9", "A0", "", "A1 B2", "٣", "\0", "-1"])


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.one_of(CELLS, st.text(max_size=9)), st.one_of(CELLS, st.text(max_size=9)))
@example("9" * 5000, "<b>")
def test_whatever_is_in_the_fields_is_asked_or_refused_in_one_sentence(
    client: Device, first: str, last: str
) -> None:
    got = client.post(address(BEGUN), asks(first, last))
    if got.status == 303:
        assert len(saved_at(got.location).match.questions) == 1
        return
    assert got.status == 422
    assert got.says == "That is not a cell of this board."


def test_at_one_device_the_player_stays_after_a_question_and_the_curtain_repeats_it(
    client: Device,
) -> None:
    start = "/en/new/ask/?players=2&name1=Anna&name2=Ben"
    where = client.pressed(client.pressed(start, {"action": "quick"}), {"action": "quick"})
    got = client.post(where, asks(), headers=HTMX)
    match = saved_at(got.headers["HX-Replace-Url"]).match
    answer = "yes" if match.questions[0].is_yes else "no"
    assert got.questions == [("A1 D4", answer)]
    curtain = client.see(got.headers["HX-Replace-Url"])
    assert curtain.attribute("data-phase") == "handover"
    assert not curtain.has_board
    assert curtain.questions == []

    water = enemy_water(got.headers["HX-Replace-Url"])
    got = client.post(got.headers["HX-Replace-Url"], {"cell": water}, headers=HTMX)
    told = f"Anna: question A1 to D4, {answer}; {water}, water."
    assert got.says == told
    shown = client.post(got.headers["HX-Replace-Url"], {"action": "show"}, headers=HTMX)
    assert shown.says.startswith(told)
    assert shown.questions == [], "the list has the player's own questions"
    assert shown.attribute("data-questions") == "5"

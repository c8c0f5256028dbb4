"""What else is true at two devices: expiry, wrecks, questions, Continue, the address, JSON."""

import re

import pytest
from pytest_django import Settings

from game.views.cookies import CONTINUE
from tests.duel import duels
from tests.duel.duels import (
    Seat,
    begun,
    end,
    fire,
    invitation,
    inviting,
    joining,
    mover,
    opposed,
    place,
    reload,
    rematch,
    waiter,
)
from tests.support.days import BEGAN_HOUR, FORMS, LAST, MATCH_DAYS, Clock, refused
from tests.support.device import HTMX, Device


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Clock:
    """The clock of a site that keeps matches open for 30 days."""
    return Clock(monkeypatch, settings)


# --- how long matches stay open ---


def test_neither_seat_of_a_match_at_two_devices_goes_on(clock: Clock) -> None:
    host = inviting()
    invited, friend = invitation(host), joining(host)
    place(friend)
    one, other = opposed("milton")
    clock.now = LAST
    reload(one, other)
    assert (one.status, other.status) == (200, 200)
    keep, before = one.keep, one.duel
    clock.expire()
    refused(friend.get(invited, headers=HTMX))
    for seat in (one, other):
        for headers in ({}, HTMX):
            refused(seat.get(seat.where, headers=headers))
            for fields in FORMS:
                refused(seat.post(seat.where, fields, headers=headers))
    assert Seat().post(keep, follow=True).status == 410
    clock.now = LAST
    assert one.state == before, "nothing was done meanwhile"


def test_a_match_at_two_devices_that_ended_stays_and_has_a_rematch(clock: Clock) -> None:
    seats = begun()
    end(*seats)
    clock.expire()
    for seat in seats:
        seat.open()
        assert (seat.page.status, seat.phase) == (200, "over")
    rematch(*seats)
    assert seats[0].duel.setup.started_hour == BEGAN_HOUR + 24 * MATCH_DAYS + 1


# --- wrecks and questions ---


def test_at_two_devices_asking_is_no_step_and_stores_nothing() -> None:
    one, other = duels.opposed()
    match = one.duel.match
    for cell in match.placements(match.side.opponent)[9].cells:
        fields = {"cell": match.ruleset.board.name(cell)}
        one.send(fields)
    stored = duels.rows()
    assert "Fire at the wreck?" in one.send({**fields, "wreck": "ask"}, **HTMX)
    assert "Fire at the wreck?" not in other.open()
    one.press("show")
    assert duels.rows() == stored
    step = one.duel.step
    one.send(fields)
    assert one.duel.step > step


ASKS = {"action": "ask", "ask_from": "A1", "ask_to": "D4"}
OTHER = {**ASKS, "ask_from": "B2", "ask_to": "C3"}


def test_at_two_devices_both_see_a_question_and_only_the_first_of_two_counts() -> None:
    devices = begun("ask")
    one, other = mover(*devices), waiter(*devices)
    old = one.page.form
    one.send(ASKS)
    question = one.duel.match.questions[0]
    answer = "yes" if question.is_yes else "no"
    assert one.page.questions == [("A1 D4", answer)]
    other.follow()
    assert other.page.says.startswith(f"Your opponent: question A1 to D4, {answer}.")
    assert other.duel == one.duel
    assert other.page.questions == []

    late = one.send(OTHER, where=old)
    assert (late.status, one.duel) == (409, other.duel)
    assert one.send({"cell": "A1"}, where=old).status == 409, "a shot from before the question, too"
    early = other.send(OTHER)
    assert (early.status, early.says) == (422, "It is not your turn.")


# --- Continue, addresses and JSON ---


def _offered(client: Device) -> str:
    """The match that the home page offers to continue; empty if there is none."""
    link = re.search(r'id="act-continue".*?<span>(.*?)</span>', client.get("/en/"), re.DOTALL)
    return link[1] if link else ""


def _led_to(client: Device) -> str:
    """The address that Continue leads to."""
    answer = client.get("/continue/")
    assert (answer.status, answer.headers["Cache-Control"]) == (302, "no-store")
    return answer.location


def test_each_seat_at_two_devices_is_led_to_its_newest_state() -> None:
    first = inviting("cmu")
    said = "Five threes, with a friend, "
    assert _offered(first) == f"{said}waiting for your opponent"
    second = joining(first)
    assert _offered(second) == f"{said}place your fleet"
    place(second)
    assert _led_to(second).startswith("/en/duel/")
    stranger = Device()
    stranger.cookies[CONTINUE.name] = second.cookies[CONTINUE.name].value
    assert stranger.get("/continue/").status == 403
    first.pressed("/en/new/bonn/?opponent=sailor", {"action": "quick"})
    first.open()
    assert _offered(first).startswith("Moving fleets"), "to look is not to act"
    fire(first)
    assert _offered(first) == f"{said}your opponent’s turn"
    second.open()
    fire(second)
    first.open()
    assert _offered(first) == f"{said}your turn", "as the page that waited has shown"
    assert first.duel == second.duel
    second.send({"action": "resign-yes"})
    assert not _offered(second)
    first.open(_led_to(first))
    assert first.phase == "over"
    assert not _offered(first)


def test_an_invitation_has_the_address_of_the_network(settings: Settings) -> None:
    settings.LAN_ADDRESS = "http://192.168.1.20:8000/"
    device = inviting()
    invite = device.page.attribute("data-invite")
    assert invite.startswith("http://192.168.1.20:8000/invite/")
    assert 'id="this-device"' not in device.page
    settings.LAN_ADDRESS = ""
    alone = inviting()
    assert alone.page.attribute("data-invite").startswith("http://localhost/invite/")
    assert "--lan" in alone.page.split('id="this-device"')[1].split("</p>")[0]


def test_no_page_of_a_seat_is_kept_or_indexed() -> None:
    (first, second), spare = begun(), inviting()
    paths = (first.wait, first.where, second.keep, invitation(spare), spare.where)
    asked = [first.get(path) for path in paths]
    assert [answer.status for answer in asked] == [204, 200, 200, 200, 403]
    for answer in asked:
        assert answer.headers["Cache-Control"] == "no-store", answer.where
        assert answer.headers["X-Robots-Tag"] == "noindex", answer.where
    assert "Cookie" in first.get(first.where).headers["Vary"]


@pytest.mark.usefixtures("compared")
def test_a_match_at_two_devices_needs_the_seats_cookie_and_an_origin() -> None:
    first, second, stranger = Seat(), Seat(), Device()
    page = first.ask_json("/en/new/short/?opponent=friend").json()
    form = page["actions"][0]["address"]
    refused = stranger.ask_json(form, {"action": "quick"})
    assert (refused.status, refused.json().keys()) == (403, {"status"})
    page = first.ask_json(form, {"action": "quick"}).json()
    assert page["phase"] == "waiting"
    invited = second.ask_json("/en" + page["invite"].removeprefix("http://localhost")).json()
    assert invited["actions"][0]["buttons"] == {"action": ["join"]}
    joined = second.ask_json(invited["actions"][0]["address"], {"action": "join"}).json()
    joined = second.ask_json(joined["address"]).json()
    second.ask_json(joined["actions"][0]["address"], {"action": "quick"})
    is_first = first.ask_json(page["address"]).json()["phase"] == "firing"
    begins = first if is_first else second
    before = begins.ask_json(page["address"]).json()
    assert stranger.ask_json(before["address"]).status == 403
    (fire, *_others) = before["actions"]
    assert fire["address"] == f"{before['address']}?step={before['step']}"
    after = begins.ask_json(fire["address"], {"cell": "A1"}).json()
    assert after["address"] == before["address"]
    late = begins.ask_json(fire["address"], {"cell": "A2"})
    assert late.status == 409
    assert late.json()["boards"] == after["boards"] != before["boards"]

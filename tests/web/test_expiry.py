"""How long matches stay open: the hour in a token, and the limit that an operator may set."""

from __future__ import annotations

import base64
import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.core.management import call_command
from prometheus_client import REGISTRY
from pytest_django import Settings

from game.matches.draft import Draft
from game.matches.record import write
from game.matches.saved import SavedMatch
from game.matches.tokens import (
    seal_draft,
    seal_match,
    seal_replay,
    unseal_draft,
    unseal_duel,
    unseal_match,
    unseal_replay,
)
from game.ops import secrets
from tests.support.days import BEGAN, BEGAN_HOUR, LAST, MATCH_DAYS, SENTENCES, Clock
from tests.support.device import HTMX, Device
from tests.support.duels import (
    Seat,
    begun,
    end,
    flush,
    invitation,
    inviting,
    joining,
    mover,
    place,
)
from tests.support.matches import address, ended, opening, played
from tests.support.page import Page, token_in


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Clock:
    """The clock of a site that keeps matches open for 30 days."""
    return Clock(monkeypatch, settings)


def refusals() -> float:
    return REGISTRY.get_sample_value("battleship_refusals_total", {"reason": "expired"}) or 0.0


def dated(saved: SavedMatch, hour: int | None = BEGAN_HOUR) -> SavedMatch:
    return replace(saved, setup=replace(saved.setup, started_hour=hour))


# --- where a match begins ---


def one_person(client: Device, language: str = "en") -> str:
    return client.post(f"/{language}/new/milton/", {"action": "quick"}).location


def two_persons(client: Device, language: str = "en") -> str:
    where = f"/{language}/new/milton/?players=2"
    for _ in range(2):
        where = client.post(where, {"action": "quick"}).location
    return str(where)


def solo(client: Device, language: str = "en") -> str:
    return client.get(f"/{language}/new/milton/?opponent=alone").location


def two_minds(client: Device, language: str = "en") -> str:
    where = f"/{language}/watch/bonn/"
    return client.post(where, {"mind1": "random", "mind2": "random"}).location


def todays_sea(client: Device, language: str = "en") -> str:
    return client.get(f"/{language}/daily/").location


KINDS: dict[str, Callable[..., str]] = {
    "one person": one_person, "two persons": two_persons, "alone": solo,
    "two minds": two_minds, "today's sea": todays_sea,
}  # fmt: skip
EVERY = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture(autouse=True)
def _chain(tmp_path: Path, settings: Settings) -> None:
    """A site whose chain of today's sea has begun."""
    found = secrets.make()
    end = base64.b64encode(bytes(32)).decode()
    found["daily"] = {"end": end, "length": 400, "first": "2026-05-01"}
    settings.SECRETS_FILE = tmp_path / "secrets.json"
    secrets.write(settings.SECRETS_FILE, found)


@EVERY
def test_a_match_carries_the_hour_in_which_it_began(
    client: Device, clock: Clock, kind: str
) -> None:
    where = KINDS[kind](client)
    assert unseal_match(token_in(where)).setup.started_hour == BEGAN_HOUR
    clock.now += timedelta(days=3)  # an action leaves it
    if kind != "two persons":
        fields = {"action": "on"} if kind == "two minds" else {"cell": "B3"}
        where = client.post(where, fields).location
        assert unseal_match(token_in(where)).setup.started_hour == BEGAN_HOUR


def test_a_draft_has_none_and_the_next_round_gets_its_own(client: Device, clock: Clock) -> None:
    over = dated(ended())
    answer = client.post(address(over), {"action": "anew"})
    place_at = answer.location
    draft = unseal_draft(token_in(place_at))
    assert draft.setup.started_hour is None
    plain = Draft(ended().setup.renewed()).committed()
    assert len(token_in(place_at)) == len(seal_draft(plain))
    clock.now += timedelta(hours=50)
    begun_at = client.post(place_at, {"action": "quick"}).location
    assert unseal_match(token_in(begun_at)).setup.started_hour == BEGAN_HOUR + 50


def test_a_match_at_two_devices_begins_when_the_second_fleet_lies(clock: Clock) -> None:
    first = inviting()
    second = joining(first)
    assert first.duel.setup.started_hour is None
    clock.now += timedelta(hours=7)
    place(second)
    first.open()
    for device in (first, second):
        assert device.duel.setup.started_hour == BEGAN_HOUR + 7


# --- what is answered once it is no longer open ---


def refused(answer: Page, language: str) -> None:
    assert answer.status == 410
    assert answer.says == SENTENCES[language]
    assert f'href="/{language}/new/bonn/"' in answer
    assert "data-cell" not in answer
    assert answer.headers["Cache-Control"] == "no-store"


@EVERY
@pytest.mark.parametrize("language", ["en", pytest.param("de", marks=pytest.mark.deep)])
def test_a_match_that_goes_on_is_refused_by_one_sentence_and_a_way_to_a_new_one(
    client: Device, clock: Clock, kind: str, language: str
) -> None:
    where = KINDS[kind](client, language)
    elsewhere = where.replace("/play/", "/elsewhere/")
    clock.now = LAST
    assert client.get(where).status == 200
    assert client.get(elsewhere).status == 200
    clock.expire()
    before, count = refusals(), 0
    forms: list[dict[str, str]] = [
        {"action": "show"}, {"cell": "B3"}, {"action": "resign"}, {"action": "resign-yes"},
        {"hints": "on"}, {"action": "anew"}, {},
    ]  # fmt: skip
    for headers in ({}, HTMX):
        answers = [client.get(each, headers=headers) for each in (where, elsewhere)]
        answers += [client.post(where, form, headers=headers) for form in forms]
        answers.append(client.post(elsewhere, headers=headers))
        for answer in answers:
            refused(answer, language)
            assert answer.headers.get("HX-Refresh") == ("true" if headers else None)
        count += len(answers)
    assert refusals() - before == count


@pytest.mark.parametrize("page", ["replay", "review", "share", "record"])
def test_what_is_for_ended_matches_leads_one_that_goes_on_to_the_same_sentence(
    client: Device, clock: Clock, page: str
) -> None:
    clock.expire()
    answer = client.get(address(dated(opening()), page=page), follow=True)
    refused(answer, "en")


def test_a_single_day_is_said_as_one(client: Device, clock: Clock, settings: Settings) -> None:
    settings.MATCH_DAYS = 1
    clock.now = BEGAN + timedelta(hours=25)
    said = client.get(address(dated(opening()))).says
    assert said == "This match was begun on 3 May 2026; this site keeps matches open for 1 day."
    german = client.get(address(dated(opening()), language="de")).says
    assert german.endswith("auf dieser Seite bleiben Partien 1 Tag lang offen.")


def test_neither_seat_of_a_match_at_two_devices_goes_on(clock: Clock) -> None:
    seats = begun()
    clock.now = LAST
    for seat in seats:
        seat.open()
        assert seat.status == 200
    one = mover(*seats)
    keep, form = one.keep, one.page.form
    clock.expire()
    before = unseal_duel(token_in(form))
    for seat in seats:
        for headers in ({}, HTMX):
            got = [seat.get(seat.where, headers=headers)]
            got += [
                seat.post(seat.where, fields, headers=headers)
                for fields in (
                    {"cell": "B3"}, {"action": "show"}, {"action": "resign-yes"},
                    {"action": "resign"}, {"action": "shown"},
                )
            ]  # fmt: skip
            for answer in got:
                refused(answer, "en")
    elsewhere = Seat()
    elsewhere.send({}, keep)
    assert elsewhere.page.status == 410
    clock.now = LAST
    assert one.state == before, "nothing was done meanwhile"


def test_nor_does_a_seat_that_the_match_store_has_forgotten_or_an_invitation(clock: Clock) -> None:
    first = inviting()
    invited = invitation(first)
    second = joining(first)
    place(second)
    first.open()
    clock.expire()
    refused(second.get(invited, headers=HTMX), "en")
    flush()
    for seat in (first, second):
        refused(seat.get(seat.where), "en")


def test_a_match_at_two_devices_that_ended_stays_and_has_a_rematch(clock: Clock) -> None:
    seats = begun()
    shown = [seat.where for seat in seats]
    end(*seats)
    clock.expire()
    for seat, old in zip(seats, shown, strict=True):
        seat.open(old)  # it held a step of the running match, which has ended since
        assert (seat.page.status, seat.phase) == (200, "over")
        seat.send({"action": "rematch"})
        assert seat.status in (200, 303)
    for seat in seats:
        seat.open()
        place(seat)
    for seat in seats:
        seat.open()
    assert seats[0].duel.setup.started_hour == BEGAN_HOUR + 24 * MATCH_DAYS + 1


# --- what never expires ---


def test_what_has_ended_never_expires(client: Device, clock: Clock, tmp_path: Path) -> None:
    over = dated(ended())
    clock.now = datetime(2526, 1, 1, tzinfo=UTC)
    for page in ("play", "replay", "review", "share", "record", "elsewhere"):
        assert client.get(address(over, page=page), follow=True).status == 200, page
    assert client.post(address(over), {"action": "anew"}).status == 303
    public_replay = seal_replay(over)
    assert client.get(f"/en/film/{public_replay}/").status == 200
    assert unseal_replay(public_replay).setup.started_hour is None
    assert len(public_replay) == len(seal_replay(ended()))
    assert client.get(f"/en/film/{public_replay}/card.png").status == 200
    kept = tmp_path / "record.txt"
    kept.write_text(write(over.record))
    call_command("verify", str(kept))
    assert write(over.record) == write(ended().record)


@pytest.mark.parametrize("days", [1, MATCH_DAYS])
def test_a_match_without_an_hour_never_expires(
    client: Device, clock: Clock, settings: Settings, days: int
) -> None:
    settings.MATCH_DAYS = days
    clock.now = datetime(2526, 1, 1, tzinfo=UTC)
    where = address(opening())
    assert client.get(where).status == 200
    assert client.post(where, {"action": "show"}).status == 200


# --- the limit ---


@pytest.mark.parametrize("days", [1, 30, 365])
def test_the_limit_is_exact_to_the_hour(
    client: Device, clock: Clock, settings: Settings, days: int
) -> None:
    settings.MATCH_DAYS = days
    clock.now = datetime(2026, 6, 2, 17, 59, 59, tzinfo=UTC)
    last = BEGAN_HOUR + 24 * (MATCH_DAYS - days)
    assert client.get(address(dated(opening(), last))).status == 200
    assert client.get(address(dated(opening(), last - 1))).status == 410


def test_a_match_of_a_copy_whose_clock_is_fast_is_open(client: Device) -> None:
    assert client.get(address(dated(opening(), 2**32 - 1))).status == 200


@pytest.mark.parametrize(
    ("value", "days"), [("", None), ("1", 1), ("30", 30), ("0", ""), ("-3", ""), ("1.5", ""),
                        ("a month", ""), ("30 ", ""), ("٣", "")],
)  # fmt: skip
def test_a_site_starts_with_a_number_of_days_or_none(value: str, days: Any) -> None:
    code = "from battleships_site import settings as s; print(s.MATCH_DAYS)"
    asked = subprocess.run(
        [sys.executable, "-c", code], cwd=site_settings.BASE_DIR, check=False, text=True,
        capture_output=True, env=os.environ | {"BATTLESHIP_MATCH_DAYS": value},
    )  # fmt: skip
    if days == "":
        assert asked.returncode == 1
        assert asked.stderr == (
            f"BATTLESHIP_MATCH_DAYS is not a number of days from 1 on: {value!r}\n"
        )
    else:
        assert (asked.stdout, asked.stderr) == (f"{days}\n", "")


# --- what it tells nobody ---


def test_the_hour_shows_in_no_page_and_not_in_a_tokens_length(client: Device) -> None:
    for saved in (opening(), played(opening(), 5), ended()):
        pages, lengths = set(), set()
        for hour in (BEGAN_HOUR, BEGAN_HOUR - 700, BEGAN_HOUR - 1):
            one = dated(saved, hour)
            lengths.add(len(seal_match(one)))
            html = client.get(address(one))
            pages.add(re.sub(r"[A-Za-z0-9_-]{150,}", "TOKEN", html))
        assert len(pages) == len(lengths) == 1


def test_a_refusal_leaves_no_hour_in_the_log(
    client: Device, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    clock.expire()
    with caplog.at_level(logging.DEBUG):
        assert client.get(address(dated(opening()))).status == 410
    for told in (str(BEGAN_HOUR), "2026-05-03", "3 May", "17:"):
        assert told not in caplog.text

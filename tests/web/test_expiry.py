"""How long matches stay open: the hour in a token, and the limit that an operator may set."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from html import unescape
from pathlib import Path

import pytest
from django.core.management import call_command
from prometheus_client import REGISTRY
from pytest_django import Settings

from game.engine.presets import BONN
from game.matches.daily import Chain
from game.matches.draft import Draft
from game.matches.record import write
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_draft, seal_replay, unseal_draft, unseal_replay
from tests.support.days import (
    BEGAN_HOUR,
    FORMS,
    LAST,
    MATCH_DAYS,
    Clock,
    refused,
    with_chain,
)
from tests.support.device import HTMX, Device
from tests.support.features import any_pages, ended_pages, merged
from tests.support.matches import address, ended, opening, played, saved_at, with_setup
from tests.support.page import token_in


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Clock:
    """The clock of a site that keeps matches open for 30 days."""
    return Clock(monkeypatch, settings)


def refusals() -> float:
    return REGISTRY.get_sample_value("battleship_refusals_total", {"reason": "expired"}) or 0.0


def dated(saved: SavedMatch, hour: int | None = BEGAN_HOUR) -> SavedMatch:
    return with_setup(saved, started_hour=hour)


# --- where a match begins ---


KINDS: dict[str, tuple[str, dict[str, str] | None]] = {
    "one person": ("new/milton/", {"action": "quick"}),
    "two persons": ("new/milton/?players=2", {"action": "quick"}),
    "alone": ("new/milton/?opponent=alone", None),
    "two minds": ("watch/bonn/", {"mind1": "random", "mind2": "random"}),
    **merged("BEGUN"),
}
"""The page that begins a match of each kind, and the form that it sends; None for a GET."""
EVERY = pytest.mark.parametrize("kind", KINDS)


def began(client: Device, kind: str, language: str = "en") -> str:
    """The address of a new match."""
    page, fields = KINDS[kind]
    where = f"/{language}/{page}"
    if fields is None:
        return client.get(where).location
    while "/play/" not in where:
        where = client.pressed(where, fields)
    return where


@pytest.fixture(autouse=True)
def _chain(tmp_path: Path, settings: Settings) -> None:
    """A site whose chain of today's sea has begun."""
    chain = Chain(bytes(32), 400, date(2026, 5, 1))
    settings.SECRETS_FILE = with_chain(tmp_path / "secrets.json", chain)


@EVERY
def test_a_match_carries_the_hour_in_which_it_began(
    client: Device, clock: Clock, kind: str
) -> None:
    where = began(client, kind)
    assert saved_at(where).setup.started_hour == BEGAN_HOUR
    clock.now += timedelta(days=3)  # an action leaves it
    if kind != "two persons":
        fields = {"action": "on"} if kind == "two minds" else {"cell": "B3"}
        assert saved_at(client.pressed(where, fields)).setup.started_hour == BEGAN_HOUR


def test_a_draft_has_none_and_the_next_round_gets_its_own(client: Device, clock: Clock) -> None:
    place_at = client.pressed(address(dated(ended())), {"action": "anew"})
    assert unseal_draft(token_in(place_at)).setup.started_hour is None
    plain = Draft(ended().setup.for_new_match()).with_server_share()
    assert len(token_in(place_at)) == len(seal_draft(plain))
    clock.now += timedelta(hours=50)
    begun_at = client.pressed(place_at, {"action": "quick"})
    assert saved_at(begun_at).setup.started_hour == BEGAN_HOUR + 50


# --- what is answered once it is no longer open; what never expires; the limit ---


@EVERY
def test_a_match_that_goes_on_is_refused_by_one_sentence_and_a_way_to_a_new_one(
    client: Device, clock: Clock, kind: str
) -> None:
    language = "de" if kind == "alone" else "en"
    where = began(client, kind, language)
    others = [where.replace("/play/", f"/{page}/") for page in any_pages()]
    clock.now = LAST
    assert {client.get(each).status for each in (where, *others)} == {200}
    clock.expire()
    before, count = refusals(), 0
    for headers in ({}, HTMX):
        answers = [client.get(each, headers=headers) for each in (where, *others)]
        answers += [client.post(where, form, headers=headers) for form in FORMS]
        answers += [client.post(each, headers=headers) for each in others]
        for answer in answers:
            refused(answer, language)
            assert answer.headers.get("HX-Refresh") == ("true" if headers else None)
        count += len(answers)
    assert refusals() - before == count


def test_a_match_by_the_same_rules_against_the_same_opponent_is_one_press_away(
    client: Device, clock: Clock
) -> None:
    saved = dated(opening(replace(BONN, columns=9), mind="sailor"))
    clock.expire()
    anew = client.get(address(saved)).first(r'primary"\s+href="([^"]+)"')
    found = client.get(unescape(anew)).first(r'action="/en/place/([^/]+)/"')
    setup = unseal_draft(found).setup
    assert (setup.ruleset, setup.opponent) == (saved.setup.ruleset, "sailor")


@pytest.mark.parametrize("page", ended_pages())
def test_what_is_for_ended_matches_leads_one_that_goes_on_to_the_same_sentence(
    client: Device, clock: Clock, page: str
) -> None:
    clock.expire()
    refused(client.get(address(dated(opening()), page=page), follow=True))


def test_what_has_ended_never_expires(client: Device, clock: Clock, tmp_path: Path) -> None:
    over = dated(ended())
    clock.now = datetime(2526, 1, 1, tzinfo=UTC)
    for page in ("play", *ended_pages(), *any_pages()):
        assert client.get(address(over, page=page), follow=True).status == 200, page
    assert client.post(address(over), {"action": "anew"}).status == 303
    public_replay = seal_replay(over)
    assert client.get(f"/en/film/{public_replay}/").status == 200
    assert unseal_replay(public_replay).setup.started_hour is None
    assert len(public_replay) == len(seal_replay(ended()))
    kept = tmp_path / "record.txt"
    kept.write_text(write(over.record))
    call_command("verify", str(kept))
    assert write(over.record) == write(ended().record)


@pytest.mark.parametrize("days", [1, 30, 365])
def test_the_limit_is_exact_to_the_hour(
    client: Device, clock: Clock, settings: Settings, days: int
) -> None:
    settings.MATCH_DAYS = days
    clock.now = LAST
    last = BEGAN_HOUR + 24 * (MATCH_DAYS - days)
    hours = last, last - 1, 2**24 - 1  # the last is of a copy whose clock is fast
    statuses = [client.get(address(dated(opening(), hour))).status for hour in hours]
    assert statuses == [200, 410, 200]


# --- what it tells nobody ---


def test_the_hour_shows_in_no_page_and_not_in_a_tokens_length(client: Device) -> None:
    for saved in (opening(), played(opening(), 5), ended()):
        hours = BEGAN_HOUR, BEGAN_HOUR - 700, BEGAN_HOUR - 1
        pages = {client.get(address(dated(saved, hour))).without_tokens for hour in hours}
        assert len(pages) == 1

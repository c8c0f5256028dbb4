"""How long matches of the deduction game stay open: the hour in a token, and the site's limit."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from pytest_django import Settings

from game.features.deduction.match import Mode, Phase
from tests.deduction.samples import MATCHES, address, saved_at
from tests.support.days import BEGAN, BEGAN_HOUR, LAST, SENTENCES, Clock
from tests.support.device import HTMX, Device

GOING_ON = {name: it for name, it in MATCHES.items() if it.match.phase is not Phase.OVER}


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Clock:
    """The clock of a site that keeps matches open for 30 days."""
    return Clock(monkeypatch, settings)


def test_a_new_match_tells_the_hour_in_which_it_began(client: Device, clock: Clock) -> None:
    for mode in Mode:
        where = client.pressed("/en/deduction/", {"way": mode.value})
        assert saved_at(where).started_hour == BEGAN_HOUR
        clock.now = LAST
        assert client.get(where).status == 200
        clock.now = BEGAN


@pytest.mark.parametrize("name", GOING_ON)
def test_a_match_that_goes_on_is_no_longer_open_after_the_limit(
    client: Device, clock: Clock, name: str
) -> None:
    where = address(replace(GOING_ON[name], started_hour=BEGAN_HOUR))
    clock.now = LAST
    assert client.get(where).status == 200
    clock.expire()
    for answer in (
        client.get(where),
        client.post(where, {"action": "random"}),
        client.post(where, {"heat": "on"}, headers=HTMX),
    ):
        assert answer.status == 410
        text = " ".join(answer.split())
        assert SENTENCES["en"] in text
        assert 'href="/en/deduction/"' in text  # a new match like this one
    assert answer.headers["HX-Refresh"] == "true"


def test_what_has_ended_and_a_token_without_an_hour_are_open_for_ever(
    client: Device, clock: Clock
) -> None:
    clock.now = datetime(2526, 1, 1, tzinfo=UTC)
    for name, it in MATCHES.items():
        assert client.get(address(it)).status == 200
        if name not in GOING_ON:
            for page in ("play", "review"):
                where = address(replace(it, started_hour=BEGAN_HOUR), page=page)
                assert client.get(where).status == 200

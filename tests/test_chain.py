"""The hash chain of today's sea: the same on all copies, and no link of it too early."""

import base64
import hmac
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from game.matches import daily
from game.matches.daily import Chain, NoSuchDay
from game.ops import secrets
from tests.support.days import CHAIN, DAY, HOUR, as_secret, dates_by_zones

END = bytes(range(32))
FIRST = CHAIN.first


def sound() -> dict[str, Any]:
    """Secrets that are as they should be."""
    return {"secret_key": "x", "keys": [secrets.make_key("use")], "daily": as_secret(CHAIN)}


# --- the links; all copies have the same seas ---


def test_the_links_of_a_small_chain_are_hashes_of_each_other() -> None:
    third = END
    second = sha256(b"battleship-daily-1" + third).digest()
    first = sha256(b"battleship-daily-1" + second).digest()
    chain = Chain(END, 3, FIRST)
    assert [chain.link(FIRST + days * DAY) for days in range(3)] == [first, second, third]
    assert chain.first_link == sha256(b"battleship-daily-1" + first).digest()
    assert chain.last == date(2026, 11, 24)


def test_the_links_never_change() -> None:
    """Published links and matches' seeds depend on every one of these bytes."""
    assert CHAIN.first_link.hex() == (
        "590f8eeb339df91734a2327e0f054b484e3ae06c5319fbdfa8343d29046ab519"
    )
    seed = daily.seed_of(CHAIN.link(FIRST), "milton")
    assert seed.hex() == "26c87ce758f0cc322d66a5532c1f3740"
    assert seed == hmac.new(CHAIN.link(FIRST), b"milton", sha256).digest()[:16]


@pytest.mark.parametrize("day", [FIRST - DAY, CHAIN.last + DAY, date.min, date.max])
def test_a_day_outside_the_chain_has_no_link(day: date) -> None:
    for of in (CHAIN.link, CHAIN.number):
        with pytest.raises(NoSuchDay, match=f"^not a day of the chain: {day}$"):
            of(day)


def test_one_hash_leads_from_a_day_to_the_day_before_and_the_count_to_the_first_link() -> None:
    days = [FIRST + number * DAY for number in range(0, 3650, 365)] + [CHAIN.last]
    assert [CHAIN.number(day) for day in days] == [*range(1, 3651, 365), CHAIN.length]
    for day in days:
        assert daily.check_link(CHAIN.link(day), CHAIN.number(day), CHAIN.first_link)
        assert day == FIRST or daily.check_link(CHAIN.link(day), 1, CHAIN.link(day - DAY))


@pytest.mark.parametrize("number", [-1, 0, 6, 8, 10**15])
def test_a_link_with_a_wrong_number_is_refused(number: int) -> None:
    link = CHAIN.link(FIRST + 6 * DAY)
    assert daily.check_link(link, 7, CHAIN.first_link)
    assert not daily.check_link(link, number, CHAIN.first_link)


def test_a_changed_link_is_refused() -> None:
    link = CHAIN.link(FIRST + 6 * DAY)
    for at in range(len(link)):
        changed = bytes(byte ^ (place == at) for place, byte in enumerate(link))
        assert not daily.check_link(changed, 7, CHAIN.first_link)
    for wrong in (b"", link[:-1], link + b"\0", CHAIN.first_link):
        assert not daily.check_link(wrong, 7, CHAIN.first_link)
    assert not daily.check_link(link, 7, replace(CHAIN, end=bytes(32)).first_link)


# --- which days are open, and which links are published; which preset; the secrets ---


HOURS = [datetime(2026, 12, 28, tzinfo=UTC) + hours * HOUR for hours in range(7 * 24 + 1)]
"""Every hour of a week, over the end of a year."""


def moments() -> Iterator[datetime]:
    """Each hour with the moments around it."""
    for hour in HOURS:
        for seconds in (-1, -1e-6, 0, 1e-6, 1, 1800):
            yield hour + timedelta(seconds=seconds)


def test_the_open_days_are_those_that_clocks_in_the_world_show() -> None:
    for now in moments():
        assert daily.open_days(now) == dates_by_zones(now), now
        assert daily.open_days(now.astimezone(ZoneInfo("Etc/GMT-14"))) == daily.open_days(now)
    assert {len(daily.open_days(now)) for now in HOURS} == {2, 3}


def test_no_link_is_published_of_a_day_that_is_open_or_to_come() -> None:
    for now in moments():
        shown = dates_by_zones(now)
        around = [shown[0] + days * DAY for days in range(-3, 4)]
        published = [day for day in around if daily.published_link(CHAIN, day, now)]
        assert published == around[:3], now
        assert daily.newest_published(CHAIN, now) == published[-1]
        for day in published:
            assert daily.published_link(CHAIN, day, now) == CHAIN.link(day)


def test_weekdays_are_classic_and_sundays_take_turns() -> None:
    days = [FIRST + number * DAY for number in range(3650)]
    sundays = [day for day in days if day.strftime("%A") == "Sunday"]
    assert {daily.preset_of(day) for day in days if day not in sundays} == {"milton"}
    names = [daily.preset_of(day) for day in sundays]
    assert set(names[:6]) == {"bonn-still", "pencil", "salvo", "uppsala", "camlship", "bonn"}
    assert all(one != other for one, other in pairwise(names))
    assert names[6:] == names[:-6]


PARTS = as_secret(CHAIN)
DAMAGED = [
    PARTS | damage
    for damage in (
        {"end": base64.b64encode(bytes(31)).decode()},
        {"end": "no base64!"},
        {"end": 7},
        {"length": 0},
        {"length": "3650"},
        {"length": 3650.0},
        {"length": True},
        {"length": 10**9},
        {"first": "2026-11-31"},
        {"first": "20261122"},
        {"first": 20261122},
        {"first": "9999-12-01"},
    )
]
LACKING = [{name: PARTS[name] for name in PARTS if name != missing} for missing in PARTS]


@pytest.mark.parametrize(
    "wrong", [*DAMAGED, *LACKING, None, [], "", 3650, {}, {"end": ""}], ids=str
)
def test_a_damaged_daily_is_refused_and_not_quoted(wrong: Any) -> None:
    secrets.parse(json.dumps(sound()))
    with pytest.raises(secrets.BadSecrets, match="daily") as raised:
        secrets.parse(json.dumps(sound() | {"daily": wrong}))
    values = wrong.values() if isinstance(wrong, dict) else ()
    assert not any(str(value) in str(raised.value) for value in values if value != "")

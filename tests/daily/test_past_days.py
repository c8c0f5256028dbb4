"""Past days: their seas are searched late, count for no day, and never change."""

from datetime import UTC, date, datetime
from html import unescape
from itertools import chain
from pathlib import Path

import pytest
from django.test import RequestFactory

from game.engine.rules import Side
from game.features.daily.views import sea_of
from game.matches.day_results import DayResult as Day
from game.views import hooks
from tests.support.days import CHAIN, DAY, NOON, TODAY, acted, begun, sunk
from tests.support.device import Device
from tests.support.features import brought, needs_features
from tests.support.matches import enemy_water, saved_at

pytestmark = pytest.mark.usefixtures("chain_file", "clock")
PAST = date(2026, 11, 25)
FROZEN = Path(__file__).parent / "past_days.txt"


def past(client: Device, day: date = PAST, language: str = "en") -> str:
    """Where the address of a past day leads."""
    return begun(client, f"/{language}/daily/{day}/")


def missed(client: Device) -> str:
    """Where today's sea is after a shot at water."""
    where = begun(client, "/en/daily/")
    return acted(client, where, {"cell": enemy_water(where)})


def kept_days(client: Device) -> list[Day]:
    """The results of days that the browser keeps."""
    request = RequestFactory().get("/")
    request.COOKIES = {name: it.value for name, it in client.cookies.items()}
    return hooks.day_results(request)


@pytest.mark.parametrize(
    ("language", "title", "shared"),
    [("en", "Sea of 25 November, played later", "Battleship 4, played later: "),
     ("de", "Meer vom 25. November, nachgeholt", "Schiffe versenken 4, nachgeholt: ")],
)  # fmt: skip
def test_a_past_day_is_searched_late_and_says_so(
    client: Device, language: str, title: str, shared: str
) -> None:
    where = past(client, language=language)
    html = client.get(where)
    assert title in html
    assert html.attribute("data-day") == "2026-11-25"
    assert html.attribute("data-day-late") == "yes"
    assert "data-fresh" not in html, "no script leads away from it"
    assert saved_at(where).match.seed == sea_of(CHAIN, PAST).match.seed
    html = client.get(sunk(client, where))
    assert title in html
    assert f'href="/{language}/today/#days-title"' in html
    share = html.attribute('id="act-share" href')
    html = client.get(share, follow=True)
    assert shared in unescape(html)
    assert html.attribute("readonly value") == "http://localhost/daily/2026-11-25/"


@needs_features("logbook")
def test_its_result_counts_for_no_day_and_leaves_the_kept_one(
    client: Device, clock: list[datetime]
) -> None:
    clock[0] = NOON - 6 * DAY
    own = sunk(client, missed(client))
    [before] = kept_days(client)
    clock[0] = NOON
    today = missed(client)
    assert past(client) == own, "the browser still keeps its own match of that day"
    del client.cookies[f"sea-{PAST}"]
    late = sunk(client, past(client))
    assert len(saved_at(late).match.shots) < len(saved_at(own).match.shots)
    sunk(client, past(client, PAST - DAY))
    assert kept_days(client) == [before]
    assert begun(client, "/en/daily/") == today, "today's sea goes on"
    assert not [name for name in client.cookies if name in (f"sea-{PAST}", f"sea-{PAST - DAY}")]
    assert "next-sea" in client.get(own)
    assert "next-sea" not in client.get(late)


def test_a_day_that_is_open_somewhere_leads_to_todays_sea(
    client: Device, clock: list[datetime]
) -> None:
    clock[0] = datetime(2026, 12, 1, 11, 59, tzinfo=UTC)
    for day in (TODAY, TODAY - DAY, TODAY + DAY):
        assert past(client, day) == f"/en/daily/?day={day}"
    clock[0] = NOON
    assert "/play/" in past(client, TODAY - DAY)
    assert saved_at(past(client, TODAY - DAY)).setup.is_late


@pytest.mark.parametrize("day", ["2026-12-03", "2026-11-21", "2036-11-22", "2026-02-30"])
@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "There is no sea for that day."), ("de", "Für diesen Tag gibt es kein Meer.")],
)
def test_a_day_to_come_or_outside_the_chain_is_not_found(
    client: Device, day: str, language: str, sentence: str
) -> None:
    answer = client.get(f"/daily/{day}/", headers={"accept-language": language}, follow=True)
    assert answer.where == f"/{language}/daily/{day}/"
    assert (answer.status, answer.says) == (404, sentence)


@pytest.mark.parametrize("page", ["today/", *chain.from_iterable(brought("CALENDARS").values())])
def test_the_calendar_links_to_the_past_days_of_the_chain_and_no_others(
    client: Device, page: str
) -> None:
    html = client.get(f"/en/{page}")
    linked = html.all(r'href="/en/daily/(\d{4}-\d\d-\d\d)/"')
    assert linked == [str(CHAIN.first + number * DAY) for number in range(9)]
    assert linked[-1] == str(TODAY - DAY)
    assert 'aria-label="25 November"' in html


def test_the_fleets_of_sixty_days_are_frozen() -> None:
    """Nobody could search yesterday's sea again if a change of the code gave it another fleet."""
    lines = ""
    for number in range(60):
        sea = sea_of(CHAIN, day := CHAIN.first + number * DAY)
        fleet = " ".join(map(str, sea.match.placements(Side.SECOND)))
        lines += f"{day} {sea.setup.preset.name} {fleet} {sea.match.seed.hex()}\n"
    assert lines == FROZEN.read_text()

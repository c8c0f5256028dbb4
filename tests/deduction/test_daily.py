"""The deduction of the day: the same place for everybody, and no page tells it."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from html import unescape
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from pytest_django import Settings

from game.deduction import referee
from game.deduction.match import MOST_GUESSES, Mode, Phase
from game.deduction.places import as_cells, possible
from game.deduction.rules import MELBOURNE
from game.deduction.saved import SavedMatch, begin, begin_daily, seal_match, unseal_match
from game.deduction.searchers import SEARCHERS, Evidence
from game.engine.chance import Chance
from game.matches import daily, logbook
from game.matches.daily import Chain
from game.matches.logbook import Day, Kind
from game.ops import secrets
from tests.support.pages import ENGLISH, NAMES, attribute, find, status

CHAIN = Chain(bytes(range(32)), 3650, date(2026, 11, 22))
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
TODAY = date(2026, 12, 1)
DAILY = "/en/deduction/daily/"


@pytest.fixture(autouse=True)
def _chain(tmp_path: Path, settings: Settings) -> None:
    settings.SECRETS_FILE = with_chain(tmp_path / "secrets.json")


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The server's time, which a test sets."""
    shown = [NOON]
    monkeypatch.setattr(daily, "now", lambda: shown[0])
    return shown


def with_chain(path: Path) -> Path:
    """A secrets file with keys of its own and the chain."""
    end = base64.b64encode(CHAIN.end).decode()
    chain = {"end": end, "length": CHAIN.length, "first": CHAIN.first.isoformat()}
    secrets.write(path, secrets.make() | {"daily": chain})
    return path


def without_chain(path: Path) -> Path:
    found = secrets.make()
    del found["daily"]
    secrets.write(path, found)
    return path


def begun(client: Client, day: date | str = "", language: str = "en") -> str:
    """The address of a new match of a day."""
    query = f"?day={day}" if day else ""
    answer = client.get(f"/{language}/deduction/daily/{query}")
    assert answer.status_code == 302
    return str(answer["Location"])


def saved_at(where: str) -> SavedMatch:
    return unseal_match(where.split("/")[4])


def place_of(saved: SavedMatch) -> str:
    assert saved.match.mine is not None
    return MELBOURNE.names(saved.match.mine.place)


def found(saved: SavedMatch) -> SavedMatch:
    """The match after a miss and the right guess."""
    assert saved.match.mine is not None
    place = saved.match.mine.place
    miss = next(one for one in map(as_cells, possible(MELBOURNE, ())) if one != place)
    return saved.guess(miss).guess(place)


def address(saved: SavedMatch, language: str = "en", page: str = "play") -> str:
    return f"/{language}/deduction/{page}/{seal_match(saved)}/"


def title_of(html: str) -> str:
    return find(r"<title>(.*?)</title>", html, re.DOTALL)[1]


# --- the same for everybody ---


def test_two_copies_hide_at_the_same_place_of_a_day(tmp_path: Path, settings: Settings) -> None:
    clients = [Client(), Client()]
    places = []
    for number, client in enumerate(clients):
        settings.SECRETS_FILE = with_chain(tmp_path / f"{number}.json")
        places.append([place_of(saved_at(begun(client, TODAY + days * DAY))) for days in (0, 1)])
    assert places[0] == places[1]
    assert places[0][0] != places[0][1]


def test_the_place_comes_from_the_days_link_alone(client: Client) -> None:
    saved = saved_at(begun(client, TODAY))
    assert saved.match.seed == daily.seed_of(CHAIN.link(TODAY), "deduction")
    hour = int(NOON.timestamp()) // 3600
    assert saved == replace(begin_daily(TODAY, saved.match.seed), started_hour=hour)
    assert saved.match == referee.begin(MELBOURNE, Mode.SEARCH, saved.match.seed)


def test_a_day_and_its_place_never_change() -> None:
    """A match begun on another copy, or by another version, has the same place."""
    seed = daily.seed_of(CHAIN.link(CHAIN.first), "deduction")
    assert place_of(begin_daily(CHAIN.first, seed)) == "C2 A3 F4"


# --- which days can be begun ---


def test_at_each_hour_of_a_week_those_days_can_be_begun_that_clocks_show(
    client: Client, clock: list[datetime]
) -> None:
    zones = [ZoneInfo(f"Etc/GMT{-offset:+d}" if offset else "Etc/GMT") for offset in range(-12, 15)]
    for hours in range(7 * 24):
        clock[0] = NOON + hours * HOUR
        shown = {clock[0].astimezone(zone).date() for zone in zones}
        for days in range(-3, 4):
            day = clock[0].date() + days * DAY
            answer = client.get(DAILY, {"day": day.isoformat()})
            assert answer.status_code == (302 if day in shown else 422), (clock[0], day)


def test_without_a_date_it_is_the_day_in_utc(client: Client, clock: list[datetime]) -> None:
    for hours in range(24):
        clock[0] = NOON + hours * HOUR
        assert saved_at(begun(client)).day == clock[0].date()


@pytest.mark.parametrize(
    "asked",
    ["", "2026-11-29", "2026-12-03", "20261201", "2026-W49-2", "2026-12-01T00:00", "today",
     "<b>", "٢٠٢٦-12-01", "2026-12-01 ", "9" * 5000],
)  # fmt: skip
def test_another_day_gets_a_sentence_and_a_way_to_todays(client: Client, asked: str) -> None:
    answer = client.get(DAILY, {"day": asked})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert status(html) == "Only today’s deduction can be begun."
    assert f'href="{DAILY}"' in html.split("<main")[1]
    assert "<b>" not in html.split("<main")[1]
    assert 'href="/de/deduction/daily/"' in html


def test_a_device_with_a_wrong_date_is_told_so_once(client: Client) -> None:
    """The script remembers the refusal, and the next link asks for the day of UTC."""
    html = client.get(DAILY, {"day": "2026-11-29"}).content.decode()
    assert '<div class="card lost" data-refused>' in html.split("<main")[1]
    assert find(r'<script src="/static/game/daily[^"]*\.js" type="module">', html)


@pytest.mark.parametrize(
    "now", [datetime(2026, 11, 21, 12, tzinfo=UTC), datetime(2036, 11, 20, 12, tzinfo=UTC)]
)
def test_a_chain_that_has_not_begun_or_has_ended_gets_a_sentence(
    client: Client, clock: list[datetime], now: datetime
) -> None:
    clock[0] = now
    answer = client.get(DAILY)
    assert answer.status_code == 422
    html = answer.content.decode()
    assert status(html) == "There is no deduction of that day."
    assert f'href="{DAILY}"' not in html.split("<main")[1], "a button back to this very page"


def test_the_first_and_the_last_day_can_be_begun(client: Client, clock: list[datetime]) -> None:
    for day in (CHAIN.first, CHAIN.last):
        clock[0] = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        assert saved_at(begun(client, day)).day == day


def test_a_site_without_a_chain_offers_none(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    assert 'id="play-daily"' in client.get("/en/deduction/").content.decode()
    settings.SECRETS_FILE = without_chain(tmp_path / "none.json")
    assert "daily" not in client.get("/en/deduction/").content.decode()
    for query in ("", f"?day={TODAY}", "?day=x"):
        assert client.get(DAILY + query).status_code == 404
    assert client.get("/de/deduction/daily/").status_code == 404


def test_todays_is_offered_only_while_a_day_of_the_chain_is_open(
    client: Client, clock: list[datetime]
) -> None:
    days = (CHAIN.first, CHAIN.last)
    first, last = (datetime(day.year, day.month, day.day, tzinfo=UTC) for day in days)
    for now, is_open in (
        (first - 14 * HOUR - timedelta(seconds=1), False), (first - 14 * HOUR, True), (NOON, True),
        (last + 36 * HOUR - timedelta(seconds=1), True), (last + 36 * HOUR, False),
    ):  # fmt: skip
        clock[0] = now
        html = client.get("/en/deduction/").content.decode()
        assert ('id="play-daily"' in html) is is_open, now
        assert ("game/daily" in html) is is_open, now
        assert daily.is_running(CHAIN, now) is is_open
        assert not daily.is_running(None, now)


def test_it_is_never_kept_nor_indexed_and_only_read(client: Client) -> None:
    for query in ("", "?day=x"):
        answer = client.get(DAILY + query)
        assert answer["Cache-Control"] == "no-store"
        assert answer["X-Robots-Tag"] == "noindex"
    assert client.head(DAILY).status_code == 302
    assert client.post(DAILY).status_code == 405


# --- a match of a day ---


def test_a_match_keeps_its_day_past_midnight(client: Client, clock: list[datetime]) -> None:
    where = begun(client, TODAY)
    clock[0] += 9 * DAY
    html = client.get(where).content.decode()
    assert attribute(html, "data-day") == "2026-12-01"
    answer = client.post(where, {"cell": ["A1", "B1", "C1"], "action": "guess"})
    html = client.get(answer["Location"]).content.decode()
    assert attribute(html, "data-day") == "2026-12-01"
    assert attribute(html, "data-turn") == "1"
    assert saved_at(answer["Location"]).day == TODAY


@pytest.mark.parametrize(
    ("language", "line", "par"),
    [("en", "Deduction of 1 December 2026", r"Par: \d guesses\."),
     ("de", "Rätsel vom 1. Dezember 2026", r"Par: \d Tipps\.")],
)  # fmt: skip
def test_it_says_whose_day_it_is_and_at_the_end_par(
    client: Client, language: str, line: str, par: str
) -> None:
    saved = saved_at(begun(client, TODAY))
    for it in (saved, saved.guess(MELBOURNE.parse("A1 B1 C1"))):
        html = client.get(address(it, language)).content.decode()
        assert line in title_of(html)
        assert html.split("<main")[1].count(line) == 2, "beside the guesses, and with the rules"
        assert "data-par" not in html
        assert "Par:" not in html
    html = client.get(address(found(saved), language)).content.decode()
    assert line in title_of(html)
    assert f"{line}." in html.split('class="rule-line"')[1]
    assert attribute(html, "data-day") == "2026-12-01"
    told = find(par, html.split('class="verdict')[1])[0]
    assert f" {attribute(html, 'data-par')} " in told
    assert status(html).endswith(told)
    review = client.get(address(found(saved), language, "review")).content.decode()
    assert attribute(review, "data-par") == attribute(html, "data-par")
    assert attribute(review, "data-day") == "2026-12-01"


@pytest.mark.parametrize("path", [DAILY, f"{DAILY}?day=1999-01-01", "/en/deduction/"])
def test_no_german_page_has_an_english_word(client: Client, path: str) -> None:
    html = client.get(path.replace("/en/", "/de/"), follow=True).content.decode()
    text = unescape(re.sub(r"<[^>]*>", " ", re.sub(r"<script.*?</script>", "", html)))
    text = text.replace("English", "")
    assert not re.findall(r"\b(today\w*|deduction|day|december|par)\b", text.lower())
    assert not ENGLISH.findall(NAMES.sub("", text).lower())


def test_other_matches_have_neither_day_nor_par(client: Client) -> None:
    for it in (
        begin(MELBOURNE, Mode.SEARCH, "strong"),
        found(begin(MELBOURNE, Mode.SEARCH, "easy")),
    ):
        html = client.get(address(it)).content.decode()
        assert "data-day" not in html
        assert "data-par" not in html
        assert "Deduction of" not in html
        assert it.par is None


def test_playing_again_begins_a_match_of_no_day(client: Client) -> None:
    html = client.get(address(found(saved_at(begun(client))))).content.decode()
    form = find(r'<form method="post" action="/en/deduction/">(.*?)</form>', html, re.DOTALL)[1]
    fields = dict(re.findall(r'name="(\w+)" value="(\w+)"', form))
    assert fields == {"way": "search", "searcher": "strong", "sea": "original"}
    again = saved_at(client.post("/en/deduction/", fields)["Location"])
    assert (again.day, again.match.rules, again.match.mode) == (None, MELBOURNE, Mode.SEARCH)


def test_a_day_that_was_given_up_has_par_too(client: Client) -> None:
    saved = saved_at(begun(client))
    given_up = replace(saved, match=saved.match.give_up())
    html = client.get(address(given_up)).content.decode()
    assert int(attribute(html, "data-par")) == given_up.par
    assert attribute(html, "data-outcome") == "lost"


def test_at_its_end_the_verdict_leads_to_todays_sea_and_the_bar_has_room(client: Client) -> None:
    """With a fourth button in the bar "Play again" would lie off a phone’s screen."""
    html = client.get(address(found(saved_at(begun(client))))).content.decode()
    verdict = find(r'<div class="verdict.*?</div>', html, re.DOTALL)[0]
    assert 'id="act-daily" data-daily' in verdict
    assert 'href="/en/daily/"' in verdict
    bar = html.split('id="controls"')[1]
    assert 'id="act-again"' in bar
    assert "act-daily" not in bar
    other = client.get(address(found(begin(MELBOURNE, Mode.SEARCH, "strong")))).content.decode()
    assert "act-daily" not in other


# --- what counts as help ---


def kept_day(client: Client) -> Day:
    """The only day in the logbook of the browser."""
    [day] = logbook.unseal(client.cookies["logbook"].value).days
    return day


def guess(client: Client, where: str, names: str) -> str:
    """The address after a guess."""
    answer = client.post(where, {"cell": names.split(), "action": "guess"})
    assert answer.status_code == 303
    return str(answer["Location"])


def switch_heat(client: Client, where: str, how: str) -> str:
    return str(client.post(where, {"heat": how})["Location"])


def misses(where: str, count: int) -> list[str]:
    """Guesses that are not the place."""
    place = place_of(saved_at(where))
    names = (MELBOURNE.names(as_cells(one)) for one in possible(MELBOURNE, ()))
    return list(islice((name for name in names if name != place), count))


def test_a_search_without_help_counts_as_such(client: Client) -> None:
    where = begun(client)
    for name in (*misses(where, 2), place_of(saved_at(where))):
        where = guess(client, where, name)
    assert kept_day(client)[:3] == (TODAY, Kind.DEDUCTION, 3)
    assert kept_day(client).is_sunk
    assert not kept_day(client).is_helped


def test_heat_that_was_switched_off_again_still_counts_as_help(client: Client) -> None:
    where = begun(client)
    place = place_of(saved_at(where))
    where = switch_heat(client, guess(client, where, misses(where, 1)[0]), "on")
    where = switch_heat(client, where, "off")
    assert not saved_at(where).heat
    guess(client, where, place)
    assert kept_day(client).is_helped


def test_heat_that_is_shown_at_the_end_counts_as_help(client: Client) -> None:
    where = switch_heat(client, begun(client), "on")
    guess(client, where, place_of(saved_at(where)))
    assert kept_day(client).is_helped


def test_the_place_at_an_older_address_counts_as_help(client: Client) -> None:
    first = where = begun(client)
    for name in misses(first, 3):
        where = guess(client, where, name)
    last = guess(client, first, place_of(saved_at(first)))
    assert saved_at(last).match.turn == 1
    assert kept_day(client)[2:] == (1, saved_at(last).par, True, True)


def test_another_guess_at_an_older_address_stays_marked(client: Client) -> None:
    first = begun(client)
    one, other = misses(first, 2)
    guess(client, first, one)
    where = guess(client, first, other)
    guess(client, where, place_of(saved_at(where)))
    assert kept_day(client).is_helped


def test_the_place_is_known_after_giving_up(client: Client) -> None:
    first = begun(client)
    where = guess(client, first, misses(first, 1)[0])
    client.post(where, {"action": "surrender"})
    again = guess(client, where, place_of(saved_at(first)))
    assert saved_at(again).is_helped


def test_heat_at_an_older_address_counts_as_help(client: Client) -> None:
    first = begun(client)
    where = guess(client, first, misses(first, 1)[0])
    switch_heat(client, first, "on")
    guess(client, where, place_of(saved_at(first)))
    assert kept_day(client).is_helped


def test_a_repeated_request_leaves_no_mark(client: Client) -> None:
    first = begun(client)
    one, other = misses(first, 2)
    where = guess(client, first, one)
    guess(client, where, other)
    where = guess(client, guess(client, first, one), other)
    for _ in range(2):
        last = guess(client, where, place_of(saved_at(first)))
        guess(client, first, one)
    assert saved_at(last).match.turn == 3
    assert not kept_day(client).is_helped
    assert saved_at(begun(client)) == saved_at(last)


def test_todays_leads_back_to_the_match_that_the_browser_keeps(
    client: Client, clock: list[datetime]
) -> None:
    """Each open day has its own, in either language."""
    clock[0] -= 2 * HOUR
    ends = {}
    for day in daily.open_days(clock[0]):
        where = begun(client, day)
        ends[day] = saved_at(guess(client, where, misses(where, 1)[0]))
    assert len(ends) == 3
    for day, end in ends.items():
        assert [saved_at(begun(client, day, it)) for it in ("en", "de")] == [end, end]
    assert saved_at(begun(Client())).match.turn == 0, "another browser"


def test_an_older_address_does_not_take_the_browser_back(client: Client) -> None:
    first = begun(client)
    one, other = misses(first, 2)
    last = guess(client, guess(client, first, one), other)
    guess(client, first, one)
    assert saved_at(begun(client)) == saved_at(last)


@pytest.mark.parametrize("secure", [True, False])
def test_the_cookie_is_for_this_site_alone(client: Client, secure: bool) -> None:
    where = begun(client)
    assert "deduction-2026-12-01" not in client.cookies
    client.post(where, {"cell": misses(where, 1)[0].split(), "action": "guess"}, secure=secure)
    cookie = client.cookies["deduction-2026-12-01"]
    assert (cookie["samesite"], cookie["path"], cookie["max-age"]) == ("Lax", "/", 3 * 24 * 3600)
    assert cookie["httponly"]
    assert bool(cookie["secure"]) is secure


def test_a_foreign_cookie_counts_for_nothing(client: Client) -> None:
    where = begun(client)
    other_day = begin_daily(TODAY - DAY, saved_at(where).match.seed)
    other_chain = begin_daily(TODAY, bytes(16))
    for text in ("", "x", *(seal_match(found(it)) for it in (other_day, other_chain))):
        client.cookies["deduction-2026-12-01"] = text
        assert saved_at(begun(client)).match.turn == 0
        assert not saved_at(guess(client, where, misses(where, 1)[0])).is_helped


def test_a_match_of_no_day_keeps_no_cookie(client: Client) -> None:
    client.post(address(begin(MELBOURNE, Mode.SEARCH, "strong")), {"heat": "on"})
    assert not client.cookies


# --- par ---


def guesses_for(seed: bytes) -> int:
    """How many guesses the strong searcher needs, asked by hand."""
    match = referee.begin(MELBOURNE, Mode.SEARCH, seed)
    assert match.mine is not None
    search = replace(match.mine, guesses=())
    while not search.is_over:
        chance = Chance(seed, "strong/guess", len(search.guesses))
        seen = Evidence(MELBOURNE, search.answers)
        search = search.guess(SEARCHERS["strong"].guess(seen, chance))
    return len(search.guesses)


def test_par_is_what_the_strong_searcher_needs_for_the_place() -> None:
    pars = []
    for days in range(40):
        day = CHAIN.first + days * DAY
        seed = daily.seed_of(CHAIN.link(day), "deduction")
        saved = found(begin_daily(day, seed))
        assert saved.par == guesses_for(seed)
        pars.append(saved.par)
    assert 1 <= min(pars) < max(pars) <= 7


def test_par_is_not_told_before_the_end() -> None:
    saved = begin_daily(TODAY, bytes(16))
    assert saved.par is None
    assert saved.guess(MELBOURNE.parse("A1 B1 C1")).par is None
    lost = saved
    while lost.match.phase is not Phase.OVER:
        lost = lost.guess(MELBOURNE.parse("A1 B1 C1"))
    assert lost.match.turn == MOST_GUESSES
    assert lost.par == guesses_for(bytes(16))


def test_par_does_not_depend_on_how_the_person_searched() -> None:
    saved = begin_daily(TODAY, bytes(16))
    given_up = replace(saved, match=saved.match.give_up())
    assert found(saved).par == given_up.par


# --- what is told, and when ---


def spellings(secret: bytes) -> set[str]:
    """How a secret could stand in a page or a header."""
    return {
        secret.hex(), secret.hex().upper(), base64.b64encode(secret).decode().rstrip("="),
        base64.urlsafe_b64encode(secret).decode().rstrip("="), repr(secret)[2:-1],
    }  # fmt: skip


def test_no_answer_of_a_match_under_way_shows_a_link_or_the_seed(
    client: Client, clock: list[datetime]
) -> None:
    told: list[str] = []
    for hours in range(0, 48, 2):
        clock[0] = NOON + hours * HOUR
        for day in daily.open_days(clock[0]):
            where = begun(client, day)
            for answer in (
                client.get(DAILY, {"day": day.isoformat()}), client.get("/en/deduction/"),
                client.get(where), client.get(where.replace("/play/", "/review/")),
                client.post(where, {"cell": ["A1", "B1", "C1"]}, headers={"hx-request": "true"}),
                client.post(where, {"cell": "Z9"}), client.post(where, {"heat": "on"}),
            ):  # fmt: skip
                assert answer.status_code in (200, 302, 303, 422)
                told += [answer.content.decode(), *map(str, answer.items())]
    days = [TODAY + days * DAY for days in range(-2, 6)]
    hidden = [CHAIN.end, *map(CHAIN.link, days)]
    hidden += [daily.seed_of(CHAIN.link(day), "deduction") for day in days]
    everything = "\n".join(told)
    assert not [text for secret in hidden for text in spellings(secret) if text in everything]

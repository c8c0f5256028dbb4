"""The logbook's page without a script: its cookie, its file, its address and its refusals."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from game.display.names import mind_name
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.features.logbook.cookie import (
    LOGBOOK,
    MOST_IN_COOKIE,
    keep_book,
    keep_skill,
    kept_book,
    with_match,
)
from game.features.logbook.model import Cell, Count, Logbook, seal, unseal
from game.features.logbook.views import MOST_FORM
from game.matches import daily
from game.matches.day_results import DayResult as Day
from game.matches.draft import Draft
from game.matches.par import Par
from game.matches.saved import SavedMatch
from game.matches.setup import Assists
from game.matches.setup import Day as SetupDay
from game.players.registry import CODES, RANK_NAMES
from tests.logbook.samples import SEA
from tests.support import matches
from tests.support.days import CHAIN, GAMES, with_chain
from tests.support.device import HTMX, Device
from tests.support.features import needs_features
from tests.support.matches import address, ended, hit_all_but, opening, played, with_setup
from tests.support.page import Page

PAGE = "/en/logbook/"
FIRST_DAY = date(2026, 11, 23)
"""The first day of the site's chain, a Monday."""
SITE = replace(CHAIN, first=FIRST_DAY)
TODAY = date(2037, 6, 14)
"""A Sunday, more than ten years after the first day."""
RANDOM = CODES["random"]
NO_LOGBOOK = "This is not a logbook of this site, or a part of it is missing. Nothing has changed."
NO_LOGBOOK_DE = (
    "Das ist kein Logbuch dieser Website, oder es fehlt ein Teil davon. Es hat sich nichts "
    "geändert."
)


@pytest.fixture(autouse=True)
def _site_with_a_chain(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SECRETS_FILE = with_chain(tmp_path / "secrets.json", SITE)
    monkeypatch.setattr(daily, "now", lambda: datetime(2037, 6, 14, 12, tzinfo=UTC))


@cache
def days(number_of_days: int, *, last: date = TODAY, are_varied: bool = False) -> Logbook:
    """Days in a row; those of a real player vary, so that they can't be compressed as well."""
    book = Logbook()
    for number in reversed(range(number_of_days)):
        day = Day(last - timedelta(days=number), SEA, 30 + number % 30, 40, number % 7 != 6)
        if are_varied:
            chance = Random(number)
            day = day._replace(shots=chance.randint(25, 75), par=chance.randint(28, 60))
        book = book.with_day(day)
    return book


def client_with(book: Logbook | str) -> Device:
    client = Device()
    client.cookies[LOGBOOK] = book if isinstance(book, str) else seal(book)
    return client


def posted(book: Logbook | str, action: str, **fields: str) -> Page:
    """The answer to a form of the page, sent by a device with that logbook."""
    return client_with(book).post(PAGE, {"action": action, **fields})


def kept_by(client: Device) -> Logbook:
    return unseal(client.cookies[LOGBOOK].value)


def text_of(page: Page) -> str:
    """The text that a script would take from the page."""
    return "".join(page.all(r'data-text="([\w-]+)"'))


# --- matches that end ---


def after(
    saved: SavedMatch, book: Logbook | str | None = None, *, secure: bool = False
) -> HttpResponse:
    """The response to the click that has ended a match."""
    request, response = RequestFactory().post("/", secure=secure), HttpResponse()
    if book is not None:
        request.COOKIES[LOGBOOK] = book if isinstance(book, str) else seal(book)
    keep_book(request, response, with_match(kept_book(request), saved))
    return response


def kept_in(response: HttpResponse) -> Logbook:
    return unseal(response.cookies[LOGBOOK].value)


def games(book: Logbook) -> int:
    return sum(count.games for count in book.counts.values())


def test_a_match_that_ends_is_counted_once_by_game_and_opponent() -> None:
    saved = of_preset("milton", ended(PRESETS["milton"].ruleset))
    shots = sum(shot.side is Side.FIRST for shot in saved.match.shots)
    is_won = saved.match.outcome.winner is Side.FIRST
    book = kept_in(after(saved))
    won = Count(1, is_won, 0, shots * is_won, shots * is_won)
    assert book.counts == {Cell(PRESETS["milton"].code, RANDOM): won}
    assert not book.days
    assert LOGBOOK not in after(saved, book).cookies, "a reload, Back, or a form sent again"
    (count,) = kept_in(after(played(opening(), 3).resigned(Side.FIRST))).counts.values()
    assert count == Count(1, 0, 0, 0, 0), "a match given up is a match lost"


def test_a_second_start_from_the_same_placing_page_is_not_counted() -> None:
    """The end reveals the server's seed share, so a player who goes back may know the sea."""
    one, other = (Draft(camlship("random").setup).filled().with_server_share() for _ in range(2))
    books: list[Logbook] = []
    for draft, share in ((one, "0" * 32), (one, "1" * 32), (other, "0" * 32)):
        started = draft.start(None, share)
        assert isinstance(started, SavedMatch)
        response = after(played(started, 4).resigned(Side.FIRST), books[-1] if books else None)
        if LOGBOOK in response.cookies:
            books.append(kept_in(response))
    assert [games(book) for book in books] == [1, 2]


def sea() -> SavedMatch:
    """A day's sea whose ships are all sunk, and whose par isn't counted yet."""
    day = SetupDay(FIRST_DAY, 1, SITE.first_link)
    hour = int(datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp()) // 3600
    return with_setup(matches.sea(misses=0, hits=17), day=day, started_hour=hour)


@needs_features("daily")
def test_the_sea_of_a_day_is_kept_at_its_end_with_its_par(client: Device) -> None:
    """The page may be closed as soon as the last shot has been seen."""
    ended = replace(sea(), par=Par(3))
    last = ended.match.ruleset.board.name(ended.match.shots[-1].cell)
    setup = replace(ended.setup, assists=Assists(was_hinted=True))
    match = ended.match.at(ended.match.ply - 1)
    saved = replace(ended, setup=setup, match=match)
    where = client.post(address(saved), {"cell": last}).location
    shots, kept = len(ended.match.shots), kept_by(client)
    assert kept.days == (Day(FIRST_DAY, SEA, shots, 3, True, is_helped=True),)
    assert kept.counts == {Cell(saved.setup.preset.code, 0): Count(1, 1, 0, shots, shots)}
    html = client.get(f"{PAGE}?month=2026-11")
    assert f"Sea: {shots} shots, par 3, with help." in html
    assert "0 at par or better" in html
    assert client.get(where).status == 200
    other = replace(ended, match=replace(ended.match, seed=bytes(range(16))))
    assert LOGBOOK not in after(other, kept_by(client)).cookies, "a day counts once"


def of_preset(name: str, saved: SavedMatch) -> SavedMatch:
    return with_setup(saved, preset=PRESETS[name])


def camlship(opponent: str) -> SavedMatch:
    return of_preset("camlship", opening(PRESETS["camlship"].ruleset, mind=opponent))


def judged(saved: SavedMatch, book: Logbook) -> Logbook:
    """The logbook once the skill in a match is known, which is 61."""
    request, response = RequestFactory().get("/"), HttpResponse()
    request.COOKIES[LOGBOOK] = seal(book)
    keep_skill(request, response, saved, 61)
    return kept_in(response) if LOGBOOK in response.cookies else book


def test_a_skill_is_added_once_and_of_a_match_unknown_to_the_logbook_none() -> None:
    saved = hit_all_but(0, camlship("random"))
    book = judged(saved, judged(saved, kept_in(after(saved))))
    (count,) = book.counts.values()
    assert (count.games, count.judged, count.skill) == (1, 1, 61)
    assert judged(saved, Logbook()).is_empty


def test_the_end_proposes_the_rank_that_suits() -> None:
    saved = played(camlship("sailor"), 10_000)
    lost, won = Count(9, 0, 0, 0, 0), Count(9, 9, 0, 400, 40)
    proposed = []
    for count in (lost, won):
        cell = Cell(PRESETS["camlship"].code, CODES["sailor"])
        client = client_with(Logbook(devices={b"abc": {cell: count}}, device=b"abc"))
        page = client.get(address(saved))
        found = page.search(r'name="against"\s+value="([^"]+)">([^<\n]+?)\s*<small>about even')
        assert mind_name(found[1]) == found[2]
        proposed.append(found[1])
    easier, harder = map(RANK_NAMES.index, proposed)
    assert easier < RANK_NAMES.index("sailor") < harder
    page = client_with(Logbook()).get(address(saved))
    assert "about even" not in page, "one match says too little"


def test_matches_under_way_of_two_persons_watched_or_given_up_at_once_are_not_counted() -> None:
    over = ended()
    others = [with_setup(over, minds=minds) for minds in ((None, None), ("sailor", "sailor"))]
    for saved in (*others, opening(), played(opening(), 3), opening().resigned(Side.FIRST)):
        assert LOGBOOK not in after(saved).cookies


def test_the_cookie_leaves_out_the_oldest_days_and_no_counts() -> None:
    response = after(ended(), days(2500, are_varied=True))
    book = kept_in(response)
    assert 800 < len(book.days) < 2500
    assert book.days == days(2500, are_varied=True).days[-len(book.days) :]
    assert len(book.counts) == 1
    cookie = response.cookies[LOGBOOK].OutputString()
    assert MOST_IN_COOKIE + 50 < len(cookie) <= MOST_IN_COOKIE + 250


# --- the page ---


@needs_features("daily")
def test_the_page_shows_days_figures_and_the_rank_that_suits() -> None:
    counts = {Cell(PRESETS["bonn"].code, CODES["recruit"]): Count(10, 8, 1, 480, 44)}
    book = replace(days(12), devices={b"one": counts}, device=b"one")
    without_par = Day(TODAY - timedelta(days=12), SEA, 30, 0, True)
    html = client_with(book.with_day(without_par)).get(PAGE)
    for said in (
        "<dt>Matches</dt><dd><b>10</b>",
        "80% of 10",
        "<dt>Days in a row</dt><dd><b>13</b>",
        "An even match for you: sailor.",
        "Sea: 30 shots, par 40.",
        "Sea: 36 shots, par 40, not all found.",
        "Your last 12 seas: 36 shots on average, par 40; 10 at par or better.",
    ):
        assert said in html
    row = html.first('<th scope="row">Recruit</th>.*?</tr>')
    assert re.findall(r"<td>(\d+)</td>", row) == ["10", "8", "1", "44", "60"]
    assert len(html.all('<circle class="is-(?:par|over)"')) == 11
    assert html.first('role="img".*?</svg>').count('class="lost"') == 1


def test_a_cookie_that_cannot_be_read_is_one_sentence_and_an_empty_logbook() -> None:
    said = "The logbook on this device can’t be read. A new one begins."
    text = seal(days(3))
    changed = text[:40] + ("A" if text[40] != "A" else "B") + text[41:]
    for bad in ("x", text[:-2], "<b>", changed):
        page = client_with(bad).see(PAGE)
        assert page.says == said
        assert text_of(page) == "", "what the device keeps is not overwritten"
        after_it = kept_in(after(ended(), bad))
        assert (games(after_it), after_it.days) == (1, ())


# --- to keep, to bring and to forget ---


def test_a_logbook_is_brought_from_its_file_and_merged(client: Device) -> None:
    theirs = kept_in(after(ended(), days(30).with_day(Day(TODAY - timedelta(60), SEA, 50, 40))))
    file = posted(theirs, "save", kept="")
    assert file.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert file.headers["Content-Disposition"] == 'attachment; filename="battleship-logbook.txt"'
    assert file.headers["Cache-Control"] == "no-store"
    for _ in range(2):
        done = client.post(PAGE, {"action": "bring", "text": file})
        assert (done.status, done.location) == (303, "/en/logbook/?brought=on")
        assert kept_by(client).days == theirs.days
        assert kept_by(client).counts == theirs.counts
    assert kept_by(client).device != theirs.device, "each device counts for itself"
    assert client.get(done.location).says == "The logbook has been added to yours."
    old = days(3650, last=TODAY - timedelta(days=3))
    file = posted(days(3), "save", kept=seal(old))
    assert unseal(file).days == (*old.days, *days(3).days), "it has all that the device kept"


def test_an_address_brings_a_logbook_only_by_a_press(client: Device) -> None:
    html = posted(days(20), "carry")
    assert "<svg" in html.split('class="code"')[1]
    offer = client.see(html.first(r'value="http://localhost(/en/logbook/bring/[\w-]+/)"'))
    assert LOGBOOK not in client.cookies
    assert offer.headers["Cache-Control"] == "no-store"
    assert offer.headers["X-Robots-Tag"] == "noindex"
    assert "Add this logbook to this device?" in offer
    (text,) = offer.all(r'name="text" value="([\w-]+)"')
    client.post(PAGE, {"action": "bring", "text": text})
    assert kept_by(client).days == days(20).days


def test_everything_is_forgotten_by_one_press_the_seas_of_days_too() -> None:
    client = client_with(days(30))
    forgotten = [*(f"{game.cookie}2037-06-13" for game in GAMES.values()), "results"]
    for name in (*forgotten, "language"):
        client.cookies[name] = "kept"
    done = client.post(PAGE, {"action": "forget", "kept": seal(days(90))})
    assert (done.status, done.location) == (303, PAGE)
    assert done.headers["Clear-Site-Data"] == '"storage"'
    kept = {name: it.value for name, it in client.cookies.items()}
    assert kept == dict.fromkeys((LOGBOOK, *forgotten), "") | {"language": "kept"}
    assert client.cookies[LOGBOOK]["max-age"] == 0
    assert client.cookies[forgotten[0]]["path"] == "/", "as it was set"
    part = client_with(days(30)).post(PAGE, {"action": "forget"}, headers=HTMX)
    assert "data-forgotten" in part
    assert text_of(part) == ""


def test_a_text_that_is_no_logbook_changes_nothing() -> None:
    """A form is read no further than any logbook goes."""
    client, longer = client_with(days(3)), " " * MOST_FORM + seal(days(3650))
    for text in ("", "   ", "forged", "<script>alert(1)</script>", "A" * 200_000, longer):
        for language, said in (("en", NO_LOGBOOK), ("de", NO_LOGBOOK_DE)):
            page = client.post(f"/{language}/logbook/", {"action": "bring", "text": text})
            assert (page.status, page.says) == (422, said)
            assert kept_by(client) == days(3)
            assert "alert" not in page


def test_a_site_without_a_chain_has_no_logbook(settings: Settings, tmp_path: Path) -> None:
    client = client_with(days(3))
    settings.SECRETS_FILE = with_chain(tmp_path / "without.json", None)
    asked = client.get(PAGE), client.post(PAGE, {"action": "save"}), client.get(f"{PAGE}bring/x/")
    told = {(page.status, page.says) for page in asked}
    assert told == {(404, "Logbooks are switched off on this site.")}
    assert LOGBOOK not in after(ended()).cookies

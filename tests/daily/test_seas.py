"""Today's sea on its pages: the same for everybody, never shown too early, and marked for help."""

import base64
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from math import inf

import pytest
from django.core.management import CommandError

from game.engine.rules import Side
from game.features.daily.views import sea_of
from game.matches import daily
from game.matches.daily import Chain
from game.matches.record import write
from game.matches.saved import SavedMatch, begin
from game.matches.setup import Day
from tests.support import in_both_languages
from tests.support.days import (
    CHAIN,
    DAY,
    GAMES,
    HOUR,
    SIGNS,
    TODAY,
    acted,
    dates_by_zones,
    sunk,
)
from tests.support.days import begun as begun_day
from tests.support.device import HTMX, Device
from tests.support.matches import (
    address,
    enemy_ships,
    saved_at,
    verified,
    waters,
    with_setup,
)
from tests.support.page import Page

pytestmark = pytest.mark.usefixtures("chain_file", "clock")
OTHER = replace(CHAIN, end=bytes(32))


def today(client: Device, day: date | None = None, language: str = "en") -> str:
    """Where the sea of a day leads."""
    return begun_day(client, f"/{language}/daily/", day)


def fire(client: Device, where: str, *cells: str) -> str:
    """Returns the address of the match after shots at these cells."""
    return acted(client, where, *({"cell": cell} for cell in cells))


def marks(client: Device, where: str) -> str:
    """The marks in the record of an ended match."""
    record = client.get(where.replace("/play/", "/record/"))
    return record.first(r"^marks (.*)$", re.MULTILINE)


# --- the handles; a match keeps its day, and its chain; marks ---


def test_a_whole_sea_is_played_by_plain_forms(client: Device) -> None:
    where = today(client)
    par = saved_at(where).par.shots or 0
    shots = [*waters(saved_at(where).match, Side.SECOND)[:9], *enemy_ships(where)]
    goal = f"Sink five ships. The admiral needed {par} shots (par)."
    assert client.get(where).count(goal) == 3, "as status, beside the fleet and in the text view"
    for number, cell in enumerate(shots):
        html = client.get(where)
        assert (f"{number} shots · par {par}" in html) is (number > 1)
        assert html.all(r'data-board="(\w+)"') == ["enemy"]
        assert (html.game["data-phase"], html.game["data-day"]) == ("firing", "2026-12-01")
        assert "data-par" not in html
        assert "data-outcome" not in html.game
        assert list(html.cells("enemy").values()).count("unknown") == 64 - number
        assert cell in html.values("cell")
        where = client.pressed(html.form, {"cell": cell})
        assert where.startswith("/en/play/")
    html = client.get(where)
    game, score = html.game, re.sub("<.*?>|\\s+", " ", html.first(r'class="summary".*?>(.*?)</p>'))
    off = len(shots) - par
    beside = f"{abs(off)} {'over' if off > 0 else 'under'} par" if off else "on par"
    assert re.search(rf"{len(shots)} shots, +par {par}, +{beside}", score)
    assert html.all(r'data-board="(\w+)"') == ["enemy"]
    assert [game[f"data-{name}"] for name in ("phase", "outcome", "reason", "day")] == [
        "over", "won", "all-sunk", "2026-12-01",
    ]  # fmt: skip
    assert (game["data-shots"], game["data-par"]) == (str(len(shots)), str(par))
    assert f"Par: {par}." in html.says


def test_a_messenger_that_is_sent_the_address_shows_what_is_to_do(client: Device) -> None:
    card = client.get("/en/daily/", follow=True)
    assert card.attribute('og:title" content').startswith("Today’s sea, ")
    assert card.attribute('og:description" content').startswith(
        "Sink five ships. The admiral needed "
    )


# --- the result ---


@cache
def ended_sea(day: date, misses: int = 0, chain: Chain = CHAIN) -> SavedMatch:
    """Returns a day's sea that was sunk after this many shots at water, with its par."""
    saved = sea_of(chain, day)
    match = saved.match
    ships = [cell for ship in match.placements(Side.SECOND) for cell in ship.cells]
    empty = [cell for cell in match.ruleset.board.cells if cell not in ships]
    for cell in empty[:misses] + ships:
        match = match.fire(cell)
    return replace(saved, match=match).with_par(inf)


ALOUD = {
    "en": r"Battleship 10: 30 shots, par (\d+)",
    "de": r"Schiffe versenken 10: 30 Schüsse, Par (\d+)",
}


@pytest.mark.parametrize("is_part", [False, True])
@in_both_languages
def test_the_result_is_one_sentence_and_rows_of_signs(
    client: Device, language: str, is_part: bool
) -> None:
    saved = ended_sea(TODAY, 13)
    where = address(saved, language, page="share")
    html = client.get(where, headers=HTMX if is_part else {}, follow=True)
    said = html.first(r'<p class="to-send">(.*?)</p>')
    assert saved.par is not None
    assert re.findall(f"^{ALOUD[language]}$", said) == [str(saved.par.shots)]
    copied, link = html.attribute("data-text"), html.attribute("readonly value")
    assert link == "http://localhost/daily/"
    sea = client.get("/daily/?day=2000-01-01", headers={"accept-language": language})
    assert (sea.status, sea.location) == (302, f"/{language}/daily/?day=2000-01-01")
    rows = copied.removeprefix(f"{said}\n").rstrip("\n").split("\n")
    assert [len(row) for row in rows] == [10, 10, 10]
    assert "".join(rows) == "".join(SIGNS[shot.result.value] for shot in saved.match.shots)
    assert "".join(rows).count(SIGNS[saved.match.shots[-1].result.value]) == 5
    assert not re.search(r"\b[A-J]\d{1,2}\b", copied)
    panel = html if is_part else html.split("<main")[1].split("</main")[0]
    shown = re.sub(r"<[^>]*>", " ", panel)
    assert not re.search(r"\b[A-J]\d{1,2}\b", shown)
    assert html.first(r'<p class="signs" aria-hidden="true">(.*?)</p>').split("<br>") == rows
    assert "/film/" not in html
    assert "card.png" not in panel
    assert "<img" not in panel


# --- verify; nothing is told too early ---


LINK = CHAIN.link(TODAY).hex()
OF_TODAY = Day(TODAY, 10, CHAIN.first_link)


def record_of(day: Day | None = OF_TODAY) -> str:
    """The record of today's sea. The site may have made its day up: it is sound without a link."""
    saved = ended_sea(TODAY)
    return write(with_setup(saved, day=day).record)


def test_a_record_of_a_day_is_verified_with_its_link_as_it_is_published(
    client: Device, clock: list[datetime]
) -> None:
    where = sunk(client, today(client))
    record = client.get(where.replace("/play/", "/record/"))
    assert f"extensions day 2026-12-01 10 {CHAIN.first_link.hex()}\n" in record
    assert "the link" not in verified(record)
    clock[0] += DAY
    day, link = client.get("/daily.txt").splitlines()[-1].split()
    assert (day, link) == ("2026-12-01", LINK)
    for spelling in (link, link.upper()):
        told = verified(record, "--link", spelling)
        assert "the link leads to the first link in 10 steps" in told
        assert "the fleet follows from it" in told
        assert f"day 2026-12-01 10 {CHAIN.first_link.hex()}" in told
        assert "The computer played fair." in told


@pytest.mark.parametrize(
    ("day", "link", "says"),
    [
        *((OF_TODAY, link, "64 hex") for link in ("garbage", "0", "é" * 64)),
        *(
            (OF_TODAY, link, "does not lead")
            for link in (
                CHAIN.link(TODAY + DAY).hex(), CHAIN.link(TODAY - DAY).hex(),
                OTHER.link(TODAY).hex(), CHAIN.first_link.hex(), CHAIN.end.hex(), "00" * 32, "",
                LINK[:-2], f"{LINK}00",
            )
        ),
        *((OF_TODAY._replace(number=number), LINK, "does not lead") for number in (9, 11)),
        (OF_TODAY._replace(first_link=OTHER.first_link), LINK, "does not lead"),
        # On Sundays it is another game.
        (OF_TODAY._replace(date=date(2026, 12, 6)), LINK, "does not follow"),
        (None, LINK, "of no day"),
    ],
)  # fmt: skip
def test_a_wrong_link_and_a_day_that_was_made_up_are_refused(
    day: Day | None, link: str, says: str
) -> None:
    with pytest.raises(CommandError, match=says):
        verified(record_of(day), "--link", link)


def test_a_fleet_that_does_not_follow_from_the_link_is_refused() -> None:
    for number in range(20):
        record = write(begin(sea_of(CHAIN, TODAY).setup, bytes([number]) * 16).record)
        assert "played fair" in verified(record)
        with pytest.raises(CommandError, match="does not follow from its link"):
            verified(record, "--link", LINK)


@pytest.mark.parametrize(
    ("was", "is_now"),
    [("2026-12-01", "2026-12-02"), ("2026-12-01", "2026-12-32"), (" 10 ", " 11 "),
     (" 10 ", " 010 "), (CHAIN.first_link.hex(), OTHER.first_link.hex()),
     (f"day 2026-12-01 10 {CHAIN.first_link.hex()}", "none"),
     (CHAIN.first_link.hex(), CHAIN.first_link.hex().upper())],
)  # fmt: skip
def test_a_record_whose_day_was_altered_is_refused(was: str, is_now: str) -> None:
    before, line = record_of().split("extensions ")
    assert was in line
    with pytest.raises(CommandError, match="the record fails"):
        verified(f"{before}extensions {line.replace(was, is_now, 1)}")


PLAIN = (
    "", "about/", "today/", "settings/", "nowhere/", "play/forged/", "daily/",
    "daily/settings/", "daily/?day=2026-02-30",
    *(where for game in GAMES.values() for where in (game.front, f"{game.page}?day=x")),
)  # fmt: skip
AFTER = ("play", "review", "record", "share", "replay")


def pages(day: date) -> Iterator[Page]:
    """Every kind of answer while that day is open."""
    client = Device()
    for where in PLAIN:
        yield client.get(f"/en/{where}", follow=True)
    yield client.get("/daily.txt")
    fresh = today(client, day)
    for where in (fresh, fresh.replace("/play/", "/elsewhere/"), f"{fresh}settings/"):
        yield client.get(where)
    for fields in ({"cell": "Z9"}, {"coach": "on"}, {"action": "resign"}, {"cell": "A1"}):
        yield client.post(fresh, fields)
    for page in AFTER:
        yield client.get(f"{address(ended_sea(day, 3), page=page)}?check=on", follow=True)
    for game in GAMES.values():
        where = begun_day(client, f"/en/{game.page}", day)
        yield client.get(where)
        yield client.post(where, game.misses(where)[0])


@pytest.mark.parametrize("hours", [11])
def test_no_answer_shows_a_link_of_a_day_that_can_be_begun_or_is_to_come(
    clock: list[datetime], hours: int
) -> None:
    clock[0] += hours * HOUR
    coming = [dates_by_zones(clock[0])[0] + number * DAY for number in range(40)]
    links = [*map(CHAIN.link, coming), CHAIN.end]
    hidden = [text for it in links for text in (it.hex(), base64.b64encode(it).decode()[:40])]
    hidden += [
        daily.seed_of(CHAIN.link(day), name).hex()
        for day in coming if day > daily.open_days(clock[0])[-1]
        for name in (game.seed_name(day) for game in GAMES.values())
    ]  # fmt: skip
    for day in daily.open_days(clock[0]):
        for answer in pages(day):
            text = f"{answer}\n{answer.headers}\n{answer.cookies.output()}"
            assert not [it for it in hidden if it in text], answer.where[:40]


@pytest.mark.parametrize(
    ("moment", "newest"),
    [
        ("2026-11-23T11:59:59", None), ("2026-11-23T12:00", "2026-11-22"),
        ("2026-12-01T11:59:59", "2026-11-29"), ("2026-12-01T12:00", "2026-11-30"),
        ("2026-12-02T11:59:59", "2026-11-30"), ("2036-11-20T11:59", "2036-11-18"),
        ("2050-01-01", "2036-11-18"), ("2026-01-01", None),
    ],
)  # fmt: skip
def test_the_newest_link_is_shown_at_noon_of_the_day_after_and_not_a_second_earlier(
    client: Device, clock: list[datetime], moment: str, newest: str | None
) -> None:
    clock[0] = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    shown = {CHAIN.first_link.hex()}
    told = f"battleship-daily-1\nfirst 2026-11-22 3650 {CHAIN.first_link.hex()}\n"
    if newest:
        link = CHAIN.link(date.fromisoformat(newest)).hex()
        shown.add(link)
        told += f"{newest} {link}\n"
    assert client.get("/daily.txt") == told
    for language in ("en", "de"):
        assert {*client.get(f"/{language}/about/").all("[0-9a-f]{64}")} == shown

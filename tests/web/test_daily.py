"""Today's sea on its pages: the same for everybody, never shown too early, and marked for help."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from game.display.sharing import SIGNS
from game.engine.rules import Side
from game.matches import daily, keyring
from game.matches.daily import Chain
from game.matches.keyring import BadToken, Purpose
from game.matches.record import read, write
from game.matches.saved import SavedMatch, begin
from game.matches.setup import Assists
from game.matches.tokens import seal_match, unseal_match
from game.ops import secrets
from game.views.daily import sea_of
from tests.support.days import (
    CHAIN,
    DAY,
    HOUR,
    NOON,
    TODAY,
    acted,
    as_secret,
    dates_by_zones,
    ships_at,
    sunk,
    visitor,
    water,
)
from tests.support.days import begun as begun_day
from tests.support.device import HTMX, Device
from tests.support.matches import address, saved_at
from tests.support.page import ENGLISH, Page

pytestmark = pytest.mark.usefixtures("chain_file", "clock")
OTHER = replace(CHAIN, end=bytes(32))
WEEK = [NOON + hours * HOUR for hours in range(7 * 24)]


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


def sentence(client: Device, where: str) -> str:
    """The result that an ended match shares."""
    html = client.get(where.replace("/play/", "/share/"), follow=True)
    return html.first(r'<p class="to-send">(.*?)</p>')


# --- the handles, and a whole sea by plain forms ---


def pressed(client: Device, html: Page, cell: str) -> Page:
    """The answer to the button that fires at a cell, by the form around the board."""
    where = html.first(r'<form[^>]* action="([^"]*)"(?:(?!</form>).)*data-board')
    assert cell in html.values("cell")
    return client.post(where, {"cell": cell})


def test_a_whole_sea_is_played_by_plain_forms(client: Device) -> None:
    where = today(client)
    shots = [*water(where, 9), *ships_at(where)]
    for number, cell in enumerate(shots):
        html = client.get(where)
        game = html.game
        assert re.findall(r'data-board="(\w+)"', html) == ["enemy"]
        assert game["data-phase"] == "firing"
        assert game["data-day"] == "2026-12-01"
        assert "data-par" not in html
        assert "data-outcome" not in game
        known = list(html.cells("enemy").values())
        assert known.count("unknown") == 64 - number
        answer = pressed(client, html, cell)
        assert answer.status == 303
        where = answer.location
        assert where.startswith("/en/play/")
    while "data-par" not in (html := client.get(where)):
        where = acted(client, where, {"action": "par"})
    game = html.game
    assert re.findall(r'data-board="(\w+)"', html) == ["enemy"]
    assert game["data-phase"] == "over"
    assert (game["data-outcome"], game["data-reason"]) == ("won", "all-sunk")
    assert game["data-day"] == "2026-12-01"
    assert game["data-shots"] == str(len(shots))
    par = unseal_match(where.split("/")[3]).par.shots
    assert int(game["data-par"]) == par
    assert f"Par: {par}." in html.says


def test_the_same_moment_stands_under_the_other_language(client: Device) -> None:
    where = fire(client, today(client), "A1")
    english, german = (
        client.get(where.replace("/en/", f"/{language}/")) for language in ("en", "de")
    )
    assert english.cells("enemy") == german.cells("enemy")
    assert "Today’s sea, 1 December" in english
    assert "Tagesmeer, 1. Dezember" in german
    text = unescape(re.sub(r"<[^>]*>", " ", german.split('id="main"')[1].split(">", 1)[1]))
    assert not ENGLISH.findall(text.lower())


# --- a match keeps its day, and its chain ---


def test_playing_again_is_of_no_day(client: Device) -> None:
    where = sunk(client, today(client))
    html = client.get(where)
    placed = client.post(html.again, {"action": "again"}, follow=True)
    assert "data-day" not in placed
    assert saved_at(placed.where).setup.day is None


@pytest.mark.usefixtures("secrets_reread")
def test_matches_of_a_chain_that_was_replaced_go_on(client: Device, chain_file: Path) -> None:
    where = fire(client, today(client), "A1")
    old = saved_at(where)
    call_command("keys", "daily", "--anew", file=chain_file, stdout=io.StringIO())
    chain = daily.chain()
    assert chain is not None
    found = secrets.load(chain_file, may_create=False)
    anew = replace(chain, first=CHAIN.first)  # it begins on the day it was made
    secrets.write(chain_file, found | {"daily": as_secret(anew)})
    fresh = saved_at(today(client))
    assert fresh.setup.day.first_link == anew.first_link != CHAIN.first_link
    assert fresh.match.actions == ()
    assert fresh.match.seed != old.match.seed
    where = sunk(client, fire(client, where, water(where)[0]))
    assert saved_at(where).setup.day == old.setup.day
    assert marks(client, where) == "none"
    record = client.get(where.replace("/play/", "/record/"))
    assert read(record).day.first_link == CHAIN.first_link


# --- marks ---


@pytest.mark.parametrize(
    ("used", "english", "german"),
    [("hints", ", with hints,", ", mit Tipps,"), ("coach", ", with the coach,", ", mit Coach,"),
     ("hints coach", ", with hints and the coach,", ", mit Tipps und Coach,"),
     ("back", ", after going back,", ", mit zurückgenommenem Zug,")],
)  # fmt: skip
def test_the_record_and_the_result_say_which_help_was_used(
    client: Device, used: str, english: str, german: str
) -> None:
    assists = Assists(
        was_hinted="hints" in used, was_coached="coach" in used, went_back=used == "back"
    )
    saved = ended_sea(TODAY)
    where = address(replace(saved, setup=replace(saved.setup, assists=assists)))
    assert marks(client, where) == used
    assert english in sentence(client, where)
    assert german in sentence(client, where.replace("/en/", "/de/"))


# --- the cookie ---


def test_a_friends_address_leaves_the_own_sea_and_the_logbook_alone(client: Device) -> None:
    mine = fire(client, today(client), "A1")
    theirs = ended_sea(TODAY)
    due = replace(theirs, par=begin(theirs.setup, theirs.match.seed).par)
    for friends in (theirs, due):
        where = address(friends)
        assert client.get(where).status == 200
        for form in ({"action": "par"}, {"hints": "on"}):
            assert not client.post(where, form).cookies
    assert today(client) == mine


def days_of_all_presets() -> list[date]:
    """The first day of each preset of the week."""
    found: dict[str, date] = {}
    for number in range(60):
        day = CHAIN.first + number * DAY
        found.setdefault(daily.preset_of(day), day)
    assert set(found) == {name for names in daily.WEEK for name in names}
    return list(found.values())


@pytest.mark.deep
@pytest.mark.parametrize("day", days_of_all_presets(), ids=daily.preset_of)
def test_every_preset_of_the_week_is_played_and_fits_a_cookie(
    client: Device, clock: list[datetime], day: date
) -> None:
    clock[0] = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    where = today(client)
    html = client.get(where)
    assert re.findall(r'data-board="(\w+)"', html) == ["enemy"]
    shots = iter([cell for cell, state in html.cells("enemy").items() if state == "unknown"])
    for _ in range(6):
        where = fire(client, where, next(shots))
    html = client.get(where)
    assert html.attribute("data-phase") == "firing"
    cookie = client.cookies[f"sea-{day}"]
    assert len(cookie.OutputString()) < 3900
    # The rules alone decide the length, so that the longest match is no longer.
    given_up = acted(client, where, {"action": "resign-yes"})
    saved = unseal_match(given_up.split("/")[3]).with_par_played(1000)
    fresh = seal_match(sea_of(CHAIN, day))
    assert len(cookie.value) == len(fresh) == len(seal_match(saved))


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
    return replace(saved, match=match).with_par_played(1000)


ALOUD = {
    "en": r"Battleship 10: 30 shots, par (\d+)",
    "de": r"Schiffe versenken 10: 30 Schüsse, Par (\d+)",
}


@pytest.mark.parametrize("is_part", [False, True])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_result_is_one_sentence_and_rows_of_signs(
    client: Device, language: str, is_part: bool
) -> None:
    saved = ended_sea(TODAY, 13)
    where = address(saved, language=language, page="share")
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
    assert "".join(rows) == "".join(SIGNS[shot.result] for shot in saved.match.shots)
    assert "".join(rows).count(SIGNS[saved.match.shots[-1].result]) == 5
    assert not re.search(r"\b[A-J]\d{1,2}\b", copied)
    panel = html if is_part else html.split("<main")[1].split("</main")[0]
    shown = re.sub(r"<[^>]*>", " ", panel)
    assert not re.search(r"\b[A-J]\d{1,2}\b", shown)
    assert html.first(r'<p class="signs" aria-hidden="true">(.*?)</p>').split("<br>") == rows
    assert "/film/" not in html
    assert "card.png" not in panel
    assert "<img" not in panel


@pytest.mark.parametrize("shots", [1, 9, 10, 11, 37])
def test_the_signs_count_exactly_the_shots(client: Device, shots: int) -> None:
    saved = ended_sea(TODAY, 60)
    match = replace(saved.match, actions=saved.match.actions[:shots]).resign(Side.FIRST)
    saved = replace(saved, match=match)
    html = client.get(address(saved, page="share"), follow=True)
    rows = html.attribute("data-text").rstrip("\n").split("\n")[1:]
    assert len("".join(rows)) == shots
    assert len(rows) <= 3
    assert 1 <= len(rows[-1]) <= max(map(len, rows))


def test_who_gives_up_before_the_first_shot_shares_no_signs(client: Device) -> None:
    where = acted(client, today(client), {"action": "resign-yes"})
    html = client.get(where.replace("/play/", "/share/"), follow=True)
    assert 'class="signs"' not in html
    assert sentence(client, where).startswith("Battleship 10: gave up after 0 shots")


# --- verify ---


def verified(tmp_path: Path, record: str, link: str | None = None) -> str:
    """What `manage.py verify` prints for a record."""
    (tmp_path / "record.txt").write_text(record)
    out = io.StringIO()
    call_command("verify", str(tmp_path / "record.txt"), link=link, stdout=out)
    return out.getvalue()


def test_a_record_of_a_day_is_verified_with_its_link_as_it_is_published(
    client: Device, clock: list[datetime], tmp_path: Path
) -> None:
    where = sunk(client, today(client))
    record = client.get(where.replace("/play/", "/record/"))
    assert f"extensions day 2026-12-01 10 {CHAIN.first_link.hex()}\n" in record
    for link in (CHAIN.link(TODAY).hex(), CHAIN.link(TODAY).hex().upper()):
        told = verified(tmp_path, record, link)
        assert "the link leads to the first link in 10 steps" in told
        assert f"day 2026-12-01 10 {CHAIN.first_link.hex()}" in told
        assert "The computer played fair." in told
    assert "the link" not in verified(tmp_path, record)
    clock[0] = datetime(2026, 12, 2, 12, tzinfo=UTC)
    day, link = client.get("/daily.txt").splitlines()[-1].split()
    assert day == "2026-12-01"
    assert "the fleet follows from it" in verified(tmp_path, record, link)


@pytest.mark.parametrize(
    ("link", "says"),
    [(CHAIN.link(TODAY + DAY).hex(), "does not lead"), (CHAIN.link(TODAY - DAY).hex(), "does not"),
     (OTHER.link(TODAY).hex(), "does not lead"), (CHAIN.first_link.hex(), "does not lead"),
     (CHAIN.end.hex(), "does not lead"), ("00" * 32, "does not lead"), ("", "does not lead"),
     (CHAIN.link(TODAY).hex()[:-2], "does not lead"), ("garbage", "64 hex"), ("0", "64 hex"),
     (CHAIN.link(TODAY).hex() + "00", "does not lead"), ("é" * 64, "64 hex")],
)  # fmt: skip
def test_a_wrong_link_is_refused(tmp_path: Path, link: str, says: str) -> None:
    record = write(ended_sea(TODAY).record)
    with pytest.raises(CommandError, match=says):
        verified(tmp_path, record, link)


def test_a_match_of_no_day_has_no_link(tmp_path: Path) -> None:
    saved = ended_sea(TODAY)
    record = write(replace(saved, setup=replace(saved.setup, day=None)).record)
    with pytest.raises(CommandError, match="of no day"):
        verified(tmp_path, record, CHAIN.link(TODAY).hex())


@pytest.mark.parametrize(
    ("was", "is_now"),
    [("2026-12-01", "2026-12-02"), ("2026-12-01", "2026-12-32"), (" 10 ", " 11 "),
     (" 10 ", " 010 "), (CHAIN.first_link.hex(), OTHER.first_link.hex()),
     (f"day 2026-12-01 10 {CHAIN.first_link.hex()}", "none"),
     (CHAIN.first_link.hex(), CHAIN.first_link.hex().upper())],
)  # fmt: skip
def test_a_record_whose_day_was_altered_is_refused(tmp_path: Path, was: str, is_now: str) -> None:
    lines = write(ended_sea(TODAY).record).splitlines(keepends=True)
    [at] = [number for number, line in enumerate(lines) if line.startswith("extensions ")]
    assert was in lines[at]
    lines[at] = lines[at].replace(was, is_now)
    with pytest.raises(CommandError, match="the record fails"):
        verified(tmp_path, "".join(lines))


def planted(**of_the_day: Any) -> SavedMatch:
    """The site has made this sea up. The record is sound, and only the link shows it."""
    saved = ended_sea(TODAY)
    setup = replace(saved.setup, day=saved.setup.day._replace(**of_the_day))
    return replace(saved, setup=setup)


def test_a_fleet_that_does_not_follow_from_the_link_is_refused(tmp_path: Path) -> None:
    link = CHAIN.link(TODAY).hex()
    setup = sea_of(CHAIN, TODAY).setup
    for number in range(20):
        record = write(begin(setup, bytes([number]) * 16).record)
        assert "played fair" in verified(tmp_path, record)
        with pytest.raises(CommandError, match="does not follow from its link"):
            verified(tmp_path, record, link)
    for number in (9, 11):
        with pytest.raises(CommandError, match="does not lead"):
            verified(tmp_path, write(planted(number=number).record), link)
    with pytest.raises(CommandError, match="does not follow"):  # on Sundays it is another game
        verified(tmp_path, write(planted(date=date(2026, 12, 6)).record), link)
    with pytest.raises(CommandError, match="does not lead"):
        verified(tmp_path, write(planted(first_link=OTHER.first_link).record), link)


# --- nothing is told too early ---

DIGITS = 16


class Needles:
    """The links of a chain in every spelling, by their first digits."""

    def __init__(self) -> None:
        self.day_of: dict[str | bytes, date] = {}
        for number in range(CHAIN.length):
            day = CHAIN.first + number * DAY
            self.day_of |= dict.fromkeys(_spellings(CHAIN.link(day)), day)
        self._seen: set[str] = set()

    def days_in(self, text: str) -> set[date]:
        """Returns the days whose links, or whose links' first digits, are in a text.

        Lines that contained none of them before are left out.
        """
        found = set()
        for line in text.split("\n"):
            if line in self._seen:
                continue
            days = {
                self.day_of[part]
                for run in re.findall(rf"[A-Za-z0-9+/_-]{{{DIGITS},}}", line)
                for at in range(len(run) - DIGITS + 1)
                if (part := run[at : at + DIGITS]) in self.day_of
            }
            found |= days
            if not days:
                self._seen.add(line)
        return found

    def days_in_bytes(self, content: bytes) -> set[date]:
        """Returns the days whose links, or whose links' first bytes, are in the given bytes."""
        half = DIGITS // 2
        parts = (content[at : at + half] for at in range(len(content) - half + 1))
        return {self.day_of[part] for part in parts if part in self.day_of}


def _spellings(link: bytes) -> Iterator[str | bytes]:
    yield link[: DIGITS // 2]
    yield link.hex()[:DIGITS]
    yield link.hex()[:DIGITS].upper()
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        # Within something longer, a link begins at any of three places of a group.
        for shift, skipped in ((0, 0), (1, 2), (2, 3)):
            text = encode(bytes(shift) + link).decode()
            yield text[skipped : skipped + DIGITS]


def opened(token: str) -> Iterator[bytes]:
    """Returns the bytes of a token and the bytes that the site's keys decrypt."""
    try:
        yield base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except ValueError:
        return
    for purpose in Purpose:
        try:
            yield keyring.unseal(purpose, token)
        except BadToken:
            continue


PLAIN = (
    "/en/", "/de/", "/en/about/", "/de/about/", "/daily.txt", "/en/rules/", "/en/thinking/",
    "/en/nowhere/", "/de/nowhere/", "/en/settings/", "/de/settings/", "/en/daily/settings/",
    "/en/daily/?day=2026-02-30", "/de/daily/?day=x", "/en/daily/", "/en/deduction/",
    "/de/deduction/", "/en/deduction/daily/", "/en/deduction/daily/?day=x", "/robots.txt",
    "/sitemap.txt", "/en/manifest.webmanifest", "/en/play/forged/", "/en/setup/milton/",
)  # fmt: skip
AFTER = ("play", "review", "review/?check=on", "record", "share", "replay", "replay/?step=9")


def pages(moment: datetime, over: dict[date, str]) -> Iterator[Page]:
    """Every kind of answer at that moment, of all days that are open."""
    client = visitor()
    for where in PLAIN:
        yield client.get(where)
    for day in (moment.date() - 3 * DAY, moment.date() + 3 * DAY):
        yield client.get("/en/daily/", {"day": day.isoformat()})
        yield client.get("/en/deduction/daily/", {"day": day.isoformat()})
    for day in daily.open_days(moment):
        begun = client.get("/en/daily/", {"day": day.isoformat()})
        yield begun
        fresh = begun.location
        yield client.get(fresh)
        yield client.get(fresh.replace("/en/", "/de/"))
        yield client.get(f"{fresh}settings/")
        yield client.get(fresh.replace("/play/", "/elsewhere/"))
        yield client.post(fresh, {"cell": "Z9"})
        shot = client.post(fresh, {"cell": "A1"})
        yield shot
        yield client.post(shot.location, {"cell": "B2"}, headers=HTMX)
        yield client.get(shot.location)
        yield client.post(shot.location, {"coach": "on"}, headers=HTMX)
        yield client.post(shot.location, {"action": "resign"})
        for page in ("review", "record", "share", "replay"):  # these lead back to the match
            yield client.get(fresh.replace("/play/", f"/{page}/"))
        if day not in over:
            over[day] = seal_match(ended_sea(day, 3))
        for page in AFTER:
            name, _, query = page.partition("/")
            yield client.get(f"/en/{name}/{over[day]}/{query}")
        yield client.post(f"/en/play/{over[day]}/", {"action": "par"})
        deduced = client.get("/en/deduction/daily/", {"day": day.isoformat()})
        yield deduced
        yield client.get(deduced.location)
        guess = client.post(deduced.location, {"cell": ["A1", "B1", "C1"]})
        yield guess
        yield client.get(guess.location)


@pytest.mark.deep
@pytest.mark.parametrize("hours", [72, pytest.param(1, marks=pytest.mark.long)])
def test_no_answer_shows_a_link_of_a_day_that_can_be_begun_or_is_to_come(
    clock: list[datetime], hours: int
) -> None:
    """`make long` asks at every hour of a week, which gives 10,000 answers."""
    needles, count, over = Needles(), 0, dict[date, str]()
    for moment in WEEK[hours // 3 :: hours]:
        clock[0] = moment
        oldest = dates_by_zones(moment)[0]
        secret = {CHAIN.first + number * DAY for number in range(CHAIN.length)}
        secret = {day for day in secret if day >= oldest}
        coming = [day for day in sorted(secret) if day > daily.open_days(moment)[-1]][:40]
        seeds = {
            daily.seed_of(CHAIN.link(day), name).hex()[:DIGITS]
            for day in coming
            for name in (daily.preset_of(day), "deduction")
        }
        for answer in pages(moment, over):
            count += 1
            text = f"{answer}\n{answer.headers}\n{answer.cookies.output()}"
            # Raw bytes of a link are no text, so that to decode an answer shows that it holds none.
            told = needles.days_in(text)
            for token in set(re.findall(r"[A-Za-z0-9_-]{60,}", text)):
                for content in opened(token):
                    told |= needles.days_in_bytes(content)
            assert not told & secret, (moment, answer.where[:40])
            assert not [seed for seed in seeds if seed in text]
    assert count > 150
    assert hours > 1 or count > 10_000


def test_the_search_for_links_finds_them_in_every_spelling() -> None:
    needles, day = Needles(), TODAY + 500 * DAY
    link = CHAIN.link(day)
    for shift in range(3):
        encoded = base64.b64encode(bytes(shift) + link + bytes(5)).decode()
        assert needles.days_in(f"a {encoded} b") == {day}
        assert needles.days_in(base64.urlsafe_b64encode(b"x" * shift + link).decode()) == {day}
    for text in (link.hex(), link.hex().upper(), f"x{link.hex()[:DIGITS]}y"):
        assert needles.days_in(f"<p>{text}</p>") == {day}
        assert needles.days_in(f"<p>{text}</p>") == {day}
    assert needles.days_in_bytes(b"abc" + link) == {day}
    assert not needles.days_in(CHAIN.first_link.hex())
    token = keyring.seal(Purpose.PLAY, b"abc" + link)
    assert {day} in [needles.days_in_bytes(content) for content in opened(token)]


@pytest.mark.deep
def test_a_days_link_is_shown_at_noon_of_the_day_after_and_not_a_second_earlier(
    client: Device, clock: list[datetime]
) -> None:
    for number in range(9):
        day = CHAIN.first + number * DAY
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC) + DAY
        link = CHAIN.link(day).hex()
        for moment, is_shown in (
            (noon - timedelta(seconds=1), False), (noon - timedelta(microseconds=1), False),
            (noon, True), (noon + timedelta(seconds=1), True), (noon + 23 * HOUR, True),
        ):  # fmt: skip
            clock[0] = moment
            for where in ("/en/about/", "/de/about/", "/daily.txt"):
                shown = client.get(where)
                assert (link in shown) is is_shown, (where, moment)
                assert CHAIN.first_link.hex() in shown
    assert client.get("/daily.txt") == (
        f"battleship-daily-1\nfirst 2026-11-22 3650 {CHAIN.first_link.hex()}\n2026-11-30 {link}\n"
    )


def test_before_the_first_day_has_ended_only_the_first_link_is_shown(
    client: Device, clock: list[datetime]
) -> None:
    clock[0] = datetime(2026, 11, 23, 11, 59, 59, tzinfo=UTC)
    assert client.get("/daily.txt") == (
        f"battleship-daily-1\nfirst 2026-11-22 3650 {CHAIN.first_link.hex()}\n"
    )
    assert re.findall(r"[0-9a-f]{64}", client.get("/en/about/")) == [CHAIN.first_link.hex()]

"""Today's sea in a browser: the player's own day, a whole sea by clicks, and what is shared."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from math import inf
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pytest_django import Settings

from game.engine.rules import Side
from game.features.daily.views import sea_of
from game.matches.tokens import seal_match
from tests.support import deep
from tests.support.browser import ONLY_KEYS, OpenPage, Page
from tests.support.days import CHAIN, SIGNS, with_chain
from tests.support.features import needs_features
from tests.support.layout import look_for_faults
from tests.support.served import served

NOW = datetime(2026, 12, 1, 10, 30, tzinfo=UTC)
"""The server's time: on earth it is the last of November, and the first and second of December."""
TODAY = NOW.date()
WSGI = """
from datetime import datetime
from pathlib import Path

from battleships_site.wsgi import application
from game.matches import daily

daily.now = lambda: datetime.fromisoformat(Path(CLOCK).read_text())
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server's secrets and its log lie."""
    return tmp_path_factory.mktemp("daily")


@pytest.fixture(autouse=True)
def site_clock(settings: Settings, folder: Path) -> Callable[[datetime], object]:
    """Sets the server's clock, which stands still."""
    settings.SECRETS_FILE = folder / "secrets.json"

    def set_to(now: datetime) -> None:
        (folder / "now").write_text(now.isoformat())

    set_to(NOW)
    return set_to


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    """The address of a server with the chain, and with a clock that stands still."""
    clock = str(folder / "now")
    (folder / "at_that_hour.py").write_text(WSGI.replace("CLOCK", repr(clock)))
    kept = str(with_chain(folder / "secrets.json"))
    with served(folder, application="at_that_hour", secrets_file=kept) as address:
        yield address


def travel(open_page: OpenPage, zone: str = "Etc/UTC", *, now: datetime = NOW, **how: Any) -> Page:
    """Opens a browser in a zone of the world, whose clock is right unless told otherwise."""
    page = open_page(fresh=True, timezone_id=zone, **how)
    page.clock.set_fixed_time(now)
    return page


def see_day(page: Page, day: str) -> None:
    """Sees the sea of a day before its first shot."""
    page.expects(f"#game[data-day='{day}']").to_be_visible()
    page.wait_for_load_state("networkidle")
    page.expects(f"#game[data-day='{day}'][data-phase=firing]").to_be_visible()


def cells(day: date, *, are_ships: bool) -> list[str]:
    """The cells of a day's sea with a ship, or those without any."""
    match = sea_of(CHAIN, day).match
    ships = [cell for ship in match.placements(Side.SECOND) for cell in ship.cells]
    board = match.ruleset.board
    found = ships if are_ships else [cell for cell in board.cells if cell not in ships]
    return [board.name(cell) for cell in found]


SHIPS, WATER = cells(TODAY, are_ships=True), cells(TODAY, are_ships=False)


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Pacific/Kiritimati", "2026-12-02"),
    ],
)
def test_everybody_gets_the_sea_of_their_own_date(open_page: OpenPage, zone: str, day: str) -> None:
    page = travel(open_page, zone)
    page.goto("/en/")
    page.click("#act-daily")
    see_day(page, day)
    page.goto("/de/daily/")
    see_day(page, day)
    page.see_language("de")
    page.fire(cells(date.fromisoformat(day), are_ships=False)[0])
    page.see(day=day)
    where = page.url
    page.reload()
    assert page.url == where
    page.see(day=day)
    page.goto("/de/")
    page.click("#act-daily")
    page.wait_for_url(where)


@pytest.mark.deep
def test_the_link_of_a_page_that_stayed_open_leads_to_the_new_day(open_page: OpenPage) -> None:
    page = travel(open_page, "Pacific/Kiritimati", now=NOW - timedelta(hours=1))
    page.goto("/en/")
    page.expects("#act-daily").to_have_attribute("href", re.compile("day=2026-12-01$"))
    page.clock.set_fixed_time(NOW)
    page.focus("#act-daily")
    page.keys("Enter")
    see_day(page, "2026-12-02")


@pytest.mark.deep
def test_a_device_whose_clock_is_wrong_is_told_once_and_plays_the_day_of_utc(
    open_page: OpenPage,
) -> None:
    page = travel(open_page, now=NOW + timedelta(days=40), expects="status of 422")
    page.goto("/en/")
    page.click("#act-daily")
    page.expects("[role=status]").to_have_text("There is no sea for that day now.")
    page.get_by_role("link", name="To today’s sea").click()
    see_day(page, str(TODAY))
    page.goto("/en/")
    page.click("#act-daily")
    see_day(page, str(TODAY))
    page.fire("A1")


def test_a_whole_sea_is_searched_and_its_result_copied_by_keys_alone(open_page: OpenPage) -> None:
    page = travel(open_page, init=ONLY_KEYS)
    page.goto("/en/")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.tab_to("#act-daily")
    page.keys("Enter")
    see_day(page, str(TODAY))
    assert list(page.seen.boards) == ["enemy"]
    shots = [*WATER[:5], *SHIPS]
    page.tab_to("[data-board=enemy] button")
    for name in (*shots[:6], *shots[-2:]):
        if name == shots[-2]:
            page.go_later(left=2)  # the hits in between are all alike
            page.tab_to("[data-board=enemy] button")
        page.walk_to(name)
        page.act_by_key("Enter")
        if name == shots[0]:
            before = page.says
            page.keys("f")  # there is no fleet of one's own to hear about
            assert page.says == before
    page.see(phase="over", shots=str(len(shots)), par=re.compile(r"^\d+$"))
    page.tab_to("#act-share")
    page.keys("Enter")
    page.expects("#panel-title").to_be_focused()
    page.tab_to("[data-copy]")
    page.keys("Enter")
    page.expects("[data-said]").to_have_text("Copied.")
    assert not look_for_faults(page, [(1280, "light")])
    lines = str(page.evaluate("navigator.clipboard.readText()")).split("\n")
    assert re.fullmatch(r"Battleship 10: 22 shots, par \d+", lines[0]), lines
    match = sea_of(CHAIN, TODAY).match
    for name in shots:
        match = match.fire(match.ruleset.board.parse(name))
    assert "".join(lines[1:-1]) == "".join(SIGNS[shot.result.value] for shot in match.shots)
    assert [len(row) for row in lines[1:-1]] == [10, 10, 2]
    assert lines[-1].strip() == page.url.split("/en/")[0] + "/daily/"


def end_of_sea(day: date, seed: bytes | None = None) -> str:
    """The address of a day's sea that was given up at once; its seed is the chain's unless told."""
    saved = sea_of(CHAIN, day)
    match = saved.match if seed is None else replace(saved.match, seed=seed)
    ended = replace(saved, match=match).resigned(Side.FIRST).with_par(inf)
    return f"/en/play/{seal_match(ended)}/"


ENDED = date(2026, 11, 28)
SEED = bytes(range(16))
LINK_HOLDS = "Your browser has followed the chain"
LINK_BREAKS = "The link does not match this line: do not trust this match."


@pytest.mark.parametrize(
    ("seed", "link", "says"),
    [
        (None, CHAIN.link(ENDED), LINK_HOLDS),
        (None, CHAIN.link(ENDED - timedelta(days=1)), LINK_BREAKS),
        deep(SEED, CHAIN.link(ENDED), LINK_BREAKS),
    ],
    ids=["honest", "the link of another day", "another seed"],
)
def test_the_browser_follows_the_chain_to_its_first_link(
    open_page: OpenPage, seed: bytes | None, link: bytes, says: str
) -> None:
    page = travel(open_page)
    page.forging("**/play/**", lambda text: text.replace(CHAIN.link(ENDED).hex(), link.hex()))
    page.goto(end_of_sea(ENDED, seed))
    page.expects("[data-link-result]").to_contain_text(says)
    page.expects("[data-fair-result]").to_contain_text("it matches")


# --- the device's day ---

SiteClock = Callable[[datetime], object]
MINUTE = timedelta(minutes=1)


def wait(page: Page, site_clock: SiteClock, now: datetime) -> None:
    """Lets time pass in a page that stays open, at the device and the server."""
    site_clock(now)
    page.clock.fast_forward((now - page_time(page)) // timedelta(milliseconds=1))


def page_time(page: Page) -> datetime:
    return datetime.fromtimestamp(page.evaluate("Date.now()") / 1000, tz=UTC)


def stay(open_page: OpenPage, site_clock: SiteClock, zone: str, now: datetime) -> Page:
    """Opens a browser whose clock goes on, in a zone of the world."""
    site_clock(now)
    page = open_page(fresh=True, timezone_id=zone)
    page.clock.install(time=now)
    return page


def marked(page: Page) -> list[str]:
    """The dates that the calendar marks as today."""
    dates: list[str] = page.evaluate(
        "[...document.querySelectorAll('.calendar [aria-current] time')].map((it) => it.dateTime)"
    )
    return dates


AROUND = [
    deep("America/Los_Angeles", datetime(2026, 12, 2, 4, tzinfo=UTC), "2026-12-01"),
    # Over the border of a week: 6 December is a Sunday.
    ("Pacific/Auckland", datetime(2026, 12, 6, 11, 23, tzinfo=UTC), "2026-12-07"),
]


@pytest.mark.parametrize(("zone", "now", "day"), AROUND)
def test_calendars_and_the_row_of_the_day_show_the_devices_day(
    open_page: OpenPage, site_clock: SiteClock, zone: str, now: datetime, day: str
) -> None:
    site_clock(now)
    page = travel(open_page, zone, now=now)
    for where in ("/en/today/", "/en/logbook/"):
        page.goto(where)
        page.expects(f".calendar td[aria-current] time[datetime='{day}']").to_be_visible()
        assert marked(page) == [day]
        weeks = page.locator("tr[data-week]:not([hidden])")
        monday = date.fromisoformat(day) - timedelta(date.fromisoformat(day).weekday())
        assert weeks.last.get_attribute("data-week") == monday.isoformat(), "none to come"
    for where in ("/en/today/", "/en/"):
        page.goto(where)
        page.expects(f"#today[data-day='{day}']").to_be_visible()


@pytest.mark.parametrize(
    ("zone", "now"),
    [
        ("Pacific/Kiritimati", datetime(2026, 12, 1, 9, 55, tzinfo=UTC)),
        deep("America/Los_Angeles", datetime(2026, 12, 2, 7, 55, tzinfo=UTC)),
    ],
)
def test_an_end_that_stays_open_past_midnight_says_that_the_next_sea_is_there(
    open_page: OpenPage, site_clock: SiteClock, zone: str, now: datetime
) -> None:
    page = stay(open_page, site_clock, zone, now)
    page.goto(end_of_sea(TODAY))
    page.expects(".next-sea").to_contain_text(re.compile(r"The next sea comes in 0 h [45] min\."))
    wait(page, site_clock, now + 10 * MINUTE)
    page.get_by_role("link", name="The next sea is there.").click()
    page.expects("#game[data-day='2026-12-02'][data-phase=firing]").to_be_visible()


def test_the_row_and_the_calendar_of_a_page_that_stays_open_follow_at_midnight(
    open_page: OpenPage, site_clock: SiteClock
) -> None:
    """At the first midnight of the world, which begins a week."""
    now = datetime(2026, 12, 6, 9, 55, tzinfo=UTC)
    page = stay(open_page, site_clock, "Pacific/Kiritimati", now)
    page.goto("/en/today/")
    page.expects("#today-title").to_have_text("Today, 6 December")
    wait(page, site_clock, now + 10 * MINUTE)
    page.expects("#today-title").to_have_text("Today, 7 December")
    page.expects(".next-sea").to_contain_text("The next sea comes in 23 h 5")
    assert marked(page) == ["2026-12-07"]
    page.expects("tr[data-week='2026-12-07']").to_be_visible()


@pytest.mark.parametrize(
    ("zone", "now", "left"),
    [
        deep("Europe/Berlin", datetime(2027, 3, 27, 23, 30, tzinfo=UTC), "22 h 30 min"),
        deep("Europe/Berlin", datetime(2027, 10, 30, 22, 30, tzinfo=UTC), "24 h 30 min"),
        # Here clocks go forward at midnight, which there is none of.
        ("Africa/Cairo", datetime(2027, 4, 29, 21, 30, tzinfo=UTC), "0 h 30 min"),
    ],
)
def test_the_time_to_the_next_sea_knows_days_of_23_and_25_hours(
    open_page: OpenPage, site_clock: SiteClock, zone: str, now: datetime, left: str
) -> None:
    site_clock(now)
    page = travel(open_page, zone, now=now)
    page.goto(end_of_sea(now.astimezone(ZoneInfo(zone)).date()))
    page.expects(".next-sea").to_contain_text(f"The next sea comes in {left}.")


@needs_features("puzzles")
@pytest.mark.deep
def test_five_shots_that_stay_open_past_midnight_lead_to_the_next_five(
    open_page: OpenPage, site_clock: SiteClock
) -> None:
    now = datetime(2026, 12, 1, 22, 55, tzinfo=UTC)
    page = stay(open_page, site_clock, "Europe/Berlin", now)
    page.goto("/en/puzzles/")
    for number in range(5):
        page.act("td button:not([aria-disabled]) >> nth=0")
        if number < 4:
            page.click("#act-next")
    page.expects(".next-sea").to_contain_text(re.compile(r"The next five come in 0 h [45] min\."))
    wait(page, site_clock, now + 10 * MINUTE)
    page.get_by_role("link", name="The next five are there.").click()
    page.expects("#game[data-day='2026-12-02']").to_be_visible()

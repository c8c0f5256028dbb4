"""Today's sea in a browser: the player's own day, a whole sea by clicks, and what is shared."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from pytest_django import Settings

from game.display.sharing import SIGNS
from game.engine.actions import Result
from game.engine.rules import Side
from game.matches.daily import Chain
from game.matches.tokens import seal_match
from game.ops import secrets
from game.views.daily import sea_of
from tests.support.axe import look_for_faults
from tests.support.browser import COUNTERS, OpenPage, fire, loaded, look, see_language, target
from tests.support.browser_matches import later
from tests.support.gestures import ONLY_KEYS, press, tab_to, walk_to
from tests.support.served import PATIENCE, served

CHAIN = Chain(bytes(range(32)), 3650, date(2026, 11, 22))
NOW = datetime(2026, 12, 1, 10, 30, tzinfo=UTC)
"""The server's time: on earth it is the last of November, and the first and second of December."""
TODAY = NOW.date()
WSGI = f"""
from datetime import datetime

from battleships_site.wsgi import application
from game.matches import daily

daily.now = lambda: datetime.fromisoformat("{NOW.isoformat()}")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server's secrets and its log lie."""
    return tmp_path_factory.mktemp("daily")


@pytest.fixture(autouse=True)
def _keys_of_the_server(settings: Settings, folder: Path) -> None:
    settings.SECRETS_FILE = folder / "secrets.json"


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    """The address of a server with the chain, whose clock stands still."""
    (folder / "at_that_hour.py").write_text(WSGI)
    end = base64.b64encode(CHAIN.end).decode()
    chain = {"end": end, "length": CHAIN.length, "first": CHAIN.first.isoformat()}
    secrets.write(folder / "secrets.json", secrets.make() | {"daily": chain})
    kept = str(folder / "secrets.json")
    with served(folder, application="at_that_hour", secrets_file=kept) as address:
        yield address


Traveller = Callable[..., Page]


@pytest.fixture
def traveller(browser: Browser, server: str) -> Iterator[Traveller]:
    """Opens a browser in a zone of the world, whose clock is right unless told otherwise."""
    contexts: list[BrowserContext] = []

    def traveller(zone: str = "Etc/UTC", *, script: bool = True, now: datetime = NOW) -> Page:
        context = browser.new_context(
            base_url=server, locale="en-GB", timezone_id=zone, java_script_enabled=script,
            reduced_motion="reduce",
        )  # fmt: skip
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(f"{{{COUNTERS}}}")
        context.clock.set_fixed_time(now)
        return context.new_page()

    yield traveller
    for context in contexts:
        context.close()


def see_day(page: Page, day: str) -> None:
    """Sees the sea of a day before its first shot."""
    expect(page.locator(f"#game[data-day='{day}']")).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator(f"#game[data-day='{day}'][data-phase=firing]")).to_be_visible()


def water(day: date, count: int) -> list[str]:
    """Cells of a day's sea without a ship."""
    match = sea_of(CHAIN, day).match
    ships = {cell for ship in match.placements(Side.SECOND) for cell in ship.cells}
    board = match.ruleset.board
    return [board.name(cell) for cell in board.cells if cell not in ships][:count]


def ships(day: date) -> list[str]:
    """The cells of its ships."""
    match = sea_of(CHAIN, day).match
    board = match.ruleset.board
    return [board.name(cell) for ship in match.placements(Side.SECOND) for cell in ship.cells]


def signs_of(shots: list[str]) -> str:
    """What shots at the cells of today's sea hit, as signs."""
    match = sea_of(CHAIN, TODAY).match
    for name in shots:
        match = match.fire(match.ruleset.board.parse(name))
    return "".join(SIGNS[shot.result] for shot in match.shots)


ZONES = {"Pacific/Kiritimati": "2026-12-02", "Etc/UTC": "2026-12-01", "Etc/GMT+12": "2026-11-30"}


@pytest.mark.parametrize(
    "zone", [pytest.param("Etc/UTC", marks=pytest.mark.long), "Pacific/Kiritimati", "Etc/GMT+12"]
)
def test_everybody_gets_the_sea_of_their_own_date(traveller: Traveller, zone: str) -> None:
    page = traveller(zone)
    page.goto("/en/")
    page.locator("#act-daily").click()
    see_day(page, ZONES[zone])
    for language in ("de", "en"):
        page.goto(f"/{language}/daily/")
        see_day(page, ZONES[zone])
        see_language(page, language)
    fire(page, water(date.fromisoformat(ZONES[zone]), 1)[0])
    expect(page.locator("#game")).to_have_attribute("data-day", ZONES[zone])
    where = page.url
    page.reload()
    assert page.url == where
    expect(page.locator("#game")).to_have_attribute("data-day", ZONES[zone])
    page.goto("/en/")
    page.locator("#act-daily").click()
    page.wait_for_url(where)


def test_the_link_of_a_page_that_stayed_open_leads_to_the_new_day(traveller: Traveller) -> None:
    page = traveller("Pacific/Kiritimati", now=NOW - timedelta(hours=1))
    page.goto("/en/")
    expect(page.locator("#act-daily")).to_have_attribute("href", re.compile("day=2026-12-01$"))
    page.clock.set_fixed_time(NOW)
    page.locator("#act-daily").focus()
    page.keyboard.press("Enter")
    see_day(page, "2026-12-02")


def test_a_device_whose_clock_is_wrong_is_told_once_and_plays_the_day_of_utc(
    traveller: Traveller,
) -> None:
    page = traveller(now=NOW + timedelta(days=40))
    page.goto("/en/")
    page.locator("#act-daily").click()
    expect(page.locator("[role=status]")).to_have_text("There is no sea for that day now.")
    page.get_by_role("link", name="To today’s sea").click()
    see_day(page, "2026-12-01")
    page.goto("/en/")
    page.locator("#act-daily").click()
    see_day(page, "2026-12-01")
    fire(page, "A1")


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_without_script_it_is_the_day_of_utc(traveller: Traveller, language: str) -> None:
    page = traveller("Pacific/Kiritimati", script=False)
    page.goto(f"/{language}/")
    with loaded(page):
        page.locator("#act-daily").click()
    expect(page.locator("#game")).to_have_attribute("data-day", "2026-12-01")
    for name in [*water(TODAY, 1), *ships(TODAY)[:1]]:
        with loaded(page):
            target(page, name).click()
    page.goto(later(page.url, left=2))
    for name in ships(TODAY)[-2:]:
        with loaded(page):
            target(page, name).click()
    while page.locator("#act-par").count():
        with loaded(page):
            page.locator("#act-par").click()
    game = page.locator("#game")
    expect(game).to_have_attribute("data-outcome", "won")
    expect(game).to_have_attribute("data-shots", "18")
    expect(game).to_have_attribute("data-par", re.compile(r"^\d+$"))
    page.locator("#act-share").click()
    expect(page.locator(".signs")).to_contain_text(SIGNS[Result.WATER])
    expect(page.locator(".to-copy")).to_have_value(re.compile(":\\d+/daily/$"))


def test_a_whole_sea_is_searched_and_its_result_copied_by_keys_alone(
    open_page: OpenPage,
) -> None:
    page = open_page(init=ONLY_KEYS, fresh=True)
    page.clock.set_fixed_time(NOW)
    page.goto("/en/")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab_to(page, "#act-daily")
    page.keyboard.press("Enter")
    see_day(page, str(TODAY))
    shots = [*water(TODAY, 5), *ships(TODAY)]
    tab_to(page, "[data-board=enemy] button")
    for name in (*shots[:6], *shots[-2:]):
        if name == shots[-2]:
            page.goto(later(page.url, left=2))  # the hits in between are all alike
            tab_to(page, "[data-board=enemy] button")
        assert list(look(page).boards) == ["enemy"]
        walk_to(page, name)
        press(page, "Enter")
    game = page.locator("#game")
    expect(game).to_have_attribute("data-phase", "over")
    expect(game).to_have_attribute("data-shots", str(len(shots)))
    expect(game).to_have_attribute("data-par", re.compile(r"^\d+$"))
    expect(page.locator("#act-par")).to_have_count(0)
    assert not look_for_faults(page, [(360, "dark")])
    tab_to(page, "#act-share")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-title")).to_be_focused()
    assert not look_for_faults(page, [(1280, "light")])
    tab_to(page, "[data-copy]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-said]")).to_have_text("Copied.")
    lines = str(page.evaluate("navigator.clipboard.readText()")).split("\n")
    assert re.fullmatch(r"Battleship 10: 22 shots, par \d+", lines[0]), lines
    assert len(lines) == 5
    assert "".join(lines[1:-1]) == signs_of(shots)
    assert [len(row) for row in lines[1:-1]] == [10, 10, 2]
    assert lines[-1].strip() == page.url.split("/en/")[0] + "/daily/"


def test_going_back_is_told_with_the_result(open_page: OpenPage) -> None:
    page = open_page(fresh=True)
    page.clock.set_fixed_time(NOW)
    page.goto(f"/en/daily/?day={TODAY}")
    one, other = water(TODAY, 2)
    fresh = page.url
    fire(page, one)
    page.goto(fresh)
    fire(page, other)
    page.goto(later(page.url, left=1))
    fire(page, ships(TODAY)[-1])
    expect(page.locator("#game[data-par]")).to_be_visible()
    page.locator("#act-share").click()
    expect(page.locator(".to-send")).to_contain_text(": 18 shots, after going back, par ")


# --- the link of a day that has ended ---


def end_of_sea(day: date, seed: bytes | None = None) -> str:
    """The address of a day's sea that was given up at once; its seed is the chain's unless told."""
    saved = sea_of(CHAIN, day)
    match = saved.match if seed is None else replace(saved.match, seed=seed)
    ended = replace(saved, match=match).resigned(Side.FIRST).with_par_played(1000)
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
        (None, bytes(32), LINK_BREAKS),
        (SEED, CHAIN.link(ENDED), LINK_BREAKS),
    ],
    ids=["honest", "the link of another day", "no link of the chain", "another seed"],
)
def test_the_browser_follows_the_chain_to_its_first_link(
    traveller: Traveller, seed: bytes | None, link: bytes, says: str
) -> None:
    page = traveller()

    def answer(route: Route) -> None:
        fetched = route.fetch()
        shown = fetched.text()
        assert CHAIN.link(ENDED).hex() in shown
        route.fulfill(response=fetched, body=shown.replace(CHAIN.link(ENDED).hex(), link.hex()))

    page.route("**/play/**", answer)
    page.goto(end_of_sea(ENDED, seed))
    expect(page.locator("[data-link-result]")).to_contain_text(says)
    expect(page.locator("[data-fair-result]")).to_contain_text("it matches")


def test_of_a_day_that_may_still_be_begun_there_is_no_link(traveller: Traveller) -> None:
    page = traveller()
    page.goto(end_of_sea(TODAY))
    expect(page.locator("[data-fair-result]")).to_contain_text("it matches")
    expect(page.locator("[data-link], [data-link-result]")).to_have_count(0)

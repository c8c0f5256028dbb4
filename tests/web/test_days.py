"""The days of all games: who gets which day, what is kept of it, and what is marked."""

import re
from datetime import UTC, date, datetime, timedelta
from itertools import cycle, permutations
from pathlib import Path

import pytest
from pytest_django import Settings

from game.matches import daily
from game.ops import secrets
from tests.support import deep
from tests.support.day_games import Game
from tests.support.days import CHAIN, DAY, GAMES, HOUR, NOON, TODAY, acted, begun, with_chain
from tests.support.device import Device
from tests.support.page import Page

pytestmark = pytest.mark.usefixtures("chain_file", "clock")
NOT_A_DAY = (
    "", "2026-11-29", "2026-12-03", "20261201", "2026-W49-2", "2026-12-01T00:00", "0",
    "01.12.2026", "2026-12-1", "+2026-12-01", "0000-12-01", "0001-01-01", "9999-12-31",
    "2026-02-30", "02026-12-01", "<b>bold", "٢٠٢٦-١٢-٠١", "２０２６-12-01", "2026–12–01",
    "9" * 3500, "{{ 1 }}x",
)  # fmt: skip


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]


@pytest.fixture
def page(game: Game) -> str:
    """The address of the day's page."""
    return f"/en/{game.page}"


def main_of(html: Page) -> str:
    return html.split("<main")[1]


# --- the same for everybody ---


@pytest.mark.usefixtures("secrets_reread")
def test_two_copies_have_the_same_match_while_the_keys_are_rotated(
    game: Game, page: str, chain_file: Path, tmp_path: Path, settings: Settings,
    clock: list[datetime],
) -> None:  # fmt: skip
    found, hidden = secrets.load(chain_file, may_create=False), []
    (old,), new = found["keys"], secrets.make_key("use")
    accepted = [key | {"state": "accept"} for key in (old, new)]
    steps = [[old], [old, accepted[1]], [accepted[0], new], [new]]
    copies = [chain_file, tmp_path / "other.json"]
    for number, keys in enumerate(steps):
        for copy in copies:
            secrets.write(copy, found | {"keys": keys})
        clock[0] = NOON + number * 9 * DAY
        for day in daily.open_days(clock[0]):
            matches = []
            for copy in copies:
                settings.SECRETS_FILE = copy
                matches.append(game.saved_at(begun(Device(), page, day)))
            assert matches[0] == matches[1]
            hidden.append(matches[0].match.seed)
            assert hidden[-1] == daily.seed_of(CHAIN.link(day), game.seed_name(day))
    assert len(set(hidden)) == len(hidden)


# --- which days can be begun ---


def test_any_other_text_gets_one_sentence_and_never_comes_back(client: Device, game: Game) -> None:
    for asked, language in zip(NOT_A_DAY, cycle(("en", "de")), strict=False):
        html = client.get(f"/{language}/{game.page}", {"day": asked})
        assert (html.status, html.says) == (422, game.sentence[language]), asked
        everything = html + str(html.headers)
        assert "day=" not in everything, asked
        assert len(asked) < 2 or asked not in everything, asked
        assert f'href="/{language}/{game.page}"' in main_of(html)
        assert f'href="/{"en" if language == "de" else "de"}/{game.page}"' in html
        assert not html.cookies, asked


@pytest.mark.parametrize(
    "now", [datetime(2026, 11, 21, 9, tzinfo=UTC), datetime(2036, 11, 21, 12, tzinfo=UTC)]
)
def test_before_the_first_and_after_the_last_day_there_is_none(
    client: Device, game: Game, page: str, clock: list[datetime], now: datetime
) -> None:
    clock[0] = now
    for day in (None, now.date(), now.date() + DAY, CHAIN.first, CHAIN.last, date.max):
        answer = client.get(page, {} if day is None else {"day": day.isoformat()})
        assert (answer.status, answer.says) == (422, game.sentence["en"])
    assert f'href="{page}"' not in main_of(client.get(page)), "a button back to this very page"


def test_a_site_without_a_chain_offers_none(
    client: Device, tmp_path: Path, settings: Settings
) -> None:
    fronts = {game.front for game in GAMES.values()}
    for where in fronts:
        html = client.get(f"/en/{where}")
        assert re.search(r'(href|id)="[^"]*daily', html)
    settings.SECRETS_FILE = with_chain(tmp_path / "none.json", None)
    for language in ("en", "de"):
        for game in GAMES.values():
            for query in ("", f"?day={TODAY}", "?day=x"):
                assert client.get(f"/{language}/{game.page}{query}").status == 404
        for where in {"", "about/", *fronts}:
            assert "daily" not in client.get(f"/{language}/{where}")
    assert client.get("/daily.txt").status == 404


@pytest.mark.parametrize("where", [f"/en/{game.front}" for game in GAMES.values()])
def test_todays_is_offered_only_while_a_day_of_the_chain_is_open(
    client: Device, clock: list[datetime], where: str
) -> None:
    days = (CHAIN.first, CHAIN.last)
    first, last = (datetime(day.year, day.month, day.day, tzinfo=UTC) for day in days)
    for now, is_open in (
        (first - 14 * HOUR - timedelta(seconds=1), False), (first - 14 * HOUR, True), (NOON, True),
        (last + 36 * HOUR - timedelta(seconds=1), True), (last + 36 * HOUR, False),
    ):  # fmt: skip
        clock[0] = now
        html = client.get(where)
        assert bool(re.search(r'id="(act|play)-daily"', html)) is is_open, now
        assert bool(re.search("(game/days|daily/daily)[.]", html)) is is_open, now
        assert daily.is_running(CHAIN, now) is is_open
        assert not daily.is_running(None, now)


# --- marks ---


def over(client: Device, game: Game, where: str) -> tuple[str, ...]:
    """The marks of the match once it is won."""
    return game.marks(acted(client, where, *game.finish(where)))


@pytest.mark.parametrize(
    ("name", "switch"), [(name, switch) for name, game in GAMES.items() for switch in game.helps]
)
@pytest.mark.parametrize("how", [deep("on"), "on and off", "back and on", "on and back"])
def test_help_leaves_its_mark(client: Device, name: str, switch: str, how: str) -> None:
    """The mark stays after the help is switched off, and on ways from and to older addresses."""
    game = GAMES[name]
    fresh = where = begun(client, f"/en/{game.page}")
    if how != "on and back":
        where = acted(client, fresh, *game.misses(fresh, 2))
    if "back" in how:
        acted(client, fresh, {switch: "on"})
    else:
        where = acted(client, where, *({switch: word} for word in how.split(" and ")))
        assert game.saved_at(begun(client, f"/en/{game.page}")) == game.saved_at(where)
    assert over(client, game, where) == (game.helps[switch],)


@pytest.mark.parametrize(
    ("ahead", "back"), [*permutations(("miss", "win", "give up"), 2), ("miss", "miss")]
)
def test_another_action_at_an_older_address_is_marked_on_both_ways(
    client: Device, game: Game, page: str, ahead: str, back: str
) -> None:
    """What ends the match shows the ships to one who goes back."""
    older = acted(client, begun(client, page), *game.misses(begun(client, page)))
    one, other = game.misses(older, 2)
    ways = {"miss": [one], "win": game.finish(older), "give up": [game.give_up]}
    before = acted(client, older, *ways[ahead])
    assert game.marks(before) == ()
    after = acted(client, older, *([other] if back == "miss" else ways[back]))
    assert game.saved_at(begun(client, page)) == game.saved_at(after)
    assert (game.marks(after) if back != "miss" else over(client, game, after)) == game.back
    if ahead == "miss":
        assert over(client, game, before) == game.back


# --- the cookie ---


def test_the_day_leads_back_to_the_match_that_the_browser_keeps(
    client: Device, game: Game, clock: list[datetime]
) -> None:
    clock[0] -= 2 * HOUR
    kept = {}
    oldest, *open_days = daily.open_days(clock[0])
    for day in (oldest, *open_days):
        where = begun(client, f"/en/{game.page}", day)
        kept[day] = acted(client, where, *game.misses(where))
    assert len(kept) == 3
    forgotten = kept.pop(oldest)
    assert begun(client, f"/en/{game.page}", oldest) != forgotten, "there is room for two"
    kept[TODAY] = acted(client, kept[TODAY], *game.finish(kept[TODAY]))
    for day, where in kept.items():
        for language in ("en", "de"):
            leads = begun(client, f"/{language}/{game.page}", day)
            assert leads == where.replace("/en/", f"/{language}/")
    assert begun(client, f"/en/{game.page}") == kept[TODAY]

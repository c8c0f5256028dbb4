"""The deduction of the day: the same place for everybody, and no page tells it."""

import re
from dataclasses import replace

import pytest

from game.engine.chance import Chance
from game.features.deduction.hiding_places import as_cells, possible
from game.features.deduction.match import MOST_GUESSES, Mode, Phase, begin_match
from game.features.deduction.rules import MELBOURNE
from game.features.deduction.saved import DeductionGame, begin_daily
from game.features.deduction.searchers import SEARCHERS, Evidence
from game.matches import daily
from tests.deduction.samples import address, given_up, saved_at
from tests.support.days import CHAIN, GAMES, NOON, TODAY, acted, begun
from tests.support.device import Device
from tests.support.features import needs_features

pytestmark = pytest.mark.usefixtures("chain_file", "clock")
DAILY = "/en/deduction/daily/"
TITLE = r"<title>(.*?)</title>"


def begun_today(client: Device) -> DeductionGame:
    """Today's match before its first guess."""
    return saved_at(begun(client, DAILY))


def found(saved: DeductionGame) -> DeductionGame:
    """The match after a miss and the right guess."""
    assert saved.match.mine is not None
    place = saved.match.mine.place
    miss = next(one for one in map(as_cells, possible(MELBOURNE, ())) if one != place)
    return saved.guess(miss).guess(place)


# --- the same for everybody ---


def test_the_place_comes_from_the_days_link_alone(client: Device) -> None:
    saved = begun_today(client)
    assert saved.match.seed == daily.seed_of(CHAIN.link(TODAY), "deduction")
    hour = int(NOON.timestamp()) // 3600
    assert saved == replace(begin_daily(TODAY, saved.match.seed), started_hour=hour)
    assert saved.match == begin_match(MELBOURNE, Mode.SEARCH, saved.match.seed)
    assert saved.match.seed.hex() not in client.get(address(saved))


def test_a_day_and_its_place_never_change() -> None:
    """A match begun on another copy, or by another version, has the same place."""
    seed = daily.seed_of(CHAIN.link(CHAIN.first), "deduction")
    mine = begin_daily(CHAIN.first, seed).match.mine
    assert mine is not None
    assert MELBOURNE.names(mine.place) == "C2 A3 F4"


# --- a match of a day; what is kept of it; par ---


@pytest.mark.parametrize(
    ("language", "line", "par"),
    [("en", "Deduction of 1 December 2026", r"Par: \d guesses\."),
     ("de", "Kombinieren vom 1. Dezember 2026", r"Par: \d Tipps\.")],
)  # fmt: skip
def test_it_says_whose_day_it_is_and_at_the_end_par(
    client: Device, language: str, line: str, par: str
) -> None:
    saved = begun_today(client)
    for it in (saved, saved.guess(MELBOURNE.parse("A1 B1 C1"))):
        html = client.get(address(it, language))
        assert line in html.first(TITLE)
        assert html.split("<main")[1].count(line) == 2, "beside the guesses, and with the rules"
        assert "data-par" not in html
        assert "Par:" not in html
    html = client.get(address(found(saved), language))
    assert line in html.first(TITLE)
    assert f"{line}." in html.split('class="rule-line"')[1]
    assert html.attribute("data-day") == "2026-12-01"
    told = html.first(rf'class="verdict.*?({par})')
    assert f" {html.attribute('data-par')} " in told
    assert html.says.endswith(told)
    review = client.get(address(found(saved), language, "review"))
    assert review.attribute("data-par") == html.attribute("data-par")
    assert review.attribute("data-day") == "2026-12-01"


def test_playing_again_begins_a_match_of_no_day(client: Device) -> None:
    html = client.get(address(found(begun_today(client))))
    form = html.first(r'<form method="post" action="/en/deduction/">(.*?)</form>')
    fields = dict(re.findall(r'name="(\w+)" value="(\w+)"', form))
    assert fields == {
        "way": "search", "searcher": "strong", "sea": "original", "action": "again"
    }  # fmt: skip
    again = saved_at(client.post("/en/deduction/", fields).location)
    assert (again.day, again.match.rules, again.match.mode) == (None, MELBOURNE, Mode.SEARCH)


def guesses_for(seed: bytes) -> int:
    """How many guesses the strong searcher needs, asked by hand."""
    match = begin_match(MELBOURNE, Mode.SEARCH, seed)
    assert match.mine is not None
    search = replace(match.mine, guesses=())
    while not search.is_over:
        chance = Chance(seed, "strong/guess", len(search.guesses))
        seen = Evidence(MELBOURNE, search.answers)
        search = search.guess(SEARCHERS["strong"].guess(seen, chance))
    return len(search.guesses)


def test_par_is_told_at_the_end_alone_and_does_not_depend_on_how_the_person_searched(
    client: Device,
) -> None:
    saved = lost = begin_daily(TODAY, bytes(16))
    while lost.match.phase is not Phase.OVER:
        assert lost.par is None
        lost = lost.guess(MELBOURNE.parse("A1 B1 C1"))
    assert lost.match.turn == MOST_GUESSES
    assert {lost.par, given_up(saved).par, found(saved).par} == {guesses_for(bytes(16))}
    html = client.get(address(given_up(saved))).game
    assert (html["data-par"], html["data-outcome"]) == (str(lost.par), "lost")


@needs_features("daily", "logbook")
def test_the_row_of_today_says_how_far_this_browser_is(client: Device) -> None:
    card = r'id="act-deduction-daily".*?<span>(.*?)\s*</span>'
    game, where = GAMES["deduction"], begun(client, DAILY)
    assert client.get("/en/").first(card) == "new"
    where = acted(client, where, *game.misses(where))
    assert client.get("/en/").first(card) == "1 so far"
    acted(client, where, *game.finish(where))
    assert "2 Tipps" in client.get("/de/").first(card)

"""Tokens of the deduction game: what they hold, and which are refused."""

from dataclasses import replace
from datetime import date
from struct import pack

import pytest

from game.features.deduction.match import MOST_GUESSES, Mode
from game.features.deduction.rules import MELBOURNE, SEAS
from game.features.deduction.saved import (
    MATCH,
    PURPOSE,
    SavedMatch,
    begin,
    begin_daily,
    seal_match,
    unseal_match,
)
from game.matches import keyring
from game.matches.keyring import BadToken
from tests.deduction.samples import MATCHES, saved

TODAY = date(2026, 12, 1)
DAILY = begin_daily(TODAY, bytes(16))
HEAD = 10
"""Bytes before the searcher."""


def header(day: date | None, switches: int, hour: int | None = None) -> bytes:
    return pack(">IIH", hour or 0, day.toordinal() if day else 0, switches)


def content_of(saved: SavedMatch) -> bytes:
    return keyring.unseal(PURPOSE, seal_match(saved))


def opened(content: bytes) -> SavedMatch:
    return unseal_match(keyring.seal(PURPOSE, content))


@pytest.mark.parametrize("name", MATCHES)
@pytest.mark.parametrize("hour", [None, 1, 500_000, 2**32 - 1])
def test_a_token_holds_the_header_the_searcher_and_the_match(name: str, hour: int | None) -> None:
    saved = replace(MATCHES[name], started_hour=hour)
    assert unseal_match(seal_match(saved)) == saved
    searcher = bytes((["easy", "middle", "strong"].index(saved.searcher),))
    head = header(saved.day, saved.heat + 2 * saved.was_helped, hour)
    assert content_of(saved) == head + searcher + MATCH.write(saved.match)


def test_a_mark_is_read_back_and_stays_whatever_another_state_shows() -> None:
    helped = DAILY.with_heat(is_shown=True).with_heat(is_shown=False)
    for it in (DAILY, helped, DAILY.with_heat(is_shown=True)):
        assert unseal_match(seal_match(it)) == it
    assert helped.is_helped
    assert helped.marked_as(DAILY).is_helped


def test_what_happened_never_shows_in_a_tokens_length() -> None:
    for mode in Mode:
        matches = [it for it in MATCHES.values() if it.match.mode is mode]
        matches += [begin(MELBOURNE, mode, "easy"), replace(matches[0], started_hour=2**32 - 1)]
        matches += [begin_daily(date.max, bytes(16))] if mode is Mode.SEARCH else []
        assert len({len(seal_match(it)) for it in matches}) == 1


def test_the_longest_match_fits_an_address() -> None:
    race = saved(Mode.RACE)
    for _ in range(MOST_GUESSES):
        if race.match.result is None:
            race = race.guess(MELBOURNE.parse("E1 E2 E3"))
    assert len(seal_match(race)) < 1000
    assert unseal_match(seal_match(race)) == race


def test_an_unknown_searcher_or_switch_is_refused() -> None:
    content = content_of(DAILY)
    changed = [content[:HEAD] + bytes([it]) + content[HEAD + 1 :] for it in (3, 200, 255)]
    changed += [header(TODAY, 1 << switch) + content[HEAD:] for switch in range(2, 16)]
    for one in changed:
        with pytest.raises(BadToken):
            opened(one)


@pytest.mark.parametrize("ordinal", [date.max.toordinal() + 1, 2**32 - 1])
def test_a_day_that_is_not_in_the_calendar_is_refused(ordinal: int) -> None:
    content, day = content_of(DAILY), TODAY.toordinal().to_bytes(4, "big")
    assert content.count(day) == 1
    with pytest.raises(BadToken):
        opened(content.replace(day, ordinal.to_bytes(4, "big")))


@pytest.mark.parametrize(
    ("mode", "sea"), [(Mode.HIDE, "original"), (Mode.RACE, "original"), (Mode.SEARCH, "large")]
)
def test_a_match_of_a_day_is_a_search_by_the_usual_rules(mode: Mode, sea: str) -> None:
    other = begin(SEAS[sea], mode, "strong")
    with pytest.raises(ValueError, match="no match of a day"):
        replace(other, day=TODAY)
    with pytest.raises(BadToken):
        opened(header(TODAY, 0) + content_of(other)[HEAD:])


def test_a_match_of_no_day_has_no_mark() -> None:
    other = begin(MELBOURNE, Mode.SEARCH, "strong").with_heat(is_shown=True)
    other = other.with_heat(is_shown=False)
    assert not other.was_helped
    with pytest.raises(ValueError, match="a mark"):
        replace(other, was_helped=True)
    with pytest.raises(BadToken):
        opened(header(None, 2) + content_of(other)[HEAD:])


def test_a_race_that_stands_between_two_guesses_is_refused() -> None:
    race = saved(Mode.RACE)
    race = replace(race, match=race.match.guess(MELBOURNE.parse("E1 E2 E3")))
    with pytest.raises(BadToken):
        unseal_match(seal_match(race))

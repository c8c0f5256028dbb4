"""The logbook as a value: its bytes, the laws of merging, streaks, and the rank it proposes."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date, timedelta
from functools import reduce
from itertools import pairwise, permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django import Settings

from game.engine.presets import PRESETS
from game.features.logbook.model import (
    MOST_DEVICES,
    MOST_RECENT,
    MOST_TEXT,
    Cell,
    Count,
    Ended,
    Logbook,
    decode,
    encode,
    fitted,
    mark_of,
    seal,
    unseal,
)
from game.features.logbook.rank import proposed_rank
from game.matches.day_results import DayResult as Day
from game.matches.day_results import streak
from game.matches.keyring import BadToken
from game.ops import secrets
from game.players.registry import CODES
from tests.logbook.samples import KINDS, SEA
from tests.support import times

FIRST = date(2026, 11, 22)
CLASSIC, SAILOR = PRESETS["milton"].code, CODES["sailor"]
COOKIE = 3_150
"""The characters that a logbook has in a cookie."""


@pytest.fixture(autouse=True)
def _site_with_a_chain(settings: Settings, tmp_path: Path) -> None:
    settings.SECRETS_FILE = tmp_path / "secrets.json"
    secrets.write(settings.SECRETS_FILE, secrets.make())


def sea(number: int, shots: int = 40, par: int = 37, **more: bool) -> Day:
    return Day(FIRST + timedelta(days=number), SEA, shots, par, **more)


def book_of(*days: Day) -> Logbook:
    return reduce(Logbook.with_day, days, Logbook())


def ended(number: int, *, shots: int = 40, won: bool = True, mind: int = SAILOR) -> Ended:
    marks = (mark_of(number.to_bytes(16, "big")),)
    return Ended(marks, Cell(CLASSIC, mind), shots, is_won=won)


def after(book: Logbook, matches: Iterable[Ended], device: bytes = b"one") -> Logbook:
    """The logbook of a device after these matches."""
    return reduce(lambda before, one: before.with_match(one, device), matches, book)


def games(book: Logbook) -> int:
    return sum(count.games for count in book.counts.values())


# --- any logbook ---


def days_until(last: date, most: int) -> st.SearchStrategy[Day]:
    numbers, flags = st.integers(0, most), st.booleans()
    kinds, shots = st.sampled_from(KINDS), st.integers(1, most)
    return st.builds(Day, st.dates(FIRST, last), kinds, shots, numbers, flags, flags)


DAYS = days_until(date(2037, 12, 31), 255) | days_until(FIRST + timedelta(days=20), 90)
MOST = 999, 9, 99_999, 255, 99_999, 999
COUNTS = st.builds(Count, st.integers(1, 999), *(st.integers(0, most) for most in MOST))
CELLS = st.builds(Cell, st.integers(0, 8), st.integers(0, 13))
IDS = st.binary(min_size=3, max_size=3)
FEW_IDS = st.integers(0, 11).map(lambda number: bytes((number,) * 3))
DEVICES = st.dictionaries(
    FEW_IDS, st.dictionaries(CELLS, COUNTS, min_size=1, max_size=3), max_size=MOST_DEVICES
)
BOOKS = st.builds(
    lambda days, *others: replace(
        book_of(*days), **dict(zip(("devices", "device", "recent"), others, strict=True))
    ),
    st.lists(DAYS, max_size=12),
    DEVICES,
    IDS,
    st.lists(IDS, max_size=MOST_RECENT).map(tuple),
)


def some(test: Callable[..., None]) -> Callable[..., None]:
    """Tries more examples in `make fuzz`."""
    tried = hypothesis_settings(max_examples=times(40, 300, 3000))(test)
    marked: Callable[..., None] = pytest.mark.fuzz(tried)
    return marked


@some
@given(BOOKS)
def test_a_logbook_is_bytes_and_a_text_and_back(book: Logbook) -> None:
    assert decode(encode(book)) == book
    assert unseal(seal(book)) == book


# --- merging ---


def shared(book: Logbook) -> Logbook:
    """What merging is about: all but whose device it is."""
    return Logbook(book.days, book.devices)


@some
@given(BOOKS, BOOKS, BOOKS)
def test_merging_is_a_union(one: Logbook, two: Logbook, three: Logbook) -> None:
    """Of the days always, and of the counts of all devices that are counted apart."""
    assert one.merged(one) == one
    assert one.merged(Logbook()) == one
    merged = one.merged(two)
    assert (merged.device, merged.recent) == (one.device, one.recent)
    keys = {(day.date, day.kind) for day in (*one.days, *two.days)}
    assert [(day.date, day.kind) for day in merged.days] == sorted(keys)
    assert set(merged.days) <= {*one.days, *two.days}
    assert merged.days == two.merged(one).days
    assert merged.merged(three).days == one.merged(two.merged(three)).days
    if len({*one.devices, *two.devices, *three.devices}) <= MOST_DEVICES:
        assert shared(merged) == shared(two.merged(one))
        assert merged.merged(three) == one.merged(two.merged(three))


@some
@given(BOOKS, BOOKS, BOOKS)
def test_whatever_is_brought_a_device_keeps_its_own_counts(
    one: Logbook, two: Logbook, three: Logbook
) -> None:
    one = replace(one, devices=one.devices or {b"one": {Cell(1, 1): Count(1)}})
    one = replace(one, device=min(one.devices))
    two, three = (
        replace(it, devices={key: it.devices[key] for key in it.devices if key != one.device})
        for it in (two, three)
    )
    merged = one.merged(two).merged(three)
    assert merged.devices[one.device] == one.devices[one.device]
    assert len(merged.devices) <= MOST_DEVICES
    assert one.merged(two).merged(two) == one.merged(two)


def test_of_one_day_on_two_devices_the_better_result_stays() -> None:
    lost, helped = sea(0, 30, is_sunk=False), sea(0, 31, is_helped=True)
    worst_first = [lost, helped, sea(0, 50), sea(0, 44)]
    for days in permutations(worst_first):
        books = [book_of(day) for day in days]
        assert reduce(Logbook.merged, books).days == (sea(0, 44),)
    for worse, better in pairwise(worst_first):
        assert book_of(worse).merged(book_of(better)).days == (better,)


def test_on_one_device_the_first_result_of_a_day_stays() -> None:
    book = book_of(sea(0, 60), sea(2, 50))
    for day in (sea(0, 20), sea(2, 20)):
        assert book.with_day(day) == book
    assert book.with_day(sea(1, 20)).days == (sea(0, 60), sea(1, 20), sea(2, 50))


def test_copies_of_a_device_count_once_and_devices_add_up() -> None:
    older = after(Logbook(), (ended(it, shots=40 + it) for it in range(5)))
    phone = after(older, [ended(5, won=False)])
    tablet = after(Logbook(), [ended(6, shots=30)], b"two")
    for first, second, third in permutations((phone, older, tablet)):
        merged = first.merged(second).merged(third)
        (total,) = merged.counts.values()
        assert total == Count(7, 6, 0, 40 + 41 + 42 + 43 + 44 + 30, 30)


# --- sizes ---


def long_book(days: int, *, kinds: tuple[int, ...] = (SEA,), cells: int = 12) -> Logbook:
    dates = (FIRST + timedelta(days=number) for number in range(days))
    some = (
        (Cell(it % 9, it % 14), Count(500, 250, 3, 11_000, 28, 20_000, 300)) for it in range(cells)
    )
    recent = tuple(number.to_bytes(3, "big") for number in range(MOST_RECENT))
    return Logbook(
        tuple(Day(day, kind, 30 + day.day, 36) for day, kind in product(dates, kinds)),
        {b"own": dict(some)},
        b"own",
        recent,
    )


@pytest.mark.parametrize(("days", "kinds"), [(700, 1), (365, 2)])
def test_two_years_of_seas_or_one_with_deductions_fit_the_cookie(days: int, kinds: int) -> None:
    book = long_book(days, kinds=tuple(KINDS)[:kinds])
    assert len(seal(book, COOKIE)) <= COOKIE
    assert unseal(seal(book, COOKIE)) == book


LONG = long_book(400)


@some
@given(BOOKS, st.integers(100, 2_000))
def test_what_has_no_room_is_the_oldest_days_and_then_other_devices(
    book: Logbook, most: int
) -> None:
    book = replace(long_book(0, cells=2), days=LONG.days).merged(book)
    small = fitted(book, most)
    if len(encode(book)) <= most:
        assert small == book
        return
    assert len(encode(small)) <= most
    assert decode(encode(small)) == small
    assert small.days == book.days[len(book.days) - len(small.days) :]
    if book.device in book.devices:
        assert small.devices[book.device] == book.devices[book.device]
    if small.days:
        assert small.devices == book.devices
        more = replace(small, days=book.days[-len(small.days) - 8 :])
        assert len(encode(more)) > most, "hardly more days are left out than have to be"


# --- sealing; days in a row; the rank that suits ---


def test_a_forged_cut_or_foreign_text_is_refused() -> None:
    text = seal(long_book(3))
    middle = len(text) // 2
    forged = text[:middle] + ("B" if text[middle] == "A" else "A") + text[middle + 1 :]
    altered = forged, text[:-4], text[4:], text + "AAAA", text.replace(text[0], "%", 1)
    for bad in (*altered, "", "A", "é" * 40, "=" * 40, "A" * 60, "A" * (3 * MOST_TEXT)):
        with pytest.raises(BadToken):
            unseal(bad)


def test_a_text_opens_after_the_keys_are_rotated_but_not_with_another_chain(
    settings: Settings, tmp_path: Path
) -> None:
    text = seal(long_book(3))
    found = secrets.load(settings.SECRETS_FILE, may_create=False)
    for number in range(3):
        found = {**found, "keys": [secrets.make_key("use")]}
        settings.SECRETS_FILE = tmp_path / f"rotated-{number}.json"
        secrets.write(settings.SECRETS_FILE, found)
        assert unseal(text) == long_book(3)
    settings.SECRETS_FILE = tmp_path / "another.json"
    secrets.write(settings.SECRETS_FILE, secrets.make())
    with pytest.raises(BadToken):
        unseal(text)


def dates(drawn: str) -> list[date]:
    """`x` for a day played, a space for one that was not; the first is the 22nd of November."""
    return [FIRST + timedelta(days=at) for at, sign in enumerate(drawn) if sign == "x"]


@pytest.mark.parametrize(
    ("played", "today", "now", "longest"),
    [
        ("", 0, 0, 0),
        ("x", 0, 1, 1),
        ("xxx", 2, 3, 3),
        ("xxx", 3, 3, 3),
        ("xxx", 4, 0, 3),
        ("xx x", 3, 1, 2),
        ("x x x", 9, 0, 1),
    ],
)
def test_a_streak_ends_once_its_next_day_has_passed(
    played: str, today: int, now: int, longest: int
) -> None:
    oldest_open = FIRST + timedelta(days=today)
    assert streak(dates(played), oldest_open) == (now, longest)
    assert streak(reversed(dates(played) * 2), oldest_open) == (now, longest)


def won(preset: str, results: dict[str, tuple[int, ...]]) -> Logbook:
    """A logbook with that many wins of that many games, and draws, against each rank."""
    counts = {
        Cell(PRESETS[preset].code, CODES[rank]): Count(games, wins, *draws)
        for rank, (wins, games, *draws) in results.items()
    }
    return Logbook(devices={b"one": counts}, device=b"one")


@pytest.mark.parametrize(
    ("results", "proposed"),
    [
        ({}, None),
        ({"bonn-hard": (3, 4)}, None),
        ({"recruit": (0, 1)}, None),
        ({"recruit": (1, 1)}, None),
        ({"recruit": (0, 2)}, "recruit"),
        ({"recruit": (4, 4)}, "sailor"),
        ({"recruit": (7, 10), "sailor": (1, 8)}, "recruit"),
        ({"recruit": (9, 10), "sailor": (5, 10)}, "sailor"),
        ({"sailor": (5, 10), "lieutenant": (5, 5)}, "lieutenant"),
        ({"lieutenant": (0, 10, 10)}, "lieutenant"),
        ({"admiral": (0, 1)}, None),
        ({"admiral": (9, 9)}, "admiral"),
        # a weaker rank is worth a try after three losses without a win
        ({"admiral": (0, 20)}, "weaker: commodore"),
        ({"captain": (0, 5)}, "weaker: lieutenant"),
    ],
)
def test_the_rank_proposed_is_about_even(
    results: dict[str, tuple[int, ...]], proposed: str | None
) -> None:
    found = proposed_rank(won("bonn", results), "bonn")
    said = found and f"{'' if found.is_even else 'weaker: '}{found.rank}"
    assert said == proposed
    assert proposed_rank(won("bonn", results), "milton") is None

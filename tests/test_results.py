"""The results of puzzles, challenges and days of puzzles that one cookie holds."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from game.matches import keyring
from game.matches.keyring import BadToken, Purpose
from game.matches.results import MARK_BYTES, MOST_ENTRIES, Entry, Kind, Results, seal, unseal
from game.views.results import COOKIE, keep_results, results_of

NONE = Results()


def many(kind: Kind, count: int, found: Results = NONE) -> Results:
    for number in range(count):
        found = found.with_first(kind, f"{kind} {number}", number)
    return found


def test_the_first_result_stays() -> None:
    found = Results().with_first(Kind.PUZZLE, "one", 3)
    assert found.with_first(Kind.PUZZLE, "one", 1) == found
    assert found.of(Kind.PUZZLE, "one") == 3
    assert found.of(Kind.CHALLENGE, "one") is found.of(Kind.PUZZLE, "two") is None


def test_a_day_goes_on_and_becomes_the_newest() -> None:
    found = many(Kind.PUZZLE, 3).with_first(Kind.DAY, "27", 1)
    found = many(Kind.CHALLENGE, 2, found).with_result(Kind.DAY, "27", 70_000)
    assert len(found.entries) == 6
    assert found.entries[-1].kind is Kind.DAY
    assert found.of(Kind.DAY, "27") == 65_535


def test_many_puzzles_displace_the_oldest_puzzles_and_nothing_else() -> None:
    found = many(Kind.CHALLENGE, 9).with_first(Kind.DAY, "27", 5)
    found = many(Kind.PUZZLE, 100, found)
    assert len(found.entries) == MOST_ENTRIES
    assert found.of(Kind.DAY, "27") == 5
    assert found.of(Kind.CHALLENGE, f"{Kind.CHALLENGE} 0") == 0
    assert [it.result for it in found.entries if it.kind is Kind.PUZZLE] == [*range(78, 100)]


@pytest.mark.parametrize("count", [0, 1, MOST_ENTRIES])
def test_results_are_read_as_they_were_written(count: int) -> None:
    found = many(Kind.PUZZLE, count)
    assert unseal(seal(found)) == found
    assert len(seal(found)) <= 530


ENTRY = bytes((Kind.DAY,)) + bytes(MARK_BYTES) + b"\0\1"
OTHERS = b"".join(bytes((Kind.DAY, number)) + bytes(MARK_BYTES + 1) for number in range(33))


@pytest.mark.parametrize("content", [ENTRY[:-1], b"\x09" + ENTRY[1:], ENTRY * 2, OTHERS])
def test_any_other_content_is_refused(content: bytes) -> None:
    assert unseal(keyring.seal(Purpose.RESULTS, ENTRY)).entries == (
        Entry(Kind.DAY, bytes(MARK_BYTES), 1),
    )
    with pytest.raises(BadToken):
        unseal(keyring.seal(Purpose.RESULTS, content))


def test_the_cookie_is_set_where_something_is_new_and_a_bad_one_is_ignored() -> None:
    request, response = RequestFactory().get("/"), HttpResponse()
    request.COOKIES[COOKIE] = "nonsense"
    assert results_of(request) == Results()
    keep_results(request, response, Results())
    assert not response.cookies
    found = many(Kind.CHALLENGE, 1)
    keep_results(request, response, found)
    request.COOKIES[COOKIE] = response.cookies[COOKIE].value
    assert results_of(request) == found

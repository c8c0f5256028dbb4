"""The results of what features offer, which one cookie holds."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from game.matches import keyring
from game.matches.keyring import BadToken, Purpose
from game.matches.results import MARK_BYTES, MOST_ENTRIES, Entry, Results, seal, unseal
from game.views.cookies import RESULTS, keep_results, results_of

NONE = Results()


FEW, MANY, OTHER = 0, 1, 2
"""Codes of features."""


def many(kind: int, count: int, found: Results = NONE) -> Results:
    for number in range(count):
        found = found.with_first(kind, f"{kind} {number}", number)
    return found


def test_a_result_that_changes_becomes_the_newest() -> None:
    found = many(MANY, 3).with_first(FEW, "27", 1)
    found = many(OTHER, 2, found).with_result(FEW, "27", 70_000)
    assert len(found.entries) == 6
    assert found.entries[-1].kind == FEW
    assert found.of(FEW, "27") == 65_535


def test_many_results_displace_the_oldest_of_their_kind_and_nothing_else() -> None:
    found = many(OTHER, 9).with_first(FEW, "27", 5)
    found = many(MANY, 100, found)
    assert len(found.entries) == MOST_ENTRIES
    assert found.of(FEW, "27") == 5
    assert found.of(OTHER, f"{OTHER} 0") == 0
    assert [it.result for it in found.entries if it.kind == MANY] == [*range(78, 100)]


@pytest.mark.parametrize("count", [0, 1, MOST_ENTRIES])
def test_results_are_read_as_they_were_written(count: int) -> None:
    found = many(MANY, count)
    assert unseal(seal(found)) == found
    assert len(seal(found)) <= 530


ENTRY = bytes((FEW,)) + bytes(MARK_BYTES) + b"\0\1"
OTHERS = b"".join(bytes((FEW, number)) + bytes(MARK_BYTES + 1) for number in range(33))


@pytest.mark.parametrize("content", [ENTRY[:-1], ENTRY * 2, OTHERS])
def test_any_other_content_is_refused(content: bytes) -> None:
    assert unseal(keyring.seal(Purpose.RESULTS, ENTRY)).entries == (
        Entry(FEW, bytes(MARK_BYTES), 1),
    )
    with pytest.raises(BadToken):
        unseal(keyring.seal(Purpose.RESULTS, content))


def test_results_of_a_feature_that_is_not_there_are_kept_and_written_back() -> None:
    found = unseal(keyring.seal(Purpose.RESULTS, b"\x09" + ENTRY[1:]))
    again = unseal(seal(found.with_first(MANY, "p1", 5)))
    assert [it.kind for it in again.entries] == [9, MANY]


def test_the_cookie_is_set_where_something_is_new_and_a_bad_one_is_ignored() -> None:
    request, response = RequestFactory().get("/"), HttpResponse()
    request.COOKIES[RESULTS] = "nonsense"
    assert results_of(request) == Results()
    keep_results(request, response, Results())
    assert not response.cookies
    found = many(OTHER, 1)
    keep_results(request, response, found)
    request.COOKIES[RESULTS] = response.cookies[RESULTS].value
    assert results_of(request) == found

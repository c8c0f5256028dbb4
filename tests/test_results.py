"""The results of what features offer."""

from game.matches.results import MOST_ENTRIES, Results

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

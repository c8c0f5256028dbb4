"""The pool of puzzles: its file, the five of a day, and further ones."""

from collections import Counter

import pytest

from game.engine.presets import PRESETS
from game.features.puzzles import pool
from game.features.puzzles.pool import (
    GRADES,
    KINDS,
    find,
    five_of,
    marks_of,
    next_one,
    parse,
    puzzles,
)

LINKS = [bytes([number]) * 32 for number in range(40)]
SEED = bytes(16)


def test_the_pool_has_a_thousand_puzzles_and_a_hundred_of_each_kind_and_grade() -> None:
    found = puzzles()
    assert len({one.name for one in found}) == len(found) >= 1000
    for numbers, names in (
        (Counter(one.kind for one in found), KINDS),
        (Counter(one.grade for one in found), GRADES),
    ):
        assert set(numbers) == set(names)
        assert min(numbers.values()) >= 100
    assert pool.FILE.stat().st_size <= 120_000


def test_a_puzzle_is_written_as_it_is_read_and_found_by_its_name() -> None:
    assert find("nosuch1") is None
    for puzzle in puzzles():
        assert parse(str(puzzle)) == find(puzzle.name) == puzzle
        assert marks_of(puzzle.position) == puzzle.marks
        assert not PRESETS[puzzle.preset].ruleset.moving


# --- the five of a day; further ones ---


def test_a_pool_in_use_is_unchanged() -> None:
    """Another pool is another file, for later days; see docs/puzzles.md."""
    known = "4385e8bcf95243ff67876b0e193602a4ed28cd7c3bd8e7981e53b11656eaa7c5"
    assert pool.pool_hash() == known


def test_a_day_has_one_puzzle_of_each_grade_whose_fleets_can_be_overlooked() -> None:
    for link in LINKS:
        five = five_of(link)
        assert [one.grade for one in five] == list(GRADES)
        assert all(one.fleets <= 500 for one in five)
        assert all(one.margin >= 10 for one in five)
        assert five == five_of(link)
    assert len({five_of(link) for link in LINKS}) == len(LINKS), "the link decides them"


@pytest.mark.parametrize("grade", GRADES)
def test_further_puzzles_have_the_grade_and_were_not_seen(grade: int) -> None:
    seen = list[str]()
    for _ in range(20):
        one = next_one(grade, seen, SEED)
        assert one.grade == grade
        assert one.name not in seen
        seen.append(one.name)
    lower = {one.name for one in puzzles() if one.grade < 3}
    assert next_one(grade, lower, SEED).grade == max(grade, 3), "the nearest follows"
    assert next_one(grade, {one.name for one in puzzles()}, SEED).grade == grade

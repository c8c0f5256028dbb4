"""`python -m bench puzzles`: matches become puzzles, and a wrong pool is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.__main__ import main
from bench.puzzles import DRAWS, SOLVERS, answers, candidates, graded, seen_in
from game.engine.observation import Known
from game.puzzles import pool
from game.puzzles.pool import GRADES, parse, puzzles


def made(folder: Path, matches: int) -> str:
    out = folder / "pool.txt"
    main(["puzzles", f"--matches={matches}", "--number=9", f"--out={out}"])
    return out.read_text()


@pytest.mark.deep
def test_the_pool_depends_on_the_seed_and_the_matches_alone(tmp_path: Path) -> None:
    text = made(tmp_path, 2)
    assert made(tmp_path, 2) == text != made(tmp_path, 1)
    found = [parse(line) for line in text.splitlines()]
    assert found
    assert {one.grade for one in found} <= set(GRADES)


def test_a_match_gives_at_most_one_puzzle_of_a_kind_to_each_side() -> None:
    found = list(candidates(1, 4))
    assert found
    assert all([one.kind for one in found].count(each.kind) <= 2 for each in found)


def test_the_grade_counts_the_wrong_answers() -> None:
    for puzzle in (puzzles()[0], puzzles()[-1]):
        assert graded(puzzle).grade == puzzle.grade
        assert len(list(answers(SOLVERS[0], puzzle, DRAWS))) == DRAWS


def test_a_mind_sees_the_marks_of_a_puzzle() -> None:
    for puzzle in puzzles()[::50]:
        position, seen = puzzle.position, seen_in(puzzle)
        known = {cell: mark.known for cell, mark in seen.marks.items()}
        assert {cell for cell in known if known[cell] is Known.WATER} == set(position.water)
        assert {cell for cell in known if known[cell] is Known.HIT} == set(dict(position.hits))
        assert set(known) == position.marked
        assert not position.marked & set(seen.targets)
        if seen.ruleset.named:
            fleet = seen.ruleset.fleet
            assert all(
                fleet[shot.ship] == dict(position.hits).get(shot.cell, fleet[shot.ship])
                for shot in seen.shots
                if shot.ship is not None
            )


def test_a_pool_with_a_fault_ends_the_check_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "wrong.txt"
    line = str(puzzles()[0])
    wrong.write_text(line.replace(" certain ", " finish ") + "\n")
    monkeypatch.setattr(pool, "POOLS", ((pool.POOLS[0][0], str(wrong)),))
    with pytest.raises(SystemExit) as ended:
        main(["puzzles", "--check"])
    assert ended.value.code == 1
    assert "the kind is certain" in capsys.readouterr().out

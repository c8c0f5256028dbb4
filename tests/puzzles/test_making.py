"""`python -m bench puzzles`: matches become puzzles, and a wrong pool is refused."""

from pathlib import Path

import pytest

from bench.__main__ import main
from game.features.puzzles import pool
from game.features.puzzles.pool import GRADES, parse, puzzles


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

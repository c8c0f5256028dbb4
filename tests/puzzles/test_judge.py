"""The judge of puzzles: drawn positions of each kind, and the pool against a plain count."""

import random
from collections import Counter

import pytest

from bench.puzzles import recounted
from game.engine.actions import CellSpent
from game.engine.position import Position, still, typed
from game.engine.rules import Ruleset
from game.features.puzzles.judge import NotAPuzzle, count, judge
from game.features.puzzles.pool import puzzles

SAMPLE = random.Random(30).sample(puzzles(), 100)


def position(line: str, *fleet: int, side: int = 6, touching: bool = False) -> Position:
    rules = still(Ruleset(columns=side, rows=side, fleet=fleet, touching=touching))
    return typed(Position(rules), line)


# --- the pool, against a plain count; verdicts; kinds ---


@pytest.mark.deep
def test_a_hundred_puzzles_of_the_pool_are_as_a_plain_count_says() -> None:
    for puzzle in SAMPLE:
        assert list(recounted(puzzle)) == []


def test_an_answer_is_right_good_or_wrong_by_its_share_of_the_best() -> None:
    verdicts = Counter[str]()
    for puzzle in SAMPLE:
        found = count(puzzle.position)
        for cell in set(puzzle.position.rules.board.cells) - puzzle.position.marked:
            verdict = judge(puzzle.position, cell)
            share = found.cells[cell] / max(found.cells)
            expected = "right" if share == 1 else "good" if share >= 0.9 else "wrong"
            assert verdict.verdict == expected
            assert (cell in verdict.counted.best) == (expected == "right")
            verdicts[expected] += 1
    assert min(verdicts[each] for each in ("right", "good", "wrong")) > 3


def test_a_marked_cell_is_no_answer_and_a_position_without_a_fleet_or_a_ship_no_puzzle() -> None:
    with pytest.raises(CellSpent, match="known already"):
        judge(SAMPLE[0].position, min(SAMPLE[0].position.marked))
    for line in ("A1 water B1 hit B2 hit C2 hit C3 hit", "A1h3 sunk"):
        with pytest.raises(NotAPuzzle):
            count(position(line, 3))


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("certain", position("A1 B1 C1 D2 A3 C3 water, C2 hit", 3)),
        ("last", position("B4 C2 D5 water", 4)),
        ("finish", position("B3 hit", 3, 2)),
        ("touching", position("B3 C3 hit, D3 water", 3, 2, 2, touching=True)),
        ("counting", position("B2 C5 D3 E1 E6 F2 F4 A6 water", 4, 1)),
        ("hunting", position("C3 D4 water", 2, 2, 2)),
    ],
)
def test_a_drawn_position_has_its_kind(kind: str, found: Position) -> None:
    assert count(found).reason.kind == kind

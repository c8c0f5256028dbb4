"""What is said of the best cell: sentences that an enumeration of all fleets has found true."""

import pytest
from django.utils import translation

from game.engine.position import Position, still, typed
from game.engine.rules import Ruleset
from game.features.puzzles.judge import count, judge
from game.features.puzzles.pool import parse
from game.features.puzzles.reasons import reason_sentence


def drawn(shots: str, unknown: str, *fleet: int) -> Position:
    """A position on 6 by 6 cells; those that are neither named nor hit are water."""
    rules = still(Ruleset(columns=6, rows=6, fleet=fleet))
    known = typed(Position(rules), shots)
    left = set(map(rules.board.parse, unknown.split())) | known.marked
    return known.with_water(set(rules.board.cells) - left)


SAID = [
    (
        drawn("A1 hit", "B1 D4", 2),
        "B1 is certain: only one fleet is possible, and a ship lies there. D4: 0 of 1.",
    ),
    (
        drawn("A1 hit E6 hit", "B1 D6 D4", 2, 2),
        "B1 and D6 are certain: only one fleet is possible, and ships lie there. D4: 0 of 1.",
    ),
    (
        drawn("", "A1 B1 C1 D1 E6 F6", 3, 1),
        "B1 and C1 are certain: ships lie there in all 4 fleets. Both places for a ship of length 3"
        " cover B1. A1: 2 of 4.",
    ),
    (
        drawn("", "A1 B1 C1 E6 F6", 3, 1),
        "A1, B1 and C1 are certain: ships lie there in all 2 fleets. There is only one place for a"
        " ship of length 3. E6: 1 of 2.",
    ),
    (
        parse("uppsala certain 3 3/2/3 0884401022000004102420840 C1 A4v3+E4h2+I5v5+E6h3").position,
        "D1 is certain: a ship lies there in all 3 fleets. All 3 places for the ship hit at C1"
        " cover D1. A1: 1 of 3.",
    ),
    (
        parse(
            "bonn-still hunting 5 68/54/77 2718499525b54d72280511400 - "
            "B1v3+F3v4+I4v3+D5v4+B6v5+H8h2+I10h2"
        ).position,
        "F10 is best: a ship lies there in 68 of 77 fleets. In all of these it is a ship of"
        " length 2. A1: 0 of 77.",
    ),
]


@pytest.mark.parametrize(("position", "sentences"), SAID)
def test_a_wrong_answer_is_compared_with_the_best_cell(position: Position, sentences: str) -> None:
    best, cells = count(position).best, position.rules.board.cells
    wrong = min(set(cells) - position.marked - set(best))
    assert reason_sentence(judge(position, wrong)) == sentences


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "C1 is best: a ship lies there in 2 of 3 fleets. "
        "Every other cell is in at most 1 fleet."),
        ("de", "C1 ist am besten: In 2 von 3 Flotten liegt dort ein Schiff. "
        "Jedes andere Feld ist in höchstens 1 Flotte."),
    ],
)  # fmt: skip
def test_a_right_answer_is_not_compared(language: str, says: str) -> None:
    puzzle = drawn("", "B1 C1 D1 F5 F6", 2)
    with translation.override(language):
        verdict = judge(puzzle, puzzle.rules.board.parse("C1"))
        assert (verdict.verdict, reason_sentence(verdict)) == ("right", says)

"""The judge of puzzles: drawn positions of each kind, and the pool against a plain count."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bench.likeness import cells_alike, form
from bench.plain_count import plain_fleets
from bench.puzzles import faults, recounted
from game.engine.actions import CellSpent
from game.engine.position import Position, still, typed
from game.engine.rules import Ruleset
from game.puzzles.judge import NotAPuzzle, count, judge
from game.puzzles.pool import puzzles
from tests.support.small_boards import every_set_of_ships

SAMPLE = random.Random(30).sample(puzzles(), 100)


def position(line: str, *fleet: int, side: int = 6, touching: bool = False) -> Position:
    rules = still(Ruleset(columns=side, rows=side, fleet=fleet, touching=touching))
    return typed(Position(rules), line)


# --- the plain count ---


@pytest.mark.parametrize("touching", [True, False])
@pytest.mark.parametrize("fleet", [(3, 2, 2), (2, 1, 1), (2, 2)])
def test_the_plain_count_lists_every_fleet_with_the_hit_ship_afloat(
    fleet: tuple[int, ...], touching: bool
) -> None:
    known = position("D1 water, B2 hit", *fleet, side=4, touching=touching)
    water, hit = map(known.rules.board.parse, ("D1", "B2"))
    expected = {
        frozenset(ship.mask for ship in ships)
        for ships in every_set_of_ships(known.rules)
        if not any(water in ship.cells or ship.cells == (hit,) for ship in ships)
        and any(hit in ship.cells for ship in ships)
    }
    found = list(map(frozenset, plain_fleets(known)))
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.deep
def test_a_hundred_puzzles_of_the_pool_are_as_a_plain_count_says() -> None:
    for puzzle in SAMPLE:
        assert list(recounted(puzzle)) == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"best": 1, "second": 0}, "the numbers are"),
        ({"kind": "none"}, "the kind is"),
        ({"fleets": 7}, "the numbers are"),
    ],
)
def test_a_wrong_line_of_the_pool_is_found(change: dict[str, Any], says: str) -> None:
    wrong = replace(SAMPLE[0], **change)
    assert any(says in line for line in recounted(wrong))
    assert any("is like" in line for line in faults([SAMPLE[0], replace(SAMPLE[0], name="twin")]))


# --- verdicts ---


def test_an_answer_is_right_good_or_wrong_by_its_share_of_the_best() -> None:
    verdicts = Counter[str]()
    for puzzle in SAMPLE:
        found = count(puzzle.position)
        for cell in set(puzzle.position.rules.board.cells) - puzzle.position.marked:
            verdict = judge(puzzle.position, cell)
            share = found.cells[cell] / max(found.cells)
            expected = "right" if share == 1 else "good" if share >= 0.9 else "wrong"
            assert verdict.verdict == expected
            assert (cell in verdict.best) == (expected == "right")
            verdicts[expected] += 1
    assert min(verdicts[each] for each in ("right", "good", "wrong")) > 3


def test_a_marked_cell_is_no_answer_and_a_position_without_a_fleet_or_a_ship_no_puzzle() -> None:
    with pytest.raises(CellSpent, match="known already"):
        judge(SAMPLE[0].position, min(SAMPLE[0].position.marked))
    for line in ("A1 water B1 hit B2 hit C2 hit C3 hit", "A1h3 sunk"):
        with pytest.raises(NotAPuzzle):
            count(position(line, 3))


# --- kinds ---


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


# --- likeness ---


def test_positions_turned_or_shifted_are_alike() -> None:
    lone = [position(f"{cell} hit", 3, side=9) for cell in ("E5", "D4", "F5")]
    assert len({form(one) for one in lone}) == 1
    cell = lone[0].rules.board.parse
    assert cells_alike(lone[0], cell("E4")) == set(map(cell, ("E4", "E6", "D5", "F5")))
    corners = ("A1 hit, B2 C1 water", "F1 hit, E2 D1 water", "A6 hit, B5 A4 water")
    assert len({form(position(line, 3)) for line in corners}) == 1


def test_positions_with_other_places_are_not_alike() -> None:
    lines = ("A1 hit", "B1 hit", "C3 hit", "C3 hit, C4 water", "C3 hit, C5 water")
    assert len({form(position(line, 3)) for line in lines}) == len(lines)
    assert form(position("C3 hit", 3, 2)) != form(position("C3 hit", 3, 2, touching=True))

"""What one side may know: all that was told, nothing that is hidden, and no false certainty."""

from random import Random
from typing import Any

import pytest

from game.engine.actions import STAY, Action, Fire, Result
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side, Touching
from tests.support.boards import SEED, draw_cells, panel, play, start
from tests.support.small_boards import every_fleet

FIRST, SECOND = Side


# --- what is told, and what can be ruled out (test_model compares it all) ---

LAID = """
    aaa..  .....
    .....  .bb..
    ...b.  .....
    ...b.  .aaa.
"""


def test_before_a_fleet_is_placed_only_the_rules_are_known() -> None:
    seen = Observation.opening(BONN, SECOND)
    assert (seen.ruleset, seen.side, seen.enemy_left) == (BONN, SECOND, BONN.fleet)
    assert (seen.ships, seen.shots, seen.incoming, seen.marks) == ((), (), (), {})
    assert (seen.is_to_act, seen.may_move, seen.may_ask) == (False, False, False)
    assert (seen.turn, seen.shots_left, seen.questions_left) == (0, 0, 0)
    assert len(seen.targets) == 100
    assert seen.impossible() == frozenset()


def test_marks_have_an_age_in_turns_of_the_side_that_fired() -> None:
    match = play(start(LAID, turns=40), "A1 E4 B1 E3")
    for actions, ages in (("", [2, 1]), ("C1", [3, 2, 1])):
        seen = observe(play(match, actions), FIRST)
        assert [seen.age(seen.marks[shot.cell]) for shot in seen.shots] == ages


def ruled_out(match: Match) -> str:
    return draw_cells(match.ruleset.board, observe(match, FIRST).impossible())


@pytest.mark.parametrize(
    ("switches", "script", "expected"),
    [
        # water, and what is too small for any ship that is left
        ({}, "", "..... ..... ..... ....."),
        ({}, "D1 E4", "...*. ..... ..... ....."),
        ({}, "D1 E4 E2 E3", "...** ....* ..... ....."),
        # a ship's hit cell, and where another one would touch it at a corner
        ({}, "B2", "*.*.. ..... *.*.. ....."),
        ({"touching": True}, "B2", "..... ..... ..... ....."),
        ({"touching": Touching.CORNERS}, "B2", "*.... ..... ..... ....."),
        # a wreck, and where another one would touch it
        ({"again": True}, "B2 C2", "****. ****. ****. ....."),
        ({"again": True, "touching": True}, "B2 C2", "..... .**.. ..... ....."),
        ({"again": True, "touching": Touching.CORNERS}, "B2 C2", "****. ****. ****. ....."),
        # only the ship of three is left, and column E is cut to two cells
        ({"again": True}, "B2 C2 E2", "***** ***** ***** ....."),
        # what was asked
        ({"questions": 2}, "A1:B4? A1 E4 D1:E1?", "**.** **... **... **..."),
    ],
)
def test_still_waters_stay_as_they_were_seen(
    switches: dict[str, Any], script: str, expected: str
) -> None:
    laid = LAID.replace(".bb..", "...bb").replace(".aaa.", "..aaa") if "?" in script else LAID
    assert ruled_out(play(start(laid, **switches), script)) == panel(expected)


def test_where_ships_move_only_ones_own_turn_is_certain() -> None:
    match = start(LAID, moving=True, again=True, turns=9)
    for script, expected in (
        ("B2", "*.*.. ..... *.*.. ....."),
        ("C2", "****. ****. ****. ....."),
        ("A4", "..... ..... ..... ....."),  # the enemy may move
        ("E4 B4", "..... ..... *.*.. ....."),
        ("A2 E4", "..... ..... *.*.. ....."),  # a ship that is hit stays
        ("A4 E4", "..... ..... *.*.. *...."),  # so water beside it stays
    ):
        match = play(match, script)
        assert ruled_out(match) == panel(expected), script


# --- against every world there could be ---

WATERS = [
    # columns, rows, fleet
    (4, 4, (2,)),
    (5, 4, (3,)),
    (4, 4, (3, 2)),
    (4, 4, (2, 2)),
    (4, 4, (4, 1)),
    (5, 4, (3, 1)),
]


def moves_of(match: Match) -> list[Action]:
    return [STAY, *match.steers(match.side)]


@pytest.mark.parametrize(
    "number", [*range(12), *(pytest.param(it, marks=pytest.mark.long) for it in range(12, 96))]
)
def test_no_world_with_the_same_history_looks_otherwise_or_has_a_ship_where_none_can_be(
    number: int,
) -> None:
    """The worlds differ in the enemy's fleet and its moves; in each the same was told.

    Waters and switches are taken in turn, the rest is drawn.
    """
    random = Random(number)
    columns, rows, fleet = WATERS[number % len(WATERS)]
    moving, again = (bool(number >> bit & 1) for bit in (1, 2))
    touching = tuple(Touching)[number % 3]
    rules = Ruleset(
        columns=columns, rows=rows, fleet=fleet, touching=touching, moving=moving, again=again,
        salvo=random.random() < 0.4, turns=random.randrange(6, 20),
        begins=random.choice(list(Side)),
    )  # fmt: skip
    fleets = [tuple(ship for ship, _hits in state) for state in every_fleet(rules)]
    side, own = random.choice(list(Side)), random.choice(fleets)
    enemy = side.opponent
    pairs = ((own, each) if side is FIRST else (each, own) for each in fleets)
    worlds = [Match(rules, pair, SEED) for pair in pairs]
    match = random.choice(worlds)
    while match.outcome is None:
        is_hidden = match.is_move_due and match.side is enemy
        targets = observe(match, match.side).targets
        ships = {c for ship in match.placements(match.side.opponent) for c in ship.cells}
        met = [cell for cell in targets if cell in ships and random.random() < 0.3]
        match = match.act(
            random.choice(moves_of(match) if match.is_move_due else [*map(Fire, met or targets)])
        )
        acted = (
            world.act(action)
            for world in worlds
            for action in (moves_of(world) if is_hidden else match.actions[-1:])
        )
        there = {one.placements(enemy): one for one in acted if one.shots == match.shots}
        worlds = list(there.values())
        assert match.placements(enemy) in there
        seen = observe(match, side)
        assert all(observe(world, side) == seen for world in worlds)
        afloat = {
            cell
            for world in worlds
            for at, ship in enumerate(world.placements(enemy))
            if world.is_afloat(enemy, at)
            for cell in ship.cells
        }
        impossible = seen.impossible()
        assert not impossible & afloat
        # Water is certain as long as nothing can have moved there since.
        fresh = (shot for shot in seen.shots if not moving or shot.turn == seen.turn)
        assert impossible >= {shot.cell for shot in fresh if shot.result is Result.WATER}

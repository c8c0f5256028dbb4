"""What one side may know: all that was told, nothing that is hidden, and no false certainty."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from game.engine.actions import Result
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Known, Mark, Observation, observe
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from tests.support import boards, naive
from tests.support.boards import draw_cells, panel, play, start
from tests.support.model import action_of, fleet_of, model_of, spots
from tests.support.naive import Deed, Naive, Ships

FIRST, SECOND = Side


# --- what is told ---

LAID = """
    aaa..  .....
    .....  .bb..
    ...b.  .....
    ...b.  .aaa.
"""


def test_a_side_sees_its_own_fleet_and_of_the_enemys_only_what_its_shots_told() -> None:
    match = play(start(LAID, again=True), "B2 C2 B4 A1 A1 B1 E1 D4 B1")
    seen = observe(match, FIRST)
    assert boards.enemy(seen) == panel("~~... .##.. ..... .x.x.")
    assert boards.own(seen) == panel("AAa.~ ..... ...b. ...b.")
    assert seen.enemy_left == (3,)
    seen = observe(match, SECOND)
    assert boards.enemy(seen) == panel("xx..~ ..... ..... .....")
    assert boards.own(seen) == panel("~~... .##.. ..... .AaA.")
    assert seen.enemy_left == (3, 2)


def test_marks_are_the_newest_and_tell_the_half_turn() -> None:
    laid = """
        aa...  aa...
        .....  .....
        b....  b....
        b....  b....
        .....  .....
    """
    match = play(start(laid, moving=True, turns=20), "A2 E5 A1 E5 B1")
    board = match.ruleset.board
    marks = observe(match, FIRST).marks
    assert marks == {
        board.parse("A2"): Mark(Known.WATER, 0),
        board.parse("A1"): Mark(Known.SUNK, 4),
        board.parse("B1"): Mark(Known.SUNK, 4),
    }
    match = play(match, "b< E5 A2 E5 B1")
    assert observe(match, FIRST).marks == {
        board.parse("A2"): Mark(Known.HIT, 6),
        board.parse("A1"): Mark(Known.SUNK, 4),
        board.parse("B1"): Mark(Known.WATER, 8),
    }
    assert boards.enemy(observe(match, FIRST)) == panel("#~... x.... ..... ..... .....")
    assert observe(match, SECOND).marks == {board.parse("E5"): Mark(Known.WATER, 7)}
    assert observe(match, FIRST).incoming_marks == observe(match, SECOND).marks


def test_before_a_fleet_is_placed_only_the_rules_are_known() -> None:
    seen = Observation.opening(BONN, SECOND)
    assert (seen.ruleset, seen.side, seen.enemy_left) == (BONN, SECOND, BONN.fleet)
    assert (seen.ships, seen.shots, seen.incoming, seen.marks) == ((), (), (), {})
    assert not seen.is_to_act
    assert len(seen.targets) == 100
    assert seen.impossible() == frozenset()


def test_what_was_told_does_make_a_difference() -> None:
    match = start(LAID, moving=True, turns=9)
    seen = [observe(play(match, script), FIRST) for script in ("", "stay", "a>", "A1", "a> A1")]
    assert len(set(seen)) == len(seen)


# --- what can be ruled out ---


def ruled_out(match: Match, side: Side = FIRST) -> str:
    return draw_cells(match.ruleset.board, observe(match, side).impossible())


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
        # a wreck, and where another one would touch it
        ({"again": True}, "B2 C2", "****. ****. ****. ....."),
        ({"again": True, "touching": True}, "B2 C2", "..... .**.. ..... ....."),
        # only the ship of three is left, and column E is cut to two cells
        ({"again": True}, "B2 C2 E2", "***** ***** ***** ....."),
    ],
)
def test_still_waters_stay_as_they_were_seen(
    switches: dict[str, Any], script: str, expected: str
) -> None:
    match = play(start(LAID, **switches), script)
    assert ruled_out(match) == panel(expected)


def test_where_ships_move_only_ones_own_turn_is_certain() -> None:
    match = play(start(LAID, moving=True, again=True, turns=9), "B2")
    assert ruled_out(match) == panel("*.*.. ..... *.*.. .....")
    match = play(match, "C2")
    assert ruled_out(match) == panel("****. ****. ****. .....")
    match = play(match, "A4")
    assert ruled_out(match) == panel("..... ..... ..... ....."), "the enemy may move"
    match = play(match, "E4 B4")
    assert ruled_out(match) == panel("..... ..... *.*.. .....")
    match = play(match, "A2 E4")
    assert ruled_out(match) == panel("..... ..... *.*.. ....."), "a ship that is hit stays"


# --- against every world there could be ---


class Worlds:
    """Every way in which the enemy's fleet could lie and have moved, as one side must see it.

    Each is a whole match, in the naive model and in the engine, with the same public history.
    """

    def __init__(self, rules: Ruleset, own: Ships, side: Side) -> None:
        self.side, self.enemy = side, side.opponent
        self.all: dict[Ships, tuple[Naive, Match]] = {}
        sizes = rules.columns, rules.rows, rules.fleet
        for enemys in naive.layouts(*sizes, touching=rules.touching):
            ships = (own, enemys) if side is FIRST else (enemys, own)
            first, second = (fleet_of(rules.board, each) for each in ships)
            self.all[enemys] = model_of(rules, ships), Match(rules, (first, second), bytes(16))

    def do(self, deed: Deed, told: list[naive.Told]) -> None:
        """All act alike; those stay in which the same is told."""
        for key, (model, match) in list(self.all.items()):
            model.do(deed)
            if model.told == told:
                self.all[key] = model, match.act(action_of(match.ruleset.board, deed))
            else:
                del self.all[key]

    def enemy_moves(self) -> None:
        """Each becomes as many as the enemy has moves in it, one for each place of its ships."""
        before, self.all = self.all, {}
        for model, match in before.values():
            deeds: list[Deed] = [("stay",)]
            if model.step != "move":
                self.all[tuple(model.ships[self.enemy])] = model, match
                continue
            deeds += [("steer", *move) for move in model.moves(self.enemy)]
            for deed in deeds:
                twin = model.copy()
                twin.do(deed)
                key = tuple(twin.ships[self.enemy])
                if key not in self.all:
                    self.all[key] = twin, match.act(action_of(match.ruleset.board, deed))

    def where_the_enemy_could_lie(self) -> set[naive.Spot]:
        return {
            spot
            for model, _ in self.all.values()
            for ship in model.afloat(self.enemy)
            for spot in model.ships[self.enemy][ship]
        }


WATERS = [
    # columns, rows, fleet
    (4, 4, (2,)),
    (5, 4, (3,)),
    (4, 4, (3, 2)),
    (4, 4, (2, 2)),
    (4, 4, (4, 1)),
    (5, 4, (3, 1)),
]
MATCHES = 96


def deal(random: Random, number: int) -> tuple[Match, Naive, Worlds]:
    """A match on small waters, switches and observer taken in turn, and all worlds like it."""
    columns, rows, fleet = WATERS[number % len(WATERS)]
    touching, moving, again = (bool(number >> bit & 1) for bit in (0, 1, 2))
    rules = Ruleset(
        columns=columns, rows=rows, fleet=fleet, touching=touching, moving=moving, again=again,
        salvo=random.random() < 0.4, turns=random.randrange(6, 20),
        begins=random.choice(list(Side)),
    )  # fmt: skip
    every = list(naive.layouts(columns, rows, fleet, touching=touching))
    ships = random.choice(every), random.choice(every)
    first, second = (fleet_of(rules.board, each) for each in ships)
    side = random.choice(list(Side))
    match = Match(rules, (first, second), bytes(range(16)))
    return match, model_of(rules, ships), Worlds(rules, ships[side], side)


def any_deed(random: Random, model: Naive) -> Deed:
    """A legal deed; of the shots, some are at ships, so that there is something to tell."""
    if model.step == "move":
        return random.choice(
            [("stay",), *(("steer", *move) for move in sorted(model.moves(model.side)))]
        )
    enemy = 1 - model.side
    free = model.open(enemy)
    ships = set().union(*(model.ships[enemy][ship] for ship in model.afloat(enemy)))
    return "fire", random.choice(sorted((random.random() < 0.3 and free & ships) or free))


@pytest.mark.parametrize("number", range(MATCHES))
def test_no_world_with_the_same_history_looks_otherwise_or_has_a_ship_where_none_can_be(
    number: int,
) -> None:
    random = Random(number)
    match, model, worlds = deal(random, number)
    while model.end is None:
        deed, acts = any_deed(random, model), model.side
        model.do(deed)
        match = match.act(action_of(match.ruleset.board, deed))
        if acts == worlds.side or deed[0] == "fire":
            worlds.do(deed, model.told)
        if model.deeds[-1][0] == worlds.enemy and model.deeds[-1][1][0] != "fire":
            worlds.enemy_moves()
        if (model.side, model.step) == (worlds.enemy, "move"):
            continue  # elsewhere the enemy may have no move, and its turn be over
        assert tuple(model.ships[worlds.enemy]) in worlds.all
        seen = observe(match, worlds.side)
        assert all(observe(other, worlds.side) == seen for _, other in worlds.all.values())
        impossible = spots(match.ruleset.board, seen.impossible())
        assert not impossible & worlds.where_the_enemy_could_lie()
        assert certain_water(seen) <= seen.impossible()


def certain_water(seen: Observation) -> set[Cell]:
    """The cells that were water, and still are: nothing has moved there since."""
    return {
        shot.cell
        for shot in seen.shots
        if shot.result is Result.WATER and (not seen.ruleset.moving or shot.turn == seen.turn)
    }

"""What one side may know: all that was told, nothing that is hidden, and no false certainty."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from game.engine.actions import Result
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from tests.support import boards, naive
from tests.support.boards import SEED, draw_cells, panel, play, start
from tests.support.model import action_of, fleet_of, spots
from tests.support.naive import Deed, Naive, Ships

FIRST, SECOND = Side


# --- what is told: the model in test_model compares it all ---

LAID = """
    aaa..  .....
    .....  .bb..
    ...b.  .....
    ...b.  .aaa.
"""


def test_a_side_sees_of_the_enemys_waters_only_what_its_shots_told() -> None:
    match = play(start(LAID, again=True), "B2 C2 B4 A1 A1 B1 E1 D4 B1")
    drawn = [boards.enemy(observe(match, side)) for side in Side]
    assert drawn == [panel("~~... .##.. ..... .x.x."), panel("xx..~ ..... ..... .....")]


def test_before_a_fleet_is_placed_only_the_rules_are_known() -> None:
    seen = Observation.opening(BONN, SECOND)
    assert (seen.ruleset, seen.side, seen.enemy_left) == (BONN, SECOND, BONN.fleet)
    assert (seen.ships, seen.shots, seen.incoming, seen.marks) == ((), (), (), {})
    assert (seen.is_to_act, seen.may_move, seen.may_ask) == (False, False, False)
    assert len(seen.targets) == 100
    assert seen.impossible() == frozenset()


def test_marks_have_an_age_in_turns_of_the_side_that_fired() -> None:
    match = play(start(LAID, turns=40), "A1 E4 B1 E3")
    for actions, ages in (("", [2, 1]), ("C1", [3, 2, 1])):
        seen = observe(play(match, actions), FIRST)
        assert [seen.age(seen.marks[shot.cell]) for shot in seen.shots] == ages


# --- what can be ruled out ---


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
        # a wreck, and where another one would touch it
        ({"again": True}, "B2 C2", "****. ****. ****. ....."),
        ({"again": True, "touching": True}, "B2 C2", "..... .**.. ..... ....."),
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
    ):
        match = play(match, script)
        assert ruled_out(match) == panel(expected), script


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
            self.all[enemys] = Naive(rules, ships), begun(rules, ships)

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
            if model.step != "move":
                self.all[tuple(model.ships[self.enemy])] = model, match
                continue
            for deed in moves_of(model):
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


def begun(rules: Ruleset, ships: tuple[Ships, Ships]) -> Match:
    first, second = (fleet_of(rules.board, each) for each in ships)
    return Match(rules, (first, second), SEED)


def moves_of(model: Naive) -> list[Deed]:
    return [("stay",), *sorted(("steer", *move) for move in model.moves(model.side))]


WATERS = [
    # columns, rows, fleet
    (4, 4, (2,)),
    (5, 4, (3,)),
    (4, 4, (3, 2)),
    (4, 4, (2, 2)),
    (4, 4, (4, 1)),
    (5, 4, (3, 1)),
]


@pytest.mark.parametrize(
    "number", [*range(12), *(pytest.param(it, marks=pytest.mark.deep) for it in range(12, 96))]
)
def test_no_world_with_the_same_history_looks_otherwise_or_has_a_ship_where_none_can_be(
    number: int,
) -> None:
    """Waters and switches are taken in turn, the rest is drawn."""
    random = Random(number)
    columns, rows, fleet = WATERS[number % len(WATERS)]
    touching, moving, again = (bool(number >> bit & 1) for bit in (0, 1, 2))
    rules = Ruleset(
        columns=columns, rows=rows, fleet=fleet, touching=touching, moving=moving, again=again,
        salvo=random.random() < 0.4, turns=random.randrange(6, 20),
        begins=random.choice(list(Side)),
    )  # fmt: skip
    every = list(naive.layouts(columns, rows, fleet, touching=touching))
    ships = random.choice(every), random.choice(every)
    side = random.choice(list(Side))
    match, model, worlds = (
        begun(rules, ships),
        Naive(rules, ships),
        Worlds(rules, ships[side], side),
    )
    while model.end is None:
        acts, well = model.side, random.random() < 0.3
        options = moves_of(model) if model.step == "move" else model.options(aiming_well=well)
        deed = random.choice(options)
        model.do(deed)
        match = match.act(action_of(rules.board, deed))
        if acts == side or deed[0] == "fire":
            worlds.do(deed, model.told)
        else:
            worlds.enemy_moves()
        if (model.side, model.step) == (side.opponent, "move"):
            continue  # elsewhere the enemy may have no move, and its turn be over
        assert tuple(model.ships[side.opponent]) in worlds.all
        seen = observe(match, side)
        assert all(observe(other, side) == seen for _, other in worlds.all.values())
        impossible = seen.impossible()
        assert not spots(rules.board, impossible) & worlds.where_the_enemy_could_lie()
        # Water is certain as long as nothing can have moved there since.
        fresh = (shot for shot in seen.shots if not moving or shot.turn == seen.turn)
        assert impossible >= {shot.cell for shot in fresh if shot.result is Result.WATER}

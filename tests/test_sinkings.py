"""What sinkings can mean whose wrecks aren't told: every reading, and no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from game.engine.actions import Result, Shot
from game.engine.presets import FIVE_TOUCHING
from game.engine.rules import Ruleset, Side
from game.players.sinkings import afloat_hits, lengths_left, readings, settled
from tests.support.small_boards import SMALL, game

RULES = replace(FIVE_TOUCHING, columns=7, rows=7)
"""5-4-3-3-2, which may touch."""
MOVING = replace(RULES, moving=True)


def told(rules: Ruleset, *results: str) -> tuple[Shot, ...]:
    """Shots from texts such as `A1 hit` and `B1 sunk 2`, one a turn."""
    shots = []
    for at, text in enumerate(results):
        cell, result, *name = text.split(" ")
        ship = int(name[0]) if name else None
        where = rules.board.parse(cell)
        shots.append(Shot(at, 2 * at, Side.FIRST, where, Result(result), None, ship))
    return tuple(shots)


def read(rules: Ruleset, shots: Sequence[Shot]) -> list[str]:
    """The readings of each sinking that is not settled."""
    return [" ".join(map(str, ships)) for ships in readings(rules, shots).values()]


def wrecks(rules: Ruleset, *results: str) -> list[str]:
    """The wrecks that are known for sure, `None` for the others."""
    known = settled(rules, told(rules, *results))
    return [str(shot.wreck) for shot in known if shot.result is Result.SUNK]


def test_hits_in_a_row_are_one_ship_or_several() -> None:
    assert read(RULES, told(RULES, "A1 hit", "B1 hit", "C1 sunk")) == ["A1h3 B1h2"]
    assert read(RULES, told(RULES, "B1 hit", "B2 hit", "A2 hit", "B3 sunk")) == ["B1v3 B2v2"]
    assert read(RULES, told(RULES, "B1 hit", "A2 hit", "B2 sunk")) == ["A2h2 B1v2"]


def test_where_ships_are_apart_hits_side_by_side_are_one_ship() -> None:
    apart = replace(RULES, touching=False)
    assert wrecks(apart, "A1 hit", "B1 hit", "C1 sunk") == ["A1h3"]


def test_no_ship_is_longer_than_those_left_or_lies_on_a_cell_without_a_hit() -> None:
    assert wrecks(RULES, "A1 hit", "B1 sunk") == ["A1h2"]
    # The only ship of two has sunk.
    assert wrecks(RULES, "A1 hit", "B1 sunk", "D4 hit", "E4 hit", "F4 sunk") == ["A1h2", "D4h3"]
    assert wrecks(RULES, "A1 hit", "B1 water", "C1 hit", "D1 hit", "E1 sunk") == ["None"]
    assert read(RULES, told(RULES, "C1 sunk")) == [""]


def test_what_one_sinking_took_no_other_can_have() -> None:
    before = ("A1 hit", "B1 hit", "C1 sunk")
    assert wrecks(RULES, *before) == ["None"]
    # F1 can only have sunk with D1 and E1, or E1; the other sinking has A1h3 and B1h2 as before.
    assert wrecks(RULES, *before, "D1 hit", "E1 hit", "F1 sunk") == ["None", "None"]
    # The ship of two went here, so it was one of three there.
    assert wrecks(RULES, *before, "G6 hit", "G7 sunk") == ["A1h3", "G6v2"]


def test_a_wreck_that_is_told_has_its_hits_for_itself() -> None:
    shots = told(RULES, "A1 hit", "B1 hit", "A2 sunk", "C1 sunk")
    assert read(RULES, shots) == ["A1v2", "A1h3 B1h2"]
    wreck = readings(RULES, shots)[2][0]
    assert read(RULES, (*shots[:2], shots[2]._replace(wreck=wreck), shots[3])) == [""]
    longer = replace(RULES, fleet=(5, 4, 3, 2, 2))
    assert read(longer, (*shots[:2], shots[2]._replace(wreck=wreck), shots[3])) == ["B1h2"]


def test_a_ship_sinks_with_the_last_of_its_hits() -> None:
    # C1 is no ship's last hit but its own: A1 to D1 would have sunk with D1.
    assert read(RULES, told(RULES, "A1 hit", "B1 hit", "C1 sunk", "D1 sunk"))[1] == ""
    assert wrecks(RULES, "B1 hit", "C1 sunk", "A1 hit") == ["B1h2"]


def test_a_name_settles_which_hits_are_the_wrecks() -> None:
    named = replace(RULES, named=True)
    assert wrecks(named, "A1 hit 2", "B1 hit 4", "C1 sunk 4") == ["B1h2"]
    assert wrecks(named, "A1 hit 2", "B1 hit 2", "C1 sunk 2") == ["A1h3"]


def test_a_sinking_with_several_readings_counts_as_the_longest() -> None:
    assert lengths_left(RULES, ()) == (5, 4, 3, 3, 2)
    assert lengths_left(RULES, told(RULES, "A1 hit", "B1 hit", "C1 sunk")) == (5, 4, 3, 2)
    twice = told(RULES, "A1 hit", "B1 hit", "C1 sunk", "A5 hit", "B5 hit", "C5 sunk")
    assert lengths_left(RULES, twice) == (5, 4, 2)
    thrice = (*twice, *told(RULES, "A7 hit", "B7 hit", "C7 sunk"))
    assert lengths_left(RULES, thrice) == (5, 4)  # there are two of three only
    assert len(lengths_left(RULES, told(RULES, "A1 sunk"))) == 4


def test_a_hit_may_be_on_a_ship_afloat_unless_it_is_on_every_reading_of_a_sinking() -> None:
    def names(*results: str) -> str:
        shots = settled(MOVING, told(MOVING, *results))
        return " ".join(map(MOVING.board.name, sorted(afloat_hits(MOVING, shots))))

    assert names("A1 hit", "B1 hit") == "A1 B1"
    assert names("A1 hit", "B1 hit", "C1 sunk") == "A1"
    assert names("A1 hit", "B1 hit", "C1 sunk", "B1 hit") == "A1 B1"  # another one moved there
    assert names("A1 hit", "B1 hit", "C1 sunk", "A1 water") == ""


@pytest.mark.parametrize("name", ["touching", "crowded", "moving, touching", "named"])
def test_the_wreck_is_always_among_its_readings(name: str) -> None:
    open_readings = 0
    for number in range(12):
        for seen in game(SMALL[name], number):
            rules = seen.ruleset
            shots = tuple(shot._replace(wreck=None) for shot in seen.shots)
            known = settled(rules, shots)
            for at, ships in readings(rules, known).items():
                assert seen.shots[at].wreck in ships
                open_readings += 1
            for shot, true in zip(known, seen.shots, strict=True):
                assert shot.wreck in (None, true.wreck)
            assert len(lengths_left(rules, known)) == len(seen.enemy_left)
    assert bool(open_readings) is (name != "named")


def test_hits_afloat_are_those_of_the_match() -> None:
    rules = replace(SMALL["moving twins"], turns=60)
    for number in range(6):
        for seen in game(rules, number):
            assert afloat_hits(rules, seen.shots) == seen.spent

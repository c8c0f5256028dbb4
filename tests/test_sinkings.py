"""What sinkings can mean whose wrecks aren't told: every reading, and no other."""

from dataclasses import replace

import pytest

from game.engine.actions import Result
from game.engine.presets import FIVE_TOUCHING
from game.engine.rules import Ruleset
from game.players.sinkings import afloat_hits, lengths_left, readings, settled
from tests.support.small_boards import SMALL, game, told

RULES = replace(FIVE_TOUCHING, columns=7, rows=7)
"""5-4-3-3-2, which may touch."""
TWINS = replace(RULES, fleet=(5, 4, 3, 2, 2))
MOVING, NAMED = replace(RULES, moving=True), replace(RULES, named=True)
THREE = "A1 hit, B1 hit, C1 sunk"


def wrecks(rules: Ruleset, results: str) -> list[str]:
    """The wrecks that are known for sure, `None` for the others."""
    known = settled(rules, told(rules, results))
    return [str(shot.wreck) for shot in known if shot.result is Result.SUNK]


@pytest.mark.parametrize(
    ("rules", "results", "read"),
    [
        # hits in a row are one ship or several
        (RULES, THREE, ["A1h3 B1h2"]),
        (RULES, "B1 hit, B2 hit, A2 hit, B3 sunk", ["B1v3 B2v2"]),
        (RULES, "B1 hit, A2 hit, B2 sunk", ["A2h2 B1v2"]),
        # no ship lies on a cell without a hit
        (RULES, "C1 sunk", [""]),
        # C1 is no ship's last hit but its own: A1 to D1 would have sunk with D1
        (RULES, "A1 hit, B1 hit, C1 sunk, D1 sunk", ["A1h3 B1h2", ""]),
        # a wreck that is told has its hits for itself, but another of its length may have sunk too
        (RULES, "A1 hit, B1 hit, A2 sunk, C1 sunk", ["A1v2", "A1h3 B1h2"]),
        (RULES, "A1 hit, B1 hit, A2 sunk A1v2, C1 sunk", [""]),
        (TWINS, "A1 hit, B1 hit, A2 sunk A1v2, C1 sunk", ["B1h2"]),
    ],
)
def test_a_sinking_is_read_in_every_way_that_it_can_be(
    rules: Ruleset, results: str, read: list[str]
) -> None:
    found = readings(rules, told(rules, results)).values()
    assert [" ".join(map(str, ships)) for ships in found] == read


@pytest.mark.parametrize(
    ("rules", "results", "known"),
    [
        # where ships are apart, hits side by side are one ship
        (replace(RULES, touching=False), THREE, ["A1h3"]),
        (RULES, "A1 hit, B1 sunk", ["A1h2"]),
        # the only ship of two has sunk
        (RULES, "A1 hit, B1 sunk, D4 hit, E4 hit, F4 sunk", ["A1h2", "D4h3"]),
        (RULES, "A1 hit, B1 water, C1 hit, D1 hit, E1 sunk", ["None"]),
        (RULES, THREE, ["None"]),
        # F1 can only have sunk with D1 and E1, or E1; the other sinking has A1h3 and B1h2 as before
        (RULES, f"{THREE}, D1 hit, E1 hit, F1 sunk", ["None", "None"]),
        # the ship of two went here, so it was one of three there
        (RULES, f"{THREE}, G6 hit, G7 sunk", ["A1h3", "G6v2"]),
        (RULES, "B1 hit, C1 sunk, A1 hit", ["B1h2"]),
        # a name settles which hits are the wreck's
        (NAMED, "A1 hit 2, B1 hit 4, C1 sunk 4", ["B1h2"]),
        (NAMED, "A1 hit 2, B1 hit 2, C1 sunk 2", ["A1h3"]),
    ],
)
def test_a_sinking_with_one_reading_is_settled(
    rules: Ruleset, results: str, known: list[str]
) -> None:
    assert wrecks(rules, results) == known


@pytest.mark.parametrize(
    ("results", "left"),
    [
        ("", (5, 4, 3, 3, 2)),
        (THREE, (5, 4, 3, 2)),
        (f"{THREE}, A5 hit, B5 hit, C5 sunk", (5, 4, 2)),
        # there are two of three only
        (f"{THREE}, A5 hit, B5 hit, C5 sunk, A7 hit, B7 hit, C7 sunk", (5, 4)),
        # a ship that can't be found counts as the longest
        ("A1 sunk", (4, 3, 3, 2)),
    ],
)
def test_a_sinking_with_several_readings_counts_as_the_longest(
    results: str, left: tuple[int, ...]
) -> None:
    assert lengths_left(RULES, told(RULES, results)) == left


@pytest.mark.parametrize(
    ("results", "hits"),
    [
        ("A1 hit, B1 hit", "A1 B1"),
        (THREE, "A1"),
        (f"{THREE}, B1 hit", "A1 B1"),  # another one moved there
        (f"{THREE}, A1 water", ""),
    ],
)
def test_a_hit_may_be_on_a_ship_afloat_unless_it_is_on_every_reading_of_a_sinking(
    results: str, hits: str
) -> None:
    shots = settled(MOVING, told(MOVING, results))
    assert " ".join(map(MOVING.board.name, sorted(afloat_hits(MOVING, shots)))) == hits


@pytest.mark.parametrize("name", ["touching", "crowded", "moving, touching", "named"])
def test_the_wreck_is_always_among_its_readings(name: str) -> None:
    open_readings = 0
    for number in range(6):
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

"""The minds of Uppsala and of Camlship: each fires as its own document says."""

from __future__ import annotations

import pytest

from game.engine.fleets import blocked_by
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Side
from game.matches.referee import deploy, play_minds
from game.players.minds import MINDS
from game.players.originals.camlship import EASY, HARD
from game.players.originals.uppsala import Uppsala
from tests.support.boards import SEEDS, aims, play, seen_after, start

UPPSALA = Uppsala()
SEA = """
    ......
    .aaa..
    ......
    ....b.
    ....b.
    ......
"""


def seen(shots: str) -> Observation:
    return seen_after(SEA, shots, touching=True)


# --- Camlship ---


@pytest.mark.parametrize(
    ("shots", "aimed"),
    [
        ("F6 C2", "C1 B2 D2 C3"),  # the four neighbours of a first hit
        ("C2 C1", "B2 D2 C3"),  # but a miss
        ("C2 D2", "B2 E2"),  # the line of a second hit
        ("C2 D2 E2", "B2"),  # the other end of the line after water
        ("B2 C2", "A2 D2"),  # the line from hit to hit
        ("C2 D2 E2 B2", "A2"),  # its streak beyond a sinking
    ],
)
def test_the_hard_one_goes_on_with(shots: str, aimed: str) -> None:
    assert set(aims(HARD, seen(shots))) == set(aimed.split())


def test_an_empty_list_ends_its_streak() -> None:
    assert len(set(aims(HARD, seen("C2 D2 E2 B2 A2")))) > 15


def test_the_easy_one_fires_anywhere_but_where_it_has_fired() -> None:
    every = {f"{column}{row}" for column in "ABCDEF" for row in range(1, 7)}
    assert set(aims(EASY, seen("C2 C1 F6"), 200)) == every - {"C2", "C1", "F6"}


def test_where_ships_may_touch_its_fleets_seldom_do() -> None:
    """One of two that would touch is placed again."""

    def touching(name: str) -> int:
        rules = Ruleset(fleet=(5, 4, 3, 3, 2), touching=True)
        fleets = [deploy(MINDS[name], rules, Side.FIRST, seed) for seed in SEEDS[:100]]
        return sum(
            bool(ship.halo & blocked_by(rules, fleet[:at]))
            for fleet in fleets
            for at, ship in enumerate(fleet)
        )

    assert 0 < touching("camlship") < 0.9 * touching("random")


# --- Uppsala ---


def test_it_begins_on_the_squares_of_one_colour() -> None:
    aimed = set(aims(UPPSALA, seen(""), 200))
    assert aimed == {name for row in (1, 3, 5) for name in (f"B{row}", f"D{row}", f"F{row}")} | {
        name for row in (2, 4, 6) for name in (f"A{row}", f"C{row}", f"E{row}")
    }


@pytest.mark.parametrize(
    ("shots", "aimed"),
    [("C2", "C1"), ("C2 C1 B2", "B1"), ("C2 B2 D2", "D1")],
    ids=["after a hit", "after a second one", "around a wreck"],
)
def test_the_neighbours_of_the_last_hit_lie_on_top_of_the_stack(shots: str, aimed: str) -> None:
    assert set(aims(UPPSALA, seen(shots))) == {aimed}


def test_it_takes_the_other_colour_once_the_first_is_used_up() -> None:
    match = start("aa..\n....\n....\n...b", touching=True)
    for name in ("D1", "C2", "B3", "D3", "A4", "C4", "A2"):
        match = play(match, f"{name} {name}")
    assert set(aims(UPPSALA, observe(match, Side.FIRST))) == {"B1"}
    match = play(match, "B1 B1")
    assert set(aims(UPPSALA, observe(match, Side.FIRST))) == {"A1"}


# --- all of them ---


@pytest.mark.parametrize("name", ["camlship", "camlship-easy", "uppsala"])
@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "own"])
def test_each_plays_every_preset_to_its_end(name: str, preset: str) -> None:
    ruleset, mind = PRESETS[preset].ruleset, MINDS[name]
    fleets = tuple(deploy(mind, ruleset, side, SEEDS[7]) for side in Side)
    match = play_minds(Match(ruleset, (fleets[0], fleets[1]), SEEDS[7]), (mind, mind))
    assert match.outcome is not None

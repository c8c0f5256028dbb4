"""The minds of Uppsala and of Camlship: each fires as its own document says.

In a picture of its answers, `*` is every cell that it fires at under one of many seeds.
"""

from __future__ import annotations

from typing import Any

import pytest

from game.engine.chance import Chance
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches.referee import deploy, play_minds
from game.players.mind import Mind
from game.players.minds import MINDS
from game.players.originals.camlship import EASY, HARD
from game.players.originals.uppsala import Uppsala
from tests.support.boards import cells, fleet, rules

SEEDS = [bytes([number]) * 16 for number in range(60)]
STILL: dict[str, Any] = {"again": False, "moving": False, "turns": None, "touching": True}
SEA = """
    ......
    .aaa..
    ......
    ....b.
    ....b.
    ......
"""


def after(shots: str, sea: str = SEA) -> Match:
    """The match after the first side's shots, while the second fires at its corners."""
    ruleset = rules(sea, **STILL)
    match = Match(ruleset, (fleet(sea), fleet(sea)), SEEDS[0])
    corners = iter(("A6", "B6", "C6", "D6", "A5", "B5", "C5"))
    for name in shots.split():
        match = match.fire(ruleset.board.parse(name))
        if match.side is Side.SECOND and match.outcome is None:
            match = match.fire(ruleset.board.parse(next(corners)))
    return match


def aims(mind: Mind, match: Match) -> frozenset[Any]:
    seen = observe(match, Side.FIRST)
    return frozenset(mind.aim(seen, Chance(seed, "aim", match.ply)) for seed in SEEDS)


# --- Camlship ---


@pytest.mark.parametrize(
    ("shots", "aimed"),
    [
        ("F6 C2", "C1 B2 D2 C3"),
        ("C2 C1", "B2 D2 C3"),
        ("C2 D2", "B2 E2"),
        ("C2 D2 E2", "B2"),
        ("B2 C2", "A2 D2"),
        ("C2 D2 E2 B2", "A2"),
    ],
    ids=[
        "the four neighbours of a first hit", "but a miss", "the line of a second hit",
        "the other end of the line after water", "the line from hit to hit",
        "its streak beyond a sinking",
    ],
)  # fmt: skip
def test_the_hard_one_goes_on_with(shots: str, aimed: str) -> None:
    match = after(shots)
    assert aims(HARD, match) == {match.ruleset.board.parse(name) for name in aimed.split()}


def test_an_empty_list_ends_its_streak() -> None:
    assert len(aims(HARD, after("C2 D2 E2 B2 A2"))) > 15


def test_the_easy_one_fires_anywhere_but_where_it_has_fired() -> None:
    match = after("C2 C1 F6")
    every = frozenset(match.ruleset.board.cells)
    fired = {match.ruleset.board.parse(name) for name in ("C2", "C1", "F6")}
    many = frozenset(
        EASY.aim(observe(match, Side.FIRST), Chance(bytes([n]) * 16, "aim", p))
        for n in range(60)
        for p in range(10)
    )
    assert many == every - fired


# --- Uppsala ---


def test_it_begins_on_the_squares_of_one_colour() -> None:
    assert aims(Uppsala(), after("")) <= cells("""
        .*.*.*
        *.*.*.
        .*.*.*
        *.*.*.
        .*.*.*
        *.*.*.
    """)
    assert len(aims(Uppsala(), after(""))) > 12


@pytest.mark.parametrize(
    ("shots", "aimed"),
    [("C2", "C1"), ("C2 C1 B2", "B1"), ("C2 B2 D2", "D1")],
    ids=["after a hit", "after a second one", "around a wreck"],
)
def test_the_neighbours_of_the_last_hit_lie_on_top_of_the_stack(shots: str, aimed: str) -> None:
    match = after(shots)
    assert aims(Uppsala(), match) == {match.ruleset.board.parse(aimed)}


def test_it_takes_the_other_colour_once_the_first_is_used_up() -> None:
    sea = "aa..\n....\n....\n...b"
    ruleset = rules(sea, **STILL)
    match = Match(ruleset, (fleet(sea), fleet(sea)), SEEDS[0])
    board = ruleset.board
    water = ("D1", "C2", "B3", "D3", "A4", "C4", "A2")
    for name in water:
        match = match.fire(board.parse(name)).fire(board.parse(name))
    aimed = aims(Uppsala(), match)
    assert aimed == {board.parse("B1")}
    match = match.fire(board.parse("B1")).fire(board.parse("B1"))
    assert aims(Uppsala(), match) == {board.parse("A1")}


# --- all of them ---


@pytest.mark.parametrize("name", ["camlship", "camlship-easy", "uppsala"])
@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "own"])
def test_each_plays_every_preset_to_its_end(name: str, preset: str) -> None:
    ruleset, mind = PRESETS[preset].ruleset, MINDS[name]
    fleets = tuple(deploy(mind, ruleset, side, SEEDS[7]) for side in Side)
    match = play_minds(Match(ruleset, (fleets[0], fleets[1]), SEEDS[7]), (mind, mind))
    assert match.outcome is not None

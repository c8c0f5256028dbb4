"""The Bonn scorer: where it fires, what it leaves alone, that it plays fair, and how strong it is.

In a picture of its answers, `*` is every cell that it fires at under one of many seeds; `x`, `~`
and `#` are the hits, the water and the wrecks it knows of.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from operator import attrgetter
from typing import Any

import pytest

from bench.beginners import CASUAL, PLAIN
from bench.selfplay import MOST_SHOTS, duel, solo
from game.engine.actions import STAY, Manoeuvre, Result
from game.engine.chance import Chance
from game.engine.fleets import Fleet
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.presets import BONN
from game.engine.rules import Pair, Side
from game.matches.referee import deploy, play_minds
from game.players.admiral import Admiral
from game.players.mind import Mind
from game.players.minds import MINDS, NoSuchMind, mind
from game.players.originals.bonn import EASY, HARD, MEDIUM, Bonn
from game.players.originals.random_player import RandomPlayer
from game.players.ranks import RANKS
from game.players.registry import CODES, RANK_NAMES
from tests.support.boards import cells as pictured
from tests.support.boards import enemy, fleet, picture, play, rules
from tests.support.positions import ALL_SORTS, MOVING, STILL, cells, seen_after

SEEDS = [bytes([number]) * 16 for number in range(100)]
NAME = attrgetter("name")
BONN_STRENGTHS = (EASY, MEDIUM, HARD)


def answers(seen: Observation, player: Mind = HARD) -> set[Cell]:
    return {player.aim(seen, Chance(seed, "first/aim", 8)) for seed in SEEDS}


def drawn(seen: Observation) -> str:
    """What is known of the enemy's waters, with the hard strength's answers."""
    rows = [list(row) for row in enemy(seen).split("\n")]
    for cell in answers(seen):
        rows[seen.board.row(cell)][seen.board.column(cell)] = "*"
    return picture("\n".join("".join(row) for row in rows))


# --- where ships stay ---


def test_it_fires_beside_a_single_hit_where_there_is_most_room() -> None:
    sea = """
        .....
        .....
        .aaa.
        .....
        ...bb
        """
    assert drawn(seen_after(sea, "C3", **STILL)) == picture("""
        .....
        ..*..
        .*x*.
        ..*..
        .....
        """)
    assert drawn(seen_after(sea, "C3 C2", **STILL)) == picture("""
        .....
        ..~..
        .*x*.
        .....
        .....
        """)


ONE_LEFT = """
    a...
    ....
    ....
    ..b.
    """
ALL_BUT_THREE = "A1 C1 D1 C2 D2 A3 B3 C3 D3 A4 B4 D4 B1"


def test_it_looks_beside_a_wreck_only_where_ships_may_touch() -> None:
    assert drawn(seen_after(ONE_LEFT, ALL_BUT_THREE, **STILL)) == picture("""
        #~~~
        ..~~
        ~~~~
        ~~*~
        """)
    seen = seen_after(ONE_LEFT, ALL_BUT_THREE, **STILL, touching=True)
    assert drawn(seen) == picture("""
        #~~~
        **~~
        ~~~~
        ~~*~
        """)


def test_it_looks_only_where_the_ships_still_afloat_have_room() -> None:
    sea = """
        aaa.
        ....
        bb..
        ....
        """
    shots = "A1 B1 C1 A2 B2 C2 C3 D3 B4 C4 D4"
    assert drawn(seen_after(sea, shots, **STILL)) == picture("""
        ###.
        ~~~.
        *.~~
        .~~~
        """)


def test_it_never_forgets_water_where_ships_stay() -> None:
    sea = """
        ........
        ........
        ........
        ........
        ........
        ......aa
        """
    around_b2 = "B1 A2 C2 B3"
    rest = {f"{column}{row}" for column in "ABCDEFGH" for row in range(1, 7)}
    rest -= {*around_b2.split(), "B2", "G6", "H6"}
    seen = seen_after(sea, f"{around_b2} {' '.join(sorted(rest))}", **STILL)
    assert seen.board.parse("B2") in seen.targets
    assert answers(seen) <= cells(seen, "G6 H6")


# --- where ships move ---

SHOAL = """
    aa....
    ......
    ......
    bb.cc.
    """
AWAY_FROM_THE_EDGE = """
    ......
    .aa...
    ......
    bb.cc.
    """
CORNERS_OF_B2 = "A1 C1 A3 C3"


def test_it_searches_one_colour_of_the_checkerboard_for_a_whole_match() -> None:
    seen = seen_after(SHOAL, "A1 F2", **MOVING)
    board = seen.board
    colours = []
    for seed in SEEDS:
        aims = [HARD.aim(seen, Chance(seed, "first/aim", ply)) for ply in range(12)]
        colours.append({(board.column(cell) + board.row(cell)) % 2 for cell in aims})
    assert Counter(map(len, colours)) == {1: len(SEEDS)}
    assert set().union(*colours) == {0, 1}


def test_it_leaves_hit_ships_alone_while_it_searches() -> None:
    seen = seen_after(SHOAL, "A1 E4", **MOVING)
    assert not answers(seen) & cells(seen, "B1 A2 D4 F4 E3")


def test_it_sinks_when_enough_is_hit() -> None:
    assert drawn(seen_after(SHOAL, "A1 A4 E4", **MOVING)) == picture("""
        x*....
        *.....
        *...*.
        x*.*x*
        """)


def test_it_needs_no_hits_for_ships_that_are_sunk() -> None:
    assert drawn(seen_after(SHOAL, "A1 B1 A4 E4", **MOVING)) == picture("""
        ##....
        ......
        *...*.
        x*.*x*
        """)


def test_it_searches_again_when_a_wreck_takes_its_hits_along() -> None:
    seen = seen_after(SHOAL, "A1 A4 B4", **MOVING)
    assert not answers(seen) & cells(seen, "B1 A2")


@pytest.mark.parametrize(
    ("turns", "left", "sinks"), [(150, 40, True), (150, 41, False), (75, 20, True), (75, 21, False)]
)
def test_it_sinks_in_the_countdown_whatever_is_hit(turns: int, left: int, sinks: bool) -> None:
    """The last 20 turns of each side of 75; half as many in the matches of half that length."""
    seen = seen_after(SHOAL, "A1 F2", **MOVING | {"turns": turns})
    seen = replace(seen, turn=turns - left)
    assert seen.turns_left == left
    assert (answers(seen) <= cells(seen, "B1 A2")) is sinks
    assert (answers(seen) & cells(seen, "B1 A2") == set()) is not sinks


@pytest.mark.parametrize("touching", [False, True])
def test_it_searches_the_corners_of_a_hit_only_where_ships_may_touch(touching: bool) -> None:
    seen = seen_after(AWAY_FROM_THE_EDGE, "B2", **MOVING, touching=touching)
    assert bool(answers(seen) & cells(seen, CORNERS_OF_B2)) is touching


COMING_IN = """
    ...aa.
    ......
    ......
    ......
    """


def test_it_forgets_the_water_where_a_ship_was_hit_since() -> None:
    match = Match(rules(COMING_IN, **MOVING), (fleet(COMING_IN), fleet(COMING_IN)), SEEDS[0])
    match = play(match, "F4 a< A4  F3 a< A4  A1 a< A4  A1 A4")
    seen = observe(match, Side.FIRST)
    assert answers(seen) <= cells(seen, "B1 A2")


def test_it_does_not_go_back_at_once_to_water_beside_a_hit() -> None:
    match = Match(rules(COMING_IN, **MOVING), (fleet(COMING_IN), fleet(COMING_IN)), SEEDS[0])
    match = play(match, "B1 a< A4  A2 a< A4  F3 a< A4  A1 A4")
    seen = observe(match, Side.FIRST)
    assert not answers(seen) & cells(seen, "B1 A2")


SLIPPING_PAST = {
    "from the top": ("1234", "a<", "....\n....\na...\na...", "****\n****\n....\n...."),
    "from the bottom": ("4321", "a>", "a...\na...\n....\n....", "....\n....\n****\n****"),
}


@pytest.mark.parametrize(
    ("rows", "move", "sea", "older"), SLIPPING_PAST.values(), ids=SLIPPING_PAST
)
def test_of_old_water_it_doubts_the_older_half(rows: str, move: str, sea: str, older: str) -> None:
    match = Match(rules(sea, **MOVING), (fleet(sea), fleet(sea)), SEEDS[0])
    for number, name in enumerate(column + row for row in rows for column in "ABCD"):
        # The ship slips into the first two rows when they have been searched, before the others.
        match = play(match, f"{name} {move if number in (5, 6) else 'stay'} D{rows[0]}")
    seen = observe(match, Side.FIRST)
    assert {shot.result for shot in seen.shots} == {Result.WATER}
    assert answers(seen) <= pictured(older)


# --- always ---


PLAYERS: tuple[Pair[Mind], ...] = (
    (HARD, EASY),
    (MEDIUM, HARD),
    (RANKS[0], RANKS[3]),
    (PLAIN, CASUAL),
    (Admiral("swift", particles=64), Admiral("swifter", 0.5, particles=32)),
)


@pytest.mark.parametrize("name", ALL_SORTS)
def test_minds_play_any_rules_to_the_end_within_them(name: str) -> None:
    ruleset = ALL_SORTS[name]
    for seed, players in zip(SEEDS, PLAYERS, strict=False):
        first, second = (deploy(players[side], ruleset, side, seed) for side in Side)
        match = play_minds(Match(ruleset, (first, second), seed), players)  # refuses illegal ones
        assert match.outcome is not None


@pytest.mark.parametrize("player", BONN_STRENGTHS, ids=NAME)
@pytest.mark.parametrize("switches", [STILL, MOVING], ids=["still", "moving"])
def test_it_never_fires_at_a_spent_cell(player: Bonn, switches: dict[str, Any]) -> None:
    seen = seen_after(SHOAL, "A1 A4 E4", **switches)
    best = answers(seen, player)
    aimed = replace(seen, spent=seen.spent | best)
    assert not answers(aimed, player) & aimed.spent


def test_it_fires_at_any_target_where_nothing_can_be_hoped_for() -> None:
    seen = replace(seen_after(SHOAL, "A1 B1 A4 B4", **STILL), enemy_left=())
    assert len(answers(seen)) > 8


def test_it_steers_half_of_the_time_and_any_ship() -> None:
    seen = seen_after(SHOAL, "F2", **MOVING)
    chances = [Chance(seed, "first/steer", ply) for seed in SEEDS for ply in range(4)]
    moves = Counter(HARD.steer(seen, chance) for chance in chances)
    assert moves.keys() == {STAY, *seen.steers}
    assert moves[STAY] == pytest.approx(len(chances) / 2, rel=0.2)


def test_it_stays_where_no_ship_can_move() -> None:
    seen = replace(seen_after(SHOAL, "F2", **MOVING), ships=())
    assert {HARD.steer(seen, Chance(seed, "first/steer", 1)) for seed in SEEDS} == {STAY}


# --- how strong it is ---


def shots_of(player: Mind, games: int, **switches: Any) -> float:
    return solo(player, replace(BONN, **switches), games=games, seed=7).shots.mean


def test_the_hard_one_needs_about_49_shots_for_ships_that_stay() -> None:
    assert shots_of(HARD, 60, moving=False) == pytest.approx(49, abs=1)


@pytest.mark.long
def test_the_hard_one_needs_about_55_shots_for_ships_that_move() -> None:
    result = solo(HARD, BONN, games=40, seed=7)
    assert result.shots.median == pytest.approx(55, abs=3)
    assert result.unfinished == 0


# --- how it is measured ---


class Stubborn(RandomPlayer):
    """Fires at the last target time and again, and notes what it is told."""

    name = "stubborn"

    def __init__(self) -> None:
        self.turns_left: list[int | None] = []
        self.begins: list[Side] = []

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        self.begins.append(seen.ruleset.begins)
        return super().deploy(seen, chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        self.turns_left.append(seen.turns_left)
        return seen.targets[-1]

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        return STAY


def test_a_solo_game_is_broken_off_before_a_countdown_could_begin() -> None:
    player = Stubborn()
    result = solo(player, BONN, games=2, seed=1)
    assert (result.unfinished, result.shots.worst) == (2, MOST_SHOTS)
    assert all(left is None or left > BONN.countdown for left in player.turns_left)


def test_a_solo_game_ends_with_the_last_of_the_fleet_and_counts_one_shot_a_turn() -> None:
    full = replace(ALL_SORTS["full salvo"], again=True)
    result = solo(HARD, full, games=3, seed=1)
    assert list(result.shots.numbers) == [16, 16, 16]
    assert result.unfinished == 0


def test_each_side_of_a_duel_begins_half() -> None:
    players: Pair[Stubborn] = (Stubborn(), Stubborn())
    duel(players, replace(BONN, turns=4), games=6, seed=1)
    for player in players:
        assert Counter(player.begins) == {Side.FIRST: 3, Side.SECOND: 3}


def test_the_same_seed_gives_the_same_games() -> None:
    one, other, third = (solo(EASY, BONN, games=4, seed=seed).shots for seed in (3, 3, 4))
    assert one == other != third


# --- the roster ---


def test_the_roster_knows_every_mind_by_its_name() -> None:
    assert list(MINDS) == list(CODES)
    assert tuple(one.name for one in RANKS) == RANK_NAMES
    assert all(mind(name).name == name for name in MINDS)


@pytest.mark.parametrize("name", ["", "Random", "bonn", "bonn-hard "])
def test_the_roster_refuses_any_other_name_and_quotes_it(name: str) -> None:
    with pytest.raises(NoSuchMind) as caught:
        mind(name)
    assert str(caught.value) == f"no such mind: {name!r}"

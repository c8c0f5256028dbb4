"""The ranks from recruit to admiral: how they fire, place and steer, and that they play fair."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

import numpy as np
import pytest

from bench.selfplay import duel, solo
from game.engine.actions import STAY, Steer
from game.engine.chance import Chance
from game.engine.fleets import Course
from game.engine.observation import Observation, observe
from game.engine.presets import BONN, FIVE_APART, FIVE_TOUCHING
from game.engine.rules import Ruleset, Side
from game.matches.referee import deploy
from game.players.admiral import ADMIRAL, Admiral
from game.players.mind import Mind
from game.players.originals.bonn import HARD
from game.players.ranks import RANKS
from tests.support.boards import ODD_PAIR, SEEDS, aims, play, seen_after, start

SWIFT = Admiral("swift", particles=256)
COMMODORE = RANKS[-2]
NAME = attrgetter("name")


def answers(seen: Observation, player: Mind = ADMIRAL) -> set[str]:
    return set(aims(player, seen, 8))


# --- where it fires ---


def test_it_goes_on_along_a_line_of_hits() -> None:
    line = """
        .......
        .......
        ..aaaa.
        .......
        .......
        .......
        bbb....
        """
    assert answers(seen_after(line, "D3 E3")) <= {"C3", "F3"}


def test_it_never_forgets_water_where_ships_stay() -> None:
    seen = seen_after(ODD_PAIR, "A1 B1 C1 E3 E4 A3 C3 A4 B4 C4")
    assert answers(seen) <= {"A5", "B5", "C5", "D5"}


def test_it_leaves_a_hit_ship_alone_while_others_can_flee_until_the_end_is_near() -> None:
    beside = {"A1", "C1", "B2"}
    assert not answers(seen_after(ODD_PAIR, "B1", moving=True)) & beside
    assert answers(seen_after(ODD_PAIR, "B1", moving=True, turns=8)) <= beside


@pytest.mark.parametrize("player", RANKS, ids=NAME)
def test_it_fires_at_targets_only(player: Mind) -> None:
    seen = seen_after(ODD_PAIR, "B1 F5 A3")
    targets = set(map(seen.board.name, seen.targets))
    assert set(aims(player, seen, 24, ply=1)) <= targets
    one = replace(seen, spent=frozenset(seen.board.cells) - {seen.board.parse("F1")})
    assert answers(one, player) == {"F1"}


def test_only_the_commodores_shots_go_astray_where_ships_stay() -> None:
    seen = seen_after(ODD_PAIR, "F1 B1 A3")
    commodores, admirals = (aims(player, seen, 80) for player in (COMMODORE, ADMIRAL))
    assert 0 < sum(name not in {"A1", "C1", "B2"} for name in commodores) < 20
    assert set(admirals) <= {"A1", "C1", "B2"}


@pytest.mark.parametrize("player", [COMMODORE, ADMIRAL], ids=NAME)
def test_it_never_searches_where_it_knows_that_no_ship_is(player: Mind) -> None:
    aimed = set(aims(player, seen_after(ODD_PAIR, "A1 B1 C1"), 40))
    assert aimed.isdisjoint({"D1", "A2", "B2", "C2", "D2"})


def test_low_ranks_search_anywhere_and_high_ones_where_it_is_best() -> None:
    seen = Observation.opening(BONN, Side.FIRST)
    lowest, highest = (len(set(aims(player, seen, 40))) for player in (RANKS[0], RANKS[-1]))
    assert lowest > 20
    assert lowest >= 2 * highest


# --- how it places and steers ---


def test_its_fleets_can_not_be_predicted() -> None:
    """What an enemy can learn from many of its fleets helps little against the next.

    Of the ten cells that half of them lie on most often, fewer than six hold ships of the others.
    """
    fleets = [deploy(SWIFT, BONN, Side.FIRST, seed) for seed in SEEDS[:80]]
    assert len(set(fleets)) == len(fleets)
    places = Counter(ship for fleet in fleets for ship in fleet)
    assert places.most_common(1)[0][1] < len(fleets) / 3
    lies = np.array(
        [[any(c in ship.cells for ship in fleet) for c in BONN.board.cells] for fleet in fleets]
    )
    known, new = lies[:40].mean(axis=0), lies[40:].mean(axis=0)
    assert new[np.argsort(known)[-10:]].sum() < 6


HUNTED = """
    ..........
    ..aa......
    ..........
    ..........
    .......b..
    .......b..
    ..........
    """


def test_it_prefers_to_move_a_ship_into_water_that_was_just_searched() -> None:
    match = start(HUNTED, moving=True)
    # The enemy has searched left of ship a.
    match = play(match, "J1 stay B1 stay J1 stay B3 stay J1 stay B2 stay J1")
    seen = observe(match, Side.FIRST)
    moves = Counter(SWIFT.steer(seen, Chance(seed, "first/steer", 3)) for seed in SEEDS[:24])
    assert moves[Steer(0, Course.FORE)] > moves[Steer(0, Course.AFT)]
    assert set(moves) <= {STAY, *seen.steers}
    assert len(moves) > 1  # nobody can rely on it


def test_it_stays_where_no_ship_can_move_and_fires_where_none_is_left() -> None:
    seen = replace(seen_after(ODD_PAIR, "F2", moving=True), ships=())
    assert {ADMIRAL.steer(seen, Chance(seed, "first/steer", 1)) for seed in SEEDS[:9]} == {STAY}
    none = replace(seen_after(ODD_PAIR, "B1 F1"), enemy_left=())
    assert answers(none) <= set(map(none.board.name, none.targets))


# --- how strong it is ---


@pytest.mark.parametrize(
    ("moving", "shots"),
    [
        pytest.param(False, 47, marks=pytest.mark.deep),
        pytest.param(True, 52, marks=pytest.mark.long),
    ],
)
def test_it_needs_fewer_shots_than_the_hard_one(moving: bool, shots: int) -> None:
    """The hard one needs 49 where ships stay, and about 60 where they move.

    The standard error of eight games is 2 to 3 shots.
    """
    result = solo(Admiral("swift", particles=96), replace(BONN, moving=moving), games=8, seed=7)
    assert result.shots.mean == pytest.approx(shots, abs=6)
    assert result.shots.worst <= 100


@pytest.mark.long
@pytest.mark.parametrize(
    ("ruleset", "shots"),
    [
        (FIVE_TOUCHING, 44.6),
        (FIVE_APART, 38.3),
        (replace(BONN, moving=False), 47.3),
        (BONN, 54.5),
    ],
    ids=["touching", "apart", "bonn still", "bonn moving"],
)
def test_it_needs_no_more_shots_than_it_should(ruleset: Ruleset, shots: float) -> None:
    result = solo(ADMIRAL, ruleset, games=300, seed=7).shots
    assert result.mean < shots + 2 * result.error


@pytest.mark.long
def test_each_rank_wins_most_matches_against_the_one_below() -> None:
    for weaker, stronger in pairwise(RANKS):
        result = duel((stronger, weaker), BONN, games=40, seed=7)
        assert result.points.mean > 0.5, (weaker.name, stronger.name)


@pytest.mark.parametrize("games", [2, pytest.param(6, marks=pytest.mark.deep)])
def test_it_wins_matches(games: int) -> None:
    result = duel((Admiral("swift", particles=64), HARD), BONN, games=games, seed=7)
    assert result.points.mean > 0.5

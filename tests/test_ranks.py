"""The ranks: where they fire, how they place and steer, and how strong they are."""

from collections import Counter
from itertools import pairwise
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

from bench.selfplay import begin
from game.engine.actions import STAY
from game.engine.chance import Chance
from game.engine.observation import Observation, observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Side
from game.matches.referee import deploy
from game.players.admiral import ADMIRAL, Admiral
from game.players.belief.evidence import Evidence
from game.players.belief.tables import knowledge_of
from game.players.mind import Mind
from game.players.minds import RANKS
from game.players.people import HumanLikeMind, ships_expected
from game.players.recruit import pace
from tests.support.boards import ALL_SORTS, ODD_PAIR, SEEDS, aims, seen_after

PEOPLE = [rank for rank in RANKS if isinstance(rank, HumanLikeMind)]
RECRUIT, COMMODORE = RANKS[0], RANKS[-2]
SWIFT = Admiral("swift", particles=256)
NAME = attrgetter("name")
EVERY = ALL_SORTS | {name: one.ruleset for name, one in PRESETS.items()}
BESIDE_B1 = {"A1", "C1", "B2"}
"""Around the first hit of the odd pair."""
LINE = """
    .......
    .......
    ..aaaa.
    .......
    .......
    .......
    bbb....
    """


# --- all of them; the recruit ---


def test_low_ranks_search_anywhere_and_high_ones_where_it_is_best() -> None:
    seen = Observation.opening(BONN, Side.FIRST)
    counts = [len(set(aims(player, seen, 40))) for player in (RECRUIT, *PEOPLE, ADMIRAL)]
    assert all(count > 12 for count in counts[:-1]), "no two matches begin alike"
    assert counts[0] >= 2 * counts[-1]


def test_the_recruit_dawdles_after_a_hit_and_follows_it_after_eight_turns_without_another() -> None:
    ahead = aims(RECRUIT, seen_after(ODD_PAIR, "B1"), 200)
    assert 0 < sum(name in BESIDE_B1 for name in ahead) < 40
    dry = seen_after(ODD_PAIR, "B1 F1 A3 B4 C3 D5 D4 F4 F5")
    assert set(aims(RECRUIT, dry, 40)) <= BESIDE_B1


@pytest.mark.parametrize("name", EVERY)
def test_the_recruit_keeps_a_pace_under_any_rules_and_moves_now_and_then(name: str) -> None:
    rules = EVERY[name]
    quick, slow, share = pace(rules)
    assert 1 <= quick < slow
    assert 0 < share < 1
    opening = observe(begin((RECRUIT, RECRUIT), rules, SEEDS[0]), Side.FIRST)
    moves = [RECRUIT.steer(opening, Chance(seed, "first/steer", 0)) for seed in SEEDS[:100]]
    if opening.steers:
        assert 20 <= sum(move is not STAY for move in moves) <= 50
    else:
        assert set(moves) == {STAY}


# --- sailor, lieutenant and captain ---

each = pytest.mark.parametrize("player", PEOPLE, ids=NAME)


@each
@pytest.mark.parametrize(
    ("sea", "shots", "moving", "aimed"),
    [
        (ODD_PAIR, "F1 B1 A3", False, BESIDE_B1),
        (ODD_PAIR, "F1 B1 A3", True, BESIDE_B1),
        (f"{ODD_PAIR.rstrip()}\n......\n.dddd.\n", "C7 D7", False, {"B7", "E7"}),
    ],
)
def test_they_finish_what_they_have_hit_and_follow_a_line_of_hits(
    player: HumanLikeMind, sea: str, shots: str, moving: bool, aimed: set[str]
) -> None:
    assert set(aims(player, seen_after(sea, shots, moving=moving))) == aimed


def test_the_higher_the_rank_the_more_its_shots_promise() -> None:
    seen = seen_after(ODD_PAIR, "A1 B1 C1 F4")
    expected, _ = ships_expected(Evidence(knowledge_of(seen)))
    means = [
        sum(expected[seen.board.parse(name)] for name in aims(one, seen, 200)) for one in PEOPLE
    ]
    assert all(lower < higher for lower, higher in pairwise(means)), means


# --- commodore and admiral ---


@pytest.mark.parametrize(
    ("sea", "shots", "switches", "aimed"),
    [
        (LINE, "D3 E3", {}, {"C3", "F3"}),
        # it never forgets water where ships stay
        (ODD_PAIR, "A1 B1 C1 E3 E4 A3 C3 A4 B4 C4", {}, {"A5", "B5", "C5", "D5"}),
        # where ships can flee it sinks what it has found when the end is near
        (ODD_PAIR, "B1", {"moving": True, "turns": 8}, BESIDE_B1),
    ],
)
def test_the_admiral_fires_there(
    sea: str, shots: str, switches: dict[str, Any], aimed: set[str]
) -> None:
    assert set(aims(ADMIRAL, seen_after(sea, shots, **switches), 8)) <= aimed


@pytest.mark.parametrize("player", [COMMODORE, ADMIRAL], ids=NAME)
def test_it_never_searches_where_it_knows_that_no_ship_is(player: Mind) -> None:
    aimed = set(aims(player, seen_after(ODD_PAIR, "A1 B1 C1"), 40))
    assert aimed.isdisjoint({"D1", "A2", "B2", "C2", "D2"})


def test_its_fleets_can_not_be_predicted() -> None:
    """What an enemy can learn from many of its fleets helps little against the next.

    Of the ten cells that half of them lie on most often, fewer than six hold ships of the others.
    """
    fleets = [deploy(SWIFT, BONN, Side.FIRST, seed) for seed in SEEDS[:60]]
    assert len(set(fleets)) == len(fleets)
    places = Counter(ship for fleet in fleets for ship in fleet)
    assert places.most_common(1)[0][1] < len(fleets) / 3
    lies = np.array(
        [[any(c in ship.cells for ship in fleet) for c in BONN.board.cells] for fleet in fleets]
    )
    known, new = lies[:30].mean(axis=0), lies[30:].mean(axis=0)
    assert new[np.argsort(known)[-10:]].sum() < 6

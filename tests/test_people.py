"""The lower ranks: they search as people do, and finish what they have hit."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

import pytest

from bench.beginners import SENSIBLE
from bench.manner import manner_of
from bench.selfplay import play_match, play_solo
from game.engine.chance import Chance
from game.engine.observation import Observation
from game.engine.presets import BONN, FIVE_APART, PRESETS
from game.engine.rules import Side
from game.players.belief.messages import Evidence
from game.players.belief.tables import knowledge_of
from game.players.people import Person, ships_expected
from game.players.ranks import RANKS
from tests.support.boards import ODD_PAIR, SEEDS, aims, seen_after

PEOPLE = [rank for rank in RANKS if isinstance(rank, Person)]
MANY = 200
each = pytest.mark.parametrize("player", PEOPLE, ids=attrgetter("name"))


@each
@pytest.mark.parametrize("moving", [False, True])
def test_they_finish_what_they_have_hit(player: Person, moving: bool) -> None:
    seen = seen_after(ODD_PAIR, "F1 B1 A3", moving=moving)
    assert set(aims(player, seen)) == {"A1", "C1", "B2"}


@each
def test_they_follow_a_line_of_hits(player: Person) -> None:
    longer = f"{ODD_PAIR.rstrip()}\n    ......\n    .dddd.\n    "
    assert set(aims(player, seen_after(longer, "C7 D7"))) == {"B7", "E7"}


def test_the_higher_the_rank_the_more_its_shots_promise() -> None:
    seen = seen_after(ODD_PAIR, "A1 B1 C1 F4")
    expected, _ = ships_expected(Evidence(knowledge_of(seen)))
    means = [
        sum(expected[seen.board.parse(name)] for name in aims(one, seen, MANY)) for one in PEOPLE
    ]
    assert all(lower < higher for lower, higher in pairwise(means)), means


@pytest.mark.parametrize("name", ["bonn", "uppsala"])
def test_the_next_shot_lies_near_the_last_and_in_line_with_it(name: str) -> None:
    rules = PRESETS[name].ruleset
    opening = Observation.opening(rules, Side.FIRST)
    last = opening.board.parse("C3")
    seen = replace(opening, aimed=(last,), spent=frozenset({last}))

    def mean(of: list[str]) -> tuple[float, float]:
        far = sum(seen.board.distance(last, seen.board.parse(name)) for name in of)
        in_line = sum(name[0] == "C" or name[1:] == "3" for name in of)
        return far / len(of), in_line / len(of)

    far, in_line = mean(aims(PEOPLE[0], seen, MANY))
    any_far, any_in_line = mean([seen.board.name(cell) for cell in seen.targets])
    assert far < any_far - 1
    assert in_line > 1.3 * any_in_line


def test_no_two_matches_begin_alike() -> None:
    opening = Observation.opening(BONN, Side.FIRST)
    assert all(len(set(aims(player, opening))) > 15 for player in PEOPLE)


@each
def test_what_they_believe_are_chances(player: Person) -> None:
    seen = seen_after(ODD_PAIR, "F1 A1 A3")
    chances = player.believe(seen, Chance(SEEDS[0], "first/aim", 3))
    assert len(chances) == seen.board.size
    assert all(0 <= one <= 1 for one in chances)
    assert [chances[seen.board.parse(name)] for name in ("A1", "F1", "A3")] == [1, 0, 0]


def test_a_captain_needs_fewer_shots_than_a_recruit() -> None:
    recruit, captain = (
        sum(len(play_solo(player, FIVE_APART, seed).shots) for seed in SEEDS[:8])
        for player in (RANKS[0], PEOPLE[-1])
    )
    assert captain < 0.9 * recruit


# --- the recruit ---


def test_the_recruit_searches_all_over_the_sea_and_seldom_where_it_fired() -> None:
    rules, minds = PRESETS["short"].ruleset, (SENSIBLE, RANKS[0])
    found = [manner_of(play_match(minds, rules, 1, game)) for game in range(12)]
    searches = sum(one.searches for one in found)
    assert sum(one.old for one in found) < 0.15 * searches
    assert sum(one.beside for one in found) < 0.05 * searches
    assert sum(one.recent for one in found) == 0
    steps = [step for one in found for step in one.steps]
    assert 3.5 < sum(steps) / len(steps) < 5.5
    assert 0 < sum(one.points for one in found) < len(found)


def test_the_recruits_form_lasts_a_whole_match() -> None:
    """In good form it finishes what it has hit; in bad form it mostly fires about it."""
    seen = seen_after(ODD_PAIR, "B1")
    beside = {seen.board.parse(name) for name in ("A1", "C1", "B2")}
    shares = []
    for seed in SEEDS[:20]:
        cells = [RANKS[0].aim(seen, Chance(seed, "first/aim", ply)) for ply in range(20)]
        shares.append(sum(cell in beside for cell in cells) / 20)
    assert {share == 1 for share in shares} == {True, False}
    assert all(share == 1 or share < 0.3 for share in shares)

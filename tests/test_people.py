"""The lower ranks: they search as people do, and finish what they have hit."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from bench.beginners import SENSIBLE
from bench.manner import manner_of
from bench.selfplay import play_match, play_solo
from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.presets import BONN, FIVE_APART, PRESETS
from game.engine.rules import Side
from game.players.belief.messages import Evidence
from game.players.belief.tables import knowledge_of
from game.players.people import Person, ships_expected
from game.players.ranks import RANKS
from tests.support.positions import MOVING, ODD_PAIR, STILL, seen_after

PEOPLE = [rank for rank in RANKS if isinstance(rank, Person)]
SAILOR = PEOPLE[0]
NAMES = [rank.name for rank in PEOPLE]
SEEDS = [bytes([number]) * 16 for number in range(200)]


def shots(player: Person, seen: Observation) -> list[Cell]:
    return [player.aim(seen, Chance(seed, "first/aim", 8)) for seed in SEEDS]


def answers(player: Person, seen: Observation) -> set[str]:
    return {seen.board.name(cell) for cell in shots(player, seen)}


@pytest.mark.parametrize("player", PEOPLE, ids=NAMES)
@pytest.mark.parametrize("rules", [STILL, MOVING], ids=["still", "moving"])
def test_they_finish_what_they_have_hit(player: Person, rules: dict[str, bool]) -> None:
    assert answers(player, seen_after(ODD_PAIR, "F1 B1 A3", **rules)) == {"A1", "C1", "B2"}


@pytest.mark.parametrize("player", PEOPLE, ids=NAMES)
def test_they_follow_a_line_of_hits(player: Person) -> None:
    longer = f"{ODD_PAIR.rstrip()}\n    ......\n    .dddd.\n    "
    assert answers(player, seen_after(longer, "C7 D7", **STILL)) == {"B7", "E7"}


def test_the_higher_the_rank_the_more_its_shots_promise() -> None:
    seen = seen_after(ODD_PAIR, "A1 B1 C1 F4", **STILL)
    expected, _ = ships_expected(Evidence(knowledge_of(seen)))
    means = [sum(expected[cell] for cell in shots(one, seen)) / len(SEEDS) for one in PEOPLE]
    assert all(lower < higher for lower, higher in pairwise(means)), means


@pytest.mark.parametrize("name", ["bonn", "uppsala"])
def test_the_next_shot_lies_near_the_last_and_in_line_with_it(name: str) -> None:
    rules = PRESETS[name].ruleset
    opening = Observation.opening(rules, Side.FIRST)
    last = opening.board.parse("C3")
    seen = replace(opening, aimed=(last,), spent=frozenset({last}))
    chosen = shots(SAILOR, seen)

    def mean(of: list[Cell]) -> tuple[float, float]:
        far = sum(seen.board.distance(last, cell) for cell in of)
        in_line = sum(seen.board.column(cell) == 2 or seen.board.row(cell) == 2 for cell in of)
        return far / len(of), in_line / len(of)

    (far, in_line), (any_far, any_in_line) = mean(chosen), mean(list(seen.targets))
    assert far < any_far - 1
    assert in_line > 1.3 * any_in_line


def test_no_two_matches_begin_alike() -> None:
    opening = Observation.opening(BONN, Side.FIRST)
    assert all(len(set(shots(player, opening))) > 15 for player in PEOPLE)


@pytest.mark.parametrize("player", PEOPLE, ids=NAMES)
def test_what_they_believe_are_chances(player: Person) -> None:
    seen = seen_after(ODD_PAIR, "F1 A1 A3", **STILL)
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
    seen = seen_after(ODD_PAIR, "B1", **STILL)
    beside = {seen.board.parse(name) for name in ("A1", "C1", "B2")}
    shares = []
    for seed in SEEDS[:20]:
        cells = [RANKS[0].aim(seen, Chance(seed, "first/aim", ply)) for ply in range(20)]
        shares.append(sum(cell in beside for cell in cells) / 20)
    assert {share == 1 for share in shares} == {True, False}
    assert all(share == 1 or share < 0.3 for share in shares)

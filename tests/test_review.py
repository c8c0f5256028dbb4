"""The review: its chances, its two sums, and that it knows public things only."""

from dataclasses import replace

import numpy as np
import pytest

from game.engine.actions import Fire, Result
from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.presets import BONN, FIVE_APART, PRESETS
from game.engine.rules import Ruleset, Side
from game.matches import referee
from game.matches.review import NAMED, Account, clear_cache, outlook, review
from game.players.belief import exact
from game.players.belief.belief import believe
from game.players.belief.tables import CellChances, Knowledge, knowledge_of
from game.players.belief.tracker import START, previous_question, proceed
from game.players.originals.random_player import RandomPlayer
from tests.support.matches import fought
from tests.support.small_boards import SMALL, counted_cells
from tests.support.worlds import worlds

TINY = SMALL["apart"]
SALVO = replace(TINY, fleet=(2, 2, 2), salvo=True)
SHORT = PRESETS["short"].ruleset


def played(rules: Ruleset, first: str = "random", second: str = "random", number: int = 1) -> Match:
    return fought(rules, (first, second), number)


# --- the chances ---


def test_on_a_small_sea_each_chance_is_the_part_of_all_fleets_that_lie_there() -> None:
    """The coach sees what the review sees."""
    match = played(TINY)
    found = review(match)
    for stage, action in zip(match.stages(), match.actions, strict=False):
        assert isinstance(action, Fire)
        seen = observe(stage, stage.side)
        chances = counted_cells(knowledge_of(seen))
        judged = found.judged(stage.ply)
        assert judged is not None
        assert judged.chance == pytest.approx(chances[action.cell], abs=1e-4)
        best = max(chances[cell] for cell in seen.targets)
        assert judged.best_chance == pytest.approx(best, abs=1e-4)
        assert chances[judged.best] == pytest.approx(best, abs=1e-4)
        assert outlook(seen).ranked(seen.targets)[0] == (judged.best, judged.best_chance)


def questions(match: Match) -> list[Knowledge]:
    """What the first side knew before each of its shots."""
    return [
        knowledge_of(observe(stage, Side.FIRST))
        for stage in match.stages()
        if stage.outcome is None and stage.side is Side.FIRST and not stage.is_move_due
    ]


def test_every_question_has_one_before_it() -> None:
    for rules in (BONN, replace(BONN, salvo=True, turns=30), replace(FIVE_APART, salvo=True)):
        known = questions(played(rules, "recruit", "random", 2))
        distinct = list(dict.fromkeys(known))
        assert previous_question(distinct[0]) is None
        if not rules.salvo or not rules.again:
            assert [previous_question(one) for one in distinct[1:]] == distinct[:-1]
        for one in distinct[1:]:
            previous = previous_question(one)
            assert previous is not None
            assert one.shots[: len(previous.shots)] == previous.shots


def along(known: list[Knowledge], particles: int) -> list[CellChances]:
    """The chances before each shot of one match, in order."""
    state, views = START, []
    for number, one in enumerate(known):
        state, view = proceed(state, one, Chance(bytes(16), "along", number), particles)
        views.append(view)
    return views


def test_a_fleet_with_a_ship_that_found_no_placement_is_not_carried_over() -> None:
    known = questions(played(FIVE_APART, "bonn-hard", "bonn-hard", 5))
    state, _ = proceed(START, known[3], Chance(bytes(16), "along", 3), 64)
    assert state.fleets is not None
    state.fleets[0] = len(state.placement_weights)
    _, view = proceed(state, known[4], Chance(bytes(16), "along", 4), 64)
    _, anew = proceed(START, known[4], Chance(bytes(16), "along", 4), 64)
    assert view.cells.tolist() == anew.cells.tolist()


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("moving", [False, True])
def test_fleets_that_are_carried_over_agree_with_the_list_of_all(
    monkeypatch: pytest.MonkeyPatch, moving: bool, named: bool
) -> None:
    """With the list switched off, fleets are drawn: ships swap their hits, and move."""
    rules = Ruleset(
        columns=6, rows=6, fleet=(3, 3, 2, 2), again=False, moving=moving, turns=60, named=named
    )
    known = questions(played(rules, "bonn-medium", "bonn-medium", 3))
    monkeypatch.setattr(exact, "MOST_LISTED", 100_000)
    if moving:  # the same messages for both, so that only the drawing is compared
        monkeypatch.setattr(exact, "filter_fleets", lambda *_: None)
    listed = [believe(one, Chance(bytes(16), "listed", 0)) for one in known]
    monkeypatch.setattr(exact, "MOST_LISTED", 0)
    errors = []
    for view, whole in zip(along(known, 4096), listed, strict=True):
        assert whole.is_listed
        errors.append(np.abs(view.cells - whole.cells).max())
    assert np.mean(errors) < 0.03
    assert max(errors) < 0.15


# --- the two numbers; turning points; what it knows ---


class Best(RandomPlayer):
    """A mind that fires where the chance is best."""

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        return outlook(seen).ranked(seen.targets)[0][0]


def test_whoever_always_fires_at_the_best_cell_has_a_skill_of_100() -> None:
    match = referee.play_minds(played(TINY).at(0), (Best(), RandomPlayer()))
    first, second = review(match).accounts
    assert first.skill == pytest.approx(100)
    assert second.skill is not None
    assert second.skill < 80


def test_skill_is_the_mean_of_the_shares_and_luck_what_goes_beyond_the_chances() -> None:
    match = played(FIVE_APART, "sailor")
    for side, account in zip(Side, review(match).accounts, strict=True):
        shots = account.shots
        mine = [(shot.ply, shot.cell, shot.result) for shot in match.shots if shot.side is side]
        assert [(shot.ply, shot.cell, shot.result) for shot in shots] == mine
        shares = [shot.chance / shot.best_chance for shot in shots]
        assert account.skill == pytest.approx(100 * sum(shares) / len(shares))
        hits = sum(shot.result is not Result.WATER for shot in shots)
        assert account.hits == hits
        assert account.luck == pytest.approx(hits - sum(shot.chance for shot in shots))
        assert all(0 <= shot.share <= 1 for shot in shots)


def test_without_a_shot_there_is_no_skill_and_no_luck() -> None:
    assert review(played(TINY).at(0)).turning_points == ()
    assert Account(()).skill is None
    assert Account(()).luck == 0


def test_in_a_salvo_all_shots_are_judged_by_what_was_known_before_it() -> None:
    match = played(SALVO)
    found = review(match)
    volleys: dict[int, list[int]] = {}
    for shot in match.shots:
        volleys.setdefault(shot.turn, []).append(shot.ply)
    assert max(map(len, volleys.values())) == 3
    for plies in volleys.values():
        assert len({id(outlook(observe(match.at(ply), match.sides[ply]))) for ply in plies}) == 1
        fired = set()
        for ply in plies:
            judged = found.judged(ply)
            assert judged is not None
            assert judged.best not in fired, "nobody may aim twice at a cell"
            fired.add(judged.cell)


def test_where_ships_move_a_search_is_measured_against_the_best_search() -> None:
    """A ship that was hit lies still and may wait, so a search for others is no mistake."""
    rules = Ruleset(columns=8, rows=8, fleet=(4, 2, 2), again=False, moving=True, turns=60)
    base = played(rules)
    board = rules.board
    ship = base.fleets[1][0]
    match = base.at(0).fire(ship.cells[1])
    while match.side is Side.SECOND:
        away = next(c for c in board.cells if all(c not in s.cells for s in base.fleets[0]))
        match = match.fire(away)
    view = outlook(observe(match, Side.FIRST))
    targets = observe(match, Side.FIRST).targets
    find = max(targets, key=lambda cell: view.unhit[cell])
    assert view.cells.max() > view.cells[find] + 0.1
    found = review(match.fire(find)).accounts[0].shots[-1]
    assert found.share > 0.95
    assert found.search is not None
    sink = max(targets, key=lambda cell: view.cells[cell])
    sinking = review(match.fire(sink)).accounts[0].shots[-1]
    assert sinking.share > 0.95
    assert sinking.search is None


def test_the_turning_points_are_the_turns_furthest_from_what_was_to_be_expected() -> None:
    found = review(played(SHORT, "captain", "recruit"))
    points = found.turning_points
    assert len(points) == NAMED
    assert [point.turn for point in points] == sorted({point.turn for point in points})
    least = min(abs(point.size) for point in points)
    assert all(abs(other.size) <= least for other in found.swings if other not in points)
    for side in Side:
        sizes = sum(swing.size for swing in found.swings if swing.side is side)
        assert sizes == pytest.approx(found.accounts[side].luck)


@pytest.mark.parametrize("name", ["bonn", "still", "touching", "salvo"])
def test_the_same_public_history_over_another_fleet_has_the_same_review(name: str) -> None:
    """Of the observer's shots, that is: the other side knows its own fleet, and fires elsewhere."""
    pairs = [pair for pair in worlds(name, 9) if pair[0].match.ply > 8][:2]
    assert len(pairs) == 2
    for one, other in pairs:
        assert review(one.match).accounts[0] == review(other.match).accounts[0]
        views = [outlook(observe(world.match, Side.FIRST)) for world in (one, other)]
        assert views[0].cells.tolist() == views[1].cells.tolist()


def test_a_review_is_the_same_whenever_it_is_asked_for_and_whatever_the_seed() -> None:
    match = played(SHORT, "recruit")
    first = review(match)
    clear_cache()
    outlook(observe(match.at(40), match.at(40).side))  # so that not all is asked for in order
    again = review(replace(match, seed=bytes(16)))
    assert first is not again
    assert first.accounts == again.accounts

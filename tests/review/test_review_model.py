"""The review: its chances, its two sums, and that it knows public things only."""

from dataclasses import replace

import pytest

from game.engine.actions import Result
from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.presets import FIVE_APART, PRESETS
from game.engine.rules import Ruleset, Side
from game.features.review.model import NAMED, review
from game.matches import referee
from game.matches.cell_chances import cell_chances
from game.players.originals.random_player import RandomPlayer
from tests.support.matches import fought
from tests.support.small_boards import SMALL
from tests.support.worlds import worlds

TINY = SMALL["apart"]
SALVO = replace(TINY, fleet=(2, 2, 2), salvo=True)
SHORT = PRESETS["short"].ruleset


def played(rules: Ruleset, first: str = "random", second: str = "random", number: int = 1) -> Match:
    return fought(rules, (first, second), number)


class Best(RandomPlayer):
    """A mind that fires where the chance is best."""

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        return cell_chances(seen).ranked(seen.targets)[0][0]


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


def test_in_a_salvo_all_shots_are_judged_by_what_was_known_before_it() -> None:
    match = played(SALVO)
    found = review(match)
    volleys: dict[int, list[int]] = {}
    for shot in match.shots:
        volleys.setdefault(shot.turn, []).append(shot.ply)
    assert max(map(len, volleys.values())) == 3
    for plies in volleys.values():
        assert (
            len({id(cell_chances(observe(match.at(ply), match.sides[ply]))) for ply in plies}) == 1
        )
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
    view = cell_chances(observe(match, Side.FIRST))
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
    least = min(abs(point.account.luck) for point in points)
    assert all(abs(other.account.luck) <= least for other in found.swings if other not in points)
    for side in Side:
        sizes = sum(swing.account.luck for swing in found.swings if swing.side is side)
        assert sizes == pytest.approx(found.accounts[side].luck)


@pytest.mark.parametrize("name", ["bonn", "still", "touching", "salvo"])
def test_the_same_public_history_over_another_fleet_has_the_same_review(name: str) -> None:
    """Of the observer's shots, that is: the other side knows its own fleet, and fires elsewhere."""
    pairs = [pair for pair in worlds(name, 9) if pair[0].match.ply > 8][:2]
    assert len(pairs) == 2
    for one, other in pairs:
        assert review(one.match).accounts[0] == review(other.match).accounts[0]

"""The chances that the coach and reviews show: right, public, and bounded in time."""

import numpy as np
import pytest

from game.engine.chance import Chance
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.rules import Ruleset, Side
from game.matches.cell_chances import cell_chances, judge
from game.players.belief import exact
from game.players.belief.belief import believe
from game.players.belief.tables import CellChances, Knowledge, knowledge_of
from game.players.belief.tracker import START, proceed
from tests.support.matches import fought
from tests.support.small_boards import SMALL, counted_cells

TINY = SMALL["apart"]
SEA = Ruleset(columns=12, rows=12, fleet=(4, 3, 2, 2), turns=60)


def played(rules: Ruleset, first: str = "random", second: str = "random", number: int = 1) -> Match:
    return fought(rules, (first, second), number)


def test_on_a_small_sea_each_chance_is_the_part_of_all_fleets_that_lie_there() -> None:
    match = played(TINY)
    for stage, shot in zip(match.stages(), match.shots, strict=False):
        seen = observe(stage, stage.side)
        chances = counted_cells(knowledge_of(seen))
        judged = judge(seen, shot, cell_chances(seen))
        assert judged.chance == pytest.approx(chances[shot.cell], abs=1e-4)
        best = max(chances[cell] for cell in seen.targets)
        assert judged.best_chance == pytest.approx(best, abs=1e-4)
        assert chances[judged.best] == pytest.approx(best, abs=1e-4)
        assert cell_chances(seen).ranked(seen.targets)[0] == (judged.best, judged.best_chance)


def questions(match: Match) -> list[Knowledge]:
    """What the first side knew before each of its shots."""
    return [
        knowledge_of(observe(stage, Side.FIRST))
        for stage in match.stages()
        if stage.outcome is None and stage.side is Side.FIRST and not stage.is_move_due
    ]


def along(known: list[Knowledge], particles: int) -> list[CellChances]:
    """The chances before each shot of one match, in order."""
    state, views = START, []
    for number, one in enumerate(known):
        state, view = proceed(state, one, Chance(bytes(16), "along", number), particles)
        views.append(view)
    return views


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

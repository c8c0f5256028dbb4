"""Questions: what answers teach, which questions minds ask, and what pages say of them."""

from dataclasses import replace

import numpy as np
import pytest

from bench.beginners import BEGINNERS
from bench.selfplay import play_solo
from game.engine.actions import Ask, Question
from game.engine.chance import SEED_BYTES
from game.engine.observation import Observation
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches.question_chances import best_question, yes_before, yes_of_100
from game.players.belief import exact
from game.players.belief.belief import believe
from game.players.belief.possible_fleets import (
    possible_fleets,
    rectangles,
)
from game.players.belief.tables import knowledge_of
from game.players.belief.tracker import START, previous_question, proceed
from game.players.mind import Mind
from game.players.minds import RANKS
from tests.support.small_boards import SMALL, chance, counted, counted_cells, game, says_yes

ASKING = SMALL["asking"]


@pytest.mark.parametrize(("most", "error"), [(1 << 14, 1e-3), (64, 0.04)])
def test_the_belief_comes_to_what_counting_all_fleets_does(
    most: int, error: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "MOST_LISTED", most)
    for number in range(2):
        for seen in list(game(ASKING, number))[:9:4]:
            known, draws = knowledge_of(seen), chance(number)
            belief, left = believe(known, draws, 4096), counted(known)
            assert np.abs(belief.cells - counted_cells(known)).max() < error
            if belief.is_listed:
                assert belief.fleets.shape[1] == len(set(map(frozenset, left)))
            fleets = possible_fleets(known, belief)
            ask = draws.choice(rectangles(ASKING.board))
            share = sum(share for fleet, share in left.items() if says_yes(ASKING, fleet, ask))
            assert fleets.share(ask) == pytest.approx(share, abs=error)


def test_a_review_follows_the_answers_from_shot_to_shot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_LISTED", 0)
    for number in range(4):
        chain = [knowledge_of(list(game(ASKING, number))[6])]
        while (before := previous_question(chain[-1])) is not None:
            chain.append(before)
        state = START
        for known in reversed(chain):
            state, chances = proceed(state, known, chance(number), 4096)
        assert np.abs(chances.cells - counted_cells(chain[0])).max() < 0.04


SEAS = {
    "ask": PRESETS["ask"].ruleset,
    "small": ASKING,
    "large": replace(
        PRESETS["ask"].ruleset, columns=12, rows=9, fleet=(4, 3, 3, 1), touching=False, named=False
    ),
}
ASKERS = (*RANKS, replace(BEGINNERS[0], asks=True))


@pytest.mark.parametrize("name", ["ask", "small"])
@pytest.mark.parametrize("mind", ASKERS, ids=lambda mind: mind.name)
def test_minds_ask_what_the_rules_allow(mind: Mind, name: str) -> None:
    rules = SEAS[name]
    match = play_solo(mind, rules, bytes(SEED_BYTES))  # refuses whatever is not
    assert match.outcome is not None
    assert 1 <= len(match.questions) <= rules.questions


def test_pages_tell_how_many_of_a_hundred_fleets_say_yes() -> None:
    board = SEAS["ask"].board
    seen = replace(Observation.opening(SEAS["ask"], Side.FIRST), may_ask=True, questions_left=5)
    half = Ask(board.parse("A1"), board.parse("D8"))
    assert yes_of_100(seen, half) == 99
    assert yes_of_100(seen, Ask(board.parse("A1"), board.parse("H8"))) == 100
    best = best_question(seen)
    assert best is not None
    assert 30 <= best.yes == yes_of_100(seen, best.ask) <= 70
    asked = Question(0, 0, Side.FIRST, half, is_yes=True)
    later = replace(seen, asked=(asked,))
    assert yes_before(later, asked) == 99
    assert yes_of_100(later, half) == 100
    assert best_question(replace(later, may_ask=False)) is None

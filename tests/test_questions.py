"""Questions: what answers teach, which questions minds ask, and what pages say of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from bench.beginners import BEGINNERS
from bench.selfplay import play_solo
from game.engine.actions import Ask, Question, Result, Shot
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Fleet, all_placements
from game.engine.geometry import Board, Cell
from game.engine.observation import Observation
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Side
from game.matches.questions import best_question, yes_before, yes_of_100
from game.players.belief import exact, questions
from game.players.belief.belief import believe
from game.players.belief.questions import MOST_ANSWERS, possible_fleets, rectangles
from game.players.belief.tables import Flags, Knowledge, knowledge_of
from game.players.belief.tracker import START, previous_question, proceed
from game.players.mind import Mind
from game.players.ranks import RANKS

SMALL = Ruleset(
    columns=5, rows=5, fleet=(3, 2, 2), touching=True, again=False, moving=False, turns=None,
    questions=5,
)  # fmt: skip
BOARD = SMALL.board


def all_fleets() -> Iterator[Fleet]:
    for long in all_placements(BOARD, 3):
        for one, other in combinations(all_placements(BOARD, 2), 2):
            if not (long.mask & one.mask or (long.mask | one.mask) & other.mask):
                yield long, one, other


FLEETS = tuple(all_fleets())


def told(fleet: Fleet, draws: Chance) -> Knowledge:
    """What a few questions and shots at random tell of a fleet."""
    asked, shots, hit, cells = list[Question](), list[Shot](), 0, list(BOARD.cells)
    draws.shuffle(cells)
    for ply in range(1 + draws.below(9)):
        if draws.below(2):
            ask = Ask(*BOARD.corners(draws.choice(cells), draws.choice(cells)))
            asked.append(Question(ply, ply, Side.FIRST, ask, says_yes(fleet, ask)))
            continue
        hit |= 1 << cells[ply]
        result, ship = met(fleet, hit, cells[ply])
        wreck = fleet[ship] if result is Result.SUNK else None
        shots.append(Shot(ply, ply, Side.FIRST, cells[ply], result, wreck))
    sunk = [shot.wreck for shot in shots if shot.wreck is not None]
    left = tuple(ship.length for ship in fleet if ship not in sunk)
    return Knowledge(SMALL, tuple(shots), left, 9, 0, asked=tuple(asked))


def says_yes(fleet: Fleet, ask: Ask) -> bool:
    return any(ship.mask & BOARD.rectangle(ask.first, ask.last) for ship in fleet)


def met(fleet: Fleet, hit: int, cell: Cell) -> tuple[Result, int]:
    for at, ship in enumerate(fleet):
        if cell in ship.cells:
            return (Result.HIT if ship.mask & ~hit else Result.SUNK), at
    return Result.WATER, -1


def agrees(fleet: Fleet, known: Knowledge) -> bool:
    hit = 0
    for shot in known.shots:
        hit |= 1 << shot.cell
        result, ship = met(fleet, hit, shot.cell)
        if result is not shot.result or shot.wreck not in (None, fleet[ship]):
            return False
    return all(says_yes(fleet, one.ask) is one.is_yes for one in known.asked)


def counted(known: Knowledge) -> tuple[list[Fleet], list[float]]:
    """All fleets that agree, and the share of them with a ship afloat in each cell."""
    sunk = [shot.wreck for shot in known.shots if shot.wreck is not None]
    left = [fleet for fleet in FLEETS if agrees(fleet, known)]
    masks = [sum(ship.mask for ship in fleet if ship not in sunk) for fleet in left]
    return left, [sum(mask >> cell & 1 for mask in masks) / len(masks) for cell in BOARD.cells]


@pytest.mark.parametrize(("most", "error"), [(1 << 14, 1e-3), (64, 0.04), (0, 0.04)])
def test_the_belief_comes_to_what_counting_all_fleets_does(
    most: int, error: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "MOST_LISTED", most)
    for number in range(12):
        draws = Chance(bytes(SEED_BYTES), "told", number)
        known = told(draws.choice(FLEETS), draws)
        left, truth = counted(known)
        belief = believe(known, draws, 4096)
        assert np.abs(belief.cells - truth).max() < error
        if belief.is_listed:
            assert belief.fleets.shape[1] == len(left)
        fleets = possible_fleets(known, belief)
        ask = draws.choice(rectangles(BOARD))
        share = sum(says_yes(fleet, ask) for fleet in left) / len(left)
        assert fleets.share(ask) == pytest.approx(share, abs=error)


def test_a_review_follows_the_answers_from_shot_to_shot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_LISTED", 0)
    for number in range(6):
        draws = Chance(bytes(SEED_BYTES), "told", number)
        known = told(draws.choice(FLEETS), draws)
        chain = [known]
        while (before := previous_question(chain[-1])) is not None:
            chain.append(before)
        state = START
        for one in reversed(chain):
            state, chances = proceed(state, one, draws, 4096)
        assert np.abs(chances.cells - counted(known)[1]).max() < 0.04


SEAS = {
    "ask": PRESETS["ask"].ruleset,
    "small": SMALL,
    "large": replace(
        PRESETS["ask"].ruleset, columns=12, rows=9, fleet=(4, 3, 3, 1), touching=False, named=False
    ),
}
ASKING = (*RANKS, replace(BEGINNERS[0], asks=True))


@pytest.mark.parametrize("rules", SEAS.values(), ids=SEAS.keys())
@pytest.mark.parametrize("mind", ASKING, ids=lambda mind: mind.name)
def test_minds_ask_what_the_rules_allow(mind: Mind, rules: Ruleset) -> None:
    match = play_solo(mind, rules, bytes(SEED_BYTES))  # refuses whatever is not
    assert match.outcome is not None
    assert 1 <= len(match.questions) <= rules.questions


@pytest.mark.long
def test_the_admiral_saves_shots_by_asking() -> None:
    rules = SEAS["ask"]
    asked, unasked = (
        sum(
            len([shot for shot in play_solo(RANKS[-1], sea, seed).shots if not shot.side])
            for seed in (bytes([number] * SEED_BYTES) for number in range(8))
        )
        for sea in (rules, replace(rules, questions=0))
    )
    assert asked < unasked - 8


def test_the_work_of_a_question_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    real = questions.answers_of

    def counted_answers(board: Board, lies: Flags) -> Flags:
        sizes.append(real(board, lies).size)
        return real(board, lies)

    monkeypatch.setattr(questions, "answers_of", counted_answers)
    rules = replace(SEAS["ask"], columns=15, rows=15)
    seen = Observation.opening(rules, Side.FIRST)
    known = knowledge_of(seen)
    fleets = possible_fleets(known, believe(known, Chance(bytes(SEED_BYTES), "draw", 0)))
    assert fleets.best(seen.targets, ()) is not None
    assert fleets.lies.shape[1] * len(rectangles(rules.board)) > MOST_ANSWERS >= max(sizes)


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

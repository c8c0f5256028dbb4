"""A match: what it refuses, and what it remembers; the model in test_model plays the rules."""

from typing import Any

import pytest

from game.engine.actions import (
    STAY,
    Ask,
    AskedAlready,
    CellSpent,
    CourseBlocked,
    Fire,
    IllegalAction,
    MatchOver,
    NoQuestionLeft,
    NoSuchShip,
    NotARectangle,
    NotFiring,
    NotMoving,
    Outcome,
    Reason,
    SameQuestion,
    ShipHit,
)
from game.engine.fleets import IllegalFleet, ShipsTouch, WrongShips, parse_placement
from game.engine.geometry import Cell, NotACell
from game.engine.match import Match
from game.engine.rules import Side
from tests.support.boards import SEED, action, fleets, play, rules, start
from tests.support.model import told_by_engine

FLEET = """
    .aa..  .....
    .....  .aa..
    ..b..  ....b
    ..b..  ....b
"""


def at_sea(**switches: Any) -> Match:
    return start(FLEET, **{"moving": True, "turns": 40, **switches})


# --- refusals; the end; a match is its record ---


def test_a_fleet_that_the_rules_forbid_is_refused_on_either_side() -> None:
    ruleset, (first, second) = rules(FLEET), fleets(FLEET)
    beside = parse_placement(ruleset.board, "D2v2")
    for wrong, error, why in [
        ((first[0], beside), ShipsTouch, "touching: D2v2 and B1h2"),
        (first[:1], WrongShips, "missing ships of length: 2"),
        ((), WrongShips, "missing ships of length: 2, 2"),
    ]:
        for pair in ((wrong, second), (second, wrong)):
            with pytest.raises(error, match=f"^{why}$"):
                Match(ruleset, pair, SEED)
    odd = rules("aaa.\n....\nb...\n....")
    longest_last = fleets("bbb.\n....\na...\n....")[0]
    with pytest.raises(IllegalFleet, match=r"^the ships are not in the ruleset's order$"):
        Match(odd, (longest_last, longest_last[::-1]), SEED)


def test_no_fleet_on_the_side_that_searches_alone_is_the_only_legal_one() -> None:
    hidden = fleets(FLEET)[1]
    for first in (hidden, hidden[:1]):
        with pytest.raises(IllegalFleet, match=r"^who searches alone has no fleet$"):
            Match(rules(FLEET, solo=True), (first, hidden), SEED)
    with pytest.raises(WrongShips):
        Match(rules(FLEET, solo=True), ((), ()), SEED)


@pytest.mark.parametrize("length", [0, 15, 17])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"^not a seed of 16 bytes: {length} bytes$"):
        at_sea(seed=bytes(length))


REFUSALS = [
    # switches, the actions so far, the one that is refused, and how
    ({}, "A1 E1", "A1", CellSpent, "nothing new to learn there: A1"),
    ({}, "", "a<", NotMoving, "a ship moves once in a turn"),
    ({"moving": True}, "a>", "b<", NotMoving, "a ship moves once in a turn"),
    ({"moving": True}, "", "c<", NoSuchShip, "no such ship: 2"),
    ({"moving": True}, "A1 B1", "a<", ShipHit, "a ship that was hit can't move: 0"),
    ({"moving": True}, "", "b>", CourseBlocked, "over the edge of the board: 1-aft"),
    ({"moving": True}, "", "b<", CourseBlocked, "too near another ship: 1-fore"),
    ({"turns": 1}, "A1", "A1", MatchOver, "the match is over"),
    ({}, "", "A1:B2?", NoQuestionLeft, "no question is left"),
    ({"questions": 1}, "A1:B2? A1 E1", "A1:C3?", NoQuestionLeft, "no question is left"),
    ({"questions": 2}, "A1:B2?", "A1:C3?", AskedAlready, "one question before each shot"),
    ({"questions": 2}, "A1:B2? A1 E1", "A1:B2?", SameQuestion, "asked before: A1 B2"),
    ({"questions": 2}, "A1 E1", "A1:A1?", CellSpent, "nothing new to learn there: A1"),
    ({"questions": 2}, "", "B1:A2?", NotARectangle, "not the upper left and the lower right"),
]  # fmt: skip


@pytest.mark.parametrize(("switches", "script", "refused", "error", "message"), REFUSALS)
def test_an_illegal_action_is_refused_for_the_rule_it_breaks(
    switches: dict[str, Any], script: str, refused: str, error: type[IllegalAction], message: str
) -> None:
    match = play(start(FLEET, **{"turns": 40, **switches}), script)
    illegal = action(match.ruleset.board, refused)
    before = told_by_engine(match)
    with pytest.raises(IllegalAction, match=f"^{message}") as refusal:
        match.act(illegal)
    assert type(refusal.value) is error
    assert told_by_engine(match) == before
    with pytest.raises(error):
        Match(match.ruleset, match.fleets, SEED, (*match.actions, illegal))


def test_each_rule_that_an_action_can_break_is_among_the_refusals_above() -> None:
    of_the_rules = {
        error for error in IllegalAction.__subclasses__() if error.__module__.startswith("game.eng")
    }
    assert {error for *_, error, _ in REFUSALS} | {NotFiring} == of_the_rules


def test_a_record_in_which_a_turn_begins_with_a_shot_is_refused() -> None:
    """The shot of a player who has not moved writes the stay before it."""
    match = play(at_sea(), "A1 b< A1")
    assert match == play(at_sea(), "stay A1 b< A1")
    assert match.actions[0] == STAY
    for actions in (match.actions[1:], (*match.actions, Fire(Cell(0)))):
        with pytest.raises(NotFiring, match=r"^a move or stay comes before the turn's shots"):
            Match(match.ruleset, match.fleets, SEED, actions)


@pytest.mark.parametrize("cell", [-1, 20, 10_000])
def test_a_cell_off_the_board_is_refused(cell: int) -> None:
    for act in (Match.fire, lambda match, cell: match.act(Ask(Cell(0), cell))):
        with pytest.raises(NotACell, match=f"^not a cell of the board: {cell}$"):
            act(start(FLEET, questions=1), Cell(cell))


def test_moving_ships_that_never_meet_end_at_the_limit_that_fits_a_record() -> None:
    match = at_sea(salvo=True, again=True, turns=None)
    limit = match.ruleset.limit
    assert limit is not None
    for turn in range(limit):
        assert (match.turn, match.outcome) == (turn, None)
        match = play(match, "stay A4 B4")
    assert match.outcome == Outcome(None, Reason.AS_MANY_AFLOAT)
    assert match.ply <= match.ruleset.most_actions


SCRIPT = "a< A1 b< D1 B2 D1 a> C2"


def test_the_stages_of_a_match_are_the_match_at_each_ply() -> None:
    match = play(at_sea(salvo=True), "a< A1 B2 D1 D2 C2").resign(Side.FIRST)
    stages = list(match.stages())
    assert stages == [match.at(ply) for ply in range(match.ply)] + [match]
    assert [stage.outcome for stage in stages[:-1]] == [None] * match.ply
    first, second = Side
    assert list(match.moments()) == [
        (one.turn, len(one.shots), (one.placements(first), one.placements(second)))
        for one in stages
    ]
    for ply, stage in enumerate(stages):
        assert told_by_engine(stage) == told_by_engine(match.at(ply))
    assert list(at_sea().stages()) == [at_sea()]


@pytest.mark.parametrize("ply", [-1, 11, 1000])
def test_there_is_no_match_at_a_ply_before_the_first_or_past_the_end(ply: int) -> None:
    match = play(at_sea(), SCRIPT)
    assert match.ply == 10
    with pytest.raises(IndexError, match=f"^no such ply: {ply}$"):
        match.at(ply)

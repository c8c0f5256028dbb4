"""A match: what it refuses, and what it remembers; the model in test_model plays the rules."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from game.engine.actions import (
    STAY,
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
from game.engine.fleets import (
    Course,
    IllegalFleet,
    ShipsOverlap,
    ShipsTouch,
    WrongShips,
    parse_placement,
)
from game.engine.geometry import Cell, NotACell
from game.engine.match import Match
from game.engine.rules import Side
from tests.support.boards import (
    SEED,
    action,
    fleets,
    picture,
    play,
    rules,
    show,
    side_by_side,
    start,
)

FIRST, SECOND = Side


def state(match: Match) -> tuple[Side, bool, int]:
    return match.side, match.is_move_due, match.turn


# --- beginning ---

STILL = """
    aaa..  .....
    .....  .bb..
    ...b.  .....
    ...b.  .aaa.
"""


def test_a_fleet_that_the_rules_forbid_is_refused_on_either_side() -> None:
    ruleset, (first, second) = rules(STILL), fleets(STILL)
    beside, across = (parse_placement(ruleset.board, text) for text in ("D2v2", "C1v2"))
    for wrong, error in [
        ((first[0], beside), ShipsTouch),
        ((first[0], across), ShipsOverlap),
        (first[:1], WrongShips),
        ((*first, first[0]), WrongShips),
        (first[::-1], IllegalFleet),
    ]:
        with pytest.raises(error):
            Match(ruleset, (wrong, second), SEED)
        with pytest.raises(error):
            Match(ruleset, (second, wrong), SEED)


@pytest.mark.parametrize("length", [0, 15, 17])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"^not a seed of 16 bytes: {length} bytes$"):
        start(STILL, seed=bytes(length))


def test_the_last_ply_of_a_side_is_that_of_its_last_action() -> None:
    match = start(STILL, again=True)
    assert [match.last_ply(side) for side in Side] == [-1, -1]
    match = play(match, "B4 C4 A1 E4")
    assert match.sides == (FIRST, FIRST, FIRST, SECOND)
    assert [match.last_ply(side) for side in Side] == [2, 3]


# --- moving ---

FLEET = """
    .aa..  .....
    .....  .aa..
    ..b..  ....b
    ..b..  ....b
"""


def at_sea(text: str = FLEET, **switches: Any) -> Match:
    return start(text, **{"moving": True, "turns": 40, **switches})


def test_a_salvo_is_never_larger_than_the_waters_left_to_fire_at() -> None:
    laid = side_by_side(*["ab.. .... .... ...c"] * 2)
    match = start(laid, salvo=True, touching=True)
    for volley, answer in [
        ("A1 B1 C1", "A2"),  # sinks two of three, so that one shot answers
        ("D1 A2 B2", "B2"),
        ("C2 D2 A3", "C2"),
        ("B3 C3 D3", "D2"),
        ("A4 B4 C4", "A3"),
    ]:
        match = play(match, f"{volley} {answer}")
    assert (match.afloat(FIRST), match.shots_left) == (3, 1)
    assert play(match, "D4").outcome == Outcome(FIRST, Reason.ALL_SUNK)


# --- refusals ---

REFUSALS = [
    # switches, the actions so far, the one that is refused, and how
    ({}, "A1 E1", "A1", CellSpent, "nothing new to learn there: A1"),
    ({}, "", "a<", NotMoving, "a ship moves once in a turn"),
    ({"moving": True}, "a>", "b<", NotMoving, "a ship moves once in a turn"),
    ({"moving": True}, "stay", "a<", NotMoving, "a ship moves once in a turn"),
    ({"moving": True, "again": True}, "B2", "a<", NotMoving, "a ship moves once in a turn"),
    ({"moving": True, "salvo": True}, "A1", "a<", NotMoving, "a ship moves once in a turn"),
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
    before = show(match), state(match), match.shots, match.aimed
    with pytest.raises(IllegalAction) as refusal:
        match.act(illegal)
    assert type(refusal.value) is error
    assert str(refusal.value).startswith(message)
    assert (show(match), state(match), match.shots, match.aimed) == before
    with pytest.raises(error):
        Match(match.ruleset, match.fleets, SEED, (*match.actions, illegal))


def test_a_question_is_free_and_counts_every_cell_of_a_ship() -> None:
    laid = """
        aa..  .aa.
        ....  ....
        ..b.  b...
        ....  ....
    """
    match = play(start(laid, questions=5, turns=40), "A1:A2? A1 A1:D1? D4")
    match = play(match, "C1:D2? A3")
    assert match.side is SECOND
    match = play(match, "B1:D2? C3 A1:A3?")
    assert (match.side, match.turn, match.shots_left) == (FIRST, 4, 1)
    assert [(one.side, one.is_yes) for one in match.questions] == [
        (FIRST, False), (SECOND, True), (FIRST, True), (SECOND, True), (FIRST, True),
    ]  # fmt: skip
    assert [match.questions_left(side) for side in Side] == [2, 3]


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


def test_a_side_that_only_hides_can_not_fire() -> None:
    ruleset = rules(FLEET, solo=True, moving=True, turns=40)
    match = play(Match(ruleset, ((), fleets(FLEET)[1]), SEED), "D4")
    assert (match.side, match.is_move_due, match.shots_left) == (SECOND, True, 0)
    with pytest.raises(NotFiring):
        match.fire(Cell(0))
    assert play(match, "a<").side is FIRST


@pytest.mark.parametrize("cell", [-1, 20, 10_000])
@pytest.mark.parametrize("moving", [True, False])
def test_a_shot_off_the_board_is_refused(cell: int, moving: bool) -> None:
    with pytest.raises(NotACell, match=f"^not a cell of the board: {cell}$"):
        start(FLEET, moving=moving, turns=9).fire(Cell(cell))


@pytest.mark.parametrize("ship", [-1, 2, 255])
def test_a_ship_that_the_fleet_does_not_have_can_not_move(ship: int) -> None:
    with pytest.raises(NoSuchShip, match=f"^no such ship: {ship}$"):
        at_sea().steer(ship, Course.AFT)


# --- the end ---


def test_moving_ships_that_never_meet_end_at_the_limit_that_fits_a_record() -> None:
    match = start(
        side_by_side(*["aa... ..... ....b ....b"] * 2),
        moving=True,
        salvo=True,
        again=True,
        turns=None,
    )
    limit = match.ruleset.limit
    assert limit is not None
    for turn in range(limit):
        assert (match.turn, match.outcome) == (turn, None)
        match = play(match, "stay C1 D1")
    assert match.outcome == Outcome(None, Reason.AS_MANY_AFLOAT)
    assert match.ply <= match.ruleset.most_actions


# --- a match is its record ---

SCRIPT = "a< A1 b< D1 B2 D1 a> C2"


def test_a_match_is_frozen_and_acting_leaves_it_as_it_was() -> None:
    match = at_sea()
    after = play(match, SCRIPT)
    assert show(match) == picture(FLEET)
    assert (match.ply, match.shots) == (0, ())
    with pytest.raises(FrozenInstanceError):
        after.actions = ()  # type: ignore[misc]
    one, other = play(after, "stay A1"), play(after, "b< A2")
    assert (one.shots[-1].cell, other.shots[-1].cell) == (Cell(0), Cell(5))
    assert one.actions[: after.ply] == other.actions[: after.ply] == after.actions


def test_matches_of_the_same_record_are_equal_and_of_another_are_not() -> None:
    one, other = play(at_sea(), SCRIPT), play(at_sea(), SCRIPT)
    assert one == other
    assert hash(one) == hash(other)
    assert one == Match(one.ruleset, one.fleets, one.seed, one.actions)
    assert one != play(at_sea(), SCRIPT.removesuffix("C2") + "D1")
    assert one != play(at_sea(seed=bytes(16)), SCRIPT)
    assert one != play(at_sea(turns=41), SCRIPT)


def test_the_stages_of_a_match_are_the_match_at_each_ply() -> None:
    match = play(at_sea(salvo=True), "a< A1 B2 D1 D2 C2")
    stages = list(match.stages())
    assert stages == [match.at(ply) for ply in range(match.ply + 1)]
    first, second = Side
    assert list(match.moments()) == [
        (one.turn, len(one.shots), (one.placements(first), one.placements(second)))
        for one in stages
    ]
    for ply, stage in enumerate(stages):
        assert show(stage) == show(match.at(ply))
        assert (state(stage), stage.aimed) == (state(match.at(ply)), match.at(ply).aimed)
    assert list(at_sea().stages()) == [at_sea()]


@pytest.mark.parametrize("ply", [-1, 11, 1000])
def test_there_is_no_match_at_a_ply_before_the_first_or_past_the_end(ply: int) -> None:
    match = play(at_sea(), SCRIPT)
    assert match.ply == 10
    with pytest.raises(IndexError, match=f"^no such ply: {ply}$"):
        match.at(ply)
